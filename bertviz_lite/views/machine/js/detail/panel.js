// The open box: what it does, where it is built, and its numbers.

import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { spoken } from "../../../base/js/language/language.js";
import { FoldedTable } from "../../../base/js/parts/folded_table.js";
import { boxesOf, chapterOf } from "../../language/boxes.js";
import { BY_HEAD } from "../map/box.js";
import { axesOf, exactText, inputsOf, rowsIn, shapeText } from "../steps.js";
import { VerdictPanel, WordsPanel } from "./answers_panels.js";
import { HeadsPanel } from "./heads.js";
import { Strips } from "./strips.js";
import { answerAt, passportOf, wayOf } from "./way.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */
/** @import { Box } from "../steps.js" */

/** Groups of boxes whose numbers are of the chosen layer. */
const INSIDE = ["attention", "feed_forward", "encoder"];

/** What lets a keyboard scroll a part that may be longer than its place. */
function scrolled() {
  return { tabindex: 0, role: "group", "aria-label": say("scroll_label") };
}

export class Panel {
  /** @param {Machine} view */
  constructor(view) {
    this.view = view;
    /** @type {Box[]} */
    this.boxes = boxesOf(view.model);
    this.back = element("button", { type: "button", "aria-label": say("back_label"), title: say("back_title") }, "‹");
    this.on = element("button", { type: "button", "aria-label": say("on_label"), title: say("on_title") }, "›");
    this.close = element(
      "button",
      { type: "button", "aria-label": say("close_label"), title: say("close_title") },
      "×",
    );
    this.title = element("h4", { class: "bvl-heading" });
    this.chapter = element("p", { class: "bvl-soft bvl-chapter" });
    this.what = element("p");
    this.formula = element("p", { class: "bvl-mono bvl-formula" });
    this.module = element("p", { class: "bvl-soft bvl-module" });
    this.readout = element("p", { class: "bvl-readout bvl-soft", role: "status" });
    this.inputs = new Strips(view, say("goes_in"), this.readout);
    this.inputsTitle = element("p", { class: "bvl-strips-title" });
    this.strips = new Strips(view, say("vectors"), this.readout);
    this.stripsTitle = element("p", { class: "bvl-strips-title" });
    this.heads = new HeadsPanel(view, this.readout);
    this.words = new WordsPanel(view);
    this.verdict = new VerdictPanel(view);
    this.table = new FoldedTable(view.life, {
      summary: say("as_table"),
      label: say("table_label"),
      isTall: true,
      read: () => this.readTable(),
    });
    this.intro = this.makeIntro();
    this.wayReadout = element("p", { class: "bvl-readout bvl-soft", role: "status" });
    this.wayStrips = new Strips(view, say("way_label"), this.wayReadout);
    this.wayAnswer = element("p", { class: "bvl-strong bvl-to-hold" });
    this.way = element(
      "div",
      { class: "bvl-panel-content", ...scrolled() },
      this.wayReadout,
      this.wayStrips.box,
      this.wayAnswer,
      element("p", { class: "bvl-soft" }, say("way_hint")),
    );
    /** Whether the table was open before the tokens opened it. */
    this.wasOpen = false;
    /** The box whose numbers are drawn. */
    this.wasShown = "";
    this.numbers = element(
      "div",
      { class: "bvl-panel-body" },
      this.inputsTitle,
      this.inputs.box,
      this.stripsTitle,
      this.strips.box,
      this.heads.box,
      this.words.box,
      this.verdict.box,
      this.table.box,
    );
    this.content = element(
      "div",
      { class: "bvl-panel-content", ...scrolled() },
      this.what,
      this.formula,
      this.readout,
      this.numbers,
      this.module,
    );
    this.box = element(
      "section",
      { class: "bvl-panel", "aria-label": say("panel_label") },
      element(
        "div",
        { class: "bvl-panel-head" },
        this.title,
        element("div", { class: "bvl-steps" }, this.back, this.on, this.close),
      ),
      this.chapter,
      this.intro,
      this.way,
      this.content,
    );
    view.life.listen(this.back, "click", () => this.step(-1));
    view.life.listen(this.on, "click", () => this.step(1));
    view.life.listen(this.close, "click", () => view.set({ box: null }));
  }

  makeIntro() {
    const sizes = element("dl", { class: "bvl-sizes" });
    this.sizes = sizes;
    return element(
      "div",
      { class: "bvl-intro", ...scrolled() },
      element("p", {}, say("intro")),
      element(
        "p",
        { class: "bvl-legend", "aria-hidden": "true" },
        element("span", {}, say("below_0")),
        element("span", { class: "bvl-scale" }),
        element("span", {}, say("above_0")),
      ),
      element(
        "ul",
        {},
        element("li", {}, element("b", {}, say("open_box")), say("open_box_to")),
        element("li", {}, element("b", {}, say("choose_token")), say("choose_token_to")),
        element("li", {}, element("b", {}, say("type_text")), say("type_text_to", { mask: this.view.maskToken })),
      ),
      sizes,
    );
  }

  /** @param {number} by */
  step(by) {
    const { model } = this.view;
    const now = this.boxes.findIndex(({ id }) => id === model.get("box"));
    const goal = now < 0 ? (by > 0 ? 0 : this.boxes.length - 1) : now + by;
    if (!this.boxes[goal]) return;
    this.view.set({ box: this.boxes[goal].id });
    this.view.reveal();
  }

  draw() {
    const { view } = this;
    const now = this.boxes.findIndex(({ id }) => id === view.model.get("box"));
    const box = this.boxes[now];
    const { token } = view;
    this.intro.hidden = Boolean(box) || token !== null;
    this.way.hidden = Boolean(box) || token === null;
    this.content.hidden = !box;
    setAttributes(this.close, { hidden: !box });
    setAttributes(this.back, { disabled: now === 0, hidden: !box });
    setText(this.on, box ? "›" : say("start"));
    setAttributes(this.on, { disabled: now === this.boxes.length - 1 });
    if (!box && token !== null) this.drawWay(token);
    else if (!box) this.drawIntro();
    else this.drawBox(box, now);
  }

  /** @param {number} token */
  drawWay(token) {
    const { view } = this;
    setText(this.title, say("way_of", { token: view.facts.tokens[token] }));
    setText(
      this.chapter,
      say("inside_layer", { passport: passportOf(view.facts, token), layer: view.model.get("layer") }),
    );
    this.way.classList.toggle("bvl-late", view.isLayerLate);
    if (view.isLayerLate && this.wayStrips.strips.length > 0) return; // what was there, dimmed
    this.wayStrips.put(wayOf(view, token), 1);
    setText(this.wayAnswer, answerAt(view, token));
    if (!this.wayStrips.at) this.wayStrips.rest();
  }

  drawIntro() {
    const { name, layers } = this.view.model.get("_model");
    setText(this.title, say("from_text_to_answer"));
    setText(this.chapter, say("model_layers", { name, layers }));
    const { sizes } = this.view;
    const rows = Object.entries(sizes).map(([axis, size]) => [
      element("dt", {}, axis),
      element("dd", { class: "bvl-number" }, size.toLocaleString("en")),
    ]);
    /** @type {HTMLElement} */ (this.sizes).replaceChildren(...rows.flat());
  }

  /**
   * @param {Box} box
   * @param {number} number
   */
  drawBox(box, number) {
    const { view } = this;
    const layer = view.model.get("layer");
    const isInside = box.module.includes("{layer}");
    setText(this.title, box.title || box.name);
    const title = chapterOf(view.model, box.chapter);
    const step = { layer, number: number + 1, count: this.boxes.length, chapter: box.chapter, title };
    setText(this.chapter, say(isInside ? "layer_step" : "step", step));
    const shape = shapeText(axesOf(box, view.sizes));
    setText(this.what, box.what + this.moreOn(box));
    setText(this.formula, box.formula);
    const module = box.module.replace("{layer}", String(layer));
    this.module.replaceChildren(element("span", {}, shape), element("span", {}, module));
    this.drawNumbers(box);
  }

  /** @param {Box} box */
  moreOn({ id }) {
    const { view } = this;
    if (!view.has(id)) return say("does_not_have", { name: view.model.get("_model").name });
    if (id !== "words") return "";
    return view.facts.is_tied ? say("tied_note") : say("not_tied_note");
  }

  /** @param {Box} box */
  drawNumbers(box) {
    const { view } = this;
    const { id } = box;
    const numbers = view.numbersOf(id);
    const isThere = view.has(id);
    const isLate = view.isLayerLate && INSIDE.includes(box.group);
    this.numbers.classList.toggle("bvl-late", isLate);
    if (isLate && this.wasShown === id) return; // what was there, dimmed
    if (id === "tokens" && this.wasShown !== id) {
      this.wasOpen = this.table.box.open;
      this.table.box.open = true;
    } else if (id !== "tokens" && this.wasShown === "tokens") this.table.box.open = this.wasOpen;
    this.wasShown = id;
    const isVectors = numbers !== null && id !== "weights" && id !== "verdict";
    const made = isVectors ? this.madeOf(id) : [];
    const isWeights = id === "weights" && numbers !== null;
    setAttributes(this.inputs.box, { hidden: made.length === 0 });
    setAttributes(this.inputsTitle, { hidden: made.length === 0 });
    setAttributes(this.strips.box, { hidden: !isVectors });
    setAttributes(this.stripsTitle, { hidden: !isVectors });
    setAttributes(this.heads.box, { hidden: !isWeights });
    setAttributes(this.words.box, { hidden: id !== "words" || !isThere });
    setAttributes(this.verdict.box, { hidden: id !== "verdict" || !isThere });
    setAttributes(this.readout, { hidden: !isVectors && !isWeights });
    setAttributes(this.table.box, { hidden: !isVectors && id !== "tokens" });
    if (isVectors) {
      const heads = BY_HEAD.includes(id) ? view.sizes.num_heads : 1;
      const { token } = view;
      const vectors = rowsIn(numbers);
      const nameOf = (/** @type {number} */ row) => (vectors.length === 1 ? say("pooled") : view.facts.tokens[row]);
      if (made.length > 0) {
        setText(
          this.inputsTitle,
          say("comes_about", { token: view.facts.tokens[id === "pooler" ? 0 : view.focusToken] }),
        );
        this.inputs.put(made, 1);
      }
      setText(this.stripsTitle, vectors.length === 1 ? say("the_vector") : say("every_token"));
      this.strips.put(
        vectors.map((vector, row) => ({
          name: nameOf(row),
          vector,
          called: say("of_row", { box: box.name, row: nameOf(row) }),
          token: vectors.length === 1 ? null : row,
          strength: token === null || vectors.length === 1 || row === token ? 1 : 0.35,
        })),
        heads,
      );
      if (!this.strips.at && !this.inputs.at) this.strips.rest();
    }
    if (isWeights) {
      this.heads.draw();
      if (!this.heads.at) this.heads.rest();
    }
    if (id === "words" && isThere) this.words.draw();
    if (id === "verdict" && isThere) this.verdict.draw();
    this.table.draw();
  }

  /**
   * A box's inputs and its result at one token.
   * @param {string} id
   */
  madeOf(id) {
    const { view } = this;
    const token = id === "pooler" ? 0 : view.focusToken;
    const nameOfBox = (/** @type {string} */ of) => this.boxes.find((box) => box.id === of)?.name ?? of;
    const inputs = inputsOf(id).flatMap(({ id: from, name }) => {
      const numbers = view.numbersOf(from);
      const called = spoken() === "zh" && name === from ? nameOfBox(from) : name; // in English, as in the formulas
      return numbers ? [{ name: called, vector: rowsIn(numbers)[token] }] : [];
    });
    const own = view.numbersOf(id);
    if (inputs.length === 0 || !own) return [];
    const rows = rowsIn(own);
    const name = nameOfBox(id);
    const all = [...inputs, { name: say("result_of", { name }), vector: rows.length === 1 ? rows[0] : rows[token] }];
    return all.map(({ name: called, vector }) => ({ name: called, vector, called, token: null, strength: 1 }));
  }

  readTable() {
    const { view } = this;
    const box = this.boxes.find(({ id }) => id === view.model.get("box"));
    const { tokens, input_ids, segments } = view.facts;
    if (box?.id === "tokens") {
      return {
        columns: [say("token"), "id", say("position"), say("segment")],
        rows: tokens.map((/** @type {string} */ token, /** @type {number} */ i) =>
          [token, input_ids[i], i, segments[i]].map(String),
        ),
      };
    }
    const numbers = box ? view.numbersOf(box.id) : null;
    if (!numbers) return { columns: [], rows: [] };
    const all = rowsIn(numbers);
    const token = all.length === 1 ? 0 : view.focusToken;
    const vector = Array.from(all[token]);
    return {
      columns: [say("component"), all.length === 1 ? say("the_text") : tokens[token]],
      rows: vector.map((value, i) => [String(i), exactText(value)]),
    };
  }
}
