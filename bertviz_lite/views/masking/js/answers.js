// What sentence.py and guesses.py compute, for a page without Python.

import { spellMasks } from "../../engine/js/answers/masks.js";
import { remembered } from "../../engine/js/answers/memory.js";
import { logProbabilities, logitsAt, topWords } from "../../engine/js/answers/predictions.js";
import { noSuchBlock } from "../../engine/js/answers/question.js";
import { checkText, readableText } from "../../engine/js/answers/texts.js";
import { Refusal } from "../../engine/js/refusals.js";
import { drawTraits } from "./random_draws.js";

/** @import { PageEngine } from "../../engine/js/client.js" */
/** @import { Encoded } from "../../engine/js/encoded.js" */
/** @import { Pass } from "../../engine/js/engine.js" */
/** @import { Answer, Question } from "../../engine/js/answers/question.js" */

/**
 * A text as the lab has it.
 * @typedef {object} ReadText
 * @property {Encoded} encoded
 * @property {Pass} run over the text as it is
 * @property {string[]} tokens readable
 * @property {boolean[]} ordinary where a token may be chosen
 * @property {number[]} first position of the first token of each token's word
 */

const TOP = 5;

/**
 * To "ask", a text with its draws; to a block, what the model says where tokens are hidden.
 * @param {PageEngine} engine
 * @param {Question} question about `text`
 * @returns {Promise<Answer>}
 */
export async function answer(engine, { type, name = "", values }) {
  const text = spellMasks(values.text, engine.facts.mask_token);
  const sentence = await remembered(engine, ["masking", text], () => readText(engine, text));
  if (type === "ask") return { text, selected: null, ...(await traitsOf(engine, sentence)) };
  const [kind, place] = name.split("/");
  if (kind === "drawn") return asJson(await guessesOfDraw(engine, sentence, name));
  if (!["piece", "word"].includes(kind) || String(Number(place)) !== place || !(place in sentence.tokens))
    throw noSuchBlock("MaskingLab", name);
  return asJson(await guessesAt(engine, sentence, Number(place), kind === "word"));
}

/**
 * @param {PageEngine} engine
 * @param {string} text
 * @returns {Promise<ReadText>}
 */
async function readText(engine, text) {
  checkText("text", text);
  const encoded = await engine.encode(text);
  const run = await engine.run(encoded);
  const { tokens, input_ids } = encoded.tokens;
  const ordinary = input_ids.map((id) => !engine.facts.special_ids.includes(id));
  if (!ordinary.includes(true)) {
    throw new Refusal("text has only special tokens: there is nothing to choose from.");
  }
  /** @type {number[]} */
  const first = [];
  for (const [place, token] of tokens.entries()) {
    first.push(place > 0 && ordinary[place] && token.startsWith("##") ? first[place - 1] : place);
  }
  return { encoded, run, tokens: tokens.map(readableText), ordinary, first };
}

/**
 * @param {PageEngine} engine
 * @param {ReadText} sentence
 */
async function traitsOf(engine, { encoded, tokens, ordinary, first }) {
  const draws = drawTraits(tokens.length, engine.facts);
  return {
    _tokens: tokens,
    _ids: encoded.tokens.input_ids,
    _ordinary: ordinary,
    _first: first,
    ...draws,
    _drawn_names: (await engine.names(draws._drawn_ids)).map(readableText),
  };
}

/**
 * What the model says at a place for the text as it is, and with the token or its word hidden.
 * @param {PageEngine} engine
 * @param {ReadText} sentence
 * @param {number} place
 * @param {boolean} isWord
 */
async function guessesAt(engine, sentence, place, isWord) {
  const { encoded, run, tokens, ordinary, first } = sentence;
  checkPredicts(engine, run);
  if (!ordinary[place]) {
    throw new Refusal(`token ${place} is ${tokens[place]}, a special one: it is never hidden.`);
  }
  const mask = /** @type {string} */ (engine.facts.mask_token);
  const hidden = tokens
    .map((_, i) => i)
    .filter((i) => ordinary[i] && (isWord ? first[i] === first[place] : i === place));
  const after = await engine.run(encoded, Object.fromEntries(hidden.map((i) => [i, mask])));
  const truth = encoded.tokens.input_ids[place];
  return { before: await guessOf(engine, run, place, truth), after: await guessOf(engine, after, place, truth) };
}

/**
 * The most probable words, and the probability of the true one.
 * @param {PageEngine} engine
 * @param {Pass} run
 * @param {number} place
 * @param {number} truth
 */
async function guessOf(engine, run, place, truth) {
  const logits = logitsAt(run, place);
  return [await topWords(engine, logits, TOP), Math.exp(logProbabilities(logits)[truth])];
}

/**
 * What the model says at every place of a draw, with the tokens that the draw put there.
 * @param {PageEngine} engine
 * @param {ReadText} sentence
 * @param {string} name of the block: "drawn/3:4,7:812", places with the ids that are there
 */
async function guessesOfDraw(engine, { encoded, run, ordinary }, name) {
  const pairs = /^drawn\/(\d+:\d+(,\d+:\d+)*)?$/.test(name) ? (name.match(/\d+:\d+/g) ?? []) : null;
  const drawn = (pairs ?? []).map((pair) => pair.split(":").map(Number));
  const isThere = (/** @type {number[]} */ [place, id]) => ordinary[place] && id < engine.facts.vocab_size;
  if (!pairs || !drawn.every(isThere)) throw noSuchBlock("MaskingLab", name);
  checkPredicts(engine, run);
  const tokens = await engine.names(drawn.map(([, id]) => id));
  const after = await engine.run(encoded, Object.fromEntries(drawn.map(([place], i) => [place, tokens[i]])));
  const guesses = drawn.map(async ([place]) => {
    return [place, ...(await guessOf(engine, after, place, encoded.tokens.input_ids[place]))];
  });
  return Promise.all(guesses);
}

/**
 * @param {PageEngine} engine
 * @param {Pass} run
 */
function checkPredicts({ facts }, { logits }) {
  if (!logits) throw new Refusal(`${facts.model_name} has no language-model head, so it guesses nothing.`);
}

/** @param {unknown} facts */
function asJson(facts) {
  const bytes = new TextEncoder().encode(JSON.stringify(facts));
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
