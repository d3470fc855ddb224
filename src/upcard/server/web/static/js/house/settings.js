// The settings: name, language, theme, and how cards move. They take effect immediately, even in the middle of a game.
// @ts-check
import { html } from "../../vendor/lit.js";
import "./devices.js";
import { HouseElement, define } from "./element.js";
import "./looks.js";
import "./notifications.js";
import { preferences } from "./preferences.js";
import { languageChoice } from "./settings-sheet.js";
import { t } from "./words.js";

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const SWITCHES = /** @type {const} */ (["onePlace", "motion", "sounds", "unhurried"]);

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
