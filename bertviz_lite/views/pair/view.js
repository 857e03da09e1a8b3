// The pair view: two texts, how probable it is that B continues A, and what each word adds to that.
// Follows common.js in one module; see view.py for the traits, and for what `_found` holds.

import { Asker } from "../base/js/asking.js";
import { AskingField, askingLine } from "../base/js/asking_field.js";
import { Blocks, unpackFound } from "../base/js/blocks.js";
import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText } from "../base/js/elements.js";
import { indexAfterKey } from "../base/js/keys.js";
import { formatPercent } from "../base/js/numbers.js";
import { followTheme } from "../base/js/theme.js";

/**
 * @typedef {object} PairWord
 * @property {string} text
 * @property {number} segment 0 is A, 1 is B
 * @property {number} pieces
 * @property {boolean} isMask whether it is hidden already
 * @property {number} probability of "B continues A" once the word is hidden
 * @property {number} logOdds the same as log-odds
 * @property {[number, number]} adds by how much either falls when the word is hidden
 */

/**
 * @param {{facts: any, numbers: Float32Array}} found
 * @returns {PairWord[]}
 */
export function readWords({ facts, numbers }) {
  const size = facts.words.length;
  return facts.words.map(
    (/** @type {[string, number, number, number]} */ [text, segment, pieces, isMask], /** @type {number} */ i) => ({
      text,
      segment,
      pieces,
      isMask: isMask === 1,
      probability: numbers[i],
      logOdds: numbers[size + i],
      adds: [facts.probability - numbers[i], facts.log_odds - numbers[size + i]],
    }),
  );
}

/**
 * Where words stand in their text. They come in its order, so each is looked for behind the one before.
 * @param {string} text
 * @param {string[]} words
 * @returns {{start: number, end: number}[]}
 */
export function findWords(text, words) {
  let from = 0;
  return words.map((word) => {
    const start = text.indexOf(word, from);
    from = start + word.length;
    return { start, end: from };
  });
}

/**
 * A text with one word hidden: as many masks as it had pieces, so that all else keeps its place.
 * @param {string} text
 * @param {{start: number, end: number}} place
 * @param {number} pieces
 * @param {string} mask
 * @returns {string}
 */
export function hideWord(text, { start, end }, pieces, mask) {
  return text.slice(0, start) + Array(pieces).fill(mask).join(" ") + text.slice(end);
}

/**
 * Words in the order of what they carry, the most first.
 * @param {PairWord[]} words
 * @param {number} column of `adds`
 * @returns {number[]} their numbers
 */
export function byStrength(words, column) {
  return words
    .map((_, i) => i)
    .sort((one, other) => Math.abs(words[other].adds[column]) - Math.abs(words[one].adds[column]));
}

/**
 * @typedef {{story: number, cut: number}} Cut a story, and how many of its sentences stand before the cut
 * @typedef {{name: string, sentences: string[]}} Told
 */

/**
 * The text of A, before its cut, and of B, from its cut on.
 * @param {Told[]} stories
 * @param {{a: Cut, b: Cut}} pick
 * @returns {{first: string, second: string}}
 */
export function textsOf(stories, { a, b }) {
  return {
    first: stories[a.story].sentences.slice(0, a.cut).join(" "),
    second: stories[b.story].sentences.slice(b.cut).join(" "),
  };
}

/**
 * Which cuts of which stories give these texts.
 * @param {Told[]} stories
 * @param {string} first
 * @param {string} second
 * @returns {{a: Cut | null, b: Cut | null}} null where the text is none of theirs
 */
export function findPick(stories, first, second) {
  /** @type {Cut | null} */
  let a = null;
  /** @type {Cut | null} */
  let b = null;
  for (const [story, { sentences }] of stories.entries()) {
    for (let cut = 1; cut < sentences.length; cut += 1) {
      const texts = textsOf(stories, { a: { story, cut }, b: { story, cut } });
      if (a === null && texts.first === first) a = { story, cut };
      if (b === null && texts.second === second) b = { story, cut };
    }
  }
  return { a, b };
}

/**
 * A probability that may be very near 0 or 1.
 * @param {number} share
 * @returns {string}
 */
export function formatChance(share) {
  if (share > 0 && share < 0.0005) return "< 0.1\u00a0%";
  if (share < 1 && share > 0.9995) return "> 99.9\u00a0%";
  return formatPercent(share);
}

/**
 * A probability with digits enough to compare it with another.
 * @param {number} share
 * @returns {string}
 */
export function formatFine(share) {
  return `${(100 * share).toFixed(2)}\u00a0%`;
}

/**
 * What a word adds, with its sign: in points of probability, or in log-odds.
 * @param {number} value
 * @param {number} column of `adds`
 * @returns {string}
 */
export function formatAdds(value, column) {
  const size = Math.abs(value) * (column === 0 ? 100 : 1);
  const text = size.toFixed(column === 0 && size >= 1 ? 1 : 2);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
}

// ---------------------------------------------------------------------------------------------------- drawing

const PAIR_TRAITS = ["first", "second", "word", "measure", "_found"];
const MEASURES = ["probability", "log-odds"];
const UNITS = ["points", "log-odds"];
const WORDS_PAUSE_MS = 60;
const SHOWS_NUMBER = 0.12; // of the strongest word: below it, a word's number stands in the list only

class PairView extends DrawnView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    super(model, "pair", "Does B continue A?");
    this.blocks = new Blocks(model, this.life);
    this.asker = new Asker(model, this.life, () => this.soon());
    this.maskToken = model.get("_mask_token");
    /** @type {Told[]} */
    this.stories = model.get("_stories");
    /** What stands there, as it was before a saved page showed another example. */
    this.given = { first: model.get("first"), second: model.get("second"), found: model.get("_found") };
    /** Pairs that Python could read, the latest last: what Undo goes back to. @type {[string, string][]} */
    this.past = [[this.given.first, this.given.second]];
    /** The word under the pointer or the focus. @type {number | null} */
    this.hovered = null;
    /** @type {any} */
    this.foundBytes = null;
    /** The answer. @type {any} */
    this.facts = {};
    /** The answer that `words` belong to: that of the texts before, until Python has hidden each new word. @type {any} */
    this.wordsOf = { words: [], special: [] };
    /** @type {PairWord[]} */
    this.words = [];
    /** Why the words are not to be had. */
    this.wordsProblem = "";
    this.wordsPause = 0;
    this.life.endings.push(() => clearTimeout(this.wordsPause));
    /** @type {number[]} */
    this.order = [];
    this.wordsKey = "";
    /** What the strongest of the words adds: it has the full tint. */
    this.limit = 1;
    /** @type {(trait: string, label: string) => AskingField} */
    const field = (trait, label) =>
      new AskingField({
        model,
        life: this.life,
        asker: this.asker,
        trait,
        label,
        rows: 3,
        values: () => ({ first: this.fields[0].draft, second: this.fields[1].draft }),
        react: () => this.soon(),
      });
    this.fields = [field("first", "A, the first text"), field("second", "B, the second text")];
    this.line = askingLine(this.asker);
    this.top = this.makeTop();
    this.gauge = this.makeGauge();
    this.text = this.makeText();
    this.list = this.makeList();
    this.main = element("div", { class: "bvl-main" }, this.text.box, this.list.box);
    this.readout = element("p", { class: "bvl-readout" });
    this.numbers = this.makeNumbers();
    this.root.append(
      this.top.box,
      element("div", { class: "bvl-asking-row bvl-texts" }, this.fields[0].box, this.fields[1].box),
      this.line.box,
      this.gauge.box,
      this.main,
      this.readout,
      this.numbers.box,
    );
    el.append(this.root);
    followTheme(this.root, this.life);
    this.life.follow(model, PAIR_TRAITS, () => this.soon());
    this.draw();
  }

  // ---- the two texts

  makeTop() {
    const box = element("div", { class: "bvl-asking-row" });
    const examples = this.makeExamples();
    if (examples) box.append(examples.box);
    const picks = this.stories.length > 0 ? { a: this.makePick("a"), b: this.makePick("b") } : null;
    if (picks) box.append(picks.a.box, picks.b.box);
    const swap = element("button", { type: "button" }, "Swap A and B");
    const undo = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }, "Undo"));
    this.life.listen(swap, "click", () => this.write(this.fields[1].draft, this.fields[0].draft));
    this.life.listen(undo, "click", () => {
      if (this.isRead) this.past.pop(); // else what was refused is undone
      const texts = this.past.at(-1);
      if (texts) this.write(...texts);
    });
    box.append(element("div", { class: "bvl-actions", hidden: this.asker.isSaved }, swap, undo));
    return { box, examples, picks, undo };
  }

  makeExamples() {
    /** @type {[string, string, string][]} */
    const pairs = this.model.get("_examples");
    if (pairs.length === 0) return null;
    const choice = /** @type {HTMLSelectElement} */ (element("select"));
    choice.append(
      element("option", { value: -1 }, this.asker.isSaved ? "as it was saved" : "your own"),
      ...pairs.map(([name], i) => element("option", { value: i }, name)),
    );
    this.life.listen(choice, "change", () => this.choose(Number(choice.value)));
    return { box: element("label", { class: "bvl-field" }, element("span", {}, "Examples"), choice), choice, pairs };
  }

  /** @param {number} number of an example; -1 is none of them */
  choose(number) {
    const [, first, second] = this.model.get("_examples")[number] ?? [];
    if (!this.asker.isSaved) {
      if (number >= 0) this.write(first, second);
    } else if (number < 0) {
      this.putFound(this.given.first, this.given.second, this.given.found);
    } else {
      this.blocks.get(`example/${number}`).then((found) => {
        if (!this.life.controller.signal.aborted) this.putFound(first, second, found);
      });
    }
  }

  /**
   * Without Python: what it would have set.
   * @param {string} first
   * @param {string} second
   * @param {DataView} found
   */
  putFound(first, second, found) {
    this.set({ word: null, _found: found, first, second });
    this.soon();
  }

  /**
   * Write both texts, and ask.
   * @param {string} first
   * @param {string} second
   */
  write(first, second) {
    this.fields[0].input.value = first;
    this.fields[1].write(second);
  }

  /** @param {"a" | "b"} part */
  makePick(part) {
    const name = part.toUpperCase();
    const story = /** @type {HTMLSelectElement} */ (
      element("select", { "aria-label": `${name} from story`, disabled: this.asker.isSaved })
    );
    const cut = /** @type {HTMLSelectElement} */ (
      element("select", { "aria-label": `${name}: cut after sentence`, disabled: this.asker.isSaved })
    );
    story.append(
      element("option", { value: -1 }, "–"),
      ...this.stories.map(({ name: told }, i) => element("option", { value: i }, told)),
    );
    const box = element(
      "span",
      { class: "bvl-field bvl-pick" },
      element("span", {}, part === "a" ? "A: sentences up to the cut" : "B: sentences from the cut on"),
      element("span", { class: "bvl-pick-row" }, story, cut),
    );
    const pick = { box, story, cut, /** how many cuts it offers */ cuts: -1 };
    this.life.listen(story, "change", () => {
      const number = Number(story.value);
      if (number >= 0)
        this.pick(part, {
          story: number,
          cut: Math.min(Math.max(1, Number(cut.value)), this.stories[number].sentences.length - 1),
        });
    });
    this.life.listen(cut, "change", () => {
      if (Number(story.value) >= 0) this.pick(part, { story: Number(story.value), cut: Number(cut.value) });
    });
    return pick;
  }

  /**
   * @param {"a" | "b"} part
   * @param {Cut} chosen
   */
  pick(part, chosen) {
    const texts = textsOf(this.stories, { a: chosen, b: chosen });
    const [a, b] = this.fields;
    if (part === "a") this.write(texts.first, b.draft);
    else this.write(a.draft, texts.second);
  }

  // ---- the answer

  makeGauge() {
    const heading = element("h4", { class: "bvl-heading" });
    const fill = element("span", { class: "bvl-fill" });
    const meter = element(
      "div",
      {
        class: "bvl-gauge",
        role: "meter",
        "aria-label": "Probability that B continues A",
        "aria-valuemin": 0,
        "aria-valuemax": 100,
      },
      fill,
      element("span", { class: "bvl-half" }),
    );
    const box = element(
      "div",
      { class: "bvl-verdict" },
      heading,
      meter,
      element(
        "div",
        { class: "bvl-ends bvl-soft", "aria-hidden": "true" },
        element("span", {}, "0 %: B is of another story (label 1)"),
        element("span", {}, "100 %: B continues A (label 0)"),
      ),
    );
    return { box, heading, meter, fill };
  }

  makeText() {
    const measures = MEASURES.map((name) => element("button", { type: "button" }, name));
    for (const button of measures) this.life.listen(button, "click", () => this.set({ measure: button.textContent }));
    const legend = element("p", { class: "bvl-legend bvl-soft" });
    const words = element("div", {
      class: "bvl-words",
      role: "toolbar",
      "aria-label": `Words of A and B. Arrow keys move, Enter ${this.asker.isSaved ? "picks a word out" : "hides a word for good"}.`,
    });
    this.life.listen(words, "pointermove", (event) => this.hover(this.wordAt(event.target)));
    this.life.listen(words, "pointerleave", () => this.hover(null));
    this.life.listen(words, "focusin", (event) => this.hover(this.wordAt(event.target)));
    this.life.listen(words, "focusout", () => this.hover(null));
    this.life.listen(words, "click", (event) => {
      const index = this.wordAt(event.target);
      if (index === null) return;
      if (this.asker.isSaved || this.words[index].isMask) this.pickOut(index);
      else this.hide(index);
    });
    this.life.listen(words, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const now = this.wordAt(event.target);
      const next = now === null ? null : indexAfterKey(event.key, now, this.words.length);
      if (next === null) return;
      event.preventDefault();
      this.focusWord(next);
    });
    const box = element(
      "div",
      { class: "bvl-text" },
      element(
        "div",
        { class: "bvl-controls" },
        element("span", { class: "bvl-soft" }, "tinted by the change in"),
        element("span", { class: "bvl-measures", role: "group", "aria-label": "Tinted by the change in" }, ...measures),
      ),
      words,
      legend,
    );
    return { box, words, legend, measures };
  }

  /** @param {Element} target @returns {number | null} */
  wordAt(target) {
    const number = /** @type {HTMLElement | null} */ (target.closest("[data-word]"))?.dataset.word;
    return number === undefined ? null : Number(number);
  }

  /** @param {number} index */
  focusWord(index) {
    const buttons = /** @type {NodeListOf<HTMLElement>} */ (this.text.words.querySelectorAll("button"));
    for (const [i, button] of buttons.entries()) button.tabIndex = i === index ? 0 : -1;
    buttons[index]?.focus();
  }

  /** @param {number} index */
  pickOut(index) {
    this.set({ word: index === this.model.get("word") ? null : index });
  }

  /** Hide a word for good. @param {number} index */
  hide(index) {
    const { facts, words } = this;
    if (!this.isCurrent || !this.isRead || this.asker.busy) return; // the words are of another text
    const texts = [facts.first, facts.second];
    const { segment, pieces } = words[index];
    const own = words.map((_, i) => i).filter((i) => words[i].segment === segment);
    const places = findWords(
      texts[segment],
      own.map((i) => words[i].text),
    );
    texts[segment] = hideWord(texts[segment], places[own.indexOf(index)], pieces, this.maskToken);
    this.write(texts[0], texts[1]);
  }

  makeList() {
    const list = element("div", {
      class: "bvl-list",
      role: "listbox",
      "aria-label": "Words, the strongest first. Arrow keys pick one out, Escape lets go.",
    });
    const note = element("p", { class: "bvl-soft bvl-note" });
    this.life.listen(list, "pointermove", (event) => this.hover(this.wordAt(event.target)));
    this.life.listen(list, "pointerleave", () => this.hover(null));
    this.life.listen(list, "click", (event) => {
      const index = this.wordAt(event.target);
      if (index !== null) this.pickOut(index);
    });
    this.life.listen(list, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const now = this.order.indexOf(this.model.get("word"));
      const next = now < 0 && event.key.startsWith("Arrow") ? 0 : indexAfterKey(event.key, now, this.order.length, 1);
      if (event.key === "Escape") this.set({ word: null });
      else if (next !== null) {
        this.set({ word: this.order[next] });
        const option = /** @type {HTMLElement} */ (list.children[next]);
        option.focus({ preventScroll: true });
        list.scrollTop = Math.min(
          Math.max(list.scrollTop, option.offsetTop + option.offsetHeight - list.clientHeight),
          option.offsetTop,
        );
      } else return;
      event.preventDefault();
    });
    const made = {
      box: element("div", { class: "bvl-side" }, note, list),
      list,
      note,
      /** how far it is scrolled */ scrollTop: 0,
    };
    this.life.listen(list, "scroll", () => (made.scrollTop = list.scrollTop));
    return made;
  }

  makeNumbers() {
    const head = element("tr");
    const names = ["word", "part", "probability, hidden", "it adds, points", "log-odds, hidden", "it adds, log-odds"];
    head.append(...names.map((name) => element("th", { scope: "col" }, name)));
    const body = element("tbody");
    const box = element(
      "details",
      {},
      element("summary", {}, "Every word as a table"),
      element(
        "div",
        { class: "bvl-scroll bvl-tall", tabindex: 0, role: "group", "aria-label": "What hiding each word changes" },
        element("table", {}, element("thead", {}, head), body),
      ),
    );
    this.life.listen(box, "toggle", () => this.drawNumbers());
    return { box, body };
  }

  /** @param {number | null} index */
  hover(index) {
    if (index === this.hovered) return;
    this.hovered = index;
    this.drawPicked();
  }

  // ---- from state to page

  /** The column of `adds` that is drawn. */
  get column() {
    return MEASURES.indexOf(this.model.get("measure"));
  }

  draw() {
    const found = this.model.get("_found");
    if (found !== this.foundBytes) {
      this.foundBytes = found;
      const read = unpackFound(found);
      this.facts = read.facts;
      this.wordsProblem = "";
      if (read.facts.words) this.putWords(read);
      const last = this.past.at(-1);
      if (last?.[0] !== this.facts.first || last?.[1] !== this.facts.second)
        this.past.push([this.facts.first, this.facts.second]);
      this.past.splice(0, this.past.length - 50);
    }
    this.order = byStrength(this.words, this.column);
    this.limit = Math.max(1e-9, ...this.words.map(({ adds }) => Math.abs(adds[this.column])));
    const isWaiting = !this.isCurrent && this.wordsProblem === "";
    if (isWaiting && !this.asker.busy && this.wordsPause === 0) this.askForWords();
    setAttributes(this.root, { "aria-busy": String(this.asker.busy || isWaiting) });
    this.main.classList.toggle("bvl-stale", !this.isCurrent);
    for (const field of this.fields) field.draw();
    this.line.draw();
    this.drawTop();
    this.drawGauge();
    this.drawText();
    this.drawList();
    this.drawPicked();
    this.drawNumbers();
  }

  /** Whether what stands in the fields is what was answered. */
  get isRead() {
    return this.fields[0].draft === this.facts.first && this.fields[1].draft === this.facts.second;
  }

  /** Whether the words are those of the texts that were answered. */
  get isCurrent() {
    return this.wordsOf.first === this.facts.first && this.wordsOf.second === this.facts.second;
  }

  /** @param {{facts: any, numbers: Float32Array}} read */
  putWords(read) {
    this.wordsOf = read.facts;
    this.words = readWords(read);
    this.hovered = null;
  }

  /** Ask for the words once nothing is typed for a moment: hiding each in turn takes longer than the answer. */
  askForWords() {
    this.wordsPause = setTimeout(() => {
      const done = (/** @type {string} */ problem) => {
        this.wordsPause = 0;
        this.wordsProblem = problem;
        if (!this.life.controller.signal.aborted) this.soon(); // and ask again if the texts have changed
      };
      if (this.asker.busy) {
        done("");
        return;
      }
      this.blocks.forget();
      this.blocks.get("words").then(
        (bytes) => {
          const read = unpackFound(bytes);
          if (read.facts.first === this.facts.first && read.facts.second === this.facts.second) this.putWords(read);
          done("");
        },
        (error) => done(String(error.message)),
      );
    }, WORDS_PAUSE_MS);
  }

  drawTop() {
    const { facts, top, stories } = this;
    if (top.examples) {
      const { choice, pairs } = top.examples;
      choice.value = String(pairs.findIndex(([, first, second]) => first === facts.first && second === facts.second));
    }
    top.undo.disabled = this.past.length < 2 && this.isRead;
    if (!top.picks) return;
    const found = findPick(stories, facts.first, facts.second);
    for (const part of /** @type {("a" | "b")[]} */ (["a", "b"])) {
      const [pick, cut] = [top.picks[part], found[part]];
      pick.story.value = String(cut?.story ?? -1);
      const count = cut ? stories[cut.story].sentences.length - 1 : 0;
      if (pick.cuts !== count) {
        pick.cuts = count;
        const names = Array.from({ length: count }, (_, i) =>
          part === "a" ? `1 to ${i + 1}` : `${i + 2} to ${count + 1}`,
        );
        pick.cut.replaceChildren(...names.map((name, i) => element("option", { value: i + 1 }, name)));
      }
      pick.cut.disabled = this.asker.isSaved || cut === null;
      if (cut) pick.cut.value = String(cut.cut);
    }
  }

  drawGauge() {
    const { probability } = this.facts;
    const { heading, meter, fill } = this.gauge;
    const chance = formatChance(probability);
    const verdict = probability >= 0.5 ? "B continues A (label 0)" : "B is of another story (label 1)";
    setText(heading, `Probability that B continues A: ${chance}. BERT’s answer: ${verdict}`);
    fill.style.width = `${100 * probability}%`;
    meter.classList.toggle("bvl-no", probability < 0.5);
    setAttributes(meter, {
      "aria-valuenow": (100 * probability).toFixed(1),
      "aria-valuetext": `${chance}: ${verdict}`,
    });
  }

  drawText() {
    const { words, column, limit, wordsOf: facts, text } = this;
    for (const button of text.measures)
      button.setAttribute("aria-pressed", String(button.textContent === this.model.get("measure")));
    const unit = UNITS[column];
    setText(
      text.legend,
      `Orange, +: hidden, B is less likely to continue A, so the word speaks for it. Blue, −: hidden, more likely. The strongest tint is ${formatAdds(limit, column).replace("+", "±")} ${unit}.`,
    );
    const key = JSON.stringify([facts, column]);
    if (key === this.wordsKey) return;
    this.wordsKey = key;
    const focused = /** @type {HTMLElement | null} */ (
      text.words.contains(document.activeElement) ? document.activeElement : null
    );
    const now = focused ? this.wordAt(focused) : null;
    const special = facts.special.filter((/** @type {string} */ token) => token !== this.maskToken);
    const apart = (/** @type {string | undefined} */ token) =>
      element("span", { class: "bvl-special bvl-mono", title: "A special token: it is never hidden" }, token ?? "");
    const parts = [0, 1].map((segment) => {
      const box = element(
        "div",
        { class: "bvl-part" },
        element("span", { class: "bvl-part-name", "aria-hidden": "true" }, segment === 0 ? "A" : "B"),
      );
      if (segment === 0 && special.length > 0) box.append(apart(special[0]));
      for (const [i, word] of words.entries()) if (word.segment === segment) box.append(this.makeWord(word, i));
      if (special.length > 1) box.append(apart(special.at(-1)));
      return box;
    });
    text.words.replaceChildren(...parts);
    const first = text.words.querySelector("button");
    if (first) first.tabIndex = 0;
    if (now !== null) this.focusWord(Math.min(now, words.length - 1));
  }

  /**
   * @param {PairWord} word
   * @param {number} index
   */
  makeWord(word, index) {
    const { column, limit } = this;
    const value = word.adds[column];
    const strength = Math.abs(value) / limit;
    const adds = formatAdds(value, column);
    const button = element(
      "button",
      {
        type: "button",
        tabindex: -1,
        class: `bvl-word${word.isMask ? " bvl-hidden" : ""}`,
        "data-word": index,
        "aria-label": word.isMask
          ? `hidden, part ${"AB"[word.segment]}`
          : `${word.text}, part ${"AB"[word.segment]}: adds ${adds} ${UNITS[column]}`,
      },
      element("span", { class: "bvl-mono" }, word.text),
    );
    if (!word.isMask) {
      button.style.setProperty(
        "--bvl-tinted",
        `rgb(var(--bvl-${value < 0 ? "negative" : "positive"}) / calc(var(--bvl-tint) * ${strength.toFixed(3)}))`,
      );
    }
    button.append(element("small", {}, strength >= SHOWS_NUMBER ? adds : "\u00a0"));
    return button;
  }

  drawList() {
    const { words, order, column, limit, wordsOf: facts } = this;
    setText(this.list.note, `What each word adds, in ${UNITS[column]}; the strongest first`);
    const { list } = this.list;
    const hadFocus = list.contains(document.activeElement);
    const chosen = this.model.get("word");
    const options = order.map((index, place) => {
      const word = words[index];
      const value = word.adds[column];
      const bar = element(
        "span",
        { class: "bvl-track" },
        element("span", { class: value < 0 ? "bvl-minus" : "bvl-plus" }),
      );
      /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${(50 * Math.abs(value)) / limit}%`;
      return element(
        "div",
        {
          role: "option",
          class: "bvl-option",
          "data-word": index,
          tabindex: index === chosen || (chosen === null && place === 0) ? 0 : -1,
          "aria-selected": String(index === chosen),
          "aria-label": `${word.text}, part ${"AB"[word.segment]}: adds ${formatAdds(value, column)} ${UNITS[column]}; hidden, ${formatChance(word.probability)} instead of ${formatChance(facts.probability)}`,
        },
        element("span", { class: "bvl-mono bvl-name" }, word.text),
        element("span", { class: "bvl-soft" }, "AB"[word.segment]),
        bar,
        element("span", { class: "bvl-number" }, formatAdds(value, column)),
      );
    });
    const { scrollTop } = this.list;
    list.replaceChildren(...options);
    if (scrollTop > 0) list.scrollTop = scrollTop; // setting it lays the page out
    if (hadFocus)
      /** @type {HTMLElement | null} */ (list.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
  }

  drawPicked() {
    const { words, wordsOf: facts } = this;
    const index = this.hovered ?? this.model.get("word");
    const word = index === null ? undefined : words[index];
    for (const box of this.root.querySelectorAll("[data-word]"))
      box.classList.toggle("bvl-picked", word !== undefined && this.wordAt(box) === index);
    if (this.wordsProblem !== "") {
      setText(this.readout, this.wordsProblem);
      return;
    }
    if (!word) {
      setText(
        this.readout,
        `Point at a word for its exact numbers${this.asker.isSaved ? "" : "; click it to hide it for good and go on from there"}.`,
      );
      return;
    }
    const turns = word.probability >= 0.5 !== facts.probability >= 0.5 ? " The answer would turn." : "";
    const pieces = word.pieces > 1 ? `, ${word.pieces} pieces` : "";
    setText(
      this.readout,
      word.isMask
        ? `${this.maskToken} in ${"AB"[word.segment]}: hidden already.`
        : `“${word.text}” in ${"AB"[word.segment]}${pieces}: hidden, ${formatFine(facts.probability)} becomes ${formatFine(word.probability)} (it adds ${formatAdds(word.adds[0], 0)} points), log-odds ${formatAdds(facts.log_odds, 1)} become ${formatAdds(word.logOdds, 1)} (it adds ${formatAdds(word.adds[1], 1)}).${turns}`,
    );
  }

  /** Fill the table only while it is open. */
  drawNumbers() {
    const { box, body } = this.numbers;
    if (!(/** @type {HTMLDetailsElement} */ (box).open)) return body.replaceChildren();
    return body.replaceChildren(
      ...this.order.map((index) => {
        const { text, segment, probability, logOdds, adds } = this.words[index];
        const cells = [
          "AB"[segment],
          probability.toFixed(4),
          formatAdds(adds[0], 0),
          formatAdds(logOdds, 1),
          formatAdds(adds[1], 1),
        ];
        return element(
          "tr",
          {},
          element("th", { scope: "row" }, text),
          ...cells.map((cell) => element("td", {}, cell)),
        );
      }),
    );
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  const view = new PairView(model, el);
  return () => view.end();
}

export default { render };
