// Runs before anything is drawn, so that a page never shows in the wrong theme first. No module: those wait.
// @ts-check
(() => {
  try {
    const kept = JSON.parse(localStorage.getItem("upcard.preferences") ?? "{}");
    if (kept.theme === "light" || kept.theme === "dark") document.documentElement.dataset.theme = kept.theme;
  } catch {
    // A browser that keeps nothing shows its own theme.
  }
})();
