// A text field whose text Python computes from, and the line that says how that goes.

import { spellMasks } from "../../../engine/js/answers/masks.js";
import { element, setAttributes, setText } from "../elements.js";
import { retell, sayCommon } from "../language/common.js";
import { sayInPieces } from "./written.js";

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
        "aria-label": label,
        readonly: asker.isSaved,
      })
    );
    this.input.value = model.get(trait);
    /** Which words are not whole in the vocabulary: it stands below, where the field that is typed in stays. */
    this.pieces = element("small", { class: "bvl-pieces", "aria-live": "polite" });
    this.box = element("label", { class: "bvl-field" }, element("span", {}, label), this.input, this.pieces);
    life.listen(this.input, "input", ({ isComposing }) => {
      if (!isComposing) this.spell();
      this.typed(PAUSE_MS);
    });
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

  /** What stands here, as it is asked. */
  get draft() {
    return spellMasks(this.input.value, this.model.get("_mask_token") ?? this.model.get("_meta")?.mask_token);
  }

  /** Show a mask as it is asked. It is as long as what was typed, so the caret stays. */
  spell() {
    const { input, draft } = this;
    if (input.value === draft) return;
    const { selectionStart, selectionEnd } = input;
    input.value = draft;
    input.setSelectionRange(selectionStart, selectionEnd);
  }

  /** @param {string[]} words that the model reads as several word pieces */
  drawPieces(words) {
    setText(this.pieces, sayInPieces(words));
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
 * @returns {{box: HTMLElement, draw: (unknown?: string) => void}} it is told what is read as [UNK]: sayUnknown()
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
    draw: (unknown = "") => {
      setText(problem, asker.problem || retell(asker.model.get("_problem") ?? ""));
      problem.hidden = problem.textContent === "";
      setText(note, [asker.model.note ?? "", problem.hidden ? unknown : ""].filter(Boolean).join(" "));
      note.hidden = note.textContent === "";
    },
  };
}
