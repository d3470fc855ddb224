// Sounds, made by synthesis: paper, wood and small bells, soft. They are off unless switched on in the settings.
// @ts-check

/** @typedef {import("./types.js").Note} Note */

/** The sounds that all games have. @type {Record<string, Note[]>} */
const NOTES = {
  deal: [[0, 0, 0.06, 0.12]],
  play: [[0, 0, 0.09, 0.2], [150, 0.02, 0.09, 0.12]],
  shuffle: [0, 0.07, 0.14, 0.2, 0.26].map((start) => /** @type {Note} */ ([0, start, 0.08, 0.12])),
  complete: [[523, 0, 0.35, 0.09], [659, 0.09, 0.35, 0.09], [784, 0.18, 0.5, 0.09], [0, 0, 0.25, 0.1]],
  turn: [[587, 0, 0.25, 0.06], [880, 0.1, 0.4, 0.05]],
  win: [[523, 0, 0.5, 0.08], [659, 0.12, 0.5, 0.08], [784, 0.24, 0.5, 0.08], [1047, 0.36, 0.9, 0.09]],
  knock: [[190, 0, 0.08, 0.14], [190, 0.14, 0.1, 0.14]],
};
// Muffle high frequencies, and prevent clicks at the beginning.
const MUFFLED = 4200;
const ATTACK = 0.006;

export class Sounds {
  /** @type {{context: AudioContext, out: AudioNode} | null} */
  #opened = null;

  /** Play a sound by its name. @param {string} name @param {Record<string, Note[]>} [own] those of the game */
  play(name, own = {}) {
    if (!("AudioContext" in window)) return;
    const notes = own[name] ?? NOTES[name] ?? [];
    this.#opened ??= this.#open();
    const { context, out } = this.#opened;
    // Browsers do not play sounds before the first touch of the page.
    if (context.state === "suspended") context.resume().catch(() => {});
    for (const [pitch, start, length, loudness] of notes) this.#note(context, out, pitch, context.currentTime + start, length, loudness);
  }

  #open() {
    const context = new AudioContext();
    const out = new BiquadFilterNode(context, { type: "lowpass", frequency: MUFFLED });
    out.connect(context.destination);
    return { context, out };
  }

  /** @param {AudioContext} context @param {AudioNode} out @param {number} pitch @param {number} at @param {number} length @param {number} loudness */
  #note(context, out, pitch, at, length, loudness) {
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.linearRampToValueAtTime(loudness, at + ATTACK);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    gain.connect(out);
    const source = pitch ? new OscillatorNode(context, { frequency: pitch, type: "triangle" }) : this.#rustle(context);
    // Vary the sound, so that no two cards sound quite alike.
    if (source instanceof AudioBufferSourceNode) source.playbackRate.value = 0.85 + Math.random() * 0.3;
    source.connect(gain);
    source.start(at);
    source.stop(at + length);
  }

  /** Paper on paper. @param {AudioContext} context */
  #rustle(context) {
    const buffer = new AudioBuffer({ length: context.sampleRate / 4, sampleRate: context.sampleRate });
    const samples = buffer.getChannelData(0);
    let last = 0;
    for (let place = 0; place < samples.length; place += 1) {
      last = last * 0.6 + (Math.random() * 2 - 1) * 0.4;
      samples[place] = last;
    }
    return new AudioBufferSourceNode(context, { buffer });
  }

  close() {
    this.#opened?.context.close();
    this.#opened = null;
  }
}
