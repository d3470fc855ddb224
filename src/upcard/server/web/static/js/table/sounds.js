// Small sounds, made on the spot. Nobody hears any who has not asked for them.
// @ts-check

/** For each sound its notes: pitch in hertz (0 is a rustle), start and length in seconds, loudness. */
/** @type {Record<string, [number, number, number, number][]>} */
const NOTES = {
  deal: [[0, 0, 0.05, 0.1]],
  play: [[0, 0, 0.07, 0.16], [196, 0, 0.06, 0.06]],
  shuffle: [[0, 0, 0.06, 0.1], [0, 0.08, 0.06, 0.12], [0, 0.16, 0.09, 0.1]],
  complete: [[523, 0, 0.16, 0.1], [659, 0.1, 0.24, 0.1]],
  chip: [[1175, 0, 0.09, 0.08], [1568, 0.06, 0.14, 0.07]],
  steal: [[392, 0, 0.09, 0.1], [294, 0.08, 0.16, 0.1]],
  skip: [[330, 0, 0.08, 0.08], [440, 0.07, 0.08, 0.08]],
  block: [[147, 0, 0.22, 0.16], [0, 0, 0.06, 0.14]],
  turn: [[587, 0, 0.12, 0.07], [784, 0.1, 0.2, 0.06]],
};

export class Sounds {
  /** @type {AudioContext | null} */
  #context = null;

  /** @param {string} name */
  play(name) {
    if (!("AudioContext" in window)) return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    // A browser keeps quiet until somebody has touched the page.
    if (context.state === "suspended") context.resume().catch(() => {});
    for (const [pitch, start, length, loudness] of NOTES[name] ?? []) {
      const gain = new GainNode(context, { gain: 0 });
      const source = pitch ? new OscillatorNode(context, { frequency: pitch, type: "triangle" }) : this.#rustle(context);
      const at = context.currentTime + start;
      gain.gain.setValueAtTime(loudness, at);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
      source.connect(gain).connect(context.destination);
      source.start(at);
      source.stop(at + length);
    }
  }

  /** Paper on paper. @param {AudioContext} context */
  #rustle(context) {
    const buffer = new AudioBuffer({ length: context.sampleRate / 5, sampleRate: context.sampleRate });
    const samples = buffer.getChannelData(0);
    let last = 0;
    for (let place = 0; place < samples.length; place += 1) {
      last = last * 0.6 + (Math.random() * 2 - 1) * 0.4;
      samples[place] = last;
    }
    return new AudioBufferSourceNode(context, { buffer });
  }

  close() {
    this.#context?.close();
    this.#context = null;
  }
}
