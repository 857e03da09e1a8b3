// A box of the map: its name, its numbers as colours, its shape.

import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { formatPercent } from "../../../base/js/numbers.js";
import { paintHeads, paintRows, paintWeights } from "../paint.js";
import { axesOf, firstOfTwo, fullColour, rowsIn, sizesText } from "../steps.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */
/** @import { Row } from "../paint.js" */
/** @import { Box } from "../steps.js" */

/** Boxes whose vectors are split among heads. */
export const BY_HEAD = ["query", "key", "value", "context"];

/** How much taller the chosen token's row is than all others together. */
const CHOSEN_SHARE = 1.2;

/** How strong colours are while no token is chosen: names and lines lead, numbers stand behind them. */
const AT_REST = 0.8;

/** Whether a box tells its own shape; of most, the head of their group tells it for all. @param {Box} box */
export const tellsItsShape = ({ group, axes }) =>
  group === "encoder" || axes.at(-1) !== "hidden_size" || axes.length === 1;

/** Boxes that have room for the name of their last axis only. */
const NAMES_LAST = ["up", "activated", "attended", "output"];

/** Where there is little room, a word may be left out, and the longest one broken. @param {Box} box */
const nameParts = ({ id, name }) =>
  id === "weights"
    ? [element("span", { class: "bvl-long" }, say("attention_before")), say("weights_name")]
    : [name.replace("projection", "projec\u00adtion")];

export class MapBox {
  /**
   * @param {Machine} view
   * @param {Box} box
   * @param {boolean} isHere whether the reader is at this box, and not at all of its group
   */
  constructor(view, box, isHere) {
    this.view = view;
    this.box = box;
    this.isHere = isHere;
    this.canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { class: "bvl-picture", "aria-hidden": "true" }));
    this.hint = element("span", { class: "bvl-hint bvl-soft" });
    this.words = element("span", { class: "bvl-answer-words" });
    this.shape = element("span", { class: "bvl-shape", hidden: !tellsItsShape(box) });
    this.button = /** @type {HTMLButtonElement} */ (
      element(
        "button",
        { type: "button", class: "bvl-box", "data-box": box.id, tabindex: -1 },
        element(
          "span",
          { class: "bvl-box-head" },
          element("span", { class: "bvl-box-name" }, ...nameParts(box)),
          this.hint,
        ),
        this.words,
        this.canvas,
        this.shape,
      )
    );
    if (isHere) this.button.classList.add("bvl-is-here");
    view.life.listen(this.button, "click", () => view.open(box.id));
  }

  get isText() {
    return this.box.id === "words" || this.box.id === "verdict";
  }

  get hintText() {
    const { box, view } = this;
    if (box.id === "words" && view.facts.is_tied) return say("tied_table", { hint: box.hint });
    return box.hint.replace("{head_size}", String(view.sizes.head_size));
  }

  draw() {
    const { view, box, button } = this;
    const isThere = view.has(box.id);
    const axes = axesOf(box, view.sizes);
    const label = say(this.isHere ? "box_label_here" : "box_label", {
      ...{ name: box.title || box.name, chapter: box.chapter },
      ...{ axes: axes.map(({ name }) => name).join(" × "), sizes: sizesText(axes) },
    });
    setText(this.hint, isThere ? this.hintText : "");
    this.shape.hidden = !isThere || !tellsItsShape(box);
    button.classList.toggle("bvl-missing", !isThere);
    setAttributes(button, {
      "aria-pressed": String(view.model.get("box") === box.id),
      tabindex: view.map.reached === box.id ? 0 : -1,
      "aria-label": isThere ? label : say("box_missing", { label }),
    });
    this.shape.replaceChildren(
      ...axes.flatMap(({ name, size }, i) => [
        i > 0 ? " × " : "",
        ...(i < axes.length - 1 && NAMES_LAST.includes(box.id)
          ? []
          : [element("span", { class: "bvl-axis" }, `${name} `)]),
        size.toLocaleString("en"),
      ]),
    );
    this.words.hidden = isThere && !this.isText;
    this.canvas.hidden = !this.words.hidden;
    if (this.words.hidden) this.paint();
    else this.drawWords();
  }

  drawWords() {
    const { view } = this;
    const isWords = this.box.id === "words";
    /** Where, what, how likely. @type {[string, string, string][]} */
    let lines = [];
    if (!view.has(this.box.id)) {
      lines = [["", say("not_in_model"), ""]];
    } else if (this.box.id === "verdict") {
      if (view.facts.text_pair === "") lines = [["", say("needs_two"), ""]];
      else lines = [["", say("continues"), formatPercent(firstOfTwo(view.outside.seq_relationship_logits.values))]];
    } else {
      const token = view.focusToken;
      const shares = rowsIn(view.outside.best)[token];
      const name = view.facts.tokens[token];
      const where = name === view.maskToken ? "▢" : name; // as the chapters write it: there is no room for more
      lines = [[where, `→ ${view.facts.best[token][0]}`, formatPercent(shares[0])]];
    }
    const key = JSON.stringify(lines);
    if (this.words.dataset.key === key) return;
    this.words.dataset.key = key;
    this.words.replaceChildren(
      ...lines.map(([where, word, share]) =>
        element(
          "span",
          {},
          ...(where === "" ? [] : [element("bdi", { class: "bvl-name" }, where), " "]),
          element("bdi", { class: isWords ? "bvl-word bvl-to-hold" : "bvl-word" }, word),
          element("span", { class: "bvl-number bvl-to-hold" }, share),
        ),
      ),
    );
    setAttributes(this.words, { "data-lines": lines.length });
  }

  paint() {
    const { view, box, canvas } = this;
    const numbers = view.numbersOf(box.id);
    if (!numbers) {
      if (!view.isLayerLate || !view.has(box.id)) canvas.width = 1; // nothing is seen; else what was there, dimmed
      return;
    }
    const head = view.model.get("head");
    if (box.id === "weights") {
      const [heads, size] = numbers.shape;
      const maps = Array.from({ length: heads }, (_, i) =>
        numbers.values.subarray(i * size * size, (i + 1) * size * size),
      );
      paintWeights(canvas, { maps, chosenHead: head, query: view.token }, view.colours);
      return;
    }
    const vectors = rowsIn(numbers);
    paintRows(canvas, this.rowsOf(vectors), fullColour(vectors), view.colours);
    if (BY_HEAD.includes(box.id)) paintHeads(canvas, view.sizes.num_heads, view.colours);
  }

  /**
   * The chosen token's row stands out; of keys and values those do that it reads from.
   * @param {ArrayLike<number>[]} vectors
   * @returns {Row[]}
   */
  rowsOf(vectors) {
    const { token } = this.view;
    const reads = this.view.readsFrom;
    if (token === null || vectors.length === 1)
      return vectors.map((vector) => ({ vector, height: 1, strength: AT_REST }));
    if (reads && (this.box.id === "key" || this.box.id === "value")) {
      return vectors.map((vector, i) => ({ vector, height: 1, strength: Math.max(0.08, Math.sqrt(reads[i])) }));
    }
    const tall = CHOSEN_SHARE * vectors.length;
    return vectors.map((vector, i) => ({
      vector,
      height: i === token ? tall : 1,
      strength: i === token ? 1 : 0.22,
    }));
  }
}
