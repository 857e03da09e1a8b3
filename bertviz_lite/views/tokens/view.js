// The token view: a text as words, tokens and ids, and the search that cut a word. See view.py for the traits.

import { answeredBy } from "../base/js/answering/model.js";
import { Asker } from "../base/js/asking/asker.js";
import { askingLine } from "../base/js/asking/field.js";
import { sayUnknown } from "../base/js/asking/written.js";
import { Blocks } from "../base/js/blocks.js";
import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText } from "../base/js/elements.js";
import { whenPlaced } from "../base/js/life.js";
import { sayCommon } from "../base/js/language/common.js";
import { inLanguage } from "../base/js/language/shown.js";
import { ListBox } from "../base/js/parts/list_box.js";
import { StateLink, isIndexIn } from "../base/js/parts/link.js";
import { Tools } from "../base/js/parts/tools.js";
import { followTheme } from "../base/js/theme.js";
import { answer } from "./js/answers.js";
import { retold, say } from "./language/say.js";
import { nameOf, readNames } from "./js/character_names.js";
import { TextFields } from "./js/fields.js";
import { outcome, pieceOf, slice, triesOf, visible } from "./js/tries.js";

/** @import { Named } from "./js/character_names.js" */
/** @import { Token, Try, Word } from "./js/tries.js" */

/** @returns {[string, string][]} */
const tokenKeys = () => [
  ["← + →", say("key_word")],
  ["Enter", say("key_search")],
  ["↑ + ↓", say("key_look")],
  ["Esc", say("key_back")],
];

const TRAITS = ["text", "text_pair", "word", "step", "_cut"];

/** A text in its own direction, so that right-to-left letters turn nothing around them. @param {string} text */
const apart = (text) => element("bdi", {}, visible(text));

class TokenView extends DrawnView {
  /**
   * @param {any} object the Python object, as a notebook or a saved page gives it
   * @param {HTMLElement} el
   */
  constructor(object, el) {
    super(object, "tokens", say("view"), answeredBy(answer, ["text", "text_pair", "word"], "tokenizer"));
    const { model, life } = this;
    /** The cut that is drawn. @type {any} */
    this.drawn = null;
    this.drawnWord = -1;
    /** Names of characters, once they are there. @type {Named[] | null} */
    this.names = null;
    this.getNames(object);
    this.asker = new Asker(model, life, () => this.soon());
    this.fields = new TextFields(model, life, this.asker, () => this.soon());
    this.line = askingLine(this.asker, say("at_work"));
    this.status = element("p", { class: "bvl-status", role: "status" });
    this.list = this.makeList();
    this.search = this.makeSearch();
    this.changes = this.makeTable(say("changes"), ["", say("code_point"), say("name"), say("becomes"), say("why")]);
    this.table = this.makeTable(say("as_table"), ["", say("token"), "input_ids", "token_type_ids", say("of_word")]);
    this.answer = element("div", { class: "bvl-answer" });
    this.answer.append(this.status, this.list.box, this.search.box, this.changes.box, this.table.box);
    this.link = new StateLink(model, life, ["word", "step"], (name, value) => this.accepts(name, value), {
      names: ["text", "text_pair"],
      ask: (values, then) => this.fields.ask(values, then),
    });
    this.answer.classList.add("bvl-to-hold");
    this.tools = new Tools(this, {
      keys: tokenKeys(),
      name: () => say("file_name"),
      numbers: () => this.readNumbers(),
      link: this.link,
      held: { place: this.answer, fields: this.fields.box, withTexts: true },
    });
    for (const { box } of [this.changes, this.table]) box.classList.add("bvl-no-show");
    this.root.append(this.tools.after(this.fields.box), this.tools.panel, this.line.box, this.answer);
    el.append(this.root);
    followTheme(this.root, life);
    whenPlaced(this.root, life, () => this.list.reveal(this.word));
    life.follow(model, TRAITS, () => this.soon());
    this.draw();
    this.link.take();
  }

  /** @param {string} name @param {any} value */
  accepts(name, value) {
    if (name === "word") return isIndexIn(value, this.model.get("_cut").words.length);
    return name !== "step" || value === null || isIndexIn(value, 10_000);
  }

  /** @returns {(string | number)[][]} */
  readNumbers() {
    /** @type {{words: Word[], tokens: Token[]}} */
    const { words, tokens } = this.drawn;
    return [
      ["position", "token", "input_ids", "token_type_ids", "word"],
      ...tokens.map(({ text, id, segment, word }, place) => [
        ...[place, text, id, segment],
        word === null ? "" : words[word].typed,
      ]),
    ];
  }

  // ---- what stays

  /** The names of characters: Python has them, and a saved page; the page's tokenizer has not. @param {any} object */
  async getNames(object) {
    const coming = new Blocks(object, this.life).get("names");
    // Without them the table goes without names; where Python was only busy, they may still come.
    const block = await coming.catch((error) => error.later ?? null).catch(() => null);
    if (!block || this.life.controller.signal.aborted) return;
    this.names = readNames(block);
    this.drawTables();
  }

  /** @returns {ListBox} */
  makeList() {
    return new ListBox(this.life, {
      className: "bvl-words",
      label: say("list_label"),
      isHorizontal: true,
      chosen: () => this.word,
      choose: (index) => this.choose(index),
      press: (key) => {
        if (key !== "Enter" && key !== " ") return false;
        this.goTo(0, true);
        return true;
      },
      perLine: () => this.perLine(),
    });
  }

  makeSearch() {
    const heading = element("h4", { class: "bvl-heading" });
    const sentence = element("p", { class: "bvl-said", role: "status" });
    const button = (/** @type {string} */ name, /** @type {() => void} */ act) => {
      const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }, name));
      this.life.listen(made, "click", act);
      return made;
    };
    const first = button(say("start"), () => this.goTo(0));
    const back = button(say("back"), () => this.goTo(this.step - 1));
    const forward = button(say("next"), () => this.goTo(this.step + 1));
    const all = button(say("all"), () => this.set({ step: null }));
    const list = new ListBox(this.life, {
      className: "bvl-tries",
      label: say("tries_label"),
      chosen: () => this.step,
      choose: (index) => this.goTo(index, true),
      press: (key) => {
        if (key !== "Escape") return false;
        this.set({ step: null });
        this.list.options[this.word].focus({ preventScroll: true });
        return true;
      },
    });
    const bar = element(
      "div",
      { class: "bvl-bar" },
      heading,
      element("div", { class: "bvl-controls" }, first, back, forward, all),
    );
    return { box: element("div", {}, bar, sentence, list.box), heading, sentence, first, back, forward, all, list };
  }

  /**
   * @param {string} name
   * @param {string[]} columns
   */
  makeTable(name, columns) {
    const body = element("tbody");
    const head = element(
      "tr",
      {},
      ...columns.map((column) => element(column ? "th" : "td", { scope: column ? "col" : null }, column)),
    );
    const scroll = element(
      "div",
      { class: "bvl-scroll", tabindex: 0, role: "group", "aria-label": name },
      element("table", {}, element("thead", {}, head), body),
    );
    const summary = element("summary", {}, name);
    return { box: element("details", {}, summary, scroll), body, summary };
  }

  // ---- where we are

  /** The chosen word; −1 if there is none. @returns {number} */
  get word() {
    const word = this.model.get("word");
    return word === null ? -1 : Math.min(word, this.list.options.length - 1);
  }

  /** The look that is shown: the last one where the whole search is. @returns {number} */
  get step() {
    return Math.min(this.model.get("step") ?? this.search.list.options.length - 1, this.search.list.options.length - 1);
  }

  /** @param {number} index */
  choose(index) {
    if (index !== this.word) this.set({ word: index, step: null });
    this.draw();
    this.list.options[index].focus({ preventScroll: true });
  }

  /**
   * @param {number} step
   * @param {boolean} [focus]
   */
  goTo(step, focus = false) {
    if (this.search.list.options.length === 0) return;
    const index = Math.min(this.search.list.options.length - 1, Math.max(0, step));
    this.set({ step: index });
    this.draw();
    if (focus) this.search.list.options[index].focus({ preventScroll: true });
  }

  /** Words in the line of the chosen one, for the up and down arrows. */
  perLine() {
    const top = this.list.options[this.word]?.offsetTop;
    return this.list.options.filter((card) => card.offsetTop === top).length || 1;
  }

  // ---- from state to page

  draw() {
    const cut = this.model.get("_cut");
    if (cut !== this.drawn) {
      this.drawn = cut;
      this.drawnWord = -1;
      this.drawWords();
      this.drawTables();
    }
    this.drawAsking();
    if (this.drawnWord !== this.word || this.word < 0) {
      this.drawSearch();
      this.list.reveal(this.word);
    }
    this.drawStep();
  }

  drawAsking() {
    const { busy } = this.asker;
    this.fields.draw();
    setAttributes(this.root, { "aria-busy": String(busy) });
    /** @type {{texts: string[], words: Word[], tokens: Token[]}} */
    const { texts, words, tokens } = this.drawn;
    const names = tokens.map((/** @type {Token} */ { text }) => text);
    this.line.draw(this.fields.holds(texts) ? sayUnknown(names, texts) : "");
    const isRead = this.fields.holds(texts);
    this.answer.classList.toggle("bvl-stale", !isRead);
    const special = tokens.filter((/** @type {Token} */ token) => token.word === null).length;
    // Each text apart: “3 + 16 characters”.
    const apiece = (/** @type {(k: number) => number} */ count) => texts.map((_, k) => count(k)).join(" + ");
    const wordsIn = (/** @type {number} */ k) => words.filter(({ segment }) => texts.length === 1 || segment === k);
    const piecesIn = (/** @type {number} */ k) => wordsIn(k).reduce((sum, { tokens: [a, b] }) => sum + b - a, 0);
    const all = say("counts", {
      ...{ characters: apiece((k) => [...texts[k]].length), words: apiece((k) => wordsIn(k).length) },
      ...{ pieces: apiece(piecesIn), special, tokens: tokens.length },
    });
    const counts = texts.length > 1 ? say("both_texts", { counts: all }) : all;
    const before = () => say("text_before", { texts: texts.join(say("texts_and")), counts });
    setText(this.status, isRead || busy ? counts : before());
  }

  drawWords() {
    /** @type {{words: Word[], tokens: Token[]}} */
    const { words, tokens } = this.drawn;
    const labels = [say("as_typed"), say("normalised"), say("token"), say("id"), say("segment")];
    const shown = [
      element(
        "div",
        { class: "bvl-card bvl-labels", "aria-hidden": "true" },
        ...labels.map((label) => element("span", {}, label)),
      ),
    ];
    /** @type {HTMLElement[]} */
    const cards = [];
    let last = -1;
    tokens.forEach((token) => {
      if (token.word === null) {
        shown.push(this.makeCard(null, [token]));
      } else if (token.word !== last) {
        last = token.word;
        const word = words[last];
        const card = this.makeCard(word, tokens.slice(...word.tokens));
        cards.push(card);
        shown.push(card);
      }
    });
    this.list.put(cards, shown);
  }

  /**
   * @param {Word | null} word null for a special token
   * @param {Token[]} tokens
   */
  makeCard(word, tokens) {
    const pieces = tokens.map((token) =>
      element(
        "span",
        { class: "bvl-piece" },
        element("span", { class: "bvl-mono" }, apart(token.text)),
        element("span", { class: "bvl-id" }, String(token.id)),
      ),
    );
    const segment = tokens[0].segment;
    const card = element(
      "div",
      word
        ? { class: `bvl-card bvl-segment-${segment % 2}`, role: "option", tabindex: -1 }
        : { class: `bvl-card bvl-special bvl-segment-${segment % 2}`, "aria-hidden": "true" },
      element("span", { class: "bvl-typed" }, word ? apart(word.typed) : say("special")),
      element("span", { class: "bvl-word" }, word ? apart(word.text) : " "),
      element("span", { class: "bvl-pieces" }, ...pieces),
      element("span", { class: "bvl-band" }, String(segment)),
    );
    if (word) {
      const ids = tokens.map((token) => `${visible(token.text)} ${token.id}`).join(sayCommon("comma"));
      card.setAttribute("aria-label", say("card", { word: visible(word.text), count: tokens.length, ids, segment }));
    }
    return card;
  }

  drawTables() {
    /** @type {{words: Word[], tokens: Token[], changes: any[]}} */
    const { words, tokens, changes } = this.drawn;
    const line = (/** @type {string} */ head, /** @type {(string | Node)[]} */ cells) =>
      element("tr", {}, element("th", { scope: "row" }, head), ...cells.map((cell) => element("td", {}, cell)));
    this.table.body.replaceChildren(
      ...tokens.map((token, place) =>
        line(String(place), [
          apart(token.text),
          String(token.id),
          String(token.segment),
          token.word === null ? say("special") : apart(words[token.word].typed),
        ]),
      ),
    );
    setText(this.changes.summary, say("changes_count", { count: changes.length }));
    this.changes.box.hidden = changes.length === 0;
    this.changes.body.replaceChildren(
      ...changes.map(({ character, code, becomes, why }) => {
        const name = this.names ? nameOf(Number.parseInt(code.slice(2), 16), this.names) : "";
        return line(character, [code, name, retold(becomes), retold(why)]);
      }),
    );
  }

  drawSearch() {
    const { search } = this;
    /** @type {Word | undefined} */
    const word = this.drawn.words[this.word];
    this.drawnWord = this.word;
    const tries = word ? triesOf(word) : [];
    /** @type {Token[]} */
    const ids = word ? this.drawn.tokens.slice(...word.tokens) : [];
    let piece = 0;
    const lines = tries.map((look) => {
      // Of a word that fails, the word pieces found before have no token, so their ids are not here.
      const id = look.found && word && word.failed_at === null ? ids[piece].id : null;
      if (look.found) piece += 1;
      return this.makeLine(/** @type {Word} */ (word), look, id);
    });
    search.list.put(lines);
    search.list.box.hidden = tries.length === 0;
    search.heading.replaceChildren();
    if (word) search.heading.append("“", apart(word.text), "” → ", apart(ids.map((token) => token.text).join(" ")));
    else search.heading.append(say("no_word"));
    for (const button of [search.first, search.back, search.forward, search.all]) button.hidden = tries.length === 0;
  }

  /**
   * @param {Word} word
   * @param {Try} look
   * @param {number | null} id
   */
  makeLine(word, look, id) {
    const piece = pieceOf(word.text, look, this.model.get("_prefix"));
    const verdict = look.found ? (id === null ? say("yes") : say("yes_id", { id })) : say("no");
    const letters = element(
      "span",
      { class: "bvl-letters bvl-mono", dir: "auto", "aria-hidden": "true" },
      element("span", { class: "bvl-done" }, slice(word.text, 0, look.start)),
      element("span", { class: "bvl-candidate" }, slice(word.text, look.start, look.stop)),
      element("span", {}, slice(word.text, look.stop)),
    );
    return element(
      "div",
      {
        class: `bvl-try${look.found ? " bvl-found" : ""}`,
        role: "option",
        tabindex: -1,
        "aria-label": say("look", { piece: visible(piece), verdict }),
      },
      letters,
      element("span", { class: "bvl-mono" }, apart(piece)),
      element("span", { class: "bvl-verdict" }, verdict),
    );
  }

  drawStep() {
    const { search } = this;
    const lines = search.list.options;
    this.list.options.forEach((card, index) =>
      setAttributes(card, { "aria-selected": String(index === this.word), tabindex: index === this.word ? 0 : -1 }),
    );
    /** @type {Word | undefined} */
    const word = this.drawn.words[this.word];
    const whole = this.model.get("step") === null;
    const step = this.step;
    lines.forEach((line, index) => {
      setAttributes(line, { "aria-selected": String(!whole && index === step), tabindex: index === step ? 0 : -1 });
      line.classList.toggle("bvl-later", index > step);
    });
    search.back.disabled = step <= 0;
    search.forward.disabled = step >= lines.length - 1;
    search.all.disabled = whole;
    if (!word) return setText(search.sentence, "");
    const pieces = this.drawn.tokens.slice(...word.tokens).map((/** @type {Token} */ token) => visible(token.text));
    if (whole || lines.length === 0) return setText(search.sentence, outcome(word, pieces, lines.length));
    const look = triesOf(word)[step];
    const piece = visible(pieceOf(word.text, look, this.model.get("_prefix")));
    const rest = visible(slice(word.text, look.stop));
    let then = say("one_less");
    if (look.found) then = rest ? say("go_on", { rest }) : say("done");
    else if (step === lines.length - 1) then = outcome(word, pieces, lines.length);
    setText(search.sentence, say("step", { step: step + 1, count: lines.length, piece, then }));
    return search.list.reveal(step);
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  return inLanguage(model, el, () => new TokenView(model, el)).end;
}

export default { render };
