// Names and numbers of the masking lab, for reading.

import { say } from "../language/say.js";

/** What becomes of a token. @param {string} outcome */
export function nameOf(outcome) {
  if (outcome === "mask") return say("becomes_mask");
  if (outcome === "random") return say("a_random_token");
  return outcome === "keep" ? say("stays_scored") : say("rate");
}

/** What a share's slider is called. @param {string} name of the trait */
export function shareName(name) {
  if (name === "mask_share") return "[MASK]";
  return name === "random_share" ? say("random") : say("stays");
}

/** @param {string} token */
export const quoted = (token) => `“${token}”`;

/** A random draw, to four digits, rounded down: 0.1499996 must not look like 0.15. @param {number} draw */
export const formatDraw = (draw) => (Math.floor(draw * 1e4) / 1e4).toFixed(4);

/** A share in a sentence: as few digits as it has. @param {number} share */
export function formatShare(share) {
  return String(Number(share.toFixed(4)));
}
