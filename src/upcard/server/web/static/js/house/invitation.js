// Invitations: a link, a short code, and a QR code.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

/** The address at which other devices find this server. */
export const origin = () => document.documentElement.dataset.origin || location.origin;

/** @param {string} table */
export const linkTo = (table) => `${origin()}/t/${table}`;

/** @param {string} text */
export const qr = (text) => html`<img class="qr" src="/qr/${encodeURIComponent(text)}.svg" alt=${t("web.house_qr")} width="220" height="220" />`;

/**
 * Share a text with another app, or copy it to the clipboard; return which of these worked.
 * @param {string} text
 * @returns {Promise<"shared" | "copied" | "neither">}
 */
export async function pass(text) {
  try {
    if (navigator.share) {
      await navigator.share({ url: text });
      return "shared";
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return "shared";
  }
  try {
    // Over plain HTTP there is no clipboard API, but the old command still works.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else if (!copyBySelecting(text)) return "neither";
    return "copied";
  } catch {
    return "neither";
  }
}

/** @param {string} text */
function copyBySelecting(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/**
 * @param {any} facts
 * @param {{passed: string, share: () => void}} how
 */
export function invitation(facts, { passed, share }) {
  const link = linkTo(facts.table);
  return html`<section class="card invite">
    <h2>${t("web.house_invite")}</h2>
    <div class="invite-ways">
      ${qr(link)}
      <div>
        ${facts.code
          ? html`<p class="quiet">${t("web.house_code")}</p>
              <p class="big-code" translate="no">${facts.code}</p>`
          : nothing}
        <p class="link" translate="no"><a href=${link}>${link}</a></p>
        <button type="button" data-do="share" @click=${share}>${icon("share")} ${t("web.house_share_link")}</button>
        <p class="quiet" role="status">${passed ? t(`web.house_passed_${passed}`) : nothing}</p>
      </div>
    </div>
  </section>`;
}
