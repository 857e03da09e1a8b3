// The pair view: two texts, how probable it is that B continues A, and what is lost of that without each word.
// See view.py for the traits, and for what `_found` holds.

import { answeredBy } from "../base/js/answering/model.js";
import { AskingView } from "../base/js/asking/view.js";
import { unpackAnswer } from "../base/js/blocks.js";
import { element, setText } from "../base/js/elements.js";
import { inLanguage } from "../base/js/language/shown.js";
import { FoldedTable } from "../base/js/parts/folded_table.js";
import { StateLink, isIndexIn } from "../base/js/parts/link.js";
import { Tools } from "../base/js/parts/tools.js";
import { followTheme } from "../base/js/theme.js";
import { answer } from "./js/answers.js";
import { Gauge } from "./js/gauge.js";
import { StrengthList } from "./js/list.js";
import { StoryPicks } from "./js/picks.js";
import { TintedText, wordAt } from "./js/text.js";
import { formatPercent } from "../base/js/numbers.js";
import { MEASURES, PARTS, answerName, answerTo, byStrength, formatAdds, numbersOf, readWords } from "./js/words.js";
import { say } from "./language/say.js";

/** @import { PairWord } from "./js/words.js" */

/** @returns {[string, string][]} */
const pairKeys = () => [
  ["← + →", say("key_word")],
  ["Enter", say("key_hide")],
  ["↑ + ↓", say("key_list")],
  ["Esc", say("key_let_go")],
];

const PAIR_TRAITS = ["first", "second", "word", "measure", "_found"];
const WORDS_PAUSE_MS = 60;

export class PairView extends AskingView {
  /**
   * @param {any} object
   * @param {HTMLElement} el
   */
  constructor(object, el) {
    /** @type {[string, string, string][]} */
    const pairs = object.get("_examples");
    super(object, "pair", say("view"), {
      texts: [
        { trait: "first", label: say("first") },
        { trait: "second", label: say("second") },
      ],
      rows: 3,
      examples: pairs.map(([name, ...texts]) => ({ name, texts })),
      answered: answeredBy(answer, ["first", "second"]),
    });
    /** The word under the pointer or the focus. @type {number | null} */
    this.hovered = null;
    /**
     * The answer that `words` belong to: that of the texts before, until Python has hidden each new word.
     * @type {any}
     */
    this.wordsOf = { words: [], special: [] };
    /** @type {PairWord[]} */
    this.words = [];
    /** Numbers of the words, the strongest first. @type {number[]} */
    this.order = [];
    /** What the strongest of the words adds: it has the full tint. */
    this.limit = 1;
    /** Why the words are not to be had. */
    this.wordsProblem = "";
    this.wordsPause = 0;
    this.life.endings.push(() => clearTimeout(this.wordsPause));
    this.picks = new StoryPicks(this);
    this.gauge = new Gauge();
    this.text = new TintedText(this);
    this.list = new StrengthList(this);
    this.main = element("div", { class: "bvl-main" }, this.text.box, this.list.box);
    this.readout = element("p", { class: "bvl-readout" });
    this.table = new FoldedTable(this.life, {
      summary: say("as_table"),
      label: say("table_label"),
      read: () => this.readTable(),
      isTall: true,
    });
    const swap = element("button", { type: "button" }, say("swap"));
    this.life.listen(swap, "click", () => this.write([this.fields[1].draft, this.fields[0].draft]));
    this.answer.append(this.gauge.box, this.main, this.readout, this.table.box);
    this.link = new StateLink(
      this.model,
      this.life,
      ["measure", "word"],
      (name, value) =>
        name === "measure"
          ? MEASURES.includes(String(value))
          : name !== "word" || value === null || isIndexIn(value, 512),
      this.linked(["first", "second"]),
    );
    const texts = element(
      "div",
      { class: "bvl-asking-row bvl-texts bvl-no-show" },
      ...this.fields.map(({ box }) => box),
    );
    this.answer.classList.add("bvl-to-hold");
    this.tools = new Tools(this, {
      keys: pairKeys(),
      name: () => say("file_name"),
      numbers: () => numbersOf(this.words, this.wordsOf),
      link: this.link,
      held: { place: this.answer, fields: texts, withTexts: true },
    });
    const row = element(
      "div",
      { class: "bvl-asking-row" },
      this.exampleField?.box ?? "",
      ...this.picks.boxes,
      element("div", { class: "bvl-actions", hidden: this.asker.isSaved }, swap, this.undo),
    );
    this.table.box.classList.add("bvl-no-show");
    this.root.append(this.tools.after(row), this.tools.panel, texts, this.line.box, this.answer);
    el.append(this.root);
    followTheme(this.root, this.life);
    this.life.follow(this.model, PAIR_TRAITS, () => this.soon());
    this.draw();
    this.link.take();
  }

  // ---- what the reader does

  lookedAt() {
    return { word: null };
  }

  /** Choose a word, or let it go if it is chosen. @param {number} index */
  pickOut(index) {
    this.set({ word: index === this.model.get("word") ? null : index });
  }

  /** @param {number | null} index */
  hover(index) {
    if (index === this.hovered) return;
    this.hovered = index;
    this.drawPicked();
  }

  // ---- the words: they come after the answer

  /** The column of `adds` that is drawn. */
  get column() {
    return MEASURES.indexOf(this.model.get("measure"));
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
      if (this.asker.busy) {
        this.endWords("");
        return;
      }
      const take = (/** @type {DataView} */ bytes) => {
        const read = unpackAnswer(bytes);
        const { first, second } = read.facts;
        if (first === this.facts.first && second === this.facts.second) this.putWords(read);
        this.endWords("");
      };
      this.blocks.forget();
      this.blocks.get("words").then(take, (error) => {
        this.endWords(String(error.message));
        error.later?.then(take, () => {});
      });
    }, WORDS_PAUSE_MS);
  }

  /** @param {string} problem */
  endWords(problem) {
    this.wordsPause = 0;
    this.wordsProblem = problem;
    if (!this.life.controller.signal.aborted) this.soon(); // and ask again if the texts have changed
  }

  // ---- from state to page

  draw() {
    const read = this.readAnswer();
    if (read) {
      this.wordsProblem = "";
      if (read.facts.words) this.putWords(read);
    }
    this.order = byStrength(this.words, this.column);
    this.limit = Math.max(1e-9, ...this.words.map(({ adds }) => Math.abs(adds[this.column])));
    const isWaiting = !this.isCurrent && this.wordsProblem === "";
    if (isWaiting && !this.asker.busy && this.wordsPause === 0) this.askForWords();
    this.drawAsking(isWaiting);
    for (const [segment, field] of this.fields.entries()) {
      const words = this.words.filter((word) => word.segment === segment && word.pieces > 1 && !word.isMask);
      field.drawPieces(this.isRead && this.isCurrent ? [...new Set(words.map(({ text }) => text))] : []);
    }
    this.main.classList.toggle("bvl-stale", !this.isCurrent);
    this.picks.draw();
    this.gauge.draw(this.facts.probability, this.isOfBefore);
    this.text.draw();
    this.list.draw();
    this.drawPicked();
    this.table.draw();
  }

  drawPicked() {
    const index = this.hovered ?? this.model.get("word");
    const word = index === null ? undefined : this.words[index];
    for (const box of this.root.querySelectorAll("[data-word]"))
      box.classList.toggle("bvl-picked", word !== undefined && wordAt(box) === index);
    const more = word ? this.describe(word) : say(this.asker.isSaved ? "point_at" : "point_at_hide");
    setText(this.readout, this.wordsProblem || more);
  }

  /** @param {PairWord} word */
  describe({ text, segment, isMask, pieces, probability, logOdds, adds }) {
    const { wordsOf: facts } = this;
    const part = PARTS[segment];
    if (isMask) return say("hidden_already", { mask: this.maskToken, part });
    const count = pieces > 1 ? say("pieces", { pieces }) : "";
    const then = answerTo(probability);
    const turns = then === answerTo(facts.probability) ? "" : say("turns", { verdict: answerName(then) });
    const [before, after] = [facts.probability, probability].map((share) => formatPercent(share, 2));
    const [points, lost] = [formatAdds(adds[0], 0), formatAdds(adds[1], 1)];
    const [odds, odds_after] = [formatAdds(facts.log_odds, 1), formatAdds(logOdds, 1)];
    return say("described", { text, part, count, before, after, points, odds, odds_after, lost, turns });
  }

  readTable() {
    const columns = [
      say("word"),
      say("part"),
      say("probability_hidden"),
      say("lost_points"),
      say("log_odds_hidden"),
      say("lost_log_odds"),
    ];
    const rows = this.order.map((index) => {
      const { text, segment, probability, logOdds, adds } = this.words[index];
      const numbers = [probability.toFixed(4), formatAdds(adds[0], 0), formatAdds(logOdds, 1), formatAdds(adds[1], 1)];
      return [text, PARTS[segment], ...numbers];
    });
    return { columns, rows };
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  return inLanguage(model, el, () => new PairView(model, el)).end;
}

export default { render };
