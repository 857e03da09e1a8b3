// Names and numbers of the masking lab, for reading.

/** @type {Record<string, string>} */
export const NAMES = {
  chosen: "chosen",
  mask: "becomes [MASK]",
  random: "a random token",
  keep: "stays, and is scored",
};

/** @type {Record<string, string>} */
export const SHARE_NAMES = { mask_share: "[MASK]", random_share: "random", keep_share: "stays" };

/** @param {string} token */
export const quoted = (token) => `“${token}”`;

/** A random draw, to four digits, rounded down: 0.1499996 must not look like 0.15. @param {number} draw */
export const formatDraw = (draw) => (Math.floor(draw * 1e4) / 1e4).toFixed(4);

/** A share in a sentence: as few digits as it has. @param {number} share */
export function formatShare(share) {
  return String(Number(share.toFixed(4)));
}
