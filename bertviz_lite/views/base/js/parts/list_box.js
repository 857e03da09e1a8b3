// A box of options, of which a reader chooses one by a click, a tap or the keyboard.

import { element } from "../elements.js";
import { indexAfterKey, onKeys } from "../keys.js";

/** @import { Life } from "../life.js" */

/** ARIA's listbox: one of the options can be reached by Tab, arrow keys lead to the others. */
export class ListBox {
  /**
   * @param {Life} life
   * @param {object} what
   * @param {string} what.className
   * @param {string} what.label what a screen reader calls it
   * @param {boolean} [what.isHorizontal] whether the options stand beside each other, in lines
   * @param {() => number} what.chosen index of the chosen option; -1 if there is none
   * @param {(index: number) => void} what.choose called for arrow keys, Home and End
   * @param {(index: number, event: MouseEvent) => void} [what.click] like `choose` if not given
   * @param {(key: string) => boolean} [what.press] called for all other keys; whether the key meant something
   * @param {() => number} [what.perLine] how many options stand in a line
   */
  constructor(life, { className, label, isHorizontal, chosen, choose, click = choose, press, perLine }) {
    this.box = element("div", {
      class: className,
      role: "listbox",
      "aria-label": label,
      "aria-orientation": isHorizontal ? "horizontal" : null,
    });
    /** @type {HTMLElement[]} */
    this.options = [];
    life.listen(this.box, "click", (event) => {
      const index = this.at(event.target);
      if (index >= 0) click(index, event);
    });
    onKeys(life, this.box, ({ key }) => {
      const { length } = this.options;
      const now = chosen();
      const isFirstArrow = now < 0 && key.startsWith("Arrow");
      const next = isFirstArrow
        ? 0
        : indexAfterKey(key, now, length, isHorizontal ? (perLine?.() ?? this.perLine()) : 1);
      if (next === null || length === 0) return press?.(key) ?? false;
      choose(next);
      return true;
    });
  }

  /**
   * Show other options; if one had the focus, the one that Tab reaches has it now.
   * @param {HTMLElement[]} options
   * @param {HTMLElement[]} [shown] with what else stands in the box
   */
  put(options, shown = options) {
    const hadFocus = this.box.contains(document.activeElement);
    this.options = options;
    this.box.replaceChildren(...shown);
    if (hadFocus) options.find(({ tabIndex }) => tabIndex === 0)?.focus({ preventScroll: true });
  }

  /** @param {Node} target @returns {number} index of the option that it is in; -1 if it is in none */
  at(target) {
    return this.options.findIndex((option) => option.contains(target));
  }

  /** Options in the first line. */
  perLine() {
    const top = this.options[0].offsetTop;
    const second = this.options.findIndex(({ offsetTop }) => offsetTop > top);
    return second < 0 ? this.options.length : second;
  }

  /** @param {number} index */
  focus(index) {
    this.options[index].focus({ preventScroll: true });
    this.reveal(index);
  }

  /** Scroll the box, and nothing but it, so that an option is in sight. @param {number} index */
  reveal(index) {
    const { box } = this;
    const option = this.options[index];
    if (!option) return;
    const { offsetTop, offsetHeight } = option;
    const least = offsetTop + offsetHeight - box.clientHeight;
    const goal = Math.min(Math.max(box.scrollTop, least), offsetTop);
    if (goal !== box.scrollTop) box.scrollTop = goal;
  }
}
