// The page of an address at which there is nothing: written by the server, but for the bar.
// @ts-check
import "./bar.js";
