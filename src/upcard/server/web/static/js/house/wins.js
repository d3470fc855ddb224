// The running score of people who play one game after another.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { t, words } from "./words.js";

/** @param {import("../table/types.js").State} state */
export function winsOf({ wins, seats }) {
  if (!wins?.some((count) => count > 0)) return nothing;
  const order = seats.map((_, place) => place).sort((one, other) => wins[other] - wins[one]);
  return html`<p class="wins" aria-label=${t("web.house_wins")}>
    ${order.map((place) => html`<span class=${seats[place].tint ? `tint-${seats[place].tint}` : ""}>${seats[place].name} <b>${words.number(wins[place])}</b></span> `)}
  </p>`;
}
