// What readings.py and followed.py compute, for a page without Python.

import { packAnswer } from "../../engine/js/answers/packing.js";
import { spellMasks } from "../../engine/js/answers/masks.js";
import { noSuchBlock } from "../../engine/js/answers/question.js";
import { leadingIds, ranksOf, probabilitiesOf } from "../../engine/js/answers/rankings.js";
import {
  checkNoUnknown,
  checkRoom,
  checkText,
  readableText,
  splitText,
  wordsInPieces,
} from "../../engine/js/answers/texts.js";
import { Refusal, clip } from "../../engine/js/refusals.js";

/** @import { PageEngine } from "../../engine/js/client.js" */
/** @import { Encoded } from "../../engine/js/encoded.js" */
/** @import { Answer, Question } from "../../engine/js/answers/question.js" */

const MOST_FOLLOWED = 6;

/**
 * @param {PageEngine} engine
 * @param {Question} question about `text`, `follow` and `k`
 * @returns {Promise<Answer>}
 */
export async function answer(engine, { type, name, values }) {
  if (type === "block") throw noSuchBlock("FillIn", name);
  const { k } = values;
  const text = spellMasks(values.text, engine.facts.mask_token);
  checkText("text", text);
  const follow = await followedTokens(engine, values.follow);
  return { text, k, follow, _found: await readMasks(engine, { text, follow, k }) };
}

/**
 * Words as tokens of the vocabulary.
 * @param {PageEngine} engine
 * @param {string[]} words
 */
async function followedTokens(engine, words) {
  const tokens = [];
  for (const word of words) tokens.push(await followedToken(engine, word));
  const different = [...new Set(tokens)];
  if (different.length > MOST_FOLLOWED) {
    throw new Refusal(`follow: ${different.length} words, at most ${MOST_FOLLOWED} are followed.`);
  }
  return different;
}

/**
 * The one token of the vocabulary that is a word.
 * @param {PageEngine} engine
 * @param {string} word
 */
async function followedToken(engine, word) {
  if ((await engine.idOf(word)) !== null) return word;
  if (splitText(word).length > 0) checkText("follow", word);
  const tokens = await engine.tokenize([...word].slice(0, 100).join(""));
  const name = clip(word.trim(), 30);
  if (tokens.length === 0) throw new Refusal("follow: type a word.");
  if (tokens.some((token) => token === engine.facts.unknown_token)) {
    throw new Refusal(`follow: “${name}” cannot be spelled with this vocabulary.`);
  }
  if (tokens.length > 1) {
    const cut = clip(tokens.join(" + "), 60);
    throw new Refusal(
      `follow: “${name}” is ${tokens.length} tokens (${cut}), and a [MASK] holds one: take one of them.`,
    );
  }
  return tokens[0];
}

/**
 * What the LM head reads at each mask of a text, after the embeddings and after every layer.
 * @param {PageEngine} engine
 * @param {{text: string, follow: string[], k: number}} asked
 * @returns {Promise<DataView>} as Python packs it
 */
async function readMasks(engine, { text, follow, k }) {
  const encoded = await engine.encode(text);
  checkRoom(engine, encoded, "text");
  await checkNoUnknown(engine, text);
  const positions = masksIn(engine, encoded);
  if (positions.length === 0) {
    const mask = engine.facts.mask_token;
    throw new Refusal(`text has no ${mask}: choose a word to hide it, or write ${mask} where the model is to guess.`);
  }
  const logits = await engine.readLayers(encoded, positions);
  const layers = engine.facts.num_layers + 1;
  const vocab_size = logits.length / layers / positions.length;
  const followed = await Promise.all(follow.map((token) => engine.idOf(token)));
  const masks = [];
  const numbers = [];
  for (const [number, position] of positions.entries()) {
    const rows = Array.from({ length: layers }, (_, layer) => {
      const start = (layer * positions.length + number) * vocab_size;
      return logits.subarray(start, start + vocab_size);
    });
    const { ids, shares, ranks } = await leading(rows, k, /** @type {number[]} */ (followed));
    masks.push({ position, words: (await engine.names(ids)).map(readableText) });
    numbers.push(...shares, ...ranks);
  }
  const in_pieces = wordsInPieces(encoded);
  return packAnswer({ text, k, follow: follow.map(readableText), layers, vocab_size, masks, in_pieces }, numbers);
}

/**
 * @param {PageEngine} engine
 * @param {Encoded} encoded
 */
const masksIn = ({ facts }, { tokens }) =>
  tokens.input_ids.flatMap((id, position) => (id === facts.mask_id ? [position] : []));

/**
 * The words that lead at any layer, with their probabilities and ranks at all of them, word by word.
 * @param {Float32Array[]} rows the logits of each layer at one position
 * @param {number} k how many of each layer
 * @param {number[]} followed ids to take besides
 */
async function leading(rows, k, followed) {
  /** @type {{logits: Float32Array, sorted: Float32Array, best: number[], shares: Float64Array}[]} */
  const layers = [];
  for (const logits of rows) {
    await new Promise((done) => setTimeout(done)); // the page is held for a layer at most
    const sorted = logits.slice().sort();
    layers.push({ logits, sorted, best: leadingIds(logits, k, sorted), shares: probabilitiesOf(logits) });
  }
  const [last] = layers.slice(-1);
  const ids = [...new Set([...last.best, ...followed, ...layers.slice(0, -1).flatMap(({ best }) => best)])];
  const ranked = layers.map(({ logits, sorted }) => ranksOf(logits, ids, sorted));
  return {
    ids,
    shares: ids.flatMap((id) => layers.map(({ shares }) => shares[id])),
    ranks: ids.flatMap((_, i) => ranked.map((ranks) => ranks[i])),
  };
}
