// What passes/ computes of the explorer's text, for a page without Python: another text, tokens replaced, heads off.
// Left out: two captures compared.

import { spellMasks } from "../../engine/js/answers/masks.js";
import { remembered } from "../../engine/js/answers/memory.js";
import { noSuchBlock } from "../../engine/js/answers/question.js";
import { comparePredictions } from "./answering/compared.js";
import { checkEdits, checkHeadsOff, encodeText, encodeTokens } from "./answering/reading.js";
import { AnsweredSide } from "./answering/side.js";

/** @import { Answer, Question } from "../../engine/js/answers/question.js" */
/** @import { PageEngine } from "../../engine/js/client.js" */
/** @import { Encoded } from "../../engine/js/encoded.js" */
/** @import { Edits, HeadsOff } from "./answering/reading.js" */

/** The traits that answers depend on. */
export const EXPLORER_ASKS = [
  ...["text", "text_pair", "edits", "heads_off", "side", "query", "key", "direction"],
  ...["_meta", "_version"],
];

/**
 * A text as it is, and as it was run again.
 * @typedef {object} Shown
 * @property {any[]} key what is read
 * @property {Encoded} encoded
 * @property {Edits} edits
 * @property {HeadsOff} heads_off
 * @property {AnsweredSide} first
 * @property {AnsweredSide | null} second
 */

/**
 * To "ask", what the explorer shows of a text with its changes; to a block, numbers of one of its sides.
 * @param {PageEngine} engine
 * @param {Question} question
 * @returns {Promise<Answer>}
 */
export async function answer(engine, { type, name = "", values: given }) {
  const [text, text_pair] = [given.text, given.text_pair].map((each) => spellMasks(each, engine.facts.mask_token));
  const values = { ...given, text, text_pair };
  const shown = await show(engine, values);
  if (type === "ask") return traitsOf(engine, shown, values);
  const [side, kind, part, ...numbers] = name.split("/");
  const from = side === "0" ? shown.first : side === "1" ? shown.second : null;
  const isNamed = from && kind === "self" && numbers.every((number) => /^\d+$/.test(number));
  const block = isNamed ? await from.block(part, numbers.map(Number)) : null;
  if (!block) throw noSuchBlock("Explorer", name);
  return new DataView(block.buffer, block.byteOffset, block.byteLength);
}

/**
 * @param {PageEngine} engine
 * @param {Record<string, any>} values
 * @returns {Promise<Shown>}
 */
async function show(engine, values) {
  const { _meta: meta } = values;
  const key = keyOf(values);
  const { encoded, first } = await remembered(engine, key, async () => {
    const read = await (isOfTokens(values) ? encodeTokens(engine, meta) : encodeText(engine, values));
    return { encoded: read, first: new AnsweredSide(await engine.run(read)) };
  });
  // Edits belong to a text: with another one they are forgotten. Heads that are off stay off.
  const edits = isTextShown(values) ? checkEdits(encoded, values.edits, engine.facts.mask_token) : {};
  const heads_off = checkHeadsOff(values.heads_off, { layers: first.maps.attentions.length, heads: first.heads });
  const isChanged = heads_off.length > 0 || Object.keys(edits).length > 0;
  const second = isChanged ? await runAgain(engine, { key, encoded, edits, heads_off }) : null;
  return { key, encoded, edits, heads_off, first, second };
}

/**
 * Whether the page shows the text that is asked for.
 * @param {Record<string, any>} values
 */
const isTextShown = ({ text, text_pair, _meta: { texts } }) => texts[0] === text && texts[1] === text_pair;

/**
 * Whether there is no text, but the tokens of a capture.
 * @param {Record<string, any>} values
 */
const isOfTokens = (values) => isTextShown(values) && values.text === "" && values._meta.input_ids !== null;

/**
 * What is read, to remember it by.
 * @param {Record<string, any>} values
 */
const keyOf = (values) => ["explorer", isOfTokens(values) ? values._meta.input_ids : [values.text, values.text_pair]];

/**
 * @param {PageEngine} engine
 * @param {Pick<Shown, "key" | "encoded" | "edits" | "heads_off">} wanted
 * @returns {Promise<AnsweredSide>}
 */
const runAgain = (engine, { key, encoded, edits, heads_off }) =>
  remembered(engine, [...key, edits, heads_off], async () => {
    return new AnsweredSide(await engine.run(encoded, edits, heads_off));
  });

/**
 * The traits that Python would have set.
 * @param {PageEngine} engine
 * @param {Shown} shown
 * @param {Record<string, any>} values
 */
async function traitsOf(engine, shown, values) {
  const { edits, heads_off, second } = shown;
  const { text, text_pair, _meta: meta, _version: version } = values;
  const sides = second ? [shown.first, second] : [shown.first];
  const summaries = await Promise.all(sides.map((side) => side.summarised()));
  return {
    ...{ text, text_pair, edits, heads_off },
    ...looked(shown, values),
    _meta: {
      ...meta,
      error: Math.max(...summaries.map(({ error }) => error)),
      ...{ live: true, can_run: true, can_ask: true },
      mask_token: engine.facts.mask_token,
      predicts: shown.first.run.logits !== null,
      texts: [text, text_pair],
      input_ids: shown.encoded.tokens.input_ids,
      sides: await Promise.all(sides.map((side, i) => side.meta(["before", "after"][i]))),
    },
    _predictions: await predictionsOf(engine, shown),
    _version: version + 1,
    _busy: false, // Python may have stopped in the middle of a run
    _problem: "",
  };
}

/**
 * What is looked at, moved to what there is.
 * @param {Shown} shown
 * @param {Record<string, any>} values
 */
function looked({ encoded, second }, values) {
  const { side, query, key, direction, _meta: meta } = values;
  const isSameText = isTextShown(values); // pins belong to a text, as edits do
  const { segments } = encoded.tokens;
  const there = (/** @type {number | null} */ place) => (place !== null && place < segments.length ? place : null);
  const isThere = [...direction].every((letter) => !"AB".includes(letter) || segments.includes("AB".indexOf(letter)));
  const both = meta.sides.length > 1 ? side : "both";
  return {
    side: second ? both : "first",
    query: isSameText ? there(query) : null,
    key: isSameText ? there(key) : null,
    direction: direction === "all" || !isThere ? "all" : direction,
  };
}

/**
 * @param {PageEngine} engine
 * @param {Shown} shown
 */
async function predictionsOf(engine, shown) {
  const { edits, heads_off, first, second } = shown;
  if (!second || !first.run.logits) return {};
  const edited = Object.keys(edits).map(Number);
  const runs = { before: first.run, after: second.run };
  if (edited.length === 0 || heads_off.length === 0) return comparePredictions(engine, runs, edited);
  const { run: heads_on } = await runAgain(engine, { ...shown, heads_off: [] });
  return comparePredictions(engine, { ...runs, heads_on }, edited);
}
