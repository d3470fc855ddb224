// The page of a rulebook. All of its text is in the page; this is for the bar on top, and for the pictures.
// @ts-check
import "./bar.js";
import "./settings.js";
import "./position.js";
