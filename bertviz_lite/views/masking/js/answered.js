// The model's answer to a draw: what it puts at each chosen place, with all of the draw in its place, as in training.

import { element, setText } from "../../base/js/elements.js";
import { formatPercent } from "../../base/js/numbers.js";
import { quoted } from "./words.js";
import { say } from "../language/say.js";

/** @import { Blocks } from "../../base/js/blocks.js" */
/** @import { Life } from "../../base/js/life.js" */

/** How long sliders must rest before the model is asked. */
const REST_MS = 120;

/** The model's guess at a place: its leading tokens, and the probability of the true one. */
/** @typedef {[place: number, top: [string, number][], truth: number]} DrawGuess */

/**
 * How good the guesses are, in a sentence.
 * @param {DrawGuess[]} guesses
 * @param {string[]} tokens that were there
 */
export function scoreOf(guesses, tokens) {
  const right = guesses.filter(([place, [[best]]]) => best === tokens[place]).length;
  const loss = guesses.reduce((sum, [, , truth]) => sum - Math.log(truth), 0) / guesses.length;
  const count = guesses.length;
  return say(count === 1 ? "score_one" : "score", { right, count, loss: loss.toFixed(2) });
}

export class AnsweredDraw {
  /**
   * @param {Blocks} blocks
   * @param {Life} life
   * @param {() => void} changed called when an answer is there
   */
  constructor(blocks, life, changed) {
    this.blocks = blocks;
    this.life = life;
    this.changed = changed;
    this.said = element("p", { class: "bvl-score bvl-to-hold", role: "status" });
    /** What was asked last: places with the ids that stand there. */
    this.asked = "";
    /** @type {DrawGuess[]} */
    this.guesses = [];
    this.rest = 0;
    life.endings.push(() => clearTimeout(this.rest));
  }

  /**
   * Ask, if it is another draw.
   * @param {[place: number, id: number][]} drawn
   * @param {string} version of the sentence
   * @param {string[]} tokens of the sentence
   */
  ask(drawn, version, tokens) {
    const name = `drawn/${drawn.map((pair) => pair.join(":")).join(",")}`;
    const key = `${version} ${name}`;
    if (key === this.asked) return;
    this.asked = key;
    this.guesses = [];
    clearTimeout(this.rest);
    if (drawn.length === 0) return setText(this.said, say("nothing_chosen"));
    if (!this.blocks.has(name)) return setText(this.said, say("not_in_page"));
    this.rest = setTimeout(() => this.read(key, name, tokens), REST_MS);
  }

  /**
   * @param {string} key
   * @param {string} name
   * @param {string[]} tokens
   */
  async read(key, name, tokens) {
    const isWanted = () => this.asked === key && !this.life.controller.signal.aborted;
    let text = "";
    try {
      const block = await this.blocks.get(name);
      if (!isWanted()) return;
      this.guesses = JSON.parse(new TextDecoder().decode(block));
      text = scoreOf(this.guesses, tokens);
    } catch (error) {
      text = /** @type {Error} */ (error).message;
    }
    if (!isWanted()) return;
    setText(this.said, text);
    this.changed();
  }

  /**
   * What stands under a chosen token; nothing if there is no answer.
   * @param {number} place
   * @param {string} token that was there
   */
  at(place, token) {
    const found = this.guesses.find(([at]) => at === place);
    if (!found) return null;
    const [, [[best, share]], truth] = found;
    const isRight = best === token;
    const other = isRight ? "" : say("truth_too", { token: quoted(token), share: formatPercent(truth) });
    return {
      isRight,
      text: `→ ${best} ${formatPercent(share)}`,
      words: say("model_guesses", { token: quoted(best), share: formatPercent(share), other }),
    };
  }
}
