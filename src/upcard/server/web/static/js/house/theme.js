// Runs before anything is drawn, so that a page never flashes in the wrong theme. It is not a module, since modules are
// deferred.
// @ts-check
(() => {
  try {
    const kept = JSON.parse(localStorage.getItem("upcard.preferences") ?? "{}");
    if (kept.theme === "light" || kept.theme === "dark") document.documentElement.dataset.theme = kept.theme;
  } catch {
    // A browser without storage uses its own theme.
  }
})();
