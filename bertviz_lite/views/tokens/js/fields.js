// What is typed: one or two texts, or an example. Each change is a question, to Python or to the page.

import { element, setAttributes } from "../../base/js/elements.js";
import { say } from "../language/say.js";

/** @import { Asker } from "../../base/js/asking/asker.js" */
/** @import { Life } from "../../base/js/life.js" */

export class TextFields {
  /**
   * @param {any} model
   * @param {Life} life
   * @param {Asker} asker
   * @param {() => void} typed called when what stands in the fields is another
   */
  constructor(model, life, asker, typed) {
    this.model = model;
    this.asker = asker;
    /** The texts of the traits when they were last drawn. */
    this.given = ["", ""];
    this.text = this.makeField(say("text"));
    this.pair = this.makeField(say("text_pair"));
    this.box = element("div", { class: "bvl-fields" }, this.text.label, this.pair.label);
    if (asker.isSaved) return;
    const ask = () => {
      asker.ask(this.drafts);
      typed();
    };
    for (const { field } of [this.text, this.pair]) life.listen(field, "input", ask);
    this.box.append(this.makeExamples(life, ask));
  }

  /** @param {string} name */
  makeField(name) {
    const field = /** @type {HTMLTextAreaElement} */ (
      element("textarea", {
        rows: 1,
        maxlength: this.model.get("_most"),
        readonly: this.asker.isSaved,
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        dir: "auto",
      })
    );
    return { field, label: element("label", { class: "bvl-field" }, element("span", {}, name), field) };
  }

  /**
   * @param {Life} life
   * @param {() => void} ask
   */
  makeExamples(life, ask) {
    /** @type {[string, string | null][]} */
    const examples = this.model.get("_examples");
    const choice = /** @type {HTMLSelectElement} */ (
      element(
        "select",
        {},
        element("option", { value: "" }, "…"),
        ...examples.map(([first, second], index) =>
          element("option", { value: index }, second === null ? first : `${first} / ${second}`),
        ),
      )
    );
    life.listen(choice, "change", () => {
      if (choice.value === "") return;
      const [first, second] = examples[Number(choice.value)];
      this.text.field.value = first;
      this.pair.field.value = second ?? "";
      choice.value = "";
      ask();
    });
    return element("label", { class: "bvl-field" }, element("span", {}, say("or_choose")), choice);
  }

  /**
   * Write texts, and ask.
   * @param {Record<string, any>} values of traits
   * @param {() => void} then what to do once there is an answer
   */
  ask({ text, text_pair }, then) {
    if (text !== undefined) this.text.field.value = text;
    if (text_pair !== undefined) this.pair.field.value = text_pair ?? "";
    this.asker.ask(this.drafts, { then });
  }

  /** What stands in the fields, as traits. */
  get drafts() {
    const pair = this.pair.field.value;
    return { text: this.text.field.value, text_pair: pair === "" ? null : pair };
  }

  /**
   * Whether what stands in the fields are these texts.
   * @param {string[]} texts
   */
  holds([first, second = ""]) {
    return this.text.field.value === first && this.pair.field.value === second;
  }

  /** Show what the traits say, where they are others, or nothing else is being typed or was refused. */
  draw() {
    const { asker, model } = this;
    const isRefused = asker.problem !== "";
    const given = [model.get("text"), model.get("text_pair") ?? ""];
    const isOther = given.some((text, k) => text !== this.given[k]);
    this.given = given;
    [this.text.field, this.pair.field].forEach((field, k) => {
      if (!asker.busy && (isOther || !isRefused) && field.value !== given[k]) field.value = given[k];
      setAttributes(field, { "aria-invalid": isRefused && field.value !== given[k] ? "true" : null });
    });
  }
}
