// The coach's explanations in a first game of Lines, and their moments. The words are web.house_lesson_lines_*.
// @ts-check
import { always, can, happened, yours } from "../../lessons.js";

/** @type {import("../../lessons.js").Course} */
export const course = {
  options: { first: 1 },
  lessons: [
    { name: "aim", at: ".seat.mine .plate", clause: "L5.2", when: always },
    { name: "first", at: ".hand", clause: "L4.1", when: yours },
    { name: "gift", at: ".others", clause: "L4.2", when: (state) => can(state, /@/) },
    { name: "active", at: ".others", clause: "L3.1", when: (state) => can(state, /@/) },
    { name: "home", at: ".seat.mine", clause: "L4.3", when: (state) => yours(state) && can(state, /^x /) },
    { name: "newline", at: ".seat.mine", clause: "L4.4", when: (state) => yours(state) && can(state, /^x /) },
    { name: "aside", at: ".seat.mine", clause: "L3.6", when: happened("set_aside") },
    { name: "closing", clause: "L5.1", when: (state) => Boolean(state.view?.closing) },
    { name: "end", clause: "L5.2", when: (state) => state.phase === "over" },
  ],
};
