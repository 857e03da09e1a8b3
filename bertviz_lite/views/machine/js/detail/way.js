// The way of one token through the machine: its vector after every step, and what the LM head says at its place.

import { formatPercent } from "../../../base/js/numbers.js";
import { fullColour, rowsIn } from "../steps.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */
/** @import { Strip } from "./strips.js" */

/** The steps in which a token has a vector of its own. */
const WAY_STEPS = [
  ...["word", "position", "segment", "norm", "query", "key", "value", "context", "projected", "attended"],
  ...["activated", "down", "output", "transform"],
];

/** What a strip is called beside others, where its box's name does not tell. @returns {Record<string, string>} */
const wayNames = () => ({ norm: "LayerNorm", attended: say("add_norm"), activated: say("up_gelu") });

/**
 * @param {Machine} view
 * @param {number} token
 * @returns {Strip[]}
 */
export function wayOf(view, token) {
  return WAY_STEPS.flatMap((id) => {
    const numbers = view.numbersOf(id);
    const box = view.map.boxes.find((one) => one.id === id);
    if (!numbers || !box) return [];
    const name = wayNames()[id] ?? box.name;
    const vector = rowsIn(numbers)[token];
    const called = box.title || box.name;
    return [{ name, vector, called, token: null, strength: 1, limit: fullColour([vector]), opens: id }];
  });
}

/**
 * What is known of a token before the first step.
 * @param {any} facts
 * @param {number} token
 */
export const passportOf = ({ input_ids, segments }, token) =>
  say("passport", { id: input_ids[token], position: token, segment: segments[token] });

/**
 * What the LM head says at a token's place; empty without one.
 * @param {Machine} view
 * @param {number} token
 */
export function answerAt(view, token) {
  if (!view.has("words")) return "";
  const [first, second] = rowsIn(view.outside.best)[token];
  const [word, other] = view.facts.best[token];
  return say("lm_head_says", { word, first: formatPercent(first), other, second: formatPercent(second) });
}
