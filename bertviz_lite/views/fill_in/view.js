// The fill-in view: a sentence with [MASK], the words that lead there, and how they rise layer by layer.
// See view.py for the traits, and for what `_found` holds.

import { answeredBy } from "../base/js/answering/model.js";
import { AskingView } from "../base/js/asking/view.js";
import { unpackAnswer } from "../base/js/blocks.js";
import { element, setText } from "../base/js/elements.js";
import { inLanguage } from "../base/js/language/shown.js";
import { FoldedTable } from "../base/js/parts/folded_table.js";
import { StateLink, isIndexIn } from "../base/js/parts/link.js";
import { makeSwitch } from "../base/js/parts/switch.js";
import { Tools } from "../base/js/parts/tools.js";
import { followTheme } from "../base/js/theme.js";
import { answer } from "./js/answers.js";
import { Chart } from "./js/chart.js";
import { WordList } from "./js/list.js";
import { NoEnd } from "./js/no_end.js";
import { columnName, formatExact, listed, numbersOf, placeName, readRows } from "./js/rows.js";
import { Sentence } from "./js/sentence.js";
import { say } from "./language/say.js";

/** @import { Row } from "./js/rows.js" */

/** @returns {[string, string][]} */
const fillInKeys = () => [
  ["Ctrl + M", say("key_insert")],
  ["← + →", say("key_word")],
  ["Enter", say("key_hide")],
  ["↑ + ↓", say("key_follow")],
  ["Esc", say("key_let_go")],
];

const SCALES = ["probability", "rank"];

const FILL_IN_TRAITS = ["text", "mask", "layer", "k", "follow", "word", "scale", "_found"];

export class FillIn extends AskingView {
  /**
   * @param {any} object
   * @param {HTMLElement} el
   */
  constructor(object, el) {
    super(object, "fill-in", say("view"), {
      texts: [{ trait: "text", label: say("sentence_with", { mask: object.get("_mask_token") }) }],
      examples: object.get("_examples").map((/** @type {string} */ text) => ({ name: text, texts: [text] })),
      answered: answeredBy(answer, ["text", "follow", "k"]),
    });
    /** The word under the pointer. @type {string | null} */
    this.hovered = null;
    /** @type {Row[][]} */
    this.rows = [];
    /** The rows that are listed and drawn. @type {Row[]} */
    this.shown = [];
    this.mask = 0;
    this.layer = 0;
    this.sentence = new Sentence(this);
    this.heading = element("h4", { class: "bvl-heading" });
    this.noEnd = new NoEnd(this);
    this.controls = this.makeControls();
    this.list = new WordList(this);
    this.chart = new Chart(this);
    this.table = new FoldedTable(this.life, {
      summary: say("as_table"),
      label: say("table_label"),
      read: () => this.readTable(),
    });
    const insert = element("button", { type: "button", title: "Ctrl+M" }, say("insert", { mask: this.maskToken }));
    this.life.listen(insert, "click", () => this.sentence.insert());
    this.answer.append(
      this.noEnd.box,
      element("div", { class: "bvl-bar" }, this.heading, this.controls.box),
      element("div", { class: "bvl-main" }, this.list.box, this.chart.box),
      this.table.box,
    );
    this.link = new StateLink(
      this.model,
      this.life,
      ["mask", "layer", "word", "scale"],
      (name, value) => this.accepts(name, value),
      this.linked(["text", "follow", "k"]),
    );
    const row = element(
      "div",
      { class: "bvl-asking-row" },
      this.exampleField?.box ?? "",
      this.fields[0].box,
      element("div", { class: "bvl-actions", hidden: this.asker.isSaved }, insert, this.undo),
    );
    this.answer.classList.add("bvl-to-hold");
    this.root.classList.toggle("bvl-no-lines", object.get("_lines") === false);
    this.tools = new Tools(this, {
      keys: fillInKeys(),
      name: () => say("file_name"),
      numbers: () => numbersOf(this.rows),
      link: this.link,
      held: { place: this.answer, fields: row },
    });
    this.list.follow.form.classList.add("bvl-no-show");
    this.table.box.classList.add("bvl-no-show");
    this.root.append(this.tools.after(row), this.tools.panel, this.line.box, this.sentence.box, this.answer);
    el.append(this.root);
    this.life.listen(this.root, "keydown", (event) => {
      if (!event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.key.toLowerCase() !== "m") return;
      event.preventDefault();
      event.stopPropagation(); // the notebook would leave the cell
      this.sentence.insert();
    });
    followTheme(this.root, this.life);
    this.life.follow(this.model, FILL_IN_TRAITS, () => this.soon());
    this.draw();
    this.link.take();
  }

  makeControls() {
    const { layers } = unpackAnswer(this.model.get("_found")).facts;
    const slider = /** @type {HTMLInputElement} */ (
      element("input", { type: "range", min: 0, max: layers - 1, step: 1, "aria-label": say("read_after_which") })
    );
    const layer = element("span", { class: "bvl-number" });
    const count = /** @type {HTMLInputElement} */ (
      element("input", { type: "number", class: "bvl-input", min: 1, max: 20, step: 1, disabled: this.asker.isSaved })
    );
    this.life.listen(slider, "input", () => this.set({ layer: Number(slider.value) }));
    this.life.listen(count, "change", () => {
      const k = Number(count.value);
      if (Number.isInteger(k) && k >= 1 && k <= 20) this.asker.ask({ k });
      else count.value = this.model.get("k");
    });
    const scale = makeSwitch(this.life, say("lines_show"), SCALES, (name) => this.set({ scale: name }), [
      say("probability"),
      say("rank"),
    ]);
    scale.box.classList.add("bvl-no-show");
    const box = element(
      "div",
      { class: "bvl-controls" },
      element("label", { class: "bvl-layer" }, element("span", {}, say("read_after")), slider, layer),
      element("label", { class: "bvl-no-show" }, say("words"), count),
      scale.box,
    );
    return { box, slider, layer, count, scale };
  }

  // ---- what the reader does

  /** What stands in the field. */
  get draft() {
    return this.fields[0].draft;
  }

  /**
   * @param {DataView} found
   * @returns {Record<string, unknown>}
   */
  lookedAt(found) {
    const words = readRows(unpackAnswer(found))[0].map(({ word }) => word);
    const word = words.includes(this.model.get("word")) ? this.model.get("word") : null;
    return { mask: 0, word };
  }

  /** @param {string} name @param {any} value */
  accepts(name, value) {
    const { layers, masks } = unpackAnswer(this.model.get("_found")).facts;
    if (name === "mask") return isIndexIn(value, masks.length);
    if (name === "layer") return isIndexIn(value, layers);
    if (name === "k") return isIndexIn(value - 1, 20);
    if (name === "scale") return SCALES.includes(value);
    return name !== "follow" || value.every((/** @type {unknown} */ word) => typeof word === "string");
  }

  /** Choose a word, or let it go if it is chosen. @param {string | null} word */
  toggleWord(word) {
    if (word !== null) this.set({ word: word === this.model.get("word") ? null : word });
  }

  /** @param {string | null} word */
  hover(word) {
    if (word === this.hovered) return;
    this.hovered = word;
    this.drawPicked();
  }

  /** The word that is picked out: the one under the pointer, else the chosen one. */
  get picked() {
    const wanted = this.hovered ?? this.model.get("word");
    return this.shown.find(({ word }) => word === wanted) ?? null;
  }

  // ---- from state to page

  draw() {
    const read = this.readAnswer();
    if (read) this.rows = readRows(read);
    const { layers, masks, k, follow } = this.facts;
    this.mask = Math.min(this.model.get("mask"), masks.length - 1);
    this.layer = Math.min(this.model.get("layer"), layers - 1);
    this.shown = listed(this.rows[this.mask], this.layer, k, follow);
    this.drawAsking();
    this.fields[0].drawPieces(this.isRead ? this.facts.in_pieces : []);
    this.sentence.draw();
    this.noEnd.draw();
    this.drawControls();
    this.list.draw();
    this.chart.draw();
    this.drawPicked();
    this.table.draw();
  }

  drawControls() {
    const { facts, controls, mask, layer, maskToken } = this;
    const last = facts.layers - 1;
    const count = facts.masks.length;
    const heading = this.model.get("_heading");
    const number = count > 1 ? say("mask_of", { mask: maskToken, number: mask + 1, count }) : "";
    const title =
      heading && number ? `${heading}: ${number}` : heading || number || say("what_bert_puts", { mask: maskToken });
    setText(this.heading, this.isOfBefore ? say("title_in", { title, text: facts.text }) : title);
    controls.slider.value = String(layer);
    controls.slider.setAttribute("aria-valuetext", placeName(layer, last));
    setText(controls.layer, placeName(layer, last));
    if (document.activeElement !== controls.count) controls.count.value = String(facts.k);
    controls.scale.show(this.model.get("scale"));
  }

  /** Pick one word out of list and chart. */
  drawPicked() {
    const { picked, chart, list } = this;
    for (const [i, row] of this.shown.entries()) {
      for (const parent of [chart.lines, chart.names, list.list.box]) {
        parent.children[i]?.classList.toggle("bvl-picked", row === picked);
        parent.children[i]?.classList.toggle("bvl-faint", picked !== null && row !== picked);
      }
    }
    chart.drawReadout();
  }

  readTable() {
    const columns = [say("word"), ...Array.from({ length: this.facts.layers }, (_, at) => columnName(at))];
    const cell = (/** @type {Row} */ row, /** @type {number} */ at) =>
      `${formatExact(row.shares[at])} (${row.ranks[at].toLocaleString("en")})`;
    const rows = this.shown.map((row) => [row.word, ...Array.from(row.shares, (_, at) => cell(row, at))]);
    return { columns, rows };
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  return inLanguage(model, el, () => new FillIn(model, el)).end;
}

export default { render };
