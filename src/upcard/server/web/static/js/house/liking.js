// The settings: name, language, theme, and how cards move. They work at once, also in the middle of a game.
// @ts-check
import { html } from "../../vendor/lit.js";
import { HouseElement, define } from "./element.js";
import { preferences } from "./preferences.js";
import { t, words } from "./words.js";

/** Every language in its own words. @type {Record<string, string>} */
const LANGUAGES = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
};
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const SWITCHES = /** @type {const} */ (["onePlace", "motion", "sounds"]);

/** Choose a language. A page that was written in one (a rulebook) is fetched anew. */
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

class Liking extends HouseElement {
  render() {
    const { liked } = preferences;
    return html`<div class="form">
      <label class="field">
        <span>${t("web.house_your_name")}</span>
        <input
          name="name"
          maxlength="24"
          autocomplete="nickname"
          .value=${liked.name}
          @change=${(/** @type {Event} */ event) =>
            preferences.change({ name: /** @type {HTMLInputElement} */ (event.target).value.trim() })}
        />
      </label>
      <label class="field"><span>${t("web.house_language")}</span>${languageChoice()}</label>
      <fieldset class="field">
        <legend>${t("web.house_theme")}</legend>
        <div class="choices">
          ${THEMES.map((theme) => this.#choice("theme", theme, liked.theme === theme, () => preferences.change({ theme })))}
        </div>
      </fieldset>
      <fieldset class="field">
        <legend>${t("web.house_speed")}</legend>
        <div class="choices">
          ${[0, 1, 2, 3].map((speed) =>
            this.#choice("speed", String(speed), liked.speed === speed, () => preferences.change({ speed })),
          )}
        </div>
      </fieldset>
      ${SWITCHES.map(
        (name) =>
          html`<label class="switch">
            <input
              type="checkbox"
              name=${name}
              .checked=${liked[name]}
              @change=${(/** @type {Event} */ event) =>
                preferences.change({ [name]: /** @type {HTMLInputElement} */ (event.target).checked })}
            />
            <span>${t(`web.house_switch_${name.toLowerCase()}`)}</span>
          </label>`,
      )}
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
      <input type="radio" name="liking-${group}" value=${value} .checked=${chosen} @change=${choose} />
      <span>${t(`web.house_liking_${group}_${value}`)}</span>
    </label>`;
  }
}

define("upcard-liking", Liking);
