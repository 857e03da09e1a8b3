// What an engine refuses, in one line, in the words in which Python refuses it.

/** Something that cannot be run, read or found; the message is for the reader. */
export class Refusal extends Error {}

/**
 * @param {string} text
 * @param {number} [most]
 */
export const clip = (text, most = 40) => {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
};

/**
 * A token in quotation marks, as Python writes it.
 * @param {string} text
 */
export function quotedToken(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return mark + clip(text).replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`) + mark;
}
