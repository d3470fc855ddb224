// The page of a rulebook. All of its text is in the page; this module adds the bar and the pictures.
// @ts-check
import "./bar.js";
import "./settings.js";
import "./position.js";
