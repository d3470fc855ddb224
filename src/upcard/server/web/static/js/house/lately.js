// The latest events, in a place of fixed size, and for screen readers.
// @ts-check
import { html, keyed, repeat } from "../../vendor/lit.js";
import { said, sentencesOf } from "./sentences.js";
import { t } from "./words.js";

/**
 * The last sentences. The visible ones are drawn again with every sentence, so that nothing slides; those for screen
 * readers are added one by one, so that none is read twice.
 * @param {import("./store.js").Model} model
 * @param {number} most
 */
export function lately({ log, state, facts }, most) {
  if (!state || !facts) return "";
  const all = log.flatMap((entry) => sentencesOf(entry, state).map((sentence, place) => ({ key: `${entry.seq}:${place}`, sentence })));
  const last = all.slice(-most);
  const { game } = facts;
  return html`${keyed(last.at(-1)?.key, html`<p class="lately" aria-hidden="true">${last.map(({ sentence }) => html`<span>${said(sentence, game)}</span> `)}</p>`)}
    <div class="unseen" role="log" aria-live="polite" aria-label=${t("web.house_history")}>
      ${repeat(last, ({ key }) => key, ({ sentence }) => html`<p>${said(sentence, game)}</p>`)}
    </div>`;
}
