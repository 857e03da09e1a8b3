// Another input: tokens replaced, heads switched off, and the model run again. It stands above the picture, and what
// follows stands beside it: neither moves what was clicked.

import { spellMasks } from "../../../../engine/js/answers/masks.js";
import { element, setText } from "../../../../base/js/elements.js";
import { readable } from "../../weights/axis.js";
import { kindName, say } from "../../../language/say.js";

/** @import { ExplorerState } from "../../state.js" */

/** Change the input and run the model again; in a saved page, say that this cannot be done there. */
export class TryPanel {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    const button = (/** @type {string} */ name, /** @type {() => void} */ act) => {
      const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }, name));
      state.life.listen(made, "click", act);
      return made;
    };
    this.token = element("p", { class: "bvl-chosen-token" });
    this.mask = button(say("mask_it"), () => this.replace(this.maskToken));
    this.typed = /** @type {HTMLInputElement} */ (
      element("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 200, size: 8 })
    );
    this.send = /** @type {HTMLButtonElement} */ (element("button", {}, say("in_its_place")));
    this.form = element(
      "form",
      { class: "bvl-type" },
      element("label", {}, element("span", {}, say("or_put")), this.typed),
      this.send,
    );
    state.life.listen(this.form, "submit", (event) => {
      event.preventDefault();
      if (this.typed.value !== "") this.replace(this.typed.value);
    });
    this.off = button(say("switch_this_off"), () => state.switchHead(state.traits.layer, state.traits.head));
    this.all = button(say("undo_all"), () => state.change({ edits: {}, heads_off: [] }));
    this.changes = element("ul", { class: "bvl-changes", "aria-label": say("changes") });
    this.controls = element(
      "div",
      { class: "bvl-try-controls" },
      element("div", { class: "bvl-try-line" }, this.token, this.mask, this.form),
      element("div", { class: "bvl-try-line" }, this.off, this.changes, this.all),
    );
    this.note = element("p", { class: "bvl-soft bvl-try-note" });
    this.box = element("section", { class: "bvl-try", "aria-label": say("try_label") }, this.note, this.controls);
    /** @type {number | null} */
    this.position = null;
    /** What is shown now, so that buttons are not made anew under the reader's finger. */
    this.changesKey = "";
    state.life.listen(this.changes, "click", (event) => {
      const change = event.target.closest("button")?.dataset.change;
      if (change === undefined) return;
      const [name, a, b] = change.split(" ");
      const { edits } = state;
      if (name === "edit")
        state.change({ edits: Object.fromEntries(Object.entries(edits).filter(([place]) => place !== a)) });
      else state.switchHead(Number(a), Number(b));
    });
  }

  /** What masks a token, as the tokenizer writes it; null if the model knows no such thing. @returns {string | null} */
  get maskToken() {
    return this.state.traits._meta.mask_token;
  }

  /** Why nothing can be run here. */
  get whyNot() {
    const { model, traits } = this.state;
    if (!traits._meta.has_model) return say("plain_arrays");
    return say("recording", { why: model.get("_not_live") ?? "" }).trim();
  }

  /** @param {string | null} token */
  replace(token) {
    if (this.position === null || token === null) return;
    this.state.change({ edits: { ...this.state.edits, [String(this.position)]: spellMasks(token, this.maskToken) } });
    this.typed.value = "";
  }

  draw() {
    const { state } = this;
    const { _meta: meta, kind, layer, head, aggregate } = state.traits;
    const { edits, off } = state;
    const busy = Boolean(state.traits._busy);
    const [first] = Object.keys(meta.sides[0].kinds);
    const can = meta.can_run;
    const here = kind === first;
    this.controls.hidden = !can;
    setText(this.note, can ? (here ? "" : say("changed_in", { first: kindName(first) })) : this.whyNot);
    this.note.hidden = this.note.textContent === "";
    if (can) {
      const tokens = meta.sides[0].kinds[first].queries.tokens;
      this.position = here ? state.held : null;
      const at = this.position;
      if (at === null) this.token.replaceChildren(say("click_then"));
      else
        this.token.replaceChildren(
          say("token_at", { at }),
          element("bdi", { class: "bvl-token-name" }, readable(tokens[at])),
        );
      setText(this.mask, say("mask_token_it", { mask: this.maskToken ?? "" }));
      this.mask.hidden = this.maskToken === null;
      this.mask.disabled = busy || at === null || edits[String(at)] === this.maskToken || tokens[at] === this.maskToken;
      for (const control of [this.typed, this.send]) control.disabled = busy || at === null;
      const isOff = off.some((/** @type {number[]} */ pair) => pair[0] === layer && pair[1] === head);
      setText(this.off, say(isOff ? "switch_on_again" : "switch_off", { layer, head }));
      this.off.disabled = busy || !here || aggregate !== "none";
      this.all.disabled = busy;
      this.all.hidden = off.length === 0 && Object.keys(edits).length === 0;
      this.drawChanges(tokens, edits, off, busy);
    }
  }

  /**
   * @param {string[]} tokens
   * @param {Record<string, string>} edits
   * @param {number[][]} off
   * @param {boolean} busy
   */
  drawChanges(tokens, edits, off, busy) {
    const key = JSON.stringify([edits, off, busy]);
    if (key === this.changesKey) return;
    this.changesKey = key;
    const chip = (/** @type {string} */ change, /** @type {(Node | string)[]} */ text, /** @type {string} */ name) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", "data-change": change, "aria-label": name, title: name, disabled: busy },
          ...text,
          element("span", { "aria-hidden": "true" }, " ×"),
        ),
      );
    this.changes.replaceChildren(
      ...Object.entries(edits).map(([place, token]) =>
        chip(
          `edit ${place}`,
          [element("bdi", {}, readable(tokens[Number(place)])), " → ", element("bdi", {}, readable(token))],
          say("restore", { place }),
        ),
      ),
      ...off.map(([layer, head]) =>
        chip(`head ${layer} ${head}`, [say("is_off", { layer, head })], say("switch_on_again", { layer, head })),
      ),
    );
  }
}
