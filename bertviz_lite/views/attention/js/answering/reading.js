// A text as the explorer reads it, and what is changed in it, checked in Python's words (passes/traits.py).

import { spellMasks } from "../../../engine/js/answers/masks.js";
import { checkText } from "../../../engine/js/answers/texts.js";
import { Refusal, quotedToken } from "../../../engine/js/refusals.js";

/** @import { PageEngine } from "../../../engine/js/client.js" */
/** @import { Encoded } from "../../../engine/js/encoded.js" */

/** @typedef {Record<string, string>} Edits position → the token that takes the place */
/** @typedef {[number, number][]} HeadsOff */

/**
 * @param {PageEngine} engine
 * @param {Record<string, any>} texts `text_pair` is empty without a pair
 * @returns {Promise<Encoded>}
 */
export async function encodeText(engine, { text, text_pair }) {
  if (text !== "") checkText("text", text);
  if (text_pair !== "") checkText("text_pair", text_pair);
  checkText("text", text);
  return engine.encode(text, text_pair || null);
}

/**
 * The tokens of a capture, where no text is known.
 * @param {PageEngine} engine
 * @param {any} meta
 * @returns {Promise<Encoded>}
 */
export async function encodeTokens(engine, { input_ids, sides }) {
  const { segments, special, words } = sides[0].kinds.self.queries;
  const tokens = {
    tokens: await engine.names(input_ids),
    input_ids,
    segments,
    special: special.map(Boolean),
    attention_mask: special.map(() => true),
    words,
  };
  return { tokens, words: [] };
}

/**
 * Edits in rising order, without those that change nothing.
 * @param {Encoded} encoded
 * @param {Edits} edits
 * @param {string | null} mask of the tokenizer
 * @returns {Edits}
 */
export function checkEdits({ tokens: { tokens } }, edits, mask) {
  /** @type {Edits} */
  const checked = {};
  for (const [key, token] of Object.entries(edits)) {
    const place = checkNumber("edits", "token", key, tokens.length, "tokens");
    if (typeof token !== "string" || token === "") {
      throw new Refusal(`edits={${place}: ${writtenAs(token)}}: a vocabulary token is needed, such as '[MASK]'.`);
    }
    const spelled = spellMasks(token, mask);
    if (spelled !== tokens[place]) checked[place] = spelled;
  }
  return checked;
}

/** @param {any} token */
const writtenAs = (token) => (typeof token === "string" ? quotedToken(token) : token === null ? "None" : String(token));

/**
 * Heads in rising order, each once.
 * @param {HeadsOff} heads_off
 * @param {{layers: number, heads: number}} shape
 * @returns {HeadsOff}
 */
export function checkHeadsOff(heads_off, { layers, heads }) {
  for (const [layer, head] of heads_off) {
    checkNumber("heads_off", "layer", layer, layers, "layers");
    checkNumber("heads_off", "head", head, heads, "heads");
  }
  const sorted = [...heads_off].sort(([layer, head], [other, another]) => layer - other || head - another);
  return sorted.filter((pair, i) => i === 0 || String(pair) !== String(sorted[i - 1]));
}

/**
 * @param {string} name
 * @param {string} of what is counted
 * @param {string | number} value
 * @param {number} size
 * @param {string} many
 */
function checkNumber(name, of, value, size, many) {
  const number = Number(value);
  if (!Number.isInteger(number) || value === "") {
    throw new Refusal(`${name}: ${of} ${writtenAs(value)}: a whole number from 0 to ${size - 1} is needed.`);
  }
  if (number < 0 || number >= size) {
    throw new Refusal(`${name}: ${of} ${number}: there are ${size} ${many}, numbered 0 to ${size - 1}.`);
  }
  return number;
}
