// The page of a rulebook. Everything is in the page; this is only for the bar on top.
// @ts-check
import "./bar.js";
import "./liking.js";
