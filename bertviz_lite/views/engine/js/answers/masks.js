// Masks as they are typed, and as the tokenizer writes them.

/**
 * A text in which a mask that is typed in other letters, as "[mask]", is the tokenizer's: Python does the same.
 * @param {string} text
 * @param {string | null | undefined} mask such as "[MASK]"
 * @returns {string} as long as before
 */
export function spellMasks(text, mask) {
  if (!mask) return text;
  return text.replace(new RegExp(mask.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi"), () => mask);
}
