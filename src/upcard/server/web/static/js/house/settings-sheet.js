// The way to the settings: their button and their sheet, and the choice of a language. The settings themselves are
// loaded when they are opened.
// @ts-check
import { html } from "../../vendor/lit.js";
import { icon } from "./icons.js";
import { open, sheet } from "./sheet.js";
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

/** @param {HTMLElement} page */
export const settingsButton = (page) => html`<button class="bare" type="button" data-do="settings" aria-label=${t("web.house_settings")} @click=${() => openSettings(page)}>
  ${icon("gear")}
</button>`;

export const settingsSheet = () => sheet("settings", t("web.house_settings"), html`<upcard-settings></upcard-settings>`);

/** Loaded before they are shown, so that they do not grow on the screen. @param {HTMLElement} page */
async function openSettings(page) {
  await import("./settings.js").catch(() => null);
  open(page, "settings");
}
