// Labelled controls: a choice, a tick, a slider.

import { element } from "../elements.js";

/** @import { Life } from "../life.js" */

/**
 * A labelled choice.
 * @param {string} name
 * @param {[string, string][]} options value and text
 * @param {Life} life
 * @param {(value: string) => void} react
 */
export function choice(name, options, life, react) {
  const select = /** @type {HTMLSelectElement} */ (
    element("select", {}, ...options.map(([value, text]) => element("option", { value }, text)))
  );
  life.listen(select, "change", () => react(select.value));
  return { select, box: element("label", {}, element("span", {}, name), select) };
}

/**
 * Give a choice other options, if they are others.
 * @param {HTMLSelectElement} select
 * @param {[string, string, boolean?][]} options value, text, disabled
 * @param {string} value
 */
export function offer(select, options, value) {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(
      ...options.map(([own, text, disabled]) => element("option", { value: own, disabled: Boolean(disabled) }, text)),
    );
  }
  select.value = value;
}

/**
 * @param {string} name
 * @param {Life} life
 * @param {(on: boolean) => void} react
 */
export function tick(name, life, react) {
  const input = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
  life.listen(input, "change", () => react(input.checked));
  return { input, box: element("label", {}, input, name) };
}

/**
 * @param {string} name
 * @param {{min: number, max: number}} range
 * @param {Life} life
 * @param {(value: number) => void} react
 */
export function slide(name, { min, max }, life, react) {
  const input = /** @type {HTMLInputElement} */ (
    element("input", { type: "range", min, max, step: 1, "aria-label": name })
  );
  const value = element("output", { class: "bvl-number" });
  life.listen(input, "input", () => react(Number(input.value)));
  return { input, value, box: element("label", { class: "bvl-slide" }, element("span", {}, name), input, value) };
}
