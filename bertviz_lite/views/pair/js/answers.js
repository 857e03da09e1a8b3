// What verdicts.py computes, for a page without Python.

import { packAnswer } from "../../engine/js/answers/packing.js";
import { spellMasks } from "../../engine/js/answers/masks.js";
import { noSuchBlock } from "../../engine/js/answers/question.js";
import { checkNoUnknown, checkRoom, checkText } from "../../engine/js/answers/texts.js";

/** @import { PageEngine } from "../../engine/js/client.js" */
/** @import { Encoded } from "../../engine/js/encoded.js" */
/** @import { Answer, Question } from "../../engine/js/answers/question.js" */

/** Passes asked for together: what is typed meanwhile waits for so many only. */
const AT_ONCE = 4;

/** @typedef {{first: string, second: string}} Pair */

/**
 * To "ask", the answer for a pair; to the block "words", also what hiding each word changes.
 * @param {PageEngine} engine
 * @param {Question} question about `first` and `second`
 * @returns {Promise<Answer>}
 */
export async function answer(engine, { type, name, values }) {
  const [first, second] = [values.first, values.second].map((text) => spellMasks(text, engine.facts.mask_token));
  const pair = { first, second };
  if (type === "ask") return { ...pair, word: null, _found: await judge(engine, pair) };
  if (name !== "words") throw noSuchBlock("PairView", name);
  return judgeWords(engine, pair);
}

/**
 * @param {PageEngine} engine
 * @param {Pair} pair
 * @returns {Promise<Encoded>}
 */
async function encodePair(engine, { first, second }) {
  for (const [name, text] of [
    ["A", first],
    ["B", second],
  ]) {
    checkText(name, text);
    await checkNoUnknown(engine, text);
  }
  const encoded = await engine.encode(first, second);
  checkRoom(engine, encoded, "A and B are a pair");
  return encoded;
}

/**
 * @param {PageEngine} engine
 * @param {Pair} pair
 */
async function judge(engine, pair) {
  const [logOdds] = await engine.judgePair(await encodePair(engine, pair));
  return packAnswer(factsOf(pair, logOdds), []);
}

/**
 * @param {PageEngine} engine
 * @param {Pair} pair
 */
async function judgeWords(engine, pair) {
  const encoded = await encodePair(engine, pair);
  const { cls_token, sep_token, mask_token } = engine.facts;
  const hidden = encoded.words.map(({ start, stop }) => Array.from({ length: stop - start }, (_, i) => start + i));
  const passes = [[], ...hidden];
  /** @type {number[]} */
  const answers = [];
  while (answers.length < passes.length) {
    const next = passes.slice(answers.length, answers.length + AT_ONCE);
    answers.push(...(await engine.judgePair(encoded, next)));
  }
  const [now, ...odds] = answers;
  const words = encoded.words.map(({ text, segment, start, stop }) => {
    return [text, segment, stop - start, Number(text === mask_token)];
  });
  const special = [cls_token, sep_token].filter((token) => token !== null && encoded.tokens.tokens.includes(token));
  return packAnswer({ ...factsOf(pair, now), words, special }, [...odds.map(sigmoid), ...odds]);
}

/**
 * @param {Pair} pair
 * @param {number} log_odds
 */
const factsOf = (pair, log_odds) => ({ ...pair, probability: sigmoid(log_odds), log_odds });

/** 1 / (1 + e⁻ˣ). @param {number} x */
const sigmoid = (x) => 1 / (1 + Math.exp(-x));
