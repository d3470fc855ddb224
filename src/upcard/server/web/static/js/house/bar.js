// The bar on top of all pages but the table itself.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { HouseElement, define } from "./element.js";
import { languageChoice, settingsButton, settingsSheet } from "./settings-sheet.js";
import { updates } from "./updates.js";
import { t } from "./words.js";

/** The sign of the house: a card that is turned up. */
export const sign = html`<svg class="sign" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
  <rect class="sign-under" x="4" y="7" width="16" height="22" rx="3" transform="rotate(-9 12 18)" />
  <rect class="sign-card" x="10" y="4" width="17" height="23" rx="3" />
  <path class="sign-up" d="M18.500 21v-10M14.500 15l4-4.500 4 4.500" />
</svg>`;

class Bar extends HouseElement {
  #changed = () => this.requestUpdate();

  connectedCallback() {
    super.connectedCallback();
    updates.addEventListener("change", this.#changed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    updates.removeEventListener("change", this.#changed);
  }

  render() {
    return html`<header class="bar">
        <a class="brand" href="/">${sign}<span>Upcard</span></a>
        <span class="spacer"></span>
        ${languageChoice()}
        ${settingsButton(this)}
      </header>
      ${updates.waiting
        ? html`<p class="banner" role="status" data-banner="update">
            ${t("web.house_update")} <button type="button" data-do="update" @click=${() => updates.use()}>${t("web.house_update_do")}</button>
          </p>`
        : nothing}
      ${settingsSheet()}`;
  }
}

define("upcard-bar", Bar);
