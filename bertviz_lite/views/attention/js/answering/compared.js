// What a run changes: the predictions at every place that is edited or masked, or else at the one that changed most.
// As Python's compared.py.

import { runGently } from "../../../engine/js/arithmetic/steps.js";
import { logProbabilities, logitsAt, topWords } from "../../../engine/js/answers/predictions.js";
import { probabilitiesOf } from "../../../engine/js/answers/rankings.js";
import { readableText } from "../../../engine/js/answers/texts.js";

/** @import { Steps } from "../../../engine/js/arithmetic/steps.js" */
/** @import { PageEngine } from "../../../engine/js/client.js" */
/** @import { Pass } from "../../../engine/js/engine.js" */

const TOP = 5;

/**
 * @param {PageEngine} engine
 * @param {Record<string, Pass>} runs by name, "before" and "after" among them
 * @param {number[]} edited positions
 */
export async function comparePredictions(engine, runs, edited) {
  const { tokens, input_ids } = runs.before.kinds.self.query_tokens;
  const masked = tokens.flatMap((token, place) => (token === engine.facts.mask_token ? [place] : []));
  const chosen = [...new Set([...edited, ...masked])].sort((a, b) => a - b);
  const isMostChanged = chosen.length === 0;
  if (isMostChanged) chosen.push(...(await runGently(mostChanged(runs.before, runs.after))));
  const positions = [];
  for (const position of chosen) {
    const logs = Object.values(runs).map((run) => logProbabilities(logitsAt(run, position)));
    // What was there is the truth; where a mask was, what the model put there before is followed.
    const token_id = masked.includes(position) ? logs[0].indexOf(Math.max(...logs[0])) : input_ids[position];
    const [token] = await engine.names([token_id]);
    /** @type {Record<string, any>} */
    const facts = { position, token: readableText(token), loss: logs.map((log) => -log[token_id]) };
    for (const [name, run] of Object.entries(runs)) facts[name] = await topWords(engine, logitsAt(run, position), TOP);
    positions.push(isMostChanged ? { ...facts, most_changed: true } : facts);
  }
  return positions.length > 0 ? { positions } : {};
}

/**
 * The place where two runs differ most in what they expect: half the sum of all differences of probability.
 * @param {Pass} before
 * @param {Pass} after
 * @returns {Steps<number[]>} of at most one place; special tokens do not count
 */
function* mostChanged(before, after) {
  const { special } = before.kinds.self.query_tokens;
  let [most, where] = [-1, -1];
  for (const [place, isSpecial] of special.entries()) {
    if (isSpecial) continue;
    const [was, is] = [before, after].map((run) => probabilitiesOf(logitsAt(run, place)));
    const change = was.reduce((sum, share, id) => sum + Math.abs(is[id] - share), 0);
    if (change > most) [most, where] = [change, place];
    yield;
  }
  return where < 0 ? [] : [where];
}
