// Notifications that it is one's turn: from an open page that nobody looks at, and (Web Push) while no page is open.
// The browser asks for permission only when someone switches them on.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { HouseElement, define } from "./element.js";
import { getJson, post } from "./http.js";
import { preferences } from "./preferences.js";
import { t, words } from "./words.js";

/**
 * What this browser does: nothing, it notifies while a page is open, or also while none is. Or it may not.
 * @typedef {"off" | "open" | "always" | "denied"} Reach
 */

/** Whether this browser can notify. Over plain HTTP, it cannot. */
const canNotify = () => "Notification" in window && "serviceWorker" in navigator && "server" in document.documentElement.dataset;

const isOn = () => preferences.values.notify && canNotify() && Notification.permission === "granted";

const registered = () => navigator.serviceWorker.getRegistration();

/** The subscription of this browser, bound to the key of the server. @param {PushManager} manager @param {string} key */
async function subscriptionFor(manager, key) {
  const before = await manager.getSubscription();
  const bound = before?.options?.applicationServerKey;
  if (before && bound && encoded(bound) !== key) await before.unsubscribe();
  else if (before) return before;
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** @param {ArrayBuffer} bytes */
const encoded = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Get push messages from the server; returns whether that works. */
async function subscribe() {
  try {
    const [{ key }, registration] = await Promise.all([getJson("/api/push"), registered()]);
    if (!key || !registration?.pushManager) return false;
    const { endpoint, keys = {} } = (await subscriptionFor(registration.pushManager, key)).toJSON();
    // A person who has never sat down needs an identity first.
    await post("/api/session", {});
    const { p256dh, auth } = keys;
    return (await post("/api/push", { endpoint, keys: { p256dh, auth }, language: words.language })).type === "done";
  } catch (problem) {
    // The push service of the browser may be out of reach. Open pages notify without it.
    console.info(String(problem));
    return false;
  }
}

/** @returns {Promise<Reach>} */
async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  preferences.change({ notify: true });
  return (await subscribe()) ? "always" : "open";
}

async function switchOff() {
  preferences.change({ notify: false });
  const subscription = await (await registered())?.pushManager?.getSubscription();
  if (!subscription) return;
  await post("/api/push/remove", { endpoint: subscription.endpoint }).catch(() => null);
  await subscription.unsubscribe();
}

/** Tell the server again where this browser gets its messages, and in which language, if they are switched on. */
export async function renewNotifications() {
  if (isOn()) await subscribe();
}

/**
 * Notify someone who does not look at the page of a table that it is their turn.
 * @param {string} table
 * @param {string} title
 */
export async function notifyTurn(table, title) {
  if (!isOn() || document.visibilityState === "visible") return;
  const data = { url: new URL(`/t/${table}`, location.href).href };
  const about = { body: t("web.house_your_turn"), lang: words.language, tag: table, data };
  await (await registered())?.showNotification(title, about);
}

class Notifications extends HouseElement {
  static properties = { reach: { state: true }, busy: { state: true } };

  constructor() {
    super();
    /** @type {Reach | ""} empty: on, and not switched on here */
    this.reach = "";
    this.busy = false;
  }

  /** @param {Event} event */
  async #switch(event) {
    const box = /** @type {HTMLInputElement} */ (event.target);
    this.busy = true;
    try {
      if (box.checked) this.reach = await switchOn();
      else await switchOff().then(() => (this.reach = "off"));
    } finally {
      this.busy = false;
      box.checked = isOn();
    }
  }

  render() {
    if (!canNotify()) return nothing;
    const denied = this.reach === "denied" || (Notification.permission === "denied" && preferences.values.notify);
    return html`<label class="switch">
        <input type="checkbox" name="notify" .checked=${isOn()} ?disabled=${this.busy} @change=${this.#switch} />
        <span>${t("web.house_notify")}</span>
      </label>
      <p class="why" role="status">
        ${denied ? t("web.house_notify_denied") : isOn() && this.reach ? t(`web.house_notify_${this.reach}`) : nothing}
      </p>`;
  }
}

define("upcard-notifications", Notifications);
