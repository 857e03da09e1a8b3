// The sentence word by word: a click hides a word, or chooses the [MASK] that is looked at.

import { element, setAttributes } from "../../base/js/elements.js";
import { indexAfterKey, onKeys } from "../../base/js/keys.js";
import { formatPercent } from "../../base/js/numbers.js";
import { listed } from "./rows.js";
import { insertMask, quoted, wordsOf } from "./words.js";
import { say } from "../language/say.js";

/** @import { FillIn } from "../view.js" */
/** @import { Row } from "./rows.js" */

export class Sentence {
  /** @param {FillIn} view */
  constructor(view) {
    this.view = view;
    this.isSaved = view.asker.isSaved;
    this.key = "";
    this.box = element("div", {
      class: "bvl-words",
      role: "toolbar",
      "aria-label": this.isSaved ? say("masks") : say("words_label"),
    });
    const at = (/** @type {Event} */ { target }) =>
      [...this.box.children].indexOf(/** @type {Element} */ (/** @type {Element} */ (target).closest("button")));
    view.life.listen(this.box, "click", (event) => {
      const index = at(event);
      if (index >= 0) this.click(index);
    });
    onKeys(view.life, this.box, (event) => {
      const now = at(event);
      const next = indexAfterKey(event.key, now, this.box.children.length);
      if (now < 0 || next === null) return false;
      this.focus(next, next < now ? -1 : 1);
      return true;
    });
  }

  /**
   * @param {number} index
   * @param {number} step 1 or -1: where to look first for another where this one cannot be chosen
   */
  focus(index, step) {
    const buttons = /** @type {HTMLButtonElement[]} */ ([...this.box.children]);
    const far = (/** @type {HTMLButtonElement} */ button) => {
      const distance = step * (buttons.indexOf(button) - index);
      return distance >= 0 ? distance : buttons.length - distance;
    };
    const [best] = buttons.filter(({ disabled }) => !disabled).sort((a, b) => far(a) - far(b));
    if (!best) return;
    for (const button of buttons) button.tabIndex = button === best ? 0 : -1;
    best.focus();
  }

  /** @param {number} index */
  click(index) {
    const { view } = this;
    const { maskToken } = view;
    const text = view.draft;
    const words = wordsOf(text, maskToken);
    const word = words[index];
    if (!word) return;
    if (word.isMask) {
      const mask = words.slice(0, index).filter(({ isMask }) => isMask).length;
      if (view.isRead) view.set({ mask });
      else view.write([text], () => view.set({ mask }));
    } else if (!this.isSaved) {
      this.writeMask(text.slice(0, word.start) + maskToken + text.slice(word.end), word.start + maskToken.length);
    }
  }

  /** Put a mask where the caret stands. */
  insert() {
    if (this.isSaved) return;
    const { input } = this.view.fields[0];
    const { text, caret } = insertMask(input.value, input.selectionStart, input.selectionEnd, this.view.maskToken);
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
    const number = wordsOf(text.slice(0, end), this.view.maskToken).filter(({ isMask }) => isMask).length - 1;
    this.view.write([text], () => this.view.set({ mask: number }));
  }

  draw() {
    const { view, box } = this;
    const { draft: text, isRead, mask: chosen } = view;
    const key = JSON.stringify([text, isRead, chosen, isRead ? view.facts : null]);
    if (key === this.key) return;
    this.key = key;
    const focused = [...box.children].indexOf(/** @type {Element} */ (document.activeElement));
    let mask = -1;
    const buttons = wordsOf(text, view.maskToken).map((word) => {
      if (!word.isMask) return this.makeWord(word.text);
      mask += 1;
      return this.makeMask(word.text, mask, isRead && mask === chosen, isRead ? view.rows[mask] : []);
    });
    box.replaceChildren(...buttons);
    const pressed = buttons.findIndex((button) => button.getAttribute("aria-pressed") === "true");
    const first = pressed < 0 ? buttons.findIndex(({ disabled }) => !disabled) : pressed;
    const start = buttons[Math.max(0, first)];
    if (start) start.tabIndex = 0;
    if (focused >= 0) this.focus(Math.min(focused, buttons.length - 1), -1);
  }

  /** @param {string} word */
  makeWord(word) {
    const button = wordButton(word, "bvl-word");
    setAttributes(button, { "aria-label": say("hide", { word }), title: say("hide_this"), disabled: this.isSaved });
    const { isRead, facts } = this.view;
    button.classList.toggle("bvl-in-pieces", isRead && facts.in_pieces.includes(word));
    return button;
  }

  /**
   * @param {string} token
   * @param {number} number
   * @param {boolean} isChosen
   * @param {Row[]} rows none while there is no answer
   */
  makeMask(token, number, isChosen, rows) {
    const last = this.view.facts.layers - 1;
    const [best] = listed(rows, last, 1, []);
    const guess = best ? `${quoted(best.word)} ${formatPercent(best.shares[last])}` : "";
    const button = wordButton(token, "bvl-word bvl-masked");
    setAttributes(button, {
      "aria-pressed": String(isChosen),
      "aria-label": say(guess ? "mask_best" : "mask_number", { token, number: number + 1, guess }),
    });
    if (guess) button.append(element("small", {}, guess));
    return button;
  }
}

/**
 * @param {string} word
 * @param {string} className
 */
function wordButton(word, className) {
  const letters = element("span", { class: "bvl-mono" }, word);
  const button = element("button", { type: "button", tabindex: -1, class: className }, letters);
  return /** @type {HTMLButtonElement} */ (button);
}
