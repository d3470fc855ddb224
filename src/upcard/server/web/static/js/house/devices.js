// Using another device as the same person: a recovery phrase, made on one device and typed on the other.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { HouseElement, define } from "./element.js";
import { Problem, post } from "./http.js";
import { icon } from "./icons.js";
import { codeOf } from "./store.js";
import { t } from "./words.js";

class Devices extends HouseElement {
  static properties = { phrase: { state: true }, trouble: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.phrase = "";
    this.trouble = "";
    this.busy = false;
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} the answer; null if there is none */
  async #ask(path, body) {
    this.busy = true;
    this.trouble = "";
    try {
      const answer = await post(path, body);
      if (answer.type === "done") return answer.body;
      this.trouble = t(answer.status === 404 ? "web.house_wrong_phrase" : codeOf(answer.status));
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    } finally {
      this.busy = false;
    }
    return null;
  }

  async #make() {
    // A person who has never sat down needs an identity first.
    await this.#ask("/api/session", {});
    this.phrase = (await this.#ask("/api/recovery-phrase", {}))?.phrase ?? "";
  }

  /** @param {SubmitEvent} event */
  async #recover(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const phrase = String(new FormData(form).get("phrase") ?? "");
    if (await this.#ask("/api/recover", { phrase })) location.href = "/";
  }

  render() {
    return html`<details class="field devices">
      <summary>${icon("device")} ${t("web.house_devices")}</summary>
      <p>${t("web.house_devices_make")}</p>
      ${this.phrase
        ? html`<p class="phrase" translate="no" lang="en" data-phrase><strong>${this.phrase}</strong></p>
            <p role="status">${t("web.house_devices_keep")}</p>`
        : html`<button type="button" data-do="phrase" ?disabled=${this.busy} @click=${this.#make}>${t("web.house_devices_show")}</button>`}
      <form @submit=${this.#recover}>
        <label class="field">
          <span>${t("web.house_devices_type")}</span>
          <input name="phrase" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" required />
        </label>
        <button type="submit" data-do="recover" ?disabled=${this.busy}>${t("web.house_devices_use")}</button>
      </form>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
    </details>`;
  }
}

define("upcard-devices", Devices);
