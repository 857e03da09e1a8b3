// A view in the language of its page: drawn anew where the reader chooses another one.

import { element } from "../elements.js";
import { Life } from "../life.js";
import { CHOSEN, LANGUAGES, chooseLanguage, languageOf, speak, spoken } from "./language.js";

/** A drawn view; `opened` is kept where it is not seen at once. */
/** @typedef {{root: HTMLElement, end: () => void, opened?: Promise<void>}} DrawnIn */

/** The place for which a view is being drawn; it lasts, whatever the language. @type {Place | null} */
let drawnFor = null;

class Place {
  constructor() {
    this.life = new Life();
    /** Who answers the view. @type {any} */
    this.answered = null;
  }
}

/**
 * Draw a view, and draw it anew where the reader chooses another language.
 * @template {DrawnIn} View
 * @param {any} model
 * @param {HTMLElement} el
 * @param {() => View} make draws the view at the end of `el`
 * @returns {{first: View, end: () => void}} `end` takes down the view that is there
 */
export function inLanguage(model, el, make) {
  const place = new Place();
  const draw = () => {
    speak(languageOf(model.get("lang")));
    drawnFor = place;
    try {
      return make();
    } finally {
      drawnFor = null;
    }
  };
  const first = draw();
  /** @type {View} */
  let view = first;
  place.life.listen(window, CHOSEN, () => {
    const before = view;
    const isHere = before.root.contains(document.activeElement);
    el.style.minHeight = `${el.offsetHeight}px`; // else the page would jump
    before.root.style.display = "none";
    view = draw();
    restore(before.root, view.root);
    before.end();
    el.style.minHeight = "";
    const button = /** @type {HTMLElement | null} */ (view.root.querySelector(".bvl-language"));
    if (isHere) void Promise.resolve(view.opened).then(() => button?.focus());
  });
  return {
    first,
    end: () => {
      view.end();
      place.life.end();
    },
  };
}

/**
 * Who answers a view, the same in every language: what was answered without Python is not lost.
 * @param {any} model
 * @param {(model: any, life: Life) => any} answered
 * @param {Life} life of the view
 */
export function answeredOnce(model, answered, life) {
  if (!drawnFor) return answered(model, life);
  drawnFor.answered ??= answered(model, drawnFor.life);
  return drawnFor.answered;
}

/**
 * What a reader had opened is open again, and what was typed and refused stands in its field.
 * @param {HTMLElement} before
 * @param {HTMLElement} after
 */
function restore(before, after) {
  const opened = [...before.querySelectorAll("details")].map(({ open }) => open);
  for (const [i, details] of [...after.querySelectorAll("details")].entries()) details.open = opened[i] ?? false;
  const fields = "textarea:not([readonly])";
  const typed = /** @type {HTMLTextAreaElement[]} */ ([...before.querySelectorAll(fields)]);
  for (const [i, field] of /** @type {HTMLTextAreaElement[]} */ ([...after.querySelectorAll(fields)]).entries()) {
    if (!typed[i] || typed[i].value === field.value) continue;
    field.value = typed[i].value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/**
 * The button that says all views of the page in the other language, in which its name is; nothing for a view that
 * has one language only.
 * @param {Life} life
 * @returns {HTMLElement | ""}
 */
export function languageButton(life) {
  if (!drawnFor) return "";
  const other = spoken() === "zh" ? "en" : "zh";
  const { code, name } = LANGUAGES[other];
  const button = element("button", { type: "button", class: "bvl-language", lang: code }, name);
  life.listen(button, "click", () => chooseLanguage(other));
  return button;
}
