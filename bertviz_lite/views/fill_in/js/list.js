// The most probable words as bars, and the form that follows a word of one's own.

import { element, setText } from "../../base/js/elements.js";
import { formatPercent } from "../../base/js/numbers.js";
import { ListBox } from "../../base/js/parts/list_box.js";
import { lineClass, lineSample } from "./chart.js";
import { columnName, placeName } from "./rows.js";
import { quoted } from "./words.js";
import { sayCommon } from "../../base/js/language/common.js";
import { say } from "../language/say.js";

/** @import { FillIn } from "../view.js" */
/** @import { Row } from "./rows.js" */

export class WordList {
  /** @param {FillIn} view */
  constructor(view) {
    this.view = view;
    this.note = element("p", { class: "bvl-soft bvl-note" });
    const wordAt = (/** @type {number} */ index) => view.shown[index]?.word ?? null;
    this.list = new ListBox(view.life, {
      className: "bvl-list",
      label: say("list_label"),
      chosen: () => view.shown.findIndex(({ word }) => word === view.model.get("word")),
      choose: (index) => {
        view.set({ word: wordAt(index) });
        this.list.options[index].focus();
      },
      click: (index) => view.toggleWord(wordAt(index)),
      press: (key) => {
        if (key !== "Escape") return false;
        view.set({ word: null });
        return true;
      },
    });
    view.life.listen(this.list.box, "pointermove", ({ target }) => view.hover(wordAt(this.list.at(target))));
    view.life.listen(this.list.box, "pointerleave", () => view.hover(null));
    this.follow = this.makeFollow();
    this.box = element("div", { class: "bvl-side" }, element("div", {}, this.note, this.list.box), this.follow.form);
  }

  makeFollow() {
    const { life, asker, model } = this.view;
    const input = /** @type {HTMLInputElement} */ (
      element("input", {
        type: "text",
        class: "bvl-input",
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        disabled: asker.isSaved,
      })
    );
    const button = element("button", { disabled: asker.isSaved }, say("follow"));
    const chips = element("span", { class: "bvl-chips" });
    const form = element(
      "form",
      { class: "bvl-follow" },
      element("label", {}, say("also_follow"), input),
      button,
      chips,
    );
    life.listen(form, "submit", (event) => {
      event.preventDefault();
      const word = input.value.trim();
      if (word === "") return;
      const then = () => {
        if (input.value.trim() === word) input.value = "";
      };
      asker.ask({ follow: [...model.get("follow"), word] }, { then });
    });
    life.listen(chips, "click", (event) => {
      const index = [...chips.children].indexOf(event.target.closest("button"));
      if (index < 0) return;
      asker.ask({
        follow: model.get("follow").filter((/** @type {string} */ _, /** @type {number} */ i) => i !== index),
      });
      input.focus();
    });
    return { form, chips };
  }

  draw() {
    const { layer, shown, facts } = this.view;
    setText(this.note, say("note", { place: placeName(layer, facts.layers - 1) }));
    this.list.put(shown.map((row, index) => this.makeOption(row, index)));
    this.drawChips();
  }

  /**
   * @param {Row} row
   * @param {number} index
   */
  makeOption(row, index) {
    const { layer, shown, facts, model } = this.view;
    const chosen = model.get("word");
    const isFirst = index === 0 && !shown.some(({ word }) => word === chosen);
    const share = row.shares[layer];
    const fill = element("span", { class: `bvl-fill ${lineClass(index)}` });
    fill.style.width = `${100 * share}%`; // a full bar is 100 %: what spreads looks spread
    const rank = row.ranks[layer].toLocaleString("en");
    const path = [...row.shares].map((each, at) => `${columnName(at)} ${formatPercent(each)}`).join(sayCommon("comma"));
    const name = facts.follow.includes(row.word) ? "option_followed" : "option";
    return element(
      "div",
      {
        role: "option",
        class: `bvl-option${index >= facts.k ? " bvl-extra" : ""}`,
        tabindex: row.word === chosen || isFirst ? 0 : -1,
        "aria-selected": String(row.word === chosen),
        "aria-label": say(name, { word: quoted(row.word), share: formatPercent(share), rank, path }),
      },
      lineSample(index),
      element("span", { class: "bvl-mono bvl-name" }, quoted(row.word)),
      element("span", { class: "bvl-bar-track" }, fill),
      element("span", { class: "bvl-number" }, formatPercent(share)),
      element("span", { class: "bvl-number bvl-soft" }, `#${rank}`),
    );
  }

  drawChips() {
    const { facts, asker } = this.view;
    const { chips } = this.follow;
    const key = JSON.stringify(facts.follow);
    if (chips.dataset.key === key) return;
    chips.dataset.key = key;
    chips.replaceChildren(
      ...facts.follow.map((/** @type {string} */ word) =>
        element(
          "button",
          { type: "button", class: "bvl-chip", "aria-label": say("stop_following", { word }), disabled: asker.isSaved },
          element("span", { class: "bvl-mono" }, word),
          " ×",
        ),
      ),
    );
  }
}
