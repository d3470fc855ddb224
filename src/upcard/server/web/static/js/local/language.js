// Runs before anything is drawn, on the page that is cached for all languages: chooses the language that was selected
// here, or else the first of the browser's languages that is available. It is not a module, since modules are deferred.
// @ts-check
(() => {
  const root = document.documentElement;
  const versions = new Map((root.dataset.wordsVersions ?? "").split(" ").map((part) => /** @type {[string, string]} */ (part.split(":"))));
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem("upcard.language") ?? "null");
  } catch {
    // A browser without storage uses its own language.
  }
  const wanted = [chosen, ...navigator.languages.flatMap((tag) => [tag, tag.split("-")[0]])];
  const language = wanted.find((tag) => versions.has(tag));
  if (language === undefined) return;
  root.lang = language;
  const folder = (root.dataset.words ?? "").replace(/[^/]*$/, "");
  root.dataset.words = `${folder}${language}.json?v=${versions.get(language)}`;
})();
