// A knock when someone sits down, if sounds are on.
// @ts-check
import { preferences } from "./preferences.js";

/** @type {Promise<import("../table/sounds.js").Sounds> | null} */
let sounds = null;

export function chime() {
  if (!preferences.values.sounds) return;
  sounds ??= import("../table/sounds.js").then(({ Sounds }) => new Sounds());
  sounds.then(
    (opened) => opened.play("knock"),
    () => (sounds = null),
  );
}
