// The coach's explanations in a first game of Stockpile, and their moments. The words are web.house_lesson_stockpile_*.
// @ts-check
import { always, can, happened, yours } from "../../lessons.js";

/** @type {import("../../lessons.js").Course} */
export const course = {
  options: { stock: 5, first: 1 },
  lessons: [
    { name: "aim", at: ".seat.mine", clause: "S5.1", when: always },
    { name: "piles", at: ".middle", clause: "S3.4", when: yours },
    { name: "stacks", at: ".seat.mine", clause: "S3.3", when: (state) => can(state, /^[ABC] /) },
    { name: "stock", at: ".seat.mine [data-source=stock]", clause: "S3.6", when: (state) => can(state, /^stock /) },
    { name: "wild", at: ".hand", clause: "S3.4", when: (state) => yours(state) && JSON.stringify(state.view.seats[state.you - 1]).includes('"?"') },
    { name: "forced", at: ".others", clause: "S3.8", when: (state, news) => !yours(state) && news.length > 0 },
    { name: "others", at: ".others", clause: "S3.2", when: (state, news) => yours(state) && news.some((one) => one.kind === "turn") && news.length > 3 },
    { name: "complete", at: ".middle", clause: "S3.5", when: happened("completed") },
    { name: "end", clause: "S5.1", when: (state) => state.phase === "over" },
  ],
};
