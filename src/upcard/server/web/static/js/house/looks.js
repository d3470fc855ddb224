// The name, picture and colour of a player, the same at all tables. A change also reaches the table where they sit.
// @ts-check
import { html } from "../../vendor/lit.js";
import { ANIMALS, TINTS, portrait } from "../table/faces.js";
import { HouseElement, define } from "./element.js";
import { preferences } from "./preferences.js";
import { t } from "./words.js";

class Looks extends HouseElement {
  static properties = { group: {} };

  constructor() {
    super();
    /** Tells the radio buttons apart where there are several of these on a page. */
    this.group = "looks";
  }

  render() {
    const { values } = preferences;
    const tint = values.tint || 1;
    return html`<label class="field">
        <span>${t("web.house_your_name")}</span>
        <input
          name="name"
          maxlength="24"
          autocomplete="nickname"
          .value=${values.name}
          @change=${(/** @type {Event} */ event) =>
            preferences.change({ name: /** @type {HTMLInputElement} */ (event.target).value.trim() })}
        />
      </label>
      <fieldset class="field faces">
        <legend>${t("web.house_your_face")}</legend>
        <div class="choices">
          ${ANIMALS.map(
            (face) => html`<label class="choice face" title=${t(`web.house_face_${face}`)}>
              <input type="radio" name="${this.group}-face" value=${face} .checked=${values.face === face} @change=${() => preferences.change({ face })} />
              <span>${portrait(face, tint)}<span class="unseen">${t(`web.house_face_${face}`)}</span></span>
            </label>`,
          )}
        </div>
      </fieldset>
      <fieldset class="field tints">
        <legend>${t("web.house_your_tint")}</legend>
        <div class="choices">
          ${Array.from({ length: TINTS }, (_, place) => place + 1).map(
            (number) => html`<label class="choice tint">
              <input type="radio" name="${this.group}-tint" value=${number} .checked=${values.tint === number} @change=${() => preferences.change({ tint: number })} />
              <span class="tint-${number}"><span class="unseen">${t("web.house_tint", { number })}</span></span>
            </label>`,
          )}
        </div>
      </fieldset>`;
  }
}

define("upcard-looks", Looks);
