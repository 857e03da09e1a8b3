// Runs what test_page_engine.py asks of the page's engine: one process for all models and texts.
// Arguments: a folder with questions.json and models; answers.json and numbers.bin are put there.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "./load.mjs";

const folder = process.argv[2];
const questions = JSON.parse(readFileSync(join(folder, "questions.json"), "utf8"));
const parts = await load("engine");
const { default: joined } = await import(pathToFileURL(join(folder, "engine.mjs")).href);

/** @type {Map<string, any>} */
const engines = new Map();
for (const name of questions.models) {
  const packed = new Uint8Array(readFileSync(join(folder, `${name}.bin`)));
  for (const simd of [true, false]) engines.set(`${name}/${simd}`, await joined.openEngine(packed, { simd }));
}
const tokenizerOf = (/** @type {string} */ name) =>
  parts.runThrough(parts.unpackModel(new Uint8Array(readFileSync(join(folder, `${name}.bin`))))).tokenizer;

/** @type {Float32Array[]} */
const numbers = [];
const keep = (/** @type {ArrayLike<number>[]} */ arrays) => {
  for (const array of arrays) numbers.push(Float32Array.from(array));
  return arrays.reduce((sum, array) => sum + array.length, 0);
};

/** Ids of many texts, with their segments. */
const ids = Object.fromEntries(
  Object.entries(questions.ids).map(([name, cases]) => {
    const tokenizer = tokenizerOf(name);
    const encode = (/** @type {any} */ [text, pair, most]) => {
      const { input_ids, token_type_ids } = tokenizer.encode(text, pair, most ?? Infinity);
      return [input_ids, token_type_ids];
    };
    return [name, /** @type {any[]} */ (cases).map(encode)];
  }),
);

/** Fingerprints of the words that all characters of Unicode make, in blocks. */
const leftOut = new Set(questions.left_out);
const blocks = questions.normalizers.map((/** @type {any} */ rules) =>
  questions.blocks.map((/** @type {number} */ start) => {
    const letters = Array.from({ length: 256 }, (_, i) => start + i).filter((code) => !leftOut.has(code));
    const text = letters.map((code) => `a${String.fromCodePoint(code)}b`).join(" ");
    const words = parts.cutWords(text, rules, new Map()).map((/** @type {any} */ { word }) => word);
    return createHash("md5").update(words.join("\n")).digest("hex");
  }),
);

/** What the engines say; a refusal is its message. */
const answers = [];
for (const { model, simd, text, pair, ask, given } of questions.asked) {
  const engine = engines.get(`${model}/${simd}`);
  try {
    const encoded = ask === "names" || text === null ? null : await engine.ask("encode", [text, pair]);
    const found = await engine.ask(ask, encoded ? [encoded, ...given] : given);
    if (ask === "run") {
      const { attentions, scores, query_tokens } = found.kinds.self;
      const count = keep([
        ...attentions,
        ...scores.map((/** @type {any} */ { queries }) => queries),
        ...scores.map((/** @type {any} */ { keys }) => keys),
        ...found.values,
        ...found.hidden_states,
        ...(found.logits ? [found.logits] : []),
        ...(found.pooler_output ? [found.pooler_output] : []),
      ]);
      answers.push({ count, tokens: query_tokens, words: encoded.words, scaling: scores[0].scaling });
    } else if (ask === "classify") answers.push({ count: keep([found.logits]), labels: found.labels });
    else if (ArrayBuffer.isView(found)) answers.push({ count: keep([/** @type {any} */ (found)]) });
    else answers.push({ found });
  } catch (error) {
    answers.push({ refused: /** @type {Error} */ (error).message });
  }
}
const facts = Object.fromEntries([...engines].map(([name, engine]) => [name, engine.facts]));
const multipliers = [true, false].map((simd) => engines.get(`${questions.models[0]}/${simd}`).arithmetic);
writeFileSync(join(folder, "answers.json"), JSON.stringify({ ids, blocks, answers, facts, multipliers }));
writeFileSync(join(folder, "numbers.bin"), Buffer.concat(numbers.map((array) => Buffer.from(array.buffer))));
