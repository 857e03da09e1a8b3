// The machine: a text on its way through a whole BERT, box by box. See view.py for the traits, and for what `_found`
// and the blocks "layer/0" … hold.

import { answeredBy } from "../base/js/answering/model.js";
import { AskingView } from "../base/js/asking/view.js";
import { sayUnknown } from "../base/js/asking/written.js";
import { unpackAnswer } from "../base/js/blocks.js";
import { element, setText } from "../base/js/elements.js";
import { inLanguage } from "../base/js/language/shown.js";
import { StateLink, isIndexIn } from "../base/js/parts/link.js";
import { Tools } from "../base/js/parts/tools.js";
import { followTheme } from "../base/js/theme.js";
import { answer } from "./js/answers.js";
import { Panel } from "./js/detail/panel.js";
import { MachineMap } from "./js/map/map.js";
import { TokenRow } from "./js/map/tokens.js";
import { coloursOf } from "./js/paint.js";
import { hideWord, readArrays, rowsIn, sumOf } from "./js/steps.js";
import { say } from "./language/say.js";

/** @import { Arrays, Box, Numbers } from "./js/steps.js" */

/** @returns {[string, string][]} */
const machineKeys = () => [
  ["↑ + ↓ + ← + →", say("key_map")],
  ["Enter", say("key_open")],
  ["Esc", say("key_close")],
];

const MACHINE_TRAITS = ["text", "text_pair", "box", "layer", "head", "token", "_found"];

export class Machine extends AskingView {
  /**
   * @param {any} object
   * @param {HTMLElement} el
   */
  constructor(object, el) {
    super(object, "machine", say("view"), {
      texts: [
        { trait: "text", label: say("text") },
        { trait: "text_pair", label: say("text_pair") },
      ],
      examples: [],
      answered: answeredBy(answer, ["text", "text_pair"]),
    });
    /** What lies before the first layer and after the last. @type {Arrays} */
    this.outside = {};
    /** What lies inside a layer: of the text and the layer that `insideOf` names. @type {Arrays} */
    this.inside = {};
    this.insideOf = "";
    /** What the last wave was sent for. */
    this.waveOf = "";
    /** Why there is no inside. */
    this.layerProblem = "";
    this.colours = { negative: [0, 0, 0], positive: [0, 0, 0], ink: "#000" };
    this.tokens = new TokenRow(this);
    this.map = new MachineMap(this);
    this.panel = new Panel(this);
    this.trouble = element("p", { class: "bvl-problem", role: "status", hidden: true });
    this.left = element("div", { class: "bvl-left" }, arrowDown(), this.map.box);
    const row = element("div", { class: "bvl-asking-row" }, ...this.fields.map(({ box }) => box), this.undo);
    row.classList.add("bvl-no-show");
    this.answer.append(this.trouble, this.tokens.box, element("div", { class: "bvl-main" }, this.left, this.panel.box));
    this.link = new StateLink(
      this.model,
      this.life,
      ["box", "layer", "head", "token"],
      (name, value) => this.accepts(name, value),
      this.linked(["text", "text_pair"]),
    );
    this.tools = new Tools(this, {
      keys: machineKeys(),
      name: () => say("file_name", { box: this.model.get("box") ?? "tokens" }),
      numbers: () => this.readNumbers(),
      link: this.link,
      held: { place: this.left, fields: row, canType: !this.asker.isSaved },
    });
    this.panel.box.append(this.tools.box);
    this.root.append(row, this.tools.panel, this.line.box, this.answer);
    this.undo.hidden = this.asker.isSaved;
    el.append(this.root);
    followTheme(this.root, this.life);
    this.followSize();
    this.life.follow(this.model, MACHINE_TRAITS, () => this.soon());
    this.life.listen(this.root, "keydown", ({ key, target }) => {
      if (key === "Escape" && target.closest(".bvl-map, .bvl-panel")) this.set({ box: null });
    });
    this.draw();
    this.link.take();
  }

  /** Draw again when there is another size or another theme: canvases know neither. */
  followSize() {
    const sizes = new ResizeObserver(() => this.soon());
    const theme = new MutationObserver(() => this.soon());
    sizes.observe(this.root);
    theme.observe(this.root, { attributes: true, attributeFilter: ["data-theme"] });
    this.life.endings.push(() => {
      sizes.disconnect();
      theme.disconnect();
    });
  }

  // ---- what there is

  /** @returns {Record<string, number>} */
  get sizes() {
    return this.facts.sizes;
  }

  /** The token whose path is lit. @returns {number | null} */
  get token() {
    const token = this.model.get("token");
    return token !== null && token < this.sizes.seq_len ? token : null;
  }

  /** The token that is looked at where one must be: the lit one, else the first that is hidden, else the first word. */
  get focusToken() {
    const masked = this.facts.tokens.indexOf(this.maskToken);
    return this.token ?? (masked >= 0 ? masked : Math.min(1, this.sizes.seq_len - 1));
  }

  /** The weights by which the lit token reads, in the chosen head; null without them. */
  get readsFrom() {
    const weights = this.inside.weights;
    if (!weights || this.token === null) return null;
    const size = weights.shape[1];
    const start = (this.model.get("head") * size + this.token) * size;
    return weights.values.subarray(start, start + size);
  }

  /**
   * The numbers of a box; null if there are none, or not yet.
   * @param {string} id
   * @returns {Numbers | null}
   */
  numbersOf(id) {
    if (id === "sum") {
      const { word_embeddings, position_embeddings, token_type_embeddings } = this.outside;
      return sumOf([word_embeddings, position_embeddings, token_type_embeddings]);
    }
    if (id === "last") return this.model.get("layer") === this.lastLayer ? (this.inside.output ?? null) : null;
    const { step } = /** @type {Box} */ (this.map.boxes.find((box) => box.id === id)) ?? { step: id };
    return this.outside[step] ?? this.inside[step] ?? null;
  }

  /** @param {string} name @param {any} value */
  accepts(name, value) {
    const { sizes, tokens } = unpackAnswer(this.model.get("_found")).facts;
    if (name === "box") return value === null || this.map.boxes.some(({ id }) => id === value);
    if (name === "layer") return isIndexIn(value, this.lastLayer + 1);
    if (name === "head") return isIndexIn(value, sizes.num_heads);
    return name !== "token" || value === null || isIndexIn(value, tokens.length);
  }

  /** The numbers of the open box, a row for each of its vectors; the tokens if none is open. */
  readNumbers() {
    const { tokens, input_ids, segments } = this.facts;
    const numbers = this.numbersOf(this.model.get("box"));
    if (!numbers) {
      const rows = tokens.map((/** @type {string} */ token, /** @type {number} */ i) => [
        ...[i, token, input_ids[i], segments[i]],
      ]);
      return [["position", "token", "input_ids", "token_type_ids"], ...rows];
    }
    const rows = rowsIn(numbers);
    const places = rows.length % tokens.length === 0 ? tokens.length : 0;
    return [
      ["row", "token", ...Array.from(rows[0], (_, i) => i)],
      ...rows.map((row, i) => [i, places ? tokens[i % places] : "", ...row]),
    ];
  }

  get lastLayer() {
    return this.model.get("_model").layers - 1;
  }

  /** Whether the model has what a box does. @param {string} id */
  has(id) {
    if (id === "transform" || id === "words") return "best" in this.outside;
    if (id === "pooler") return "pooler_output" in this.outside;
    if (id === "verdict") return "seq_relationship_logits" in this.outside;
    return true;
  }

  // ---- what the reader does

  /** Open a box, or close it if it is open. @param {string} id */
  open(id) {
    this.map.reached = id;
    this.set({ box: this.model.get("box") === id ? null : id });
    this.reveal();
  }

  /** Where the open box is a sheet over the map, on a phone: let the map's box be seen above it. */
  reveal() {
    requestAnimationFrame(() => {
      if (getComputedStyle(this.panel.box).position !== "sticky") return; // known once the panel is drawn
      const box = this.map.shown.find(({ box: { id } }) => id === this.model.get("box"));
      box?.button.scrollIntoView({ block: "nearest" });
    });
  }

  /** Light a token's path, or no path if it is lit. @param {number} token */
  chooseToken(token) {
    this.set({ token: this.model.get("token") === token ? null : token });
  }

  /** @param {number} token */
  hiddenTexts(token) {
    return this.isRead ? hideWord(this.facts, token, this.maskToken) : null;
  }

  hideChosen() {
    const texts = this.token === null ? null : this.hiddenTexts(this.token);
    if (texts) this.write(texts);
  }

  // ---- from state to page

  draw() {
    const { tokens } = this.facts;
    const read = this.readAnswer();
    if (read) {
      if (tokens) this.letGoOfOther(tokens);
      this.outside = readArrays(read);
      this.inside = {};
      this.insideOf = "";
      this.blocks.forget();
    }
    this.colours = coloursOf(this.root);
    this.readLayer();
    this.drawAsking(this.isLayerLate, sayUnknown(this.facts.tokens, [this.facts.text, this.facts.text_pair]));
    this.panel.box.classList.toggle("bvl-open", this.model.get("box") !== null);
    this.left.classList.toggle("bvl-lit", this.token !== null);
    this.sendWave(JSON.stringify([this.facts.text, this.facts.text_pair, this.model.get("layer"), this.token]));
    this.left.classList.toggle("bvl-late", this.isLayerLate);
    setText(this.trouble, this.layerProblem);
    this.trouble.hidden = this.layerProblem === "";
    this.tokens.draw();
    this.map.draw();
    this.panel.draw();
  }

  /**
   * Let go of the lit token where the new text has another one in its place; one that was hidden is the same.
   * @param {string[]} before tokens of the text before
   */
  letGoOfOther(before) {
    const token = this.model.get("token");
    if (token === null) return;
    const both = [before[token], this.facts.tokens[token]];
    const isOther = both[0] !== both[1] && !both.includes(this.maskToken);
    if (isOther || both[1] === undefined) this.set({ token: null });
  }

  /**
   * Send a wave along the way for a new text, layer or token. Of two names for the same wave one is always new.
   * @param {string} of
   */
  sendWave(of) {
    if (of === this.waveOf) return;
    this.waveOf = of;
    this.left.dataset.wave = this.left.dataset.wave === "0" ? "1" : "0";
  }

  /** What `inside` must be of. */
  get wantedLayer() {
    return JSON.stringify([this.facts.text, this.facts.text_pair, this.model.get("layer")]);
  }

  get isLayerLate() {
    return this.insideOf !== this.wantedLayer;
  }

  /** Get the inside of the chosen layer, if it is another than before. */
  readLayer() {
    if (!this.isLayerLate) return;
    const wanted = this.wantedLayer;
    const name = `layer/${this.model.get("layer")}`;
    if (!this.blocks.has(name)) {
      this.takeLayer(wanted, {}, say("no_inside"));
      return;
    }
    const take = (/** @type {DataView} */ bytes) => {
      const read = unpackAnswer(bytes);
      const { text, text_pair, layer } = read.facts;
      if (JSON.stringify([text, text_pair, layer]) === this.wantedLayer) {
        this.takeLayer(this.wantedLayer, readArrays(read), "");
      }
    };
    this.blocks.get(name).then(take, (error) => {
      if (this.wantedLayer !== wanted) return;
      this.takeLayer(wanted, {}, error.message);
      error.later?.then(take, () => {});
    });
  }

  /**
   * @param {string} of
   * @param {Arrays} arrays
   * @param {string} problem
   */
  takeLayer(of, arrays, problem) {
    if (this.life.controller.signal.aborted) return;
    this.insideOf = of;
    this.inside = arrays;
    this.layerProblem = problem;
    this.soon();
  }
}

const arrowDown = () =>
  element("div", { class: "bvl-down", "aria-hidden": "true" }, element("span", { class: "bvl-arrow" }));

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  return inLanguage(model, el, () => new Machine(model, el)).end;
}

export default { render };
