// What the benchmark of the browser table does and measures on a page.
// @ts-check
{
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const all = (/** @type {string} */ selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);

  // Taps are counted over all pages of a visit.
  addEventListener("pointerup", () => (sessionStorage.taps = 1 + Number(sessionStorage.taps ?? 0)), true);

  /** What has moved, from where to where. @param {any} source */
  function movedOf({ node, previousRect: from, currentRect: to }) {
    const element = node instanceof Element ? node : node?.parentElement;
    const name = element ? [element.localName, ...element.classList].join(".") : "something that is gone";
    return `${name} (${node?.textContent?.trim().slice(0, 30) ?? ""}) from ${from.x}, ${from.y} to ${to.x}, ${to.y}`;
  }

  /** @type {{value: number, at: number, moved: string[]}[]} */
  const shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of /** @type {any[]} */ (list.getEntries())) {
      shifts.push({ value: entry.value, at: entry.startTime, moved: entry.sources.map(movedOf) });
    }
  }).observe({ type: "layout-shift", buffered: true });

  const over = () => document.querySelector("dialog[open] upcard-result") !== null;

  /** Pick a card and put it somewhere: on the table if possible, as a person would do. @param {any} table @param {number} turn */
  async function move(table, turn) {
    const cards = all("upcard-table .ready");
    if (!cards.length) return all("upcard-table .choices-now button")[0]?.click();
    const stock = cards.find((card) => card.dataset.source === "stock");
    for (let tried = 0; tried < cards.length; tried += 1) {
      (stock ?? cards[(turn + tried) % cards.length]).click();
      await table.updateComplete;
      await frame();
      const places = all("upcard-table .lit:not([data-place=discard])");
      const last = stock || tried === cards.length - 1;
      const choices = places.length || !last ? places : all("upcard-table .lit[data-place=discard], upcard-table .choices-now button");
      if (choices.length) return choices[turn % choices.length].click();
      table.letGo();
      await table.updateComplete;
    }
  }

  Object.assign(window, {
    seen: {
      taps: () => Number(sessionStorage.taps ?? 0),

      /** Play to the end, and measure for how long windows were open, and how far things have shifted. */
      async playOut() {
        const begin = performance.now();
        let [asking, last, turn] = [0, begin, 0];
        while (!over()) {
          await frame();
          const now = performance.now();
          if (document.querySelector("upcard-asking")) asking += now - last;
          last = now;
          const table = /** @type {any} */ (document.querySelector("upcard-table"));
          if (table && !table.telling && !table.busy && document.querySelector(".board.my-turn")) await move(table, (turn += 1));
        }
        const during = shifts.filter(({ at }) => at > begin);
        const shifted = during.reduce((sum, { value }) => sum + value, 0);
        return { asking, lasted: last - begin, shifted, moved: during.flatMap(({ moved }) => moved) };
      },

      /** The size of the smallest text that can be seen, in pixels, and the text. */
      smallestText() {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        let smallest = { size: Infinity, text: "" };
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const parent = node.parentElement;
          const text = node.textContent?.trim() ?? "";
          if (!parent || !text || parent.closest(".unseen, .skip, script, style, noscript")) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          const box = range.getBoundingClientRect();
          if (!box.width || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
          const svg = /** @type {any} */ (parent).getScreenCTM?.();
          const size = parseFloat(getComputedStyle(parent).fontSize) * (svg ? svg.a : 1);
          if (size < smallest.size) smallest = { size, text };
        }
        return smallest;
      },

      /** The size of the smallest target on the screen, in pixels, as far as nothing covers it, and its name. */
      smallestTarget() {
        let smallest = { size: Infinity, text: "" };
        for (const target of all("button:enabled, a[href], input, select, summary")) {
          // A link within a sentence is as high as its line.
          if (target.closest(".unseen, .skip") || getComputedStyle(target).display === "inline") continue;
          if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
          const label = target.closest("label");
          const box = (label ?? target).getBoundingClientRect();
          const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
          const inside = 0 <= box.top && box.bottom <= innerHeight && 0 <= box.left && box.right <= innerWidth;
          const reached = (/** @type {number} */ left, /** @type {number} */ top) => {
            const hit = document.elementFromPoint(left, top);
            return hit !== null && (target.contains(hit) || (label?.contains(hit) ?? false));
          };
          const free = [...Array(Math.round(box.width)).keys()].filter((step) => reached(box.left + step + 0.5, y)).length;
          // What lies wholly below something else cannot be touched now.
          if (!inside || free === 0) continue;
          const size = Math.min(free, box.height);
          if (size < smallest.size) smallest = { size, text: target.getAttribute("aria-label") ?? target.innerText };
        }
        return smallest;
      },
    },
  });
}
