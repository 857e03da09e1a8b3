// What a draw makes of a sentence: which tokens are chosen, and what replaces them. Pure functions; Python drew.

import { decodeFloats, rowsOf } from "../../base/js/numbers.js";

/** The three shares, in the order in which the second random draw goes through them. */
export const SHARES = ["mask_share", "random_share", "keep_share"];

/** What becomes of a chosen token, in the same order. */
export const OUTCOMES = ["mask", "random", "keep"];

/** The label of a position that is not scored. */
export const IGNORED = -100;

/** @typedef {"special" | "left" | "mask" | "random" | "keep"} Outcome */

/**
 * @typedef {object} Rules
 * @property {number} rate
 * @property {number[]} shares of [MASK], random and kept tokens
 * @property {boolean} wholeWords
 */

/**
 * @typedef {object} Sentence
 * @property {string[]} tokens
 * @property {number[]} ids
 * @property {boolean[]} ordinary where a token may be chosen
 * @property {number[]} first position of the first token of each token's word
 * @property {Float32Array[]} chooseDraw decides which tokens are chosen: a row for each seed
 * @property {Float32Array[]} replaceDraw decides what replaces them
 * @property {Float32Array[]} drawn places of the random tokens in drawnIds and drawnNames
 * @property {number[]} drawnIds
 * @property {string[]} drawnNames
 */

/**
 * Set one of three shares and make all of them add up to 1 again: the other two divide what is left as they did before,
 * to the fourth decimal; if both were 0, each takes half. The same arithmetic as in Python.
 * @param {number[]} shares
 * @param {number} moved which one
 * @param {number} value
 * @returns {number[]}
 */
export function balance(shares, moved, value) {
  const [first, second] = shares.filter((_, place) => place !== moved);
  const rest = 1 - value;
  let part = first + second === 0 ? rest / 2 : (rest * first) / (first + second);
  part = Math.min(rest, Math.floor(part * 1e4 + 0.5) / 1e4);
  const others = [part, Math.floor((rest - part) * 1e12 + 0.5) / 1e12];
  others.splice(moved, 0, value);
  return others;
}

/**
 * What becomes of every token in one draw. The draws are float32, so what they are compared with is rounded to it, as
 * PyTorch does.
 * @param {Sentence} sentence
 * @param {number} seed
 * @param {Rules} rules
 * @returns {Outcome[]}
 */
export function outcomes(sentence, seed, rules) {
  const [chooseDraw, replaceDraw] = [sentence.chooseDraw[seed], sentence.replaceDraw[seed]];
  const rate = Math.fround(rules.rate);
  const mask = Math.fround(rules.shares[0]);
  const random = Math.fround(rules.shares[0] + Math.min(rules.shares[1], 1 - rules.shares[0]));
  return sentence.tokens.map((_, place) => {
    if (!sentence.ordinary[place]) return "special";
    if (!(chooseDraw[rules.wholeWords ? sentence.first[place] : place] < rate)) return "left";
    if (replaceDraw[place] < mask) return "mask";
    return replaceDraw[place] < random ? "random" : "keep";
  });
}

/**
 * What the model is given at a place, and the label.
 * @param {Sentence} sentence
 * @param {number} seed
 * @param {Outcome} outcome
 * @param {number} place
 * @param {{token: string, id: number}} mask
 * @returns {{token: string, id: number, label: number}}
 */
export function reads(sentence, seed, outcome, place, mask) {
  const [token, id] = [sentence.tokens[place], sentence.ids[place]];
  const label = outcome === "special" || outcome === "left" ? IGNORED : id;
  if (outcome === "mask") return { ...mask, label };
  if (outcome !== "random") return { token, id, label };
  const drawn = sentence.drawn[seed][place];
  return { token: sentence.drawnNames[drawn], id: sentence.drawnIds[drawn], label };
}

/**
 * The sentence and its random draws, from the bytes that Python sent.
 * @param {any} model
 * @returns {Sentence}
 */
export function readSentence(model) {
  const tokens = model.get("_tokens");
  const rows = (/** @type {string} */ name) => rowsOf(decodeFloats(model.get(name)), tokens.length);
  return {
    tokens,
    ids: model.get("_ids"),
    ordinary: model.get("_ordinary"),
    first: model.get("_first"),
    chooseDraw: rows("_luck"),
    replaceDraw: rows("_fate"),
    drawn: rows("_drawn"),
    drawnIds: model.get("_drawn_ids"),
    drawnNames: model.get("_drawn_names"),
  };
}
