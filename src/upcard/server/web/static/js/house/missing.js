// The page for addresses that do not exist: written by the server, except for the bar.
// @ts-check
import "./bar.js";
