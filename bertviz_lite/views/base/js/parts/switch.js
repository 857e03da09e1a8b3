// A row of buttons, one of which is pressed.

import { element } from "../elements.js";

/** @import { Life } from "../life.js" */

/**
 * @param {Life} life
 * @param {string} label what a screen reader calls it
 * @param {string[]} names of the buttons
 * @param {(name: string) => void} choose
 * @param {string[]} [texts] what the buttons say, if not their names
 * @returns {{box: HTMLElement, buttons: HTMLElement[], show: (name: string) => void}} `show` presses one
 */
export function makeSwitch(life, label, names, choose, texts = names) {
  const buttons = texts.map((text) => element("button", { type: "button" }, text));
  for (const [i, button] of buttons.entries()) life.listen(button, "click", () => choose(names[i]));
  return {
    box: element("span", { class: "bvl-switch", role: "group", "aria-label": label }, ...buttons),
    buttons,
    show: (name) => {
      for (const [i, button] of buttons.entries()) button.setAttribute("aria-pressed", String(names[i] === name));
    },
  };
}
