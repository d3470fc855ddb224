// Caching for playing without a network (service-worker.js), and new versions, which are offered when no game is
// running. Over plain HTTP, browsers do not cache anything, and everything else is the same.
// @ts-check

class Updates extends EventTarget {
  /** The version that is waiting. @type {ServiceWorker | null} */
  waiting = null;

  constructor() {
    super();
    if (!("serviceWorker" in navigator)) return;
    // The files of this visit come first.
    if (document.readyState === "complete") this.#register();
    else addEventListener("load", () => this.#register(), { once: true });
  }

  async #register() {
    try {
      const registration = await navigator.serviceWorker.register(document.documentElement.dataset.serviceWorker ?? "");
      const look = () => this.#look(registration);
      const follow = () => registration.installing?.addEventListener("statechange", look);
      registration.addEventListener("updatefound", follow);
      // Another tab may have found it first.
      follow();
      look();
    } catch (problem) {
      // A browser may forbid it, or the network may fail: the next visit tries again.
      console.info(String(problem));
    }
  }

  /** @param {ServiceWorkerRegistration} registration */
  #look({ waiting }) {
    // On the first visit there is no older version, and the first one does not wait.
    this.waiting = navigator.serviceWorker.controller && waiting;
    this.dispatchEvent(new Event("change"));
  }

  /** Use the new version, on this page and on later ones. */
  use() {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    this.waiting?.postMessage("use this version");
  }
}

export const updates = new Updates();
