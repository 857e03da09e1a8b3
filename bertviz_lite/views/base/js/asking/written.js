// What is typed, as the model will be given it, and what there is to say of its words. Pure functions.

import { sayCommon, sayNotSpelled } from "../language/common.js";

/** How many words are named. */
const MOST_NAMED = 8;

/** @param {string[]} words that the model reads as several word pieces */
export function sayInPieces(words) {
  if (words.length === 0) return "";
  const named = words.slice(0, MOST_NAMED);
  if (words.length > MOST_NAMED) named.push("…");
  return sayCommon("in_pieces", { words: named.join(sayCommon("comma")) });
}

/** Words as BERT's tokenizer cuts a text before it looks into the vocabulary. */
const WORD = /\[MASK\]|\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+|[^\s]/gu;

/** As long as a word that is refused, in engine/texts.py. */
const MOST_NAMED_LETTERS = 30;

/**
 * What is said of texts in which the model reads [UNK], in the words in which others refuse it; empty if it does not.
 * @param {string[]} tokens of the texts, special ones included, as the vocabulary writes them
 * @param {string[]} texts
 */
export function sayUnknown(tokens, texts) {
  const unknown = "[UNK]";
  if (!tokens.includes(unknown) || texts.some((text) => text.includes(unknown))) return "";
  const starts = tokens.filter((token) => !/^##|^\[(?:CLS|SEP|PAD)\]$/.test(token));
  const words = texts.flatMap((text) => [...text.matchAll(WORD)].map(({ 0: word }) => ({ text, word })));
  // Where the two cuts differ, the text as a whole is named.
  const { text, word } = words.length === starts.length ? words[starts.indexOf(unknown)] : { text: texts[0], word: "" };
  const letters = [...(text.split(/\s+/u).find((part) => word && part.includes(word)) ?? text)];
  const isLong = letters.length > MOST_NAMED_LETTERS;
  const named = isLong ? `${letters.slice(0, MOST_NAMED_LETTERS - 1).join("")}…` : letters.join("");
  return sayNotSpelled(named, unknown);
}
