// The settings: name, language, theme, and how cards move. They take effect immediately, even in the middle of a game.
// @ts-check
import { html } from "../../vendor/lit.js";
import "./devices.js";
import { HouseElement, define } from "./element.js";
import "./looks.js";
import "./notifications.js";
import { preferences } from "./preferences.js";
import { t, words } from "./words.js";

/** The name of every language in that language. @type {Record<string, string>} */
const LANGUAGES = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português BR",
  "pt-PT": "Português PT",
};
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const SWITCHES = /** @type {const} */ (["onePlace", "motion", "sounds", "unhurried"]);

/** Choose a language. A page that the server writes in a language (a rulebook) is loaded again. */
export function languageChoice() {
  const choose = async (/** @type {Event} */ event) => {
    await words.speak(/** @type {HTMLSelectElement} */ (event.target).value);
    if (document.body.classList.contains("rules")) location.reload();
  };
  return html`<select class="language" aria-label=${t("web.house_language")} @change=${choose}>
    ${words.languages.map(
      (code) =>
        html`<option value=${code} lang=${code} ?selected=${code === words.language}>${LANGUAGES[code] ?? code}</option>`,
    )}
  </select>`;
}

class Settings extends HouseElement {
  render() {
    const { values } = preferences;
    return html`<div class="form">
      <upcard-looks group="setting"></upcard-looks>
      <label class="field"><span>${t("web.house_language")}</span>${languageChoice()}</label>
      <fieldset class="field">
        <legend>${t("web.house_theme")}</legend>
        <div class="choices">
          ${THEMES.map((theme) => this.#choice("theme", theme, values.theme === theme, () => preferences.change({ theme })))}
        </div>
      </fieldset>
      <fieldset class="field">
        <legend>${t("web.house_speed")}</legend>
        <div class="choices">
          ${[0, 1, 2, 3].map((speed) =>
            this.#choice("speed", String(speed), values.speed === speed, () => preferences.change({ speed })),
          )}
        </div>
      </fieldset>
      ${SWITCHES.map(
        (name) =>
          html`<label class="switch">
            <input
              type="checkbox"
              name=${name}
              .checked=${values[name]}
              @change=${(/** @type {Event} */ event) =>
                preferences.change({ [name]: /** @type {HTMLInputElement} */ (event.target).checked })}
            />
            <span>${t(`web.house_switch_${name.toLowerCase()}`)}</span>
          </label>`,
      )}
      <upcard-notifications></upcard-notifications>
      <upcard-devices></upcard-devices>
    </div>`;
  }

  /**
   * @param {string} group
   * @param {string} value
   * @param {boolean} chosen
   * @param {() => void} choose
   */
  #choice(group, value, chosen, choose) {
    return html`<label class="choice">
      <input type="radio" name="setting-${group}" value=${value} .checked=${chosen} @change=${choose} />
      <span>${t(`web.house_setting_${group}_${value}`)}</span>
    </label>`;
  }
}

define("upcard-settings", Settings);
