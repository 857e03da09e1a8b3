// What stands around a text, [CLS] … [SEP], and how much of a pair is kept where there is not room for all of it.

/**
 * A piece of a template: a special token, or the first or second text; and the segment that it counts to.
 * @typedef {object} Slot
 * @property {number} [id] of a special token
 * @property {number} [text] 0 or 1
 * @property {number} type_id
 */

/**
 * @typedef {object} Placed
 * @property {number} id
 * @property {number} type_id
 * @property {number | null} text which text the token is of; null for special tokens around them
 * @property {number} index of the token in its text
 */

/**
 * @param {Slot[]} template
 * @param {number[][]} texts ids of each
 * @returns {Placed[]}
 */
export function fillTemplate(template, texts) {
  return template.flatMap(({ id = 0, text = null, type_id }) => {
    const ids = text === null ? [id] : texts[text];
    return ids.map((token, index) => ({ id: token, type_id, text, index }));
  });
}

/**
 * How many tokens of each text are kept ("longest_first"): the longer one is cut until both are as long, then both.
 * @param {number[]} lengths of one or two texts
 * @param {number} room
 * @returns {number[]}
 */
export function keptLengths(lengths, room) {
  const most = Math.max(0, room);
  if (lengths.length === 1) return [Math.min(lengths[0], most)];
  const [first, second] = lengths;
  if (first + second <= most) return lengths;
  const short = Math.min(first, second);
  const half = Math.floor(most / 2);
  const kept = 2 * short > most ? [half, most - half] : [short, most - short];
  return first > second ? kept.reverse() : kept;
}
