// Both texts word by word, tinted by what each word adds; a click hides a word.

import { element, setText } from "../../base/js/elements.js";
import { indexAfterKey, onKeys } from "../../base/js/keys.js";
import { makeSwitch } from "../../base/js/parts/switch.js";
import { MEASURES, PARTS, unitOf, findWords, formatAdds, hideWord } from "./words.js";
import { say } from "../language/say.js";

/** @import { PairView } from "../view.js" */
/** @import { PairWord } from "./words.js" */

const SHOWS_NUMBER = 0.12; // of the strongest word: below it, a word's number stands in the list only

export class TintedText {
  /** @param {PairView} view */
  constructor(view) {
    this.view = view;
    this.key = "";
    this.isSaved = view.asker.isSaved;
    this.measures = makeSwitch(view.life, say("tinted_label"), MEASURES, (measure) => view.set({ measure }), [
      say("measure_probability"),
      say("measure_log_odds"),
    ]);
    this.legend = element("p", { class: "bvl-legend bvl-soft" });
    this.words = element("div", {
      class: "bvl-words",
      role: "toolbar",
      "aria-label": say(this.isSaved ? "enter_picks" : "enter_hides"),
    });
    this.box = element(
      "div",
      { class: "bvl-text" },
      element(
        "div",
        { class: "bvl-controls" },
        element("span", { class: "bvl-soft" }, say("tinted_by")),
        this.measures.box,
      ),
      this.words,
      this.legend,
    );
    this.listen();
  }

  listen() {
    const { view, words } = this;
    for (const type of ["pointermove", "focusin"])
      view.life.listen(words, type, (event) => view.hover(wordAt(event.target)));
    for (const type of ["pointerleave", "focusout"]) view.life.listen(words, type, () => view.hover(null));
    view.life.listen(words, "click", (event) => {
      const index = wordAt(event.target);
      if (index === null) return;
      if (this.isSaved || view.words[index].isMask) view.pickOut(index);
      else this.hide(index);
    });
    onKeys(view.life, words, (event) => {
      const now = wordAt(/** @type {Element} */ (event.target));
      const next = now === null ? null : indexAfterKey(event.key, now, view.words.length);
      if (next === null) return false;
      this.focus(next);
      return true;
    });
  }

  /** @param {number} index */
  focus(index) {
    const buttons = this.words.querySelectorAll("button");
    for (const [i, button] of buttons.entries()) button.tabIndex = i === index ? 0 : -1;
    buttons[index]?.focus();
  }

  /** Hide a word for good. @param {number} index */
  hide(index) {
    const { view } = this;
    const { facts, words } = view;
    if (!view.isCurrent || !view.isRead || view.asker.busy) return; // the words are of another text
    const texts = [facts.first, facts.second];
    const { segment, pieces } = words[index];
    const own = words.map((_, i) => i).filter((i) => words[i].segment === segment);
    const places = findWords(
      texts[segment],
      own.map((i) => words[i].text),
    );
    texts[segment] = hideWord(texts[segment], places[own.indexOf(index)], pieces, view.maskToken);
    view.write(texts);
  }

  draw() {
    const { column, limit, wordsOf: facts, model } = this.view;
    this.measures.show(model.get("measure"));
    const strongest = `${formatAdds(limit, column).replace("+", "±")} ${unitOf(column)}`;
    setText(this.legend, say("legend", { strongest }));
    const key = JSON.stringify([facts, column]);
    if (key === this.key) return;
    this.key = key;
    this.drawWords();
  }

  drawWords() {
    const { words, wordsOf: facts, maskToken } = this.view;
    const hasFocus = this.words.contains(document.activeElement);
    const focused = hasFocus ? wordAt(/** @type {Element} */ (document.activeElement)) : null;
    const special = facts.special.filter((/** @type {string} */ token) => token !== maskToken);
    const apart = (/** @type {string | undefined} */ token) =>
      element("span", { class: "bvl-special bvl-mono", title: say("special") }, token ?? "");
    const parts = [0, 1].map((segment) => {
      const name = element("span", { class: "bvl-part-name", "aria-hidden": "true" }, PARTS[segment]);
      const box = element("div", { class: "bvl-part" }, name);
      if (segment === 0 && special.length > 0) box.append(apart(special[0]));
      for (const [i, word] of words.entries()) if (word.segment === segment) box.append(this.makeWord(word, i));
      if (special.length > 1) box.append(apart(special.at(-1)));
      return box;
    });
    this.words.replaceChildren(...parts);
    const first = this.words.querySelector("button");
    if (first) first.tabIndex = 0;
    if (focused !== null) this.focus(Math.min(focused, words.length - 1));
  }

  /**
   * @param {PairWord} word
   * @param {number} index
   */
  makeWord(word, index) {
    const { column, limit } = this.view;
    const value = word.adds[column];
    const strength = Math.abs(value) / limit;
    const adds = formatAdds(value, column);
    const part = PARTS[word.segment];
    const button = element(
      "button",
      {
        type: "button",
        tabindex: -1,
        class: `bvl-word${word.isMask ? " bvl-hidden" : ""}`,
        "data-word": index,
        "aria-label": word.isMask
          ? say("hidden_in", { part })
          : say("word_adds", { word: word.text, part, adds, unit: unitOf(column) }),
      },
      element("span", { class: "bvl-mono" }, word.text),
    );
    if (!word.isMask) {
      const sign = value < 0 ? "negative" : "positive";
      const tint = `rgb(var(--bvl-${sign}) / calc(var(--bvl-tint) * ${strength.toFixed(3)}))`;
      button.style.setProperty("--bvl-tinted", tint);
    }
    button.append(element("small", {}, strength >= SHOWS_NUMBER ? adds : "\u00a0"));
    return button;
  }
}

/** @param {Element} target @returns {number | null} number of the word that it shows */
export function wordAt(target) {
  const number = /** @type {HTMLElement | null} */ (target.closest("[data-word]"))?.dataset.word;
  return number === undefined ? null : Number(number);
}
