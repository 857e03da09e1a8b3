// The names that Unicode gives to characters: from Python's list, as a browser knows none.

/** @typedef {{first: number, last: number, name: string}} Named a character, or a range whose names begin alike */

/**
 * @param {DataView} block lines as "eb LATIN SMALL LETTER E WITH DIAERESIS" and "4e00-9fff CJK UNIFIED IDEOGRAPH-"
 * @returns {Named[]} in rising order
 */
export function readNames(block) {
  const lines = new TextDecoder().decode(block).split("\n");
  return lines.map((line) => {
    const [codes, ...name] = line.split(" ");
    const [first, last = first] = codes.split("-").map((code) => Number.parseInt(code, 16));
    return { first, last, name: name.join(" ") };
  });
}

/**
 * @param {number} code of a character
 * @param {Named[]} names
 * @returns {string}
 */
export function nameOf(code, names) {
  const named = names.find(({ first, last }) => first <= code && code <= last);
  if (!named) return "without a name";
  if (named.name.endsWith("-")) return named.name + code.toString(16).toUpperCase().padStart(4, "0");
  return named.name.startsWith("HANGUL SYLLABLE") ? `HANGUL SYLLABLE ${syllable(code - 0xac00)}` : named.name;
}

const STARTS = "G GG N D DD R M B BB S SS  J JJ C K T P H".split(" ");
const MIDDLES = "A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I".split(" ");
const ENDS = " G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H".split(" ");

/** The sounds of a Hangul syllable. @param {number} number */
const syllable = (number) =>
  STARTS[Math.floor(number / 588)] + MIDDLES[Math.floor(number / 28) % 21] + ENDS[number % 28];
