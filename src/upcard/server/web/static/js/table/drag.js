// Dragging: a second way to pick a card and put it somewhere, by mouse, pen or finger.
// @ts-check

/** @typedef {import("./table.js").UpcardTable} UpcardTable */

// The minimum distance of a drag, so that trembling is not taken for one, in pixels.
const SLACK = 8;
// How long a card takes back to its place, in milliseconds.
const RETURN = 200;

export class Drag {
  /** @type {{source: string, index: number, card: Element, x: number, y: number} | null} */
  #start = null;
  /** @type {HTMLElement | null} */
  #ghost = null;
  #ended = false;

  /** @param {UpcardTable} table */
  constructor(table) {
    this.table = table;
    table.addEventListener("pointerdown", (event) => this.#down(event));
    table.addEventListener("pointermove", (event) => this.#move(event));
    table.addEventListener("pointerup", (event) => this.#up(event));
    table.addEventListener("pointercancel", () => this.#stop());
    // Ignore the click at the end of a drag.
    table.addEventListener("click", (event) => this.#click(event), true);
    table.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#ended = false;
    const button = event.target instanceof Element ? event.target.closest("[data-source]") : null;
    if (!(button instanceof HTMLElement) || !event.isPrimary || event.button !== 0) return;
    const { source = "", index = "0" } = button.dataset;
    const card = button.querySelector(".leaf");
    if (!card || !this.table.canPick(source)) return;
    this.#start = { source, index: Number(index), card, x: event.clientX, y: event.clientY };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const start = this.#start;
    if (!start) return;
    if (!this.#ghost && Math.hypot(event.clientX - start.x, event.clientY - start.y) < SLACK) return;
    if (!this.#ghost) this.#lift(event, start);
    if (this.#ghost) this.#ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%) rotate(2deg)`;
    const over = this.#under(event);
    for (const spot of this.table.querySelectorAll(".over")) if (spot !== over) spot.classList.remove("over");
    if (over?.classList.contains("lit")) over.classList.add("over");
  }

  /** @param {PointerEvent} event @param {{source: string, index: number, card: Element}} start */
  #lift(event, { source, index, card }) {
    this.table.setPointerCapture(event.pointerId);
    this.table.hold(source, index);
    const ghost = /** @type {HTMLElement} */ (card.cloneNode(true));
    ghost.classList.add("ghost", "dragged");
    this.table.classList.add("dragging");
    ghost.style.setProperty("--card-width", `${card.getBoundingClientRect().width}px`);
    this.table.flights.append(ghost);
    this.#ghost = ghost;
  }

  /** @param {PointerEvent} event */
  #under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]");
    return found instanceof HTMLElement && this.table.contains(found) ? found : null;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const dragged = this.#ghost !== null;
    const place = dragged ? this.#under(event)?.dataset.place : undefined;
    const home = place ? null : this.#start?.card;
    if (home && this.#ghost) this.#return(this.#ghost, home);
    this.#stop();
    if (!dragged) return;
    this.#ended = true;
    if (place) this.table.put(place);
    this.table.letGo();
  }

  /** A card that was dropped elsewhere glides back. @param {HTMLElement} ghost @param {Element} home */
  #return(ghost, home) {
    const { left, top, width, height } = home.getBoundingClientRect();
    const back = `translate(${left + width / 2}px, ${top + height / 2}px) translate(-50%, -50%)`;
    const still = !this.table.settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#ghost = null;
    ghost
      .animate([{ transform: ghost.style.transform }, { transform: back }], { duration: still ? 0 : RETURN, easing: "cubic-bezier(0.2, 0.9, 0.3, 1)" })
      .finished.finally(() => ghost.remove());
  }

  #stop() {
    this.table.classList.remove("dragging");
    this.#start = null;
    this.#ghost?.remove();
    this.#ghost = null;
    for (const spot of this.table.querySelectorAll(".over")) spot.classList.remove("over");
  }

  /** @param {Event} event */
  #click(event) {
    if (!this.#ended) return;
    this.#ended = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
