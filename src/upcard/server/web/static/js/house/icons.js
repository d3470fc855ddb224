// Icons for buttons: lines on a field of 24 by 24. The words beside them explain them.
// @ts-check
import { html, svg } from "../../vendor/lit.js";

const DRAWN = {
  home: svg`<path d="M4 11 12 4l8 7M6 9.5V20h12V9.5M10 20v-6h4v6"/>`,
  gear: svg`<path d="M4 7h9M19 7h1M4 17h1M11 17h9"/><circle cx="16" cy="7" r="2.5"/><circle cx="8" cy="17" r="2.5"/>`,
  hint: svg`<path d="M9 17h6M10 20h4M9 17c0-2-3-3.5-3-7a6 6 0 0 1 12 0c0 3.500-3 5-3 7"/>`,
  undo: svg`<path d="M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4"/>`,
  say: svg`<path d="M4 5h16v11H11l-5 4v-4H4z"/>`,
  log: svg`<path d="M9 6h11M9 12h11M9 18h11"/><path d="M4.500 6h.01M4.500 12h.01M4.500 18h.01" stroke-width="3"/>`,
  book: svg`<path d="M12 6c-2-1.500-5-2-8-2v14c3 0 6 .5 8 2 2-1.500 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14"/>`,
  more: svg`<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3.500"/>`,
  share: svg`<path d="M12 15V4M8 7.500 12 4l4 3.500M6 11H5v9h14v-9h-1"/>`,
  copy: svg`<rect x="8" y="8" width="12" height="12" rx="2"/><path d="M16 8V4H4v12h4"/>`,
  check: svg`<path d="m5 13 4.500 4.500L19 7"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  play: svg`<path d="M8 5v14l11-7z"/>`,
  pause: svg`<path d="M8 5v14M16 5v14" stroke-width="2.500"/>`,
  first: svg`<path d="M6 5v14M19 6l-9 6 9 6z"/>`,
  back: svg`<path d="m15 5-8 7 8 7"/>`,
  next: svg`<path d="m9 5 8 7-8 7"/>`,
  last: svg`<path d="M18 5v14M5 6l9 6-9 6z"/>`,
  person: svg`<circle cx="12" cy="8" r="4"/><path d="M4.500 20c.5-4 3.500-6 7.500-6s7 2 7.500 6"/>`,
  bot: svg`<rect x="5" y="8" width="14" height="11" rx="3"/><path d="M12 8V4.500M9.500 12.500v2M14.500 12.500v2"/>`,
  screen: svg`<rect x="3" y="5" width="18" height="12" rx="2"/><path d="M8 20h8"/>`,
  device: svg`<rect x="7" y="3" width="10" height="18" rx="2"/><path d="M11 18h2"/>`,
  leave: svg`<path d="M13 5H5v14h8M10 12h10M16.500 8l4 4-4 4"/>`,
  flag: svg`<path d="M6 21V4M6 5h11l-2.500 4L17 13H6"/>`,
  again: svg`<path d="M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5"/>`,
  shield: svg`<path d="M12 3.500 19 6v6c0 4-3 7-7 8.500C8 19 5 16 5 12V6zM9 12l2 2 4-4"/>`,
  plus: svg`<path d="M12 5v14M5 12h14"/>`,
};

/** @typedef {keyof typeof DRAWN} Icon */

/** @param {Icon} name */
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${DRAWN[name]}</svg>`;
}
