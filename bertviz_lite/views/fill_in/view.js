// The fill-in view: a sentence with [MASK], the words that lead there, and how they rise layer by layer.
// Follows common.js in one module; see view.py for the traits, and for what `_found` holds.

import { Asker } from "../base/js/asking.js";
import { AskingField, askingLine } from "../base/js/asking_field.js";
import { Blocks, unpackFound } from "../base/js/blocks.js";
import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText, svgElement } from "../base/js/elements.js";
import { indexAfterKey } from "../base/js/keys.js";
import { formatPercent } from "../base/js/numbers.js";
import { followTheme } from "../base/js/theme.js";

/**
 * @typedef {object} Row one word at one [MASK]
 * @property {string} word
 * @property {Float32Array} shares its probability after the embeddings and after every layer
 * @property {Float32Array} ranks 1 is the most probable word of the vocabulary
 */

/**
 * The words of every [MASK], from the numbers that Python sent.
 * @param {{facts: any, numbers: Float32Array}} found
 * @returns {Row[][]} for each [MASK], in Python's order
 */
export function readRows({ facts, numbers }) {
  const { layers } = facts;
  let start = 0;
  return facts.masks.map((/** @type {{words: string[]}} */ { words }) => {
    const at = (/** @type {number} */ row) => numbers.subarray(start + row * layers, start + (row + 1) * layers);
    const rows = words.map((word, i) => ({ word, shares: at(i), ranks: at(words.length + i) }));
    start += 2 * words.length * layers;
    return rows;
  });
}

/**
 * The rows that are listed: the k most probable words at a layer, then those that are followed.
 * @param {Row[]} rows
 * @param {number} layer
 * @param {number} k
 * @param {string[]} follow
 * @returns {Row[]}
 */
export function listed(rows, layer, k, follow) {
  const best = [...rows].sort((one, other) => other.shares[layer] - one.shares[layer]).slice(0, k);
  const rest = follow.map((word) => rows.find((row) => row.word === word));
  return [
    ...best,
    ...rest.filter((row) => row !== undefined && !best.includes(row)).map((row) => /** @type {Row} */ (row)),
  ];
}

/**
 * Words, punctuation marks and masks of a text, as BERT's tokenizer cuts a text before it cuts words into pieces.
 * @param {string} text
 * @param {string} mask such as "[MASK]"
 * @returns {{text: string, start: number, end: number, isMask: boolean}[]}
 */
export function wordsOf(text, mask) {
  const found = [];
  const pieces = text.split(mask);
  let start = 0;
  for (const [number, piece] of pieces.entries()) {
    for (const match of piece.matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+|[^\s]/gu)) {
      const at = start + match.index;
      found.push({ text: match[0], start: at, end: at + match[0].length, isMask: false });
    }
    start += piece.length;
    if (number < pieces.length - 1) found.push({ text: mask, start, end: start + mask.length, isMask: true });
    start += mask.length;
  }
  return found;
}

/**
 * Put a mask into a text: in place of what is selected, or of the word that the caret stands in, else at the caret.
 * @param {string} text
 * @param {number} start of the selection
 * @param {number} end
 * @param {string} mask
 * @returns {{text: string, caret: number}}
 */
export function insertMask(text, start, end, mask) {
  if (start === end) {
    const word = wordsOf(text, mask).find((one) => one.start < start && start < one.end);
    if (word?.isMask) return { text, caret: word.end };
    if (word) [start, end] = [word.start, word.end];
  }
  const before = text.slice(0, start);
  const after = text.slice(end);
  const left = /\S$/u.test(before) ? " " : "";
  const right = /^[\p{L}\p{N}[]/u.test(after) ? " " : "";
  return { text: before + left + mask + right + after, caret: (before + left + mask).length };
}

/**
 * The end of an axis of shares: a round number, at least `most`.
 * @param {number} most
 * @returns {number} at most 1
 */
export function axisEnd(most) {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const times = [1, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= most * (1 - 1e-9)) ?? 10;
  return Math.min(1, times * power);
}

/**
 * Where a value stands from the top of the chart, in hundredths of its height.
 * @param {number} value a probability, or a rank
 * @param {string} scale "probability" or "rank"
 * @param {number} end of the axis
 * @returns {number}
 */
export function heightOf(value, scale, end) {
  return scale === "rank" ? (100 * Math.log(value)) / Math.log(end) : 100 * (1 - value / end);
}

/**
 * Move labels apart so that none covers another, and no further than needed; their order stays.
 * @param {number[]} places wanted
 * @param {number} gap the least distance
 * @param {number} end places are from 0 to end
 * @returns {number[]}
 */
export function spread(places, gap, end) {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  const room = Math.min(gap, order.length > 1 ? end / (order.length - 1) : gap);
  const found = new Array(places.length);
  let least = 0;
  for (const i of order) {
    found[i] = Math.max(least, places[i]);
    least = found[i] + room;
  }
  let most = end;
  for (const i of order.reverse()) {
    found[i] = Math.min(most, found[i]);
    most = found[i] - room;
  }
  return found;
}

/**
 * The line nearest to a point.
 * @param {number[][]} lines heights of each line at every layer, in hundredths
 * @param {number} x of the point, from 0 to 1 over all layers
 * @param {number} y of the point, in hundredths
 * @returns {number} -1 if there is none
 */
export function nearestLine(lines, x, y) {
  let best = -1;
  let least = Infinity;
  for (const [number, heights] of lines.entries()) {
    const place = Math.min(1, Math.max(0, x)) * (heights.length - 1);
    const left = Math.min(Math.floor(place), Math.max(0, heights.length - 2));
    const right = Math.min(left + 1, heights.length - 1);
    const here = heights[left] + (place - left) * (heights[right] - heights[left]);
    if (Math.abs(here - y) < least) [best, least] = [number, Math.abs(here - y)];
  }
  return best;
}

/**
 * A probability for a list: a percentage.
 * @param {number} share
 * @returns {string}
 */
export function formatShare(share) {
  return share > 0 && share < 0.0005 ? "< 0.1\u00a0%" : formatPercent(share);
}

/**
 * A probability for a table: with digits enough to compare the small ones.
 * @param {number} share
 * @returns {string}
 */
export function formatExact(share) {
  return share > 0 && share < 0.001 ? share.toExponential(2).replace("-", "−") : share.toFixed(4);
}

// ---------------------------------------------------------------------------------------------------- drawing

const FILL_IN_TRAITS = ["text", "mask", "layer", "k", "follow", "word", "scale", "_found"];
const COLOURS = 5;
const [CHART_HEIGHT, LABEL_HEIGHT] = [17.5, 1.25]; // in em; the chart grows where its labels need it

/** @param {number} number of a line: five colours, then again with other dashes */
const lineClass = (number) => `bvl-c${number % COLOURS} bvl-d${Math.floor(number / COLOURS) % 3}`;

// Counts, not names: the model's own names of its layers begin at 0, so "layer 1" would be taken for the second.
/** @param {number} passed layers so far @param {number} all */
const placeName = (passed, all) => (passed === 0 ? "0 layers, the embeddings" : `${passed} of ${all} layers`);

/** @param {number} passed layers so far */
const columnName = (passed) => (passed === 0 ? "embeddings" : `${passed} layer${passed === 1 ? "" : "s"}`);

class FillIn extends DrawnView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    super(model, "fill-in", "What stands behind the mask");
    this.blocks = new Blocks(model, this.life);
    this.asker = new Asker(model, this.life, () => this.soon());
    this.maskToken = model.get("_mask_token");
    /** What stands there, as it was before a saved page showed another example. */
    this.given = { text: model.get("text"), found: model.get("_found") };
    /** Texts that Python could read, the latest last: what Undo goes back to. @type {string[]} */
    this.past = [model.get("text")];
    /** The word under the pointer. @type {string | null} */
    this.hovered = null;
    /** @type {any} */
    this.foundBytes = null;
    /** @type {Row[][]} */
    this.rows = [];
    /** @type {any} */
    this.facts = {};
    /** The rows that are listed and drawn. @type {Row[]} */
    this.shown = [];
    /** Their heights in the chart. @type {number[][]} */
    this.heights = [];
    this.wordsKey = "";
    this.mask = 0;
    this.layer = 0;
    this.field = new AskingField({
      model,
      life: this.life,
      asker: this.asker,
      trait: "text",
      label: `A sentence with ${this.maskToken}`,
      react: () => this.soon(),
    });
    this.line = askingLine(this.asker);
    this.examples = this.makeExamples();
    this.actions = this.makeActions();
    this.words = this.makeWords();
    this.heading = element("h4", { class: "bvl-heading" });
    this.controls = this.makeControls();
    this.list = this.makeList();
    this.chart = this.makeChart();
    this.followed = this.makeFollowed();
    this.numbers = this.makeNumbers();
    this.root.append(
      element(
        "div",
        { class: "bvl-asking-row" },
        ...(this.examples ? [this.examples.box] : []),
        this.field.box,
        this.actions.box,
      ),
      this.line.box,
      this.words,
      element("div", { class: "bvl-bar" }, this.heading, this.controls.box),
      element(
        "div",
        { class: "bvl-main" },
        element("div", { class: "bvl-side" }, this.list.box, this.followed.box),
        this.chart.box,
      ),
      this.numbers.box,
    );
    el.append(this.root);
    this.life.listen(this.root, "keydown", (event) => {
      if (!event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.key.toLowerCase() !== "m") return;
      event.preventDefault();
      event.stopPropagation(); // the notebook would leave the cell
      this.insert();
    });
    followTheme(this.root, this.life);
    this.life.follow(model, FILL_IN_TRAITS, () => this.soon());
    this.draw();
  }

  // ---- the sentence

  makeExamples() {
    /** @type {string[]} */
    const texts = this.model.get("_examples");
    if (texts.length === 0) return null;
    const choice = /** @type {HTMLSelectElement} */ (element("select"));
    choice.append(
      element("option", { value: -1 }, this.asker.isSaved ? "as it was saved" : "your own"),
      ...texts.map((text, i) => element("option", { value: i }, text)),
    );
    this.life.listen(choice, "change", () => this.choose(Number(choice.value)));
    return { box: element("label", { class: "bvl-field" }, element("span", {}, "Examples"), choice), choice, texts };
  }

  /** @param {number} number of an example; -1 is none of them */
  choose(number) {
    if (!this.asker.isSaved) {
      if (number >= 0) this.field.write(this.model.get("_examples")[number]);
      return;
    }
    if (number < 0) {
      this.putFound(this.given.text, this.given.found);
      return;
    }
    this.blocks.get(`example/${number}`).then((found) => {
      if (!this.life.controller.signal.aborted) this.putFound(this.model.get("_examples")[number], found);
    });
  }

  /**
   * Without Python: what it would have set.
   * @param {string} text
   * @param {DataView} found
   */
  putFound(text, found) {
    const words = readRows(unpackFound(found))[0].map(({ word }) => word);
    const word = words.includes(this.model.get("word")) ? this.model.get("word") : null;
    this.set({ mask: 0, word, _found: found, text });
    this.soon();
  }

  makeActions() {
    const insert = element("button", { type: "button", title: "Ctrl+M" }, `Insert ${this.maskToken}`);
    const undo = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }, "Undo"));
    const box = element("div", { class: "bvl-actions", hidden: this.asker.isSaved }, insert, undo);
    this.life.listen(insert, "click", () => this.insert());
    this.life.listen(undo, "click", () => {
      if (this.field.draft === this.facts.text) this.past.pop(); // else what was refused is undone
      const text = this.past.at(-1);
      if (text !== undefined) this.field.write(text);
    });
    return { box, undo };
  }

  insert() {
    if (this.asker.isSaved) return;
    const { input } = this.field;
    const { text, caret } = insertMask(input.value, input.selectionStart, input.selectionEnd, this.maskToken);
    this.writeMask(text, caret);
    input.focus();
    input.setSelectionRange(caret, caret);
  }

  /**
   * Ask with a new mask in the text, and look at it.
   * @param {string} text
   * @param {number} end of the new mask
   */
  writeMask(text, end) {
    const number = wordsOf(text.slice(0, end), this.maskToken).filter(({ isMask }) => isMask).length - 1;
    this.field.write(text, () => this.set({ mask: number }));
  }

  makeWords() {
    const box = element("div", {
      class: "bvl-words",
      role: "toolbar",
      "aria-label": this.asker.isSaved
        ? "Masks"
        : "Words of the sentence. Arrow keys move, Enter hides a word or looks at a mask.",
    });
    this.life.listen(box, "click", (event) => {
      const index = [...box.children].indexOf(event.target.closest("button"));
      if (index >= 0) this.clickWord(index);
    });
    this.life.listen(box, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const now = [...box.children].indexOf(event.target.closest("button"));
      const next = indexAfterKey(event.key, now, box.children.length);
      if (now < 0 || next === null) return;
      event.preventDefault();
      this.focusWord(next, next < now ? -1 : 1);
    });
    return box;
  }

  /**
   * @param {number} index
   * @param {number} step 1 or -1: where to look first for another where this one cannot be chosen
   */
  focusWord(index, step) {
    const buttons = /** @type {HTMLButtonElement[]} */ ([...this.words.children]);
    const far = (/** @type {HTMLButtonElement} */ button) => {
      const distance = step * (buttons.indexOf(button) - index);
      return distance >= 0 ? distance : buttons.length - distance;
    };
    const [best] = buttons.filter(({ disabled }) => !disabled).sort((one, other) => far(one) - far(other));
    if (!best) return;
    for (const button of buttons) button.tabIndex = button === best ? 0 : -1;
    best.focus();
  }

  /** @param {number} index */
  clickWord(index) {
    const text = this.field.draft;
    const words = wordsOf(text, this.maskToken);
    const word = words[index];
    if (!word) return;
    if (word.isMask) {
      const mask = words.slice(0, index).filter(({ isMask }) => isMask).length;
      if (text === this.facts.text) this.set({ mask });
      else this.field.write(text, () => this.set({ mask }));
    } else if (!this.asker.isSaved) {
      this.writeMask(
        text.slice(0, word.start) + this.maskToken + text.slice(word.end),
        word.start + this.maskToken.length,
      );
    }
  }

  // ---- what is looked at

  makeControls() {
    const { layers } = unpackFound(this.model.get("_found")).facts;
    const slider = /** @type {HTMLInputElement} */ (
      element("input", { type: "range", min: 0, max: layers - 1, step: 1, "aria-label": "Read after how many layers" })
    );
    const layer = element("span", { class: "bvl-number" });
    const count = /** @type {HTMLInputElement} */ (
      element("input", { type: "number", class: "bvl-input", min: 1, max: 20, step: 1, disabled: this.asker.isSaved })
    );
    const scales = ["probability", "rank"].map((scale) => element("button", { type: "button" }, scale));
    this.life.listen(slider, "input", () => this.set({ layer: Number(slider.value) }));
    this.life.listen(count, "change", () => {
      const k = Number(count.value);
      if (Number.isInteger(k) && k >= 1 && k <= 20) this.asker.ask({ k });
      else count.value = this.model.get("k");
    });
    for (const button of scales) this.life.listen(button, "click", () => this.set({ scale: button.textContent }));
    const box = element(
      "div",
      { class: "bvl-controls" },
      element("label", { class: "bvl-layer" }, element("span", {}, "read after"), slider, layer),
      element("label", {}, "words", count),
      element("span", { class: "bvl-scales", role: "group", "aria-label": "Lines show" }, ...scales),
    );
    return { box, slider, layer, count, scales };
  }

  makeList() {
    const note = element("p", { class: "bvl-soft bvl-note" });
    const list = element("div", {
      class: "bvl-list",
      role: "listbox",
      "aria-label": "Words. Arrow keys follow one, Escape lets go.",
    });
    const wordAt = (/** @type {Element} */ target) => {
      const index = [...list.children].indexOf(/** @type {Element} */ (target.closest("[role=option]")));
      return this.shown[index]?.word ?? null;
    };
    this.life.listen(list, "pointermove", (event) => this.hover(wordAt(event.target)));
    this.life.listen(list, "pointerleave", () => this.hover(null));
    this.life.listen(list, "click", (event) => {
      const word = wordAt(event.target);
      if (word === null) return;
      this.set({ word: word === this.model.get("word") ? null : word });
    });
    this.life.listen(list, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const now = this.shown.findIndex(({ word }) => word === this.model.get("word"));
      const next = now < 0 && event.key.startsWith("Arrow") ? 0 : indexAfterKey(event.key, now, this.shown.length, 1);
      if (event.key === "Escape") this.set({ word: null });
      else if (next !== null) {
        this.set({ word: this.shown[next].word });
        /** @type {HTMLElement} */ (list.children[next]).focus();
      } else return;
      event.preventDefault();
    });
    return { box: element("div", {}, note, list), list, note };
  }

  /** @param {string | null} word */
  hover(word) {
    if (word === this.hovered) return;
    this.hovered = word;
    this.drawFollowed();
  }

  makeFollowed() {
    const input = /** @type {HTMLInputElement} */ (
      element("input", {
        type: "text",
        class: "bvl-input",
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        disabled: this.asker.isSaved,
      })
    );
    const button = element("button", { disabled: this.asker.isSaved }, "Follow");
    const chips = element("span", { class: "bvl-chips" });
    const form = element("form", { class: "bvl-follow" }, element("label", {}, "also follow", input), button, chips);
    this.life.listen(form, "submit", (event) => {
      event.preventDefault();
      if (input.value.trim() === "") return;
      const word = input.value.trim();
      const then = () => {
        if (input.value.trim() === word) input.value = "";
      };
      this.asker.ask({ follow: [...this.model.get("follow"), word] }, { then });
    });
    this.life.listen(chips, "click", (event) => {
      const index = [...chips.children].indexOf(event.target.closest("button"));
      if (index < 0) return;
      this.asker.ask({
        follow: this.model.get("follow").filter((/** @type {string} */ _, /** @type {number} */ i) => i !== index),
      });
      input.focus();
    });
    return { box: form, input, chips };
  }

  makeChart() {
    const lines = svgElement("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    const cursor = element("span", { class: "bvl-cursor" });
    const ticks = element("div", { class: "bvl-ticks", "aria-hidden": "true" });
    const layers = element("div", { class: "bvl-layers", "aria-hidden": "true" });
    const names = element("div", { class: "bvl-names", "aria-hidden": "true" });
    const area = element("div", { class: "bvl-area", role: "img" }, ticks, cursor, lines, names, layers);
    const readout = element("p", { class: "bvl-readout" });
    const what = element("p", { class: "bvl-soft bvl-note" });
    /** @param {PointerEvent} event */
    const under = (event) => {
      const { left, top, width, height } = lines.getBoundingClientRect();
      const [x, y] = [(event.clientX - left) / width, (100 * (event.clientY - top)) / height];
      return x > 1.02 ? null : (this.shown[nearestLine(this.heights, x, y)]?.word ?? null);
    };
    this.life.listen(area, "pointermove", (event) => this.hover(under(event)));
    this.life.listen(area, "pointerleave", () => this.hover(null));
    this.life.listen(area, "click", (event) => {
      const word = under(event);
      if (word !== null) this.set({ word: word === this.model.get("word") ? null : word });
    });
    return {
      box: element("div", { class: "bvl-chart" }, what, area, readout),
      area,
      lines,
      cursor,
      ticks,
      layers,
      names,
      readout,
      what,
    };
  }

  makeNumbers() {
    const head = element("tr");
    const body = element("tbody");
    const box = element(
      "details",
      {},
      element("summary", {}, "Probability (and rank) after every layer as a table"),
      element(
        "div",
        { class: "bvl-scroll", tabindex: 0, role: "group", "aria-label": "Probability and rank" },
        element("table", {}, element("thead", {}, head), body),
      ),
    );
    this.life.listen(box, "toggle", () => this.drawNumbers());
    return { box, head, body };
  }

  // ---- from state to page

  /** The word that is picked out: the one under the pointer, else the chosen one. */
  get picked() {
    const wanted = this.hovered ?? this.model.get("word");
    return this.shown.find(({ word }) => word === wanted) ?? null;
  }

  draw() {
    const found = this.model.get("_found");
    if (found !== this.foundBytes) {
      this.foundBytes = found;
      const read = unpackFound(found);
      this.facts = read.facts;
      this.rows = readRows(read);
      if (this.past.at(-1) !== this.facts.text) this.past.push(this.facts.text);
      this.past.splice(0, this.past.length - 50);
    }
    const { layers, masks, k, follow } = this.facts;
    this.mask = Math.min(this.model.get("mask"), masks.length - 1);
    this.layer = Math.min(this.model.get("layer"), layers - 1);
    this.shown = listed(this.rows[this.mask], this.layer, k, follow);
    setAttributes(this.root, { "aria-busy": String(this.asker.busy) });
    this.field.draw();
    this.line.draw();
    this.drawWords();
    this.drawControls();
    this.drawList();
    this.drawChart();
    this.drawFollowed();
    this.drawNumbers();
  }

  drawWords() {
    const text = this.field.draft;
    const isRead = text === this.facts.text;
    const key = JSON.stringify([text, isRead, this.mask, isRead ? this.facts : null]);
    if (key === this.wordsKey) return;
    this.wordsKey = key;
    const now = [...this.words.children].indexOf(/** @type {Element} */ (document.activeElement));
    let mask = -1;
    const buttons = wordsOf(text, this.maskToken).map((word) => {
      const button = element(
        "button",
        { type: "button", tabindex: -1, class: "bvl-word" },
        element("span", { class: "bvl-mono" }, word.text),
      );
      if (!word.isMask) {
        setAttributes(button, {
          "aria-label": `hide ${word.text}`,
          title: "Hide this word",
          disabled: this.asker.isSaved,
        });
        return button;
      }
      mask += 1;
      const best = isRead ? listed(this.rows[mask], this.facts.layers - 1, 1, [])[0] : null;
      const guess = best ? `${best.word} ${formatShare(best.shares[this.facts.layers - 1])}` : "";
      setAttributes(button, {
        "aria-pressed": String(isRead && mask === this.mask),
        "aria-label": `${word.text} ${mask + 1}${guess ? `, best: ${guess}` : ""}`,
        class: "bvl-word bvl-masked",
      });
      if (guess) button.append(element("small", {}, guess));
      return button;
    });
    this.words.replaceChildren(...buttons);
    const first = buttons.findIndex((button) => button.getAttribute("aria-pressed") === "true");
    const start = Math.max(
      0,
      first < 0 ? buttons.findIndex((button) => !(/** @type {HTMLButtonElement} */ (button).disabled)) : first,
    );
    if (buttons[start]) buttons[start].tabIndex = 0;
    if (now >= 0) this.focusWord(Math.min(now, buttons.length - 1), -1);
  }

  drawControls() {
    const { facts, controls, mask, layer } = this;
    const last = facts.layers - 1;
    setText(
      this.heading,
      facts.masks.length > 1
        ? `${this.maskToken} ${mask + 1} of ${facts.masks.length}`
        : `What BERT puts for ${this.maskToken}`,
    );
    controls.slider.value = String(layer);
    controls.slider.setAttribute("aria-valuetext", placeName(layer, last));
    setText(controls.layer, placeName(layer, last));
    if (document.activeElement !== controls.count) controls.count.value = String(facts.k);
    for (const button of controls.scales)
      button.setAttribute("aria-pressed", String(button.textContent === this.model.get("scale")));
    if (this.examples) this.examples.choice.value = String(this.examples.texts.indexOf(facts.text));
    this.actions.undo.disabled = this.past.length < 2 && this.field.draft === facts.text;
  }

  drawList() {
    const { layer, shown, facts } = this;
    const end = axisEnd(Math.max(...shown.map(({ shares }) => shares[layer])));
    setText(
      this.list.note,
      `Probability after ${placeName(layer, facts.layers - 1)}; a full bar is ${formatPercent(end).replace(".0", "")}`,
    );
    const { list } = this.list;
    const hadFocus = list.contains(document.activeElement);
    const chosen = this.model.get("word");
    const options = shown.map((row, i) => {
      const share = row.shares[layer];
      const bar = element("span", { class: "bvl-bar-track" }, element("span", { class: `bvl-fill ${lineClass(i)}` }));
      /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${Math.min(100, (100 * share) / end)}%`;
      const rank = row.ranks[layer];
      const path = [...row.shares].map((one, at) => `${columnName(at)} ${formatShare(one)}`).join(", ");
      const isFollowed = facts.follow.includes(row.word);
      return element(
        "div",
        {
          role: "option",
          class: `bvl-option${i >= facts.k ? " bvl-extra" : ""}`,
          tabindex: row.word === chosen || (i === 0 && !shown.some(({ word }) => word === chosen)) ? 0 : -1,
          "aria-selected": String(row.word === chosen),
          "aria-label": `${row.word}: ${formatShare(share)}, rank ${rank.toLocaleString("en")}${isFollowed ? ", followed" : ""}. ${path}`,
        },
        lineSample(i),
        element("span", { class: "bvl-mono bvl-name" }, row.word),
        bar,
        element("span", { class: "bvl-number" }, formatShare(share)),
        element("span", { class: "bvl-number bvl-soft" }, `#${rank.toLocaleString("en")}`),
      );
    });
    list.replaceChildren(...options);
    if (hadFocus)
      /** @type {HTMLElement | null} */ (list.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
    const { chips } = this.followed;
    const key = JSON.stringify(facts.follow);
    if (chips.dataset.key === key) return;
    chips.dataset.key = key;
    chips.replaceChildren(
      ...facts.follow.map((/** @type {string} */ word) =>
        element(
          "button",
          { type: "button", class: "bvl-chip", "aria-label": `stop following ${word}`, disabled: this.asker.isSaved },
          element("span", { class: "bvl-mono" }, word),
          " ×",
        ),
      ),
    );
  }

  drawChart() {
    const { shown, facts, chart, layer } = this;
    const scale = this.model.get("scale");
    const last = facts.layers - 1;
    const values = (/** @type {Row} */ row) => (scale === "rank" ? row.ranks : row.shares);
    const most = Math.max(...shown.flatMap((row) => [...values(row)]));
    const end = scale === "rank" ? Math.max(10, 10 ** Math.ceil(Math.log10(most) - 1e-9)) : axisEnd(most);
    const across = (/** @type {number} */ at) => (last > 0 ? (100 * at) / last : 50);
    this.heights = shown.map((row) => Array.from(values(row), (value) => heightOf(value, scale, end)));
    const height = Math.max(CHART_HEIGHT, LABEL_HEIGHT * shown.length);
    chart.area.style.height = `${height}em`;
    const places = spread(
      this.heights.map((heights) => heights[last]),
      (100 * LABEL_HEIGHT) / height,
      100,
    );
    const paths = this.heights.map((heights, i) => {
      const points = heights.map((y, at) => `${across(at).toFixed(2)} ${y.toFixed(2)}`);
      return svgElement(
        "g",
        { class: lineClass(i) },
        svgElement("path", { class: "bvl-line", d: `M${points.join("L")}` }),
        svgElement("path", { class: "bvl-dot", d: points.map((point) => `M${point}h0`).join("") }),
        svgElement("path", { class: "bvl-leader", d: `M${points[last]}L102.3 ${places[i].toFixed(2)}` }),
      );
    });
    chart.lines.replaceChildren(...paths);
    const marks =
      scale === "rank"
        ? Array.from({ length: Math.round(Math.log10(end)) + 1 }, (_, i) => 10 ** i)
        : [0, 0.25, 0.5, 0.75, 1].map((part) => part * end);
    chart.ticks.replaceChildren(
      ...marks.map((mark) => {
        const name = scale === "rank" ? mark.toLocaleString("en") : `${Number((100 * mark).toPrecision(3))}\u00a0%`;
        const tick = element("span", {}, element("span", {}, name));
        tick.style.top = `${heightOf(mark, scale, end)}%`;
        return tick;
      }),
    );
    chart.layers.classList.toggle("bvl-many", last > 8);
    chart.layers.replaceChildren(
      ...Array.from({ length: last + 1 }, (_, at) => {
        const name = element("span", { class: at === layer ? "bvl-here" : "" }, String(at));
        name.style.left = `${across(at)}%`;
        return name;
      }),
    );
    chart.cursor.style.left = `${across(layer)}%`;
    chart.names.replaceChildren(
      ...shown.map((row, i) => {
        const name = element("span", { class: "bvl-mono" }, row.word);
        name.style.top = `${places[i]}%`;
        return name;
      }),
    );
    setText(
      chart.what,
      `${scale === "rank" ? `Rank among ${facts.vocab_size.toLocaleString("en")} words, 1 at the top` : "Probability"}, by number of layers passed (0: the embeddings)`,
    );
    const best = shown.slice(0, 5).map((row) => `${row.word} ${formatShare(row.shares[last])}`);
    chart.area.setAttribute(
      "aria-label",
      `${scale === "rank" ? "Ranks" : "Probabilities"} of ${shown.length} words after ${last + 1} readings; after the last layer: ${best.join(", ")}`,
    );
  }

  /** Pick one word out of list and chart. */
  drawFollowed() {
    const { picked, shown, facts, chart } = this;
    for (const [i, row] of shown.entries()) {
      const [here, none] = [row === picked, picked === null];
      for (const parent of [chart.lines, chart.names, this.list.list]) {
        parent.children[i]?.classList.toggle("bvl-picked", here);
        parent.children[i]?.classList.toggle("bvl-faint", !here && !none);
      }
    }
    const path = picked
      ? [...picked.shares].map(
          (share, at) => `${at}: ${formatShare(share)} (#${picked.ranks[at].toLocaleString("en")})`,
        )
      : [];
    setText(
      chart.readout,
      picked
        ? `“${picked.word}” by number of layers, ${path.join(" · ")}`
        : `Point at a word or a line to follow it through all ${facts.layers - 1} layers.`,
    );
  }

  /** Fill the table only while it is open. */
  drawNumbers() {
    const { box, head, body } = this.numbers;
    if (!(/** @type {HTMLDetailsElement} */ (box).open)) return body.replaceChildren();
    const names = ["word", ...Array.from({ length: this.facts.layers }, (_, at) => columnName(at))];
    head.replaceChildren(...names.map((name) => element("th", { scope: "col" }, name)));
    return body.replaceChildren(
      ...this.shown.map((row) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, row.word),
          ...[...row.shares].map((share, at) =>
            element("td", {}, `${formatExact(share)} (${row.ranks[at].toLocaleString("en")})`),
          ),
        ),
      ),
    );
  }
}

/** A short piece of line number i, which names it. @param {number} i */
function lineSample(i) {
  return svgElement(
    "svg",
    { class: `bvl-sample ${lineClass(i)}`, viewBox: "0 0 24 10", "aria-hidden": "true" },
    svgElement("path", { class: "bvl-line", d: "M1 5H23" }),
  );
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  const view = new FillIn(model, el);
  return () => view.end();
}

export default { render };
