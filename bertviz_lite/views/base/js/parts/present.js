// Present: a view on the whole screen, in letters that the back row reads; and its keys, shown on "?".

import { element, setText } from "../elements.js";
import { sayCommon } from "../language/common.js";

/** @import { Life } from "../life.js" */

/**
 * Two buttons, and what they do to a view. On the whole screen the view has the class bvl-presenting: common.css makes
 * its letters larger, and hides what has the class bvl-no-show; the rest is for the view's own style sheet. Where a
 * page may not take the whole screen (a frame that is not allowed to), the view covers the page. Presented, it has the
 * keys wherever in it one clicks.
 */
export class Presenter {
  /**
   * @param {HTMLElement} root
   * @param {Life} life
   * @param {[string, string][]} keys what is pressed, with " + " between two that are pressed together or in turn; what
   * it does
   * @param {() => void} [changed] called when presenting begins and ends
   */
  constructor(root, life, keys, changed = () => {}) {
    this.root = root;
    this.changed = changed;
    this.isOn = false;
    this.button = element("button", { type: "button", class: "bvl-present" }, sayCommon("enlarge"));
    this.list = element(
      "dl",
      { class: "bvl-keys" },
      ...keys.map(([pressed, what]) =>
        element(
          "div",
          {},
          element("dt", {}, ...pressed.split(" + ").map((key) => element("kbd", {}, key))),
          element("dd", {}, what),
        ),
      ),
    );
    this.close = element("button", { type: "button" }, sayCommon("close"));
    this.panel = element(
      "div",
      { class: "bvl-keys-panel", role: "group", "aria-label": sayCommon("keys"), hidden: true },
      this.list,
      this.close,
    );
    this.help = element(
      "button",
      { type: "button", class: "bvl-keys-button", "aria-expanded": "false", title: sayCommon("keys") },
      sayCommon("keys_button"),
      element("kbd", { "aria-hidden": "true" }, "?"),
    );
    life.listen(this.button, "click", () => this.toggle());
    life.listen(this.help, "click", () => this.showKeys(this.panel.hidden));
    life.listen(this.close, "click", () => this.showKeys(false));
    life.listen(document, "fullscreenchange", () => {
      if (this.isOn && !this.isWhole && !this.isCovering) this.end();
    });
    life.listen(root, "keydown", (event) => this.press(event));
    this.isCovering = false;
    life.endings.push(() => this.end());
  }

  /** Whether the view has the screen. */
  get isWhole() {
    const { fullscreenElement } = /** @type {Document} */ (this.root.getRootNode());
    return fullscreenElement === this.root;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && !this.panel.hidden) this.showKeys(false);
    else if (event.key === "Escape" && this.isCovering) this.end();
    else if (event.key === "?" && !isTyping(event.target)) this.showKeys(this.panel.hidden);
    else return;
    event.preventDefault();
  }

  /** @param {boolean} on */
  showKeys(on) {
    this.panel.hidden = !on;
    this.help.setAttribute("aria-expanded", String(on));
  }

  toggle() {
    if (this.isOn) this.end();
    else void this.begin();
  }

  async begin() {
    this.isOn = true;
    this.root.classList.add("bvl-presenting");
    this.root.tabIndex = -1; // a click on what is no button gives it the focus, too
    setText(this.button, sayCommon("leave"));
    try {
      await this.root.requestFullscreen();
    } catch {
      this.isCovering = this.isOn;
      this.root.classList.toggle("bvl-covering", this.isOn);
    }
    if (this.isOn && !this.root.contains(document.activeElement)) this.root.focus({ preventScroll: true });
    this.changed();
  }

  end() {
    if (!this.isOn) return;
    this.isOn = false;
    this.isCovering = false;
    this.root.classList.remove("bvl-presenting", "bvl-covering");
    if (document.activeElement === this.root) this.button.focus({ preventScroll: true });
    this.root.removeAttribute("tabindex");
    setText(this.button, sayCommon("enlarge"));
    if (this.isWhole) document.exitFullscreen().catch(() => {});
    this.changed();
  }
}

/** Whether a key that is pressed there writes. @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.matches("textarea, input:not([type=checkbox], [type=range])");
}
