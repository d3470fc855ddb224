// The base of a table's page and the big screen: an element that renders the model of a session.
// @ts-check
import { loadDrawing } from "../table/drawings.js";
import "../table/table.js";
import { HouseElement } from "./element.js";
import { Session } from "./session.js";

/** @typedef {import("./messages.js").TableConnection} TableConnection */
/** @typedef {import("../table/types.js").State} State */

export class SessionPage extends HouseElement {
  static properties = { table: {} };

  /** @type {Session | null} */
  session = null;

  constructor() {
    super();
    this.table = "";
  }

  /** The connection to the table. @returns {TableConnection} */
  connect() {
    throw new Error("a page says how it connects");
  }

  /**
   * Called when the table is loaded, before anything is shown.
   * @param {any} _loaded
   * @returns {Promise<State | null>} the state that this device last showed
   */
  async prepare(_loaded) {
    return null;
  }

  /** Called when a state is shown. @param {State} _state */
  settle(_state) {}

  connectedCallback() {
    super.connectedCallback();
    this.session = new Session(this.connect(), {
      show: async (entries, land) => this.#tableElement?.tell?.(entries, land),
      turn: () => this.#tableElement?.turn || undefined,
      visible: () => document.visibilityState === "visible",
      settled: async (shown) => {
        this.settle(shown.state);
        await this.updateComplete;
        this.dispatchEvent(new CustomEvent("shown", { detail: shown }));
      },
    });
    this.session.store.addEventListener("change", () => this.requestUpdate());
    this.session.start(async (loaded) => {
      await loadDrawing(loaded.game);
      return this.prepare(loaded);
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.session?.stop();
  }

  get #tableElement() {
    return /** @type {import("../table/table.js").UpcardTable | null} */ (this.querySelector("upcard-table"));
  }

  get model() {
    return /** @type {Session} */ (this.session).model;
  }

  /** The state that is shown. */
  get state() {
    return /** @type {State} */ (this.session?.model.state ?? null);
  }

  get facts() {
    return /** @type {import("../table/types.js").Facts} */ (this.session?.model.facts ?? null);
  }

  get busy() {
    return this.session?.model.busy !== null;
  }
}
