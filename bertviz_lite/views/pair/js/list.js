// The words by what they add, the strongest first.

import { element, setText } from "../../base/js/elements.js";
import { ListBox } from "../../base/js/parts/list_box.js";
import { wordAt } from "./text.js";
import { formatPercent } from "../../base/js/numbers.js";
import { PARTS, unitOf, formatAdds } from "./words.js";
import { say } from "../language/say.js";

/** @import { PairView } from "../view.js" */

export class StrengthList {
  /** @param {PairView} view */
  constructor(view) {
    this.view = view;
    this.note = element("p", { class: "bvl-soft bvl-note" });
    this.list = new ListBox(view.life, {
      className: "bvl-list",
      label: say("list_label"),
      chosen: () => view.order.indexOf(view.model.get("word")),
      choose: (place) => {
        view.set({ word: view.order[place] });
        this.list.focus(place);
      },
      click: (place) => view.pickOut(view.order[place]),
      press: (key) => {
        if (key !== "Escape") return false;
        view.set({ word: null });
        return true;
      },
    });
    this.box = element("div", { class: "bvl-side" }, this.note, this.list.box);
    /** How far it is scrolled: to read that lays the page out. */
    this.scrollTop = 0;
    const { life } = view;
    life.listen(this.list.box, "pointermove", (event) => view.hover(wordAt(event.target)));
    life.listen(this.list.box, "pointerleave", () => view.hover(null));
    life.listen(this.list.box, "scroll", () => (this.scrollTop = this.list.box.scrollTop));
  }

  draw() {
    const { order, column } = this.view;
    setText(this.note, say("list_note", { unit: unitOf(column) }));
    const { scrollTop } = this;
    this.list.put(order.map((index, place) => this.makeOption(index, place)));
    if (scrollTop > 0) this.list.box.scrollTop = scrollTop; // setting it lays the page out
  }

  /**
   * @param {number} index of the word
   * @param {number} place in the list
   */
  makeOption(index, place) {
    const { words, column, limit, wordsOf: facts, model } = this.view;
    const chosen = model.get("word");
    const word = words[index];
    const value = word.adds[column];
    const part = PARTS[word.segment];
    const adds = formatAdds(value, column);
    const fill = element("span", { class: value < 0 ? "bvl-minus" : "bvl-plus" });
    fill.style.width = `${(50 * Math.abs(value)) / limit}%`;
    const change = say("instead", { hidden: formatPercent(word.probability), now: formatPercent(facts.probability) });
    return element(
      "div",
      {
        role: "option",
        class: "bvl-option",
        "data-word": index,
        tabindex: index === chosen || (chosen === null && place === 0) ? 0 : -1,
        "aria-selected": String(index === chosen),
        "aria-label": say("option", { word: word.text, part, adds, unit: unitOf(column), change }),
      },
      element("span", { class: "bvl-mono bvl-name" }, word.text),
      element("span", { class: "bvl-soft" }, part),
      element("span", { class: "bvl-track" }, fill),
      element("span", { class: "bvl-number" }, adds),
    );
  }
}
