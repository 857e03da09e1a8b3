// A view that Python answers while one types: texts, examples, Undo, and an answer that may be of the texts before.

import { Blocks, unpackAnswer } from "../blocks.js";
import { DrawnView } from "../drawn_view.js";
import { element, setAttributes } from "../elements.js";
import { Asker } from "./asker.js";
import { AskingField, askingLine } from "./field.js";
import { sayCommon } from "../language/common.js";

/** @import { Life } from "../life.js" */

/**
 * @typedef {object} Example
 * @property {string} name
 * @property {string[]} texts one for each field
 */

/**
 * Python's answer is in the trait `_found`; its facts name the texts that it is about. What is typed may be ahead of
 * it, or be refused: until there is an answer to what stands in the fields, the answer before is greyed out.
 */
export class AskingView extends DrawnView {
  /**
   * @param {any} object the Python object, as a notebook or a saved page gives it
   * @param {string} kind
   * @param {string} name
   * @param {object} what
   * @param {{trait: string, label: string}[]} what.texts the traits that are typed
   * @param {number} [what.rows] of text in a field
   * @param {Example[]} what.examples
   * @param {((model: any, life: Life) => any) | null} [what.answered] who answers without Python: answeredBy()
   */
  constructor(object, kind, name, { texts, rows = 1, examples, answered = null }) {
    super(object, kind, name, answered);
    const { model } = this;
    this.blocks = new Blocks(model, this.life);
    this.asker = new Asker(model, this.life, () => this.soon());
    this.maskToken = model.get("_mask_token");
    this.texts = texts.map(({ trait }) => trait);
    this.fields = texts.map(
      ({ trait, label }) =>
        new AskingField({
          model,
          life: this.life,
          asker: this.asker,
          trait,
          label,
          rows,
          values: () => this.drafts,
          react: () => this.soon(),
        }),
    );
    this.line = askingLine(this.asker);
    /** What Python found out, the numbers apart. @type {any} */
    this.facts = {};
    /** @type {any} */
    this.answerBytes = null;
    /** What was there before a saved page showed an example. */
    this.given = { texts: this.texts.map((trait) => model.get(trait)), found: model.get("_found") };
    /** Texts that Python could read, the latest last: what Undo goes back to. @type {string[][]} */
    this.past = [this.given.texts];
    this.examples = examples;
    this.exampleField = this.makeExamples();
    this.undo = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }, sayCommon("undo")));
    this.life.listen(this.undo, "click", () => {
      if (this.isRead) this.past.pop(); // else what was refused is undone
      const before = this.past.at(-1);
      if (before) this.write(before);
    });
    /** What Python answered. */
    this.answer = element("div", { class: "bvl-answer" });
  }

  makeExamples() {
    if (this.examples.length === 0) return null;
    const choice = /** @type {HTMLSelectElement} */ (element("select"));
    choice.append(
      element("option", { value: -1 }, this.asker.isSaved ? sayCommon("as_saved") : sayCommon("your_own")),
      ...this.examples.map(({ name }, i) => element("option", { value: i }, name)),
    );
    this.life.listen(choice, "change", () => this.chooseExample(Number(choice.value)));
    return {
      box: element("label", { class: "bvl-field" }, element("span", {}, sayCommon("examples")), choice),
      choice,
    };
  }

  /** @param {number} number of an example; -1 is none of them */
  chooseExample(number) {
    const texts = this.examples[number]?.texts;
    if (!this.asker.isSaved) {
      if (texts) this.write(texts);
    } else if (!texts) {
      this.putAnswer(this.given.texts, this.given.found);
    } else {
      this.blocks.get(`example/${number}`).then((found) => {
        if (!this.life.controller.signal.aborted) this.putAnswer(texts, found);
      });
    }
  }

  /**
   * Without Python: what it would have set.
   * @param {string[]} texts
   * @param {DataView} found
   */
  putAnswer(texts, found) {
    const values = Object.fromEntries(this.texts.map((trait, i) => [trait, texts[i]]));
    this.set({ ...this.lookedAt(found), _found: found, ...values });
    this.soon();
  }

  /**
   * What is looked at, once an answer is another.
   * @param {DataView} _found
   * @returns {Record<string, unknown>} traits
   */
  lookedAt(_found) {
    return {};
  }

  /** What stands in the fields. @returns {Record<string, string>} */
  get drafts() {
    return Object.fromEntries(this.fields.map(({ trait, draft }) => [trait, draft]));
  }

  /** Whether what stands in the fields is what was answered. */
  get isRead() {
    return this.fields.every(({ trait, draft }) => draft === this.facts[trait]);
  }

  /** Whether the answer is that of the texts before, and no other will come. */
  get isOfBefore() {
    return !this.isRead && !this.asker.busy;
  }

  /**
   * Write all texts, and ask.
   * @param {string[]} texts
   * @param {() => void} [then] what to do once Python has agreed
   */
  write(texts, then) {
    for (const [i, { input }] of this.fields.entries()) input.value = texts[i];
    this.asker.ask(this.drafts, { then });
    this.soon();
  }

  /**
   * For a link to the state: traits that change by a question only.
   * @param {string[]} names
   */
  linked(names) {
    const ask = (/** @type {Record<string, any>} */ values, /** @type {() => void} */ then) => {
      for (const { trait, input } of this.fields) input.value = values[trait] ?? input.value;
      this.asker.ask({ ...values, ...this.drafts }, { then });
      this.soon();
    };
    return { names, ask };
  }

  /**
   * Python's answer, if it is another than before.
   * @returns {{facts: any, numbers: Float32Array} | null}
   */
  readAnswer() {
    const found = this.model.get("_found");
    if (found === this.answerBytes) return null;
    this.answerBytes = found;
    const answer = unpackAnswer(found);
    this.facts = answer.facts;
    const texts = this.texts.map((trait) => this.facts[trait]);
    if (JSON.stringify(this.past.at(-1)) !== JSON.stringify(texts)) this.past.push(texts);
    this.past.splice(0, this.past.length - 50);
    return answer;
  }

  /**
   * @param {boolean} [isWaiting]
   * @param {string} [unknown] what is said of words that are read as [UNK]
   */
  drawAsking(isWaiting = false, unknown = "") {
    setAttributes(this.root, { "aria-busy": String(this.asker.busy || isWaiting) });
    for (const field of this.fields) field.draw();
    this.line.draw(this.isRead ? unknown : "");
    this.undo.disabled = this.past.length < 2 && this.isRead;
    this.answer.classList.toggle("bvl-stale", !this.isRead);
    if (!this.exampleField) return;
    const texts = JSON.stringify(this.texts.map((trait) => this.facts[trait]));
    const now = this.examples.findIndex((example) => JSON.stringify(example.texts) === texts);
    this.exampleField.choice.value = String(now);
  }
}
