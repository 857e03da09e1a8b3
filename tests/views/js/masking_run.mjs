// Applies the masking lab to what Python sends on standard input; test_masking_lab.py compares the results.
// results.
import { readFileSync } from "node:fs";
import { load } from "./load.mjs";

const view = await load("masking");
const { state, bytes, cases } = JSON.parse(readFileSync(0, "utf8"));
for (const [name, text] of Object.entries(bytes)) state[name] = new Uint8Array(Buffer.from(text, "base64"));
const sentence = view.readSentence({ get: (/** @type {string} */ name) => state[name] });
const mask = { token: state._mask_token, id: state.mask_id };
const seeds = [...sentence.chooseDraw.keys()];
const found = cases.map((/** @type {any} */ rules) => ({
  draws: seeds.map((seed) => {
    const outcomes = view.outcomes(sentence, seed, rules);
    return { outcomes, reads: outcomes.map((outcome, place) => view.reads(sentence, seed, outcome, place, mask)) };
  }),
  now: view.counts(sentence, [rules.seed], rules),
  every: view.counts(sentence, seeds, rules),
}));
process.stdout.write(JSON.stringify(found));
