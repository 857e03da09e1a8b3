// The tokens with their ids: the first step of the machine, and the choice of whose path is lit.

import { element, setAttributes } from "../../../base/js/elements.js";
import { ListBox } from "../../../base/js/parts/list_box.js";
import { hereMark } from "./map.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */

export class TokenRow {
  /** @param {Machine} view */
  constructor(view) {
    this.view = view;
    this.list = new ListBox(view.life, {
      className: "bvl-tokens",
      label: say("tokens_label"),
      isHorizontal: true,
      chosen: () => view.token ?? -1,
      choose: (index) => {
        view.set({ token: index });
        this.draw();
        this.list.focus(index);
        this.reveal(index);
      },
      click: (index) => view.chooseToken(index),
      press: (key) => {
        if (key !== "Escape" || view.token === null) return false;
        view.set({ token: null });
        return true;
      },
    });
    view.life.listen(this.list.box, "scroll", () => this.showMore());
    this.hide = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }));
    view.life.listen(this.hide, "click", () => view.hideChosen());
    const here = view.model.get("here") === "tokens";
    this.open = element(
      "button",
      { type: "button", class: "bvl-tokens-head", "data-box": "tokens" },
      element("span", { class: "bvl-group-name" }, say("word_pieces")),
      element("span", { class: "bvl-soft" }, say("chapter", { chapter: "01" })),
      ...(here ? [hereMark()] : []),
    );
    view.life.listen(this.open, "click", () => view.open("tokens"));
    this.box = element("div", { class: "bvl-group bvl-token-group" }, this.open, this.list.box, this.hide);
    this.box.classList.toggle("bvl-is-here", here);
    /** What the options were made from. */
    this.key = "";
  }

  /** Scroll the row, and nothing but it. @param {number} index */
  reveal(index) {
    const { box, options } = this.list;
    const [{ left, right }, token] = [box.getBoundingClientRect(), options[index].getBoundingClientRect()];
    if (token.left < left) box.scrollLeft -= left - token.left;
    else if (token.right > right) box.scrollLeft += token.right - right;
  }

  /** Let the row fade out where more tokens follow. */
  showMore() {
    const { scrollLeft, scrollWidth, clientWidth } = this.list.box;
    this.list.box.classList.toggle("bvl-more", scrollWidth - clientWidth - scrollLeft > 2);
  }

  draw() {
    const { view } = this;
    const { tokens, input_ids, segments } = view.facts;
    const key = JSON.stringify([tokens, input_ids, segments]);
    if (key !== this.key) {
      this.key = key;
      this.list.put(
        tokens.map((/** @type {string} */ token, /** @type {number} */ i) =>
          element(
            "div",
            { class: "bvl-token", role: "option", "data-segment": segments[i] },
            element("bdi", {}, token),
            element("span", { class: "bvl-soft" }, String(input_ids[i])),
          ),
        ),
      );
    }
    for (const [i, option] of this.list.options.entries()) {
      setAttributes(option, {
        "aria-selected": String(i === view.token),
        "aria-label": say("token_id", { token: tokens[i], id: input_ids[i] }),
        tabindex: i === (view.token ?? 0) ? 0 : -1,
      });
    }
    this.showMore();
    setAttributes(this.open, { "aria-pressed": String(view.model.get("box") === "tokens") });
    const hidden = view.token === null || view.asker.isSaved ? null : view.hiddenTexts(view.token);
    this.hide.hidden = hidden === null;
    if (hidden !== null)
      this.hide.textContent = say("hide", { token: tokens[/** @type {number} */ (view.token)], mask: view.maskToken });
  }
}
