// Counts against expectation, as a table: of the draw that is shown, and of all draws, of which there can be more.

import { element, setText } from "../../base/js/elements.js";
import { formatPercent } from "../../base/js/numbers.js";
import { counts } from "./counts.js";
import { OUTCOMES } from "./draws.js";
import { TorchRandom } from "./random.js";
import { nameOf } from "./words.js";
import { say } from "../language/say.js";

/** @import { Life } from "../../base/js/life.js" */
/** @import { Count } from "./counts.js" */
/** @import { Rules, Sentence } from "./draws.js" */

/** How many draws a button adds, and how many there may be. */
const STEP = 100;
const MOST_DRAWS = 1000;

/**
 * A sentence with the draws of more seeds, as torch would make them; what they would put for a token is left out.
 * @param {Sentence} sentence
 * @param {number} draws how many in all
 * @returns {Sentence}
 */
export function withDraws(sentence, draws) {
  const { tokens } = sentence;
  const chooseDraw = sentence.chooseDraw.slice();
  const replaceDraw = sentence.replaceDraw.slice();
  for (let seed = chooseDraw.length; seed < draws; seed += 1) {
    const random = new TorchRandom(seed);
    chooseDraw.push(random.rand(tokens.length));
    replaceDraw.push(random.rand(tokens.length));
  }
  return { ...sentence, chooseDraw, replaceDraw };
}

export class CountTable {
  /**
   * @param {Life} life
   * @param {Sentence} sentence
   * @param {() => void} changed called when there are more draws
   */
  constructor(life, sentence, changed) {
    this.first = sentence.chooseDraw.length;
    this.draws = this.first;
    this.sentence = sentence;
    this.all = element("th", { scope: "col" });
    this.more = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }));
    life.listen(this.more, "click", () => {
      this.draws = this.draws < MOST_DRAWS ? this.draws + STEP : this.first;
      changed();
    });
    const range = say("range");
    const named = (/** @type {string} */ name) => element("th", { scope: "col" }, name);
    const ranged = () => element("th", { scope: "col", title: say("range_title") }, range);
    const head = [element("td"), named(say("this_draw")), named(say("expected")), ranged(), this.all, ranged()];
    const body = element("tbody");
    /** @type {HTMLElement[][]} */
    this.rows = ["chosen", ...OUTCOMES].map((what) => {
      const cells = [element("th", { scope: "row" }, nameOf(what)), ...Array.from({ length: 5 }, () => element("td"))];
      body.append(element("tr", {}, ...cells));
      return cells;
    });
    this.box = element(
      "div",
      { class: "bvl-counts" },
      element(
        "div",
        { class: "bvl-scroll", tabindex: 0, role: "group", "aria-label": say("counts") },
        element(
          "table",
          {},
          element("caption", {}, say("counts_caption")),
          element("thead", {}, element("tr", {}, ...head)),
          body,
        ),
      ),
      this.more,
    );
  }

  /**
   * @param {Sentence} sentence
   * @param {number} seed that is shown
   * @param {Rules} rules
   */
  draw(sentence, seed, rules) {
    const isOther = sentence.chooseDraw !== this.of?.chooseDraw;
    if (isOther || this.sentence.chooseDraw.length !== this.draws) this.sentence = withDraws(sentence, this.draws);
    this.of = sentence;
    const { draws } = this;
    setText(this.all, say("all_draws", { draws: draws.toLocaleString("en") }));
    setText(
      this.more,
      draws < MOST_DRAWS ? say("more_draws", { count: STEP }) : say("fewer_draws", { count: this.first }),
    );
    const now = counts(this.sentence, [seed], rules);
    const every = counts(this.sentence, [...this.sentence.chooseDraw.keys()], rules);
    /** @param {Count} count */
    const range = ({ range: [low, high], hits }) => `${low}–${high}${hits < low || hits > high ? say("outside") : ""}`;
    this.rows.forEach((cells, row) => {
      const [single, all] = [now[row], every[row]];
      const chosen = say(single.of === "words" ? "chosen_words" : "chosen_tokens");
      const texts = [
        single.what === "chosen" ? chosen : nameOf(single.what),
        say("hits", { hits: single.hits, tries: single.tries }),
        single.expected.toFixed(1),
        range(single),
        say("hits_share", {
          hits: all.hits,
          tries: all.tries,
          share: all.tries ? formatPercent(all.hits / all.tries) : "–",
        }),
        range(all),
      ];
      cells.forEach((cell, column) => setText(cell, texts[column]));
    });
  }
}
