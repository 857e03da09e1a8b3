// Before a class: the sentence is typed on the whole screen, and the answer is held back until all have guessed.

import { element, setAttributes, setText } from "../elements.js";
import { sayCommon } from "../language/common.js";

/** @import { Life } from "../life.js" */

/**
 * Two buttons that are there while a view is presented: one hides the answer until it is pressed again, one shows what
 * is typed. The answer is what has the class bvl-to-hold: it keeps its room, so that nothing moves when it comes.
 */
export class Hold {
  /**
   * @param {HTMLElement} root
   * @param {Life} life
   * @param {object} what
   * @param {HTMLElement} what.place where it is said that the answer is held back
   * @param {HTMLElement} what.fields where is typed what it answers
   * @param {boolean} [what.canType] whether anything can be typed there
   * @param {boolean} [what.withTexts] whether the texts are in the answer only: then they are said in its place
   * @param {() => void} [what.redraw] called when the answer is held back and when it is shown
   */
  constructor(root, life, { place, fields, canType = true, withTexts = false, redraw = () => {} }) {
    this.root = root;
    this.isHeld = false;
    this.isAsking = false;
    this.fields = fields;
    this.canType = canType;
    this.redraw = redraw;
    this.withTexts = withTexts;
    this.button = element("button", { type: "button", class: "bvl-while-presenting" });
    this.ask = element("button", { type: "button", class: "bvl-while-presenting" }, sayCommon("sentence"));
    this.texts = element("p");
    this.said = element("p", { role: "status" });
    place.append(element("div", { class: "bvl-held-note" }, this.texts, this.said));
    this.ask.hidden = !canType;
    life.listen(this.button, "click", () => this.hold(!this.isHeld));
    life.listen(this.ask, "click", () => this.showFields(!this.isAsking));
    life.listen(root, "keydown", (event) => this.press(event));
    life.listen(fields, "keydown", (event) => this.pressInField(event), { capture: true });
    life.listen(fields, "input", () => this.sayTexts());
    this.hold(false);
    this.showFields(false);
  }

  /** What the list of keys says. @returns {[string, string][]} */
  get keys() {
    /** @type {[string, string][]} */
    const keys = [["H", sayCommon("key_hold")]];
    return this.canType ? [...keys, ["S", sayCommon("key_sentence")]] : keys;
  }

  get isPresenting() {
    return this.root.classList.contains("bvl-presenting");
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (!this.isPresenting || event.ctrlKey || event.altKey || event.metaKey) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.matches("textarea, select, input:not([type=checkbox], [type=range])")) {
      return;
    }
    const key = event.key.toLowerCase();
    if (key === "h") this.hold(!this.isHeld);
    else if (key === "s" && this.canType) this.showFields(!this.isAsking);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Enter and Escape put away what is typed, and the view has the keys again. The field hears of Enter, too: it asks.
   * @param {KeyboardEvent} event
   */
  pressInField(event) {
    if (!this.isPresenting || !this.isAsking || event.ctrlKey || event.altKey || event.metaKey) return;
    const { key, target } = event;
    const isTyped = target instanceof HTMLElement && target.matches("textarea, input[type=text]");
    if (!isTyped || !["Enter", "Escape"].includes(key)) return;
    if (event.isComposing || event.keyCode === 229) return; // it chooses a character; Safari tells by the number alone
    event.preventDefault();
    if (key === "Escape") event.stopPropagation(); // it would end presenting
    this.showFields(false);
    this.root.focus({ preventScroll: true });
  }

  /** @param {boolean} on */
  hold(on) {
    const isOther = on !== this.isHeld;
    this.isHeld = on;
    this.root.classList.toggle("bvl-held", on);
    setText(this.button, sayCommon(on ? "show_answer" : "hold_answer"));
    this.sayHeld();
    this.sayTexts();
    if (isOther) this.redraw();
  }

  /** Say that the answer is held back, and how it is shown: what is pressed in an open field is typed. */
  sayHeld() {
    setText(this.said, this.isHeld ? sayCommon(this.isAsking ? "answer_is_held_typing" : "answer_is_held") : "");
  }

  sayTexts() {
    if (!this.withTexts) return;
    const texts = Array.from(this.fields.querySelectorAll("textarea"), ({ value }) => value);
    setText(this.texts, this.isHeld ? texts.filter(Boolean).join("\n") : "");
  }

  /** @param {boolean} on */
  showFields(on) {
    this.isAsking = on;
    this.fields.classList.toggle("bvl-over", on);
    this.fields.classList.toggle("bvl-no-show", !on);
    setAttributes(this.ask, { "aria-pressed": String(on) });
    this.sayHeld();
    const field = /** @type {HTMLElement | null} */ (this.fields.querySelector("textarea, input[type=text]"));
    if (on) field?.focus();
  }

  /** Presenting has begun, or ended: then the view is as before. */
  changed() {
    if (this.isPresenting) return;
    this.hold(false);
    this.showFields(false);
  }
}
