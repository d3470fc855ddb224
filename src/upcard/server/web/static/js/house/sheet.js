// A sheet: a dialog that lies over the page, at its bottom on a phone. The browser's own <dialog> manages the focus.
// @ts-check
import { html } from "../../vendor/lit.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

/**
 * Draw a dialog. It is shown by `open(element, name)`.
 * @param {string} name
 * @param {string} title
 * @param {unknown} content
 */
export function sheet(name, title, content) {
  return html`<dialog class="sheet" data-sheet=${name} aria-labelledby="sheet-${name}" @click=${besides}>
    <div class="sheet-body">
      <header>
        <h2 id="sheet-${name}">${title}</h2>
        <button class="bare" type="button" data-close aria-label=${t("web.house_close")} @click=${closeOf}>
          ${icon("close")}
        </button>
      </header>
      ${content}
    </div>
  </dialog>`;
}

/** @param {Event} event */
function closeOf(event) {
  /** @type {HTMLElement} */ (event.currentTarget).closest("dialog")?.close();
}

/** @param {MouseEvent} event */
function besides(event) {
  if (event.target === event.currentTarget) /** @type {HTMLDialogElement} */ (event.currentTarget).close();
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 */
const find = (element, name) =>
  /** @type {HTMLDialogElement | null} */ (element.querySelector(`dialog[data-sheet="${name}"]`));

/**
 * @param {HTMLElement} element
 * @param {string} name
 */
export function open(element, name) {
  const dialog = find(element, name);
  if (dialog !== null && !dialog.open) dialog.showModal();
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 */
export function close(element, name) {
  find(element, name)?.close();
}
