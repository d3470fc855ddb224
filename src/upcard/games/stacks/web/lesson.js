// The coach's explanations in a first game of Stacks, and their moments. The words are web.house_lesson_stacks_*.
// @ts-check
import { always, can, happened, yours } from "../../lessons.js";

/** @type {import("../../lessons.js").Course} */
export const course = {
  options: { dealer: 2 },
  lessons: [
    { name: "aim", at: ".seat.mine .plate", clause: "K6.1", when: always },
    { name: "piles", at: ".piles", clause: "K3.2", when: yours },
    { name: "refill", at: ".hand", clause: "K3.5", when: yours },
    { name: "discard", at: ".hand", clause: "K3.6", when: (state) => can(state, /^x /) },
    { name: "top", at: ".piles", clause: "K3.3", when: (state) => can(state, /^top /) },
    { name: "wild", at: ".hand", clause: "K4.5", when: (state) => yours(state) && state.view.hand.some((/** @type {string} */ card) => card.endsWith("?")) },
    { name: "special", at: ".hand", clause: "K4.1", when: (state) => can(state, /^(skip|reverse|card|chip)/) },
    { name: "chip", at: ".seat.mine .chip-row", clause: "K3.4", when: happened("earned") },
    { name: "block", at: ".hand", clause: "K5.1", when: (state) => Boolean(state.window) || state.view?.hand?.includes("block") },
    { name: "end", clause: "K6.1", when: (state) => state.phase === "over" },
  ],
};
