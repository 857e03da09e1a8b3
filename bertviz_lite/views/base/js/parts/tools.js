// Present, Take away and the keys, as a row of buttons that a view has in its first line.

import { element } from "../elements.js";
import { languageButton } from "../language/shown.js";
import { Hold } from "./hold.js";
import { pictureOf } from "./picture.js";
import { Presenter } from "./present.js";
import { takeAway } from "./take_away.js";
import { sayCommon } from "../language/common.js";

/** @import { Life } from "../life.js" */
/** @import { StateLink } from "./link.js" */

export class Tools {
  /**
   * @param {{root: HTMLElement, life: Life}} view
   * @param {object} what
   * @param {[string, string][]} what.keys what is pressed, and what it does: see Presenter
   * @param {() => string} what.name of the files, without an ending
   * @param {() => (string | number)[][]} what.numbers rows, the first of them names
   * @param {StateLink} [what.link]
   * @param {() => void} [what.changed] called when presenting begins and ends
   * @param {ConstructorParameters<typeof Hold>[2]} [what.held] what may be held back while the view is presented
   */
  constructor({ root, life }, { keys, name, numbers, link, changed, held }) {
    this.hold = held ? new Hold(root, life, held) : null;
    const all = [...keys, ...(this.hold?.keys ?? []), /** @type {[string, string]} */ (["?", sayCommon("these_keys")])];
    this.presenter = new Presenter(root, life, all, () => {
      this.hold?.changed();
      changed?.();
    });
    const { button, help, panel } = this.presenter;
    const take = takeAway(life, { name, picture: () => pictureOf(root), numbers, link });
    const first = this.hold ? [this.hold.ask, this.hold.button] : [];
    this.box = element("div", { class: "bvl-tools" }, ...first, button, take, help, languageButton(life));
    this.panel = panel;
  }

  /**
   * The first line of a view: what it begins with, and the tools at its end.
   * @param {HTMLElement} first it is not part of the picture
   */
  after(first) {
    first.classList.add("bvl-no-show");
    return element("div", { class: "bvl-first-line" }, first, this.box);
  }
}
