// What the two heads on top say: the likeliest words of every token, and whether the second text continues the first.

import { element, setAttributes } from "../../../base/js/elements.js";
import { formatNumber, formatPercent } from "../../../base/js/numbers.js";
import { firstOfTwo, rowsIn } from "../steps.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */

/** The LM head: five words for the token that is looked at, and the likeliest word of every token. */
export class WordsPanel {
  /** @param {Machine} view */
  constructor(view) {
    this.view = view;
    this.best = element("div", { class: "bvl-bars bvl-to-hold" });
    this.title = element("p", { class: "bvl-reads" });
    this.all = element("div", {
      class: "bvl-all-words bvl-to-hold",
      role: "group",
      "aria-label": say("likeliest_label"),
    });
    this.box = element(
      "div",
      { class: "bvl-words-panel" },
      this.title,
      this.best,
      element("p", { class: "bvl-soft" }, say("likeliest")),
      this.all,
    );
    view.life.listen(this.all, "click", (event) => {
      const button = /** @type {HTMLElement | null} */ (event.target.closest("[data-token]"));
      if (button) view.chooseToken(Number(button.dataset.token));
    });
  }

  draw() {
    const { view } = this;
    const { facts, focusToken } = view;
    const shares = rowsIn(view.outside.best);
    this.title.replaceChildren(
      say("at_before"),
      element("bdi", { class: "bvl-strong" }, facts.tokens[focusToken]),
      say("at_after"),
    );
    this.best.replaceChildren(
      ...facts.best[focusToken].map((/** @type {string} */ word, /** @type {number} */ i) =>
        barRow(word, shares[focusToken][i], formatPercent(shares[focusToken][i])),
      ),
    );
    const key = JSON.stringify([facts.best, facts.tokens]);
    if (this.all.dataset.key !== key) {
      this.all.dataset.key = key;
      this.all.replaceChildren(
        ...facts.tokens.map((/** @type {string} */ token, /** @type {number} */ i) =>
          element(
            "button",
            { type: "button", "data-token": i },
            element("bdi", { class: "bvl-name" }, token),
            element("span", { "aria-hidden": "true" }, "→"),
            element("bdi", { class: "bvl-name" }, facts.best[i][0]),
            element("span", { class: "bvl-number" }, formatPercent(shares[i][0])),
          ),
        ),
      );
    }
    for (const [i, button] of [...this.all.children].entries()) {
      setAttributes(button, { "aria-pressed": String(i === view.token) });
    }
  }
}

/** The NSP head: two logits, and what softmax makes of them. */
export class VerdictPanel {
  /** @param {Machine} view */
  constructor(view) {
    this.view = view;
    this.note = element("p", { class: "bvl-reads" });
    this.bars = element("div", { class: "bvl-bars bvl-to-hold" });
    this.box = element("div", { class: "bvl-words-panel" }, this.note, this.bars);
  }

  draw() {
    const { view } = this;
    const logits = view.outside.seq_relationship_logits.values;
    const isPair = view.facts.text_pair !== "";
    this.note.textContent = isPair ? say("does_continue") : say("needs_pair");
    this.bars.classList.toggle("bvl-stale", !isPair);
    const continues = firstOfTwo(logits);
    this.bars.replaceChildren(
      barRow(
        say("continues"),
        continues,
        say("share_logit", { share: formatPercent(continues), logit: formatNumber(logits[0]) }),
      ),
      barRow(
        say("does_not"),
        1 - continues,
        say("share_logit", { share: formatPercent(1 - continues), logit: formatNumber(logits[1]) }),
      ),
    );
  }
}

/**
 * @param {string} name
 * @param {number} share
 * @param {string} text
 */
function barRow(name, share, text) {
  const bar = element("span", { class: "bvl-fill" });
  bar.style.width = `${(100 * share).toFixed(2)}%`;
  return element(
    "div",
    { class: "bvl-bar-row" },
    element("bdi", { class: "bvl-name" }, name),
    element("span", { class: "bvl-track", "aria-hidden": "true" }, bar),
    element("span", { class: "bvl-number" }, text),
  );
}
