// The number beside the pointer.

import { element } from "../../../base/js/elements.js";

/** @import { ExplorerState } from "../state.js" */

/** How far beside the pointer, so that it covers nothing that is read: right, down. */
const AWAY = { x: 14, y: 18 };

export class Tip {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    // The readout says the same to a screen reader.
    this.box = element("div", { class: "bvl-tip", "aria-hidden": "true", hidden: true });
    this.text = "";
  }

  /**
   * @param {(Node | string)[]} parts what is said; nothing hides it
   * @param {{x: number, y: number} | null} at in the window
   */
  show(parts, at) {
    const { box, state } = this;
    box.hidden = parts.length === 0 || at === null;
    if (box.hidden || at === null) return;
    const text = parts.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
    if (text !== this.text) {
      this.text = text;
      box.replaceChildren(...parts.map((part) => (typeof part === "string" ? part : part.cloneNode(true))));
    }
    const room = state.root.getBoundingClientRect();
    const { clientLeft, clientTop, clientWidth, scrollTop } = state.root;
    const [x, y] = [at.x - room.left - clientLeft, at.y - room.top - clientTop + scrollTop];
    const { offsetWidth: width, offsetHeight: height } = box;
    const isRight = x + AWAY.x + width <= clientWidth;
    const isBelow = at.y + AWAY.y + height <= window.innerHeight;
    box.style.left = `${Math.max(2, isRight ? x + AWAY.x : x - AWAY.x - width)}px`;
    box.style.top = `${isBelow ? y + AWAY.y : y - AWAY.y - height}px`;
  }
}
