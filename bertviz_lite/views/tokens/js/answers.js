// What cut.py and changes.py work out of a text, for a page without Python.

import { noSuchBlock } from "../../engine/js/answers/question.js";
import { readableText } from "../../engine/js/answers/texts.js";
import { Refusal } from "../../engine/js/refusals.js";
import { isChinese } from "../../engine/js/text/character_sets.js";

/** @import { PageEngine } from "../../engine/js/client.js" */
/** @import { Answer, Question } from "../../engine/js/answers/question.js" */

/** Characters in a text. */
const MOST = 1_000;

/**
 * @param {PageEngine} engine
 * @param {Question} question about `text`, `text_pair` and `word`
 * @returns {Promise<Answer>}
 */
export async function answer(engine, { type, name, values }) {
  if (type === "block") throw noSuchBlock("TokenView", name);
  const { text, text_pair, word } = values;
  checkShort("text", text);
  if (text_pair !== null) checkShort("text_pair", text_pair);
  const cut = await engine.cut(text, text_pair || null); // transformers reads no empty second text
  const changes = cut.changes.map(({ segment, at, character, becomes }) => ({
    ...{ segment, at, character: seen(character), code: codePoint(character) },
    becomes: [...becomes].map(seen).join("") || "nothing",
    why: explain(character, becomes),
  }));
  const last = cut.words.length - 1;
  const _cut = { ...cut, texts: text_pair === null ? [text] : [text, text_pair], changes };
  return { text, text_pair, _cut, word: last < 0 ? null : Math.min(word ?? 0, last), step: null };
}

/**
 * @param {string} name
 * @param {string} text
 */
function checkShort(name, text) {
  const count = [...text].length;
  if (count > MOST) {
    const [has, most] = [count, MOST].map((number) => number.toLocaleString("en"));
    throw new Refusal(`${name} has ${has} characters, at most ${most} are shown: shorten it.`);
  }
  if (/\p{Cs}/u.test(text)) throw new Refusal(`${name} holds half a character (U+D800 to U+DFFF): leave it out.`);
}

/** U+00EB. @param {string} character */
const codePoint = (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * A character such that it can be seen.
 * @param {string} character
 */
function seen(character) {
  if (/\p{Cf}/u.test(character)) return "(invisible)";
  if (/\p{M}/u.test(character)) return `\u25cc${character}`;
  return readableText(character).replaceAll(" ", "␣");
}

/**
 * What normalisation did to a character, in words.
 * @param {string} character
 * @param {string} becomes
 */
function explain(character, becomes) {
  if (!becomes) {
    const isMark = /\p{Mn}/u.test(character);
    return isMark ? "an accent or another mark: dropped" : "invisible or not a character: dropped";
  }
  if (becomes === " ") return "white space: a plain space";
  if (isChinese(character)) return "Chinese: spaces on both sides";
  const small = character.toLowerCase();
  const apart = character.normalize("NFD");
  const steps = [];
  if ([...apart].length > 1 && becomes !== small) {
    steps.push(/\p{Mn}/u.test(apart) ? "taken apart, mark dropped" : "taken apart");
  }
  if (character !== small && becomes === becomes.toLowerCase()) {
    steps.push(steps.length > 0 ? "made small" : "capital: made small");
  }
  return steps.join(", ") || "written in another way";
}
