// The masking lab: the random draws of a seed applied to a sentence, counts against expectation, and the model's
// guesses. See view.py for the traits. Nothing here is drawn at random: Python made the draws.

import { spellMasks } from "../engine/js/answers/masks.js";
import { answeredBy } from "../base/js/answering/model.js";
import { Asker } from "../base/js/asking/asker.js";
import { askingLine } from "../base/js/asking/field.js";
import { sayUnknown } from "../base/js/asking/written.js";
import { Blocks } from "../base/js/blocks.js";
import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText } from "../base/js/elements.js";
import { formatPercent } from "../base/js/numbers.js";
import { inLanguage } from "../base/js/language/shown.js";
import { StateLink, isIndexIn } from "../base/js/parts/link.js";
import { ListBox } from "../base/js/parts/list_box.js";
import { Tools } from "../base/js/parts/tools.js";
import { followTheme } from "../base/js/theme.js";
import { AnsweredDraw } from "./js/answered.js";
import { answer } from "./js/answers.js";
import { CountTable } from "./js/count_table.js";
import { IGNORED, OUTCOMES, SHARES, balance, outcomes, readSentence, reads } from "./js/draws.js";
import { enlarge } from "./js/enlarge.js";
import { guessTables } from "./js/guess_tables.js";
import { formatDraw, formatShare, nameOf, quoted, shareName } from "./js/words.js";
import { say } from "./language/say.js";

/** @import { Guesses } from "./js/guess_tables.js" */
/** @import { Outcome, Rules } from "./js/draws.js" */

/** @returns {[string, string][]} */
const maskingKeys = () => [
  ["← + →", say("key_move")],
  ["Enter", say("key_hide")],
  ["Esc", say("key_put_back")],
];

const STATE = ["rate", ...SHARES, "whole_words", "seed", "selected"];

const TEXT = ["_tokens", "_ids", "_ordinary", "_first", "_luck", "_fate", "_drawn", "_drawn_ids", "_drawn_names"];

export class MaskingLab extends DrawnView {
  /**
   * @param {any} object
   * @param {HTMLElement} el
   */
  constructor(object, el) {
    super(object, "masking", say("view"), answeredBy(answer, ["text"]));
    const { model } = this;
    this.blocks = new Blocks(model, this.life);
    this.asker = new Asker(model, this.life, () => this.soon());
    this.line = askingLine(this.asker);
    this.sentence = readSentence(model);
    /** How many sentences the page has shown: an answer may come when there is another one. */
    this.version = 0;
    this.textChanged = false;
    /** The text that stands in the field, unless it was refused. @type {string | null} */
    this.formFor = null;
    /** @type {Outcome[]} */
    this.outcomes = [];
    /** The positions that are hidden to ask the model. @type {number[]} */
    this.hidden = [];
    /** The token that the keyboard is at. */
    this.active = 0;
    /** @type {HTMLElement[]} */
    this.boxes = [];
    /** What the guesses on the page belong to: an older answer must not replace a newer one. */
    this.guessesFor = "";
    this.form = this.makeForm();
    /** Which sentence is shown, where the one in the field was refused. */
    this.before = element("p", { class: "bvl-soft", hidden: true });
    /** All that is about the sentence. */
    this.answer = element("div", { class: "bvl-answer" });
    this.sliders = this.makeSliders();
    this.list = this.makeList();
    this.draws = element("p", { class: "bvl-draws", "aria-live": "polite" });
    this.answered = new AnsweredDraw(this.blocks, this.life, () => this.soon());
    this.table = new CountTable(this.life, this.sentence, () => this.soon());
    this.guesses = element("div", { class: "bvl-guesses bvl-to-hold" });
    const score = element("div", {}, this.answered.said);
    this.heading = element("h4", { class: "bvl-heading", "aria-live": "polite" });
    this.link = this.makeLink();
    this.tools = new Tools(this, {
      keys: maskingKeys(),
      name: () => say("file_name"),
      numbers: () => this.readNumbers(),
      link: this.link,
      changed: () => enlarge(this),
      // Without an LM head there is no answer.
      held: model.get("_predicts")
        ? { place: score, fields: this.form.box, canType: !this.asker.isSaved, redraw: () => this.soon() }
        : undefined,
    });
    const first = this.tools.after(this.form.box);
    this.sliders.box.classList.add("bvl-no-show");
    this.root.append(first, this.tools.panel, this.line.box, this.sliders.box, this.before, this.answer);
    this.answer.append(
      this.makeLegend(),
      this.list.box,
      score,
      this.draws,
      element(
        "div",
        { class: "bvl-below" },
        element("div", { class: "bvl-ask" }, this.heading, this.guesses),
        this.table.box,
      ),
    );
    el.append(this.root);
    followTheme(this.root, this.life);
    this.life.listen(window, "resize", () => enlarge(this));
    this.life.follow(model, STATE, () => this.soon());
    this.life.follow(model, ["_problem", "text"], () => this.soon());
    this.life.follow(model, TEXT, () => {
      this.textChanged = true;
      this.soon();
    });
    this.makeBoxes();
    this.draw();
    this.link.take();
  }

  makeLink() {
    const { model } = this;
    const ask = (/** @type {Record<string, any>} */ { text }, /** @type {() => void} */ then) =>
      this.asker.ask({ text: spellMasks(text, model.get("_mask_token")) }, { then });
    const accepts = (/** @type {string} */ name, /** @type {any} */ value) => {
      if (name === "seed") return isIndexIn(value, this.sentence.chooseDraw.length);
      if (name === "selected") return value === null || isIndexIn(value, model.get("_tokens").length);
      if (name === "whole_words") return !value || model.get("_has_words");
      if (name === "rate") return value > 0 && value < 1;
      // The last of the three shares fits the others, or is made to.
      return name === "text" || (value >= 0 && value <= 1);
    };
    return new StateLink(model, this.life, STATE, accepts, { names: ["text"], ask });
  }

  /** @returns {(string | number)[][]} */
  readNumbers() {
    const { sentence, answered, outcomes: all, model } = this;
    const mask = { token: model.get("_mask_token"), id: model.get("_mask_id") };
    const head = ["position", "token", "input_ids", "outcome", "reads", "label", "guess", "guess_p", "true_p"];
    return [
      head,
      ...sentence.tokens.map((token, place) => {
        const { token: read, label } = reads(sentence, model.get("seed"), all[place], place, mask);
        const found = answered.guesses.find(([at]) => at === place);
        return [
          ...[place, token, sentence.ids[place], all[place], read, label],
          ...(found ? [...found[1][0], found[2]] : ["", "", ""]),
        ];
      }),
    ];
  }

  /** @returns {Rules} */
  rules() {
    return {
      rate: this.model.get("rate"),
      shares: SHARES.map((name) => this.model.get(name)),
      wholeWords: this.model.get("whole_words"),
    };
  }

  // ---- parts of the page

  /** The sentence to type: only where Python can read it. */
  makeForm() {
    const input = /** @type {HTMLTextAreaElement} */ (
      element("textarea", { rows: 1, class: "bvl-text", autocomplete: "off", spellcheck: "false" })
    );
    const box = element(
      "div",
      { class: "bvl-form" },
      element("label", {}, say("sentence"), input),
      element("button", { type: "button" }, say("read_it")),
    );
    const send = () => {
      const text = spellMasks(input.value, this.model.get("_mask_token"));
      if (input.value !== this.model.get("text") || this.asker.problem) this.asker.ask({ text });
    };
    this.life.listen(input, "input", () => this.soon());
    this.life.listen(input, "keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault(); // a line break means nothing to a tokenizer
      send();
    });
    this.life.listen(box, "click", (event) => {
      if (event.target instanceof HTMLButtonElement) send();
    });
    return { box, input };
  }

  makeSliders() {
    const box = element("div", { class: "bvl-sliders" });
    const shares = element("div", {
      class: "bvl-group",
      role: "group",
      "aria-label": say("shares_label"),
    });
    const seeds = this.sentence.chooseDraw.length;
    const rate = this.makeSlider(say("rate"), { min: 0.01, max: 0.99, step: 0.01 }, (value) =>
      this.set({ rate: value }),
    );
    const each = SHARES.map((name, moved) => {
      const slider = this.makeSlider(shareName(name), { min: 0, max: 1, step: 0.01 }, (value) => {
        const balanced = balance(this.rules().shares, moved, value);
        this.set(Object.fromEntries(SHARES.map((other, place) => [other, balanced[place]])));
      });
      slider.row.classList.add(`bvl-${OUTCOMES[moved]}`);
      return slider;
    });
    const seed = this.makeSlider(say("draw"), { min: 0, max: seeds - 1, step: 1 }, (value) =>
      this.set({ seed: value }),
    );
    const next = element("button", { type: "button" }, say("draw_again"));
    this.life.listen(next, "click", () => this.set({ seed: (this.model.get("seed") + 1) % seeds }));
    const usual = element("button", { type: "button" }, "15 %, 80/10/10");
    this.life.listen(usual, "click", () =>
      this.set({ rate: 0.15, mask_share: 0.8, random_share: 0.1, keep_share: 0.1 }),
    );
    const words = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
    this.life.listen(words, "change", () => this.set({ whole_words: words.checked }));
    shares.append(element("p", { class: "bvl-soft" }, say("shares_note")), ...each.map(({ row }) => row));
    box.append(
      element(
        "div",
        { class: "bvl-group" },
        rate.row,
        seed.row,
        element(
          "div",
          { class: "bvl-buttons" },
          next,
          usual,
          this.model.get("_has_words") ? element("label", {}, words, say("whole_words")) : "",
        ),
      ),
      shares,
    );
    return { box, rate, shares: each, seed, words };
  }

  /**
   * @param {string} name
   * @param {Record<string, number>} range
   * @param {(value: number) => void} react
   */
  makeSlider(name, range, react) {
    const input = /** @type {HTMLInputElement} */ (element("input", { type: "range", ...range }));
    const value = element("output", { class: "bvl-value" });
    const row = element("label", { class: "bvl-slider" }, element("span", { class: "bvl-name" }, name), input, value);
    this.life.listen(input, "input", () => react(Number(input.value)));
    return { row, input, value };
  }

  makeLegend() {
    const keys = OUTCOMES.map((outcome) => element("span", { class: `bvl-key bvl-${outcome}` }, nameOf(outcome)));
    return element("p", { class: "bvl-legend" }, ...keys, element("span", { class: "bvl-soft" }, say("legend")));
  }

  makeList() {
    return new ListBox(this.life, {
      className: "bvl-tokens",
      label: say("list_label"),
      isHorizontal: true,
      chosen: () => this.active,
      choose: (index) => this.move(index),
      click: (index) => {
        this.move(index);
        this.toggle(index);
      },
      press: (key) => {
        if (key === "Enter" || key === " ") this.toggle(this.active);
        else if (key === "Escape") this.set({ selected: null });
        else return false;
        return true;
      },
    });
  }

  /** @param {number} index */
  move(index) {
    this.active = index;
    this.boxes.forEach((box, place) => setAttributes(box, { tabindex: place === index ? 0 : -1 }));
    this.boxes[index].focus({ preventScroll: true });
    this.boxes[index].scrollIntoView({ block: "nearest", inline: "nearest" });
    this.drawDraws();
  }

  /** @param {number} index */
  toggle(index) {
    this.set({ selected: this.model.get("selected") === index ? null : index });
  }

  makeBoxes() {
    this.active = Math.min(this.active, this.sentence.tokens.length - 1);
    this.boxes = this.sentence.tokens.map((token, index) =>
      element(
        "div",
        { class: "bvl-piece", role: "option", tabindex: index === this.active ? 0 : -1 },
        element("span", { class: "bvl-mono" }, token),
        element("span", { class: "bvl-mono bvl-reads" }),
        element("small", { class: "bvl-label" }),
        element("em", { class: "bvl-mono bvl-guess bvl-to-hold" }),
      ),
    );
    this.list.put(this.boxes);
  }

  // ---- from state to page

  draw() {
    const sum = this.rules().shares.reduce((all, share) => all + share, 0);
    if (this.link.isPossible && Math.abs(sum - 1) > 1e-9)
      this.set({ keep_share: 0.1, random_share: 0.1, mask_share: 0.8 }); // an address said nonsense
    if (this.textChanged) {
      this.textChanged = false;
      const sentence = readSentence(this.model);
      this.sentence = sentence;
      this.active = 0;
      this.blocks.forget();
      this.version += 1;
      this.makeBoxes();
    }
    this.drawForm();
    this.drawSliders();
    this.drawBoxes();
    this.drawDraws();
    this.table.draw(this.sentence, this.model.get("seed"), this.rules());
    this.drawGuesses();
    enlarge(this);
  }

  drawForm() {
    const { asker } = this;
    const { box, input } = this.form;
    box.hidden = asker.isSaved;
    this.line.draw(sayUnknown(this.sentence.tokens, [this.model.get("text")]));
    setAttributes(this.root, { "aria-busy": String(asker.busy) });
    const isRefused = asker.problem !== "";
    const text = this.model.get("text");
    setAttributes(input, { "aria-invalid": isRefused ? "true" : null });
    if (!isRefused && this.formFor !== text) {
      this.formFor = text;
      input.value = text;
    }
    const isOfBefore = input.value !== text;
    this.answer.classList.toggle("bvl-stale", isOfBefore);
    setText(this.before, isOfBefore ? say("sentence_before", { text }) : "");
    this.before.hidden = !isOfBefore;
  }

  drawSliders() {
    const { model, sliders } = this;
    const show = (/** @type {any} */ slider, /** @type {number} */ value, /** @type {string} */ text) => {
      slider.input.value = String(value);
      slider.input.setAttribute("aria-valuetext", text);
      setText(slider.value, text);
    };
    const unit = model.get("whole_words") ? "rate_of_words" : "rate_of_tokens";
    show(sliders.rate, model.get("rate"), say(unit, { rate: formatPercent(model.get("rate")) }));
    sliders.shares.forEach((slider, place) => {
      const share = model.get(SHARES[place]);
      show(slider, share, formatPercent(share));
    });
    show(sliders.seed, model.get("seed"), say("seed", { seed: model.get("seed") }));
    sliders.words.checked = model.get("whole_words");
  }

  drawBoxes() {
    const { model, sentence } = this;
    const [seed, selected] = [model.get("seed"), model.get("selected")];
    const mask = { token: model.get("_mask_token"), id: model.get("_mask_id") };
    this.outcomes = outcomes(sentence, seed, this.rules());
    this.hidden = this.hiddenNow();
    const each = this.outcomes.map((outcome, place) => reads(sentence, seed, outcome, place, mask));
    this.askDraw(each);
    this.boxes.forEach((box, place) => {
      const outcome = this.outcomes[place];
      const { token, label } = each[place];
      box.className = `bvl-piece bvl-${outcome}${this.hidden.includes(place) ? " bvl-asked" : ""}`;
      const [, shown, number, guess] = box.children;
      const chosen = OUTCOMES.includes(outcome);
      setText(shown, chosen ? token : "·");
      setText(number, label === IGNORED ? "−100" : String(label));
      setAttributes(number, { title: label === IGNORED ? say("ignored") : null });
      const left = outcome === "special" ? say("special_label") : say("left_label");
      const what = outcome === "random" ? say("becomes_random", { token }) : nameOf(outcome);
      const becomes = chosen ? say("chosen_label", { what, label }) : left;
      const said = chosen ? this.answered.at(place, sentence.tokens[place]) : null;
      setText(guess, said?.text ?? (chosen && model.get("_predicts") ? "→ …" : ""));
      guess.classList.toggle("bvl-right", said?.isRight ?? false);
      setAttributes(box, {
        "aria-selected": String(place === selected),
        "aria-label": say(said && !this.tools.hold?.isHeld ? "box_guess" : "box", {
          ...{ token: sentence.tokens[place], place, becomes },
          guess: said?.words ?? "",
        }),
      });
    });
  }

  /**
   * Have the model read the draw that is shown.
   * @param {{id: number}[]} each what it reads at each place
   */
  askDraw(each) {
    const { answered, model, outcomes: all, sentence } = this;
    answered.said.hidden = !model.get("_predicts");
    if (answered.said.hidden) return;
    /** @type {[number, number][]} */
    const drawn = each.flatMap(({ id }, place) => (OUTCOMES.includes(all[place]) ? [[place, id]] : []));
    answered.ask(drawn, String(this.version), sentence.tokens);
  }

  /** The positions that are hidden to ask the model. */
  hiddenNow() {
    const { sentence, model } = this;
    const selected = model.get("selected");
    if (selected === null || !sentence.ordinary[selected]) return [];
    if (!model.get("whole_words")) return [selected];
    return sentence.tokens
      .map((_, place) => place)
      .filter((place) => sentence.ordinary[place] && sentence.first[place] === sentence.first[selected]);
  }

  /** Both random draws of the token that the keyboard is at, or that is hidden. */
  drawDraws() {
    const { sentence, model } = this;
    const place = this.list.box.contains(document.activeElement) ? this.active : (model.get("selected") ?? this.active);
    const token = quoted(sentence.tokens[place]);
    const outcome = this.outcomes[place];
    if (outcome === "special") return setText(this.draws, say("no_draw", { token }));
    const { rate, shares, wholeWords } = this.rules();
    const seed = model.get("seed");
    const first = wholeWords ? sentence.first[place] : place;
    const chooseDraw = formatDraw(sentence.chooseDraw[seed][first]);
    const of = first === place ? "" : say("of_first", { first: quoted(sentence.tokens[first]) });
    if (outcome === "left")
      return setText(this.draws, say("draw_left", { token, of, draw: chooseDraw, rate: formatShare(rate) }));
    const replaceDraw = formatDraw(sentence.replaceDraw[seed][place]);
    const [to, next] = [formatShare(shares[0]), formatShare(shares[0] + shares[1])];
    const why = {
      mask: say("below_mask", { to }),
      random: say("between_random", { to, next }),
      keep: say("above_keep", { next }),
    }[outcome];
    return setText(
      this.draws,
      say("draw_chosen", { token, of, draw: chooseDraw, rate: formatShare(rate), second: replaceDraw, why }),
    );
  }

  drawGuesses() {
    const { model, sentence } = this;
    const selected = model.get("selected");
    const block = this.hidden.length > 1 ? `word/${selected}` : `piece/${selected}`;
    const key = `${this.version} ${block}`;
    if (key === this.guessesFor) return undefined;
    this.guessesFor = key;
    this.guesses.replaceChildren();
    this.guesses.classList.toggle("bvl-open", selected !== null && sentence.ordinary[selected]);
    if (selected === null) return setText(this.heading, say("choose_token"));
    const token = quoted(sentence.tokens[selected]);
    if (!sentence.ordinary[selected]) return setText(this.heading, say("is_special", { token }));
    if (!model.get("_predicts")) return setText(this.heading, say("no_head"));
    const where = (/** @type {number} */ place) => quoted(sentence.tokens[place]);
    setText(this.heading, say("what_stands", { hidden: this.hidden.map(where).join(" "), token }));
    this.blocks.get(block).then(
      (bytes) => this.showGuesses(key, JSON.parse(new TextDecoder().decode(bytes))),
      (reason) => {
        if (this.guessesFor === key && !this.life.controller.signal.aborted)
          setText(this.heading, String(reason.message));
      },
    );
    return undefined;
  }

  /**
   * @param {string} key what is to be guessed
   * @param {Guesses} guesses
   */
  showGuesses(key, guesses) {
    if (this.guessesFor !== key || this.life.controller.signal.aborted) return;
    this.guesses.replaceChildren(...guessTables(guesses, this.sentence.tokens[this.model.get("selected")]));
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  return inLanguage(model, el, () => new MaskingLab(model, el)).end;
}

export default { render };
