// A text field whose text Python computes from, and the line that says how that goes.

import { element, setAttributes, setText } from "../elements.js";
import { retell, sayCommon } from "../language/common.js";

/** @import { Life } from "../life.js" */
/** @import { Asker } from "./asker.js" */

/** How long typing must pause before Python is asked. */
const PAUSE_MS = 120;

/**
 * A text field whose text Python computes from. It holds a draft: what Python refuses stays, marked, until it is
 * mended.
 */
export class AskingField {
  /**
   * @param {object} what
   * @param {any} what.model
   * @param {Life} what.life
   * @param {Asker} what.asker
   * @param {string} what.trait
   * @param {string} what.label
   * @param {number} [what.rows]
   * @param {() => Record<string, unknown>} what.values what to ask with
   * @param {() => void} what.react called when the draft changes
   */
  constructor({ model, life, asker, trait, label, rows = 1, values, react }) {
    this.model = model;
    this.asker = asker;
    this.trait = trait;
    this.values = values;
    this.react = react;
    this.input = /** @type {HTMLTextAreaElement} */ (
      element("textarea", {
        rows,
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        readonly: asker.isSaved,
      })
    );
    this.input.value = model.get(trait);
    this.box = element("label", { class: "bvl-field" }, element("span", {}, label), this.input);
    life.listen(this.input, "input", () => this.typed(PAUSE_MS));
    life.listen(this.input, "keydown", (event) => {
      if (event.key !== "Enter" || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      event.preventDefault(); // a line break means nothing to a tokenizer
      event.stopPropagation();
      this.typed(0);
    });
    life.follow(model, [trait], () => {
      if (asker.busy || this.input.value === model.get(trait)) return;
      this.input.value = model.get(trait);
      this.react();
    });
  }

  get draft() {
    return this.input.value;
  }

  /** @param {number} pause */
  typed(pause) {
    this.asker.ask(this.values(), { pause });
    this.react();
  }

  /** Show whether Python refused what stands here. */
  draw() {
    setAttributes(this.input, {
      "aria-invalid": this.asker.problem !== "" && this.draft !== this.model.get(this.trait) ? "true" : null,
    });
  }
}

/**
 * The line under a view's fields: that the model runs, why a question was refused, why typing is off.
 * @param {Asker} asker
 * @param {string} [meanwhile] what is said where an answer takes long
 * @returns {{box: HTMLElement, draw: () => void}}
 */
export function askingLine(asker, meanwhile = sayCommon("model_running")) {
  const problem = element("p", { class: "bvl-problem", role: "status", hidden: true });
  // Seen only where an answer takes long: see common.css.
  const running = element("span", { class: "bvl-running", "aria-hidden": "true" }, meanwhile);
  const note = element("p", { class: "bvl-soft", role: "status", hidden: true });
  const box = element("div", { class: "bvl-asking" }, running, problem, note);
  if (asker.isSaved) {
    const who = sayCommon(asker.model.who === "tokenizer" ? "who_tokenizer" : "who_model");
    const why = asker.model.get("_not_live") ?? "";
    box.append(element("p", { class: "bvl-soft" }, sayCommon("typing_off", { who, why }).trim()));
  }
  return {
    box,
    draw: () => {
      setText(problem, asker.problem || retell(asker.model.get("_problem") ?? ""));
      problem.hidden = problem.textContent === "";
      setText(note, asker.model.note ?? "");
      note.hidden = note.textContent === "";
    },
  };
}
