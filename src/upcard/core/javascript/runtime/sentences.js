/** The sentences of messages, supplied by the module that has the catalogue of a language. */

/** @type {(code: string, parameters: any, language: string) => string} */
let say = (code) => code;

/** @param {typeof say} how */
export function speak(how) {
  say = how;
}

/** @param {string} code @param {any} parameters @param {string} language @returns {string} */
export function sentence(code, parameters, language) {
  return say(code, parameters, language);
}
