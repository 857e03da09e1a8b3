// A table that a reader unfolds: every number of a view, for reading and for copying.

import { element } from "../elements.js";

/** @import { Life } from "../life.js" */

/**
 * @typedef {object} Contents
 * @property {string[]} columns
 * @property {(string | Node)[][]} rows the first cell of each is its name
 * @property {number} [current] the row that the reader is at
 */

/** It is filled only while it is open: with many tokens it is the largest thing on the page. */
export class FoldedTable {
  /**
   * @param {Life} life
   * @param {object} what
   * @param {string} what.summary the line that unfolds it
   * @param {string} what.label what a screen reader calls the part that scrolls
   * @param {() => Contents} what.read
   * @param {boolean} [what.isTall] whether it scrolls up and down as well
   * @param {string} [what.className]
   */
  constructor(life, { summary, label, read, isTall = false, className }) {
    this.read = read;
    this.summary = element("summary", {}, summary);
    this.table = element("table");
    const scroll = element("div", {
      class: isTall ? "bvl-scroll bvl-tall" : "bvl-scroll",
      tabindex: 0,
      role: "group",
      "aria-label": label,
    });
    scroll.append(this.table);
    this.box = /** @type {HTMLDetailsElement} */ (element("details", { class: className }, this.summary, scroll));
    life.listen(this.box, "toggle", () => this.draw());
  }

  draw() {
    if (!this.box.open) {
      this.table.replaceChildren();
      return;
    }
    const { columns, rows, current = -1 } = this.read();
    const head = columns.map((name) => (name === "" ? element("td") : element("th", { scope: "col" }, name)));
    const body = rows.map(([name, ...cells], i) =>
      element(
        "tr",
        { "aria-current": i === current ? "step" : null },
        element("th", { scope: "row" }, name),
        ...cells.map((cell) => element("td", {}, cell)),
      ),
    );
    this.table.replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  }
}
