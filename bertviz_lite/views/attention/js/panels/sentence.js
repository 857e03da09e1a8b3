// The first line: the text that is read, to be typed anew, and what can be done with the whole view.

import { AskingField, askingLine } from "../../../base/js/asking/field.js";
import { sayUnknown } from "../../../base/js/asking/written.js";
import { element, setAttributes } from "../../../base/js/elements.js";
import { say } from "../../language/say.js";

/** @import { ExplorerState } from "../state.js" */

export class SentenceBar {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    const { model, life } = state;
    const field = (/** @type {string} */ trait, /** @type {string} */ label) =>
      new AskingField({
        model,
        life,
        asker: state.asker,
        trait,
        label,
        values: () => this.drafts,
        react: () => {
          state.hasAskedChange = false;
          state.soon("all");
        },
      });
    /** @type {AskingField[]} */
    this.fields = [field("text", say("sentence")), field("text_pair", say("and_second"))];
    this.line = askingLine(state.asker);
    this.line.box.classList.add("bvl-no-show");
    /** Both fields, so that they can be shown alone. */
    this.texts = element("div", { class: "bvl-texts bvl-no-show" }, ...this.fields.map(({ box }) => box));
    /** Buttons at the line's end. */
    this.tools = element("div", { class: "bvl-tools", role: "group", "aria-label": say("whole_view") });
    this.intro = element("p", { class: "bvl-soft bvl-intro" });
    this.box = element("div", { class: "bvl-ask" }, this.texts, this.intro, this.tools);
    this.intro.classList.add("bvl-no-show");
  }

  /** What stands in the fields. @returns {Record<string, string>} */
  get drafts() {
    return Object.fromEntries(this.fields.map(({ trait, draft }) => [trait, draft]));
  }

  /** Whether what is drawn is of another text than the one that stands in the fields. */
  get isStale() {
    return this.fields.some(({ trait, draft }) => draft !== this.state.model.get(trait));
  }

  draw() {
    const { _meta: meta, text } = this.state.traits;
    const isKnown = meta.can_ask || text !== "";
    for (const { box } of this.fields) box.hidden = !isKnown;
    this.fields[1].box.hidden ||= !meta.can_ask && this.fields[1].draft === "";
    for (const { input } of this.fields) setAttributes(input, { readonly: !meta.can_ask });
    for (const field of this.fields) field.draw();
    const { tokens } = meta.sides[0].kinds[this.state.traits.kind].queries;
    this.line.draw(this.isStale ? "" : sayUnknown(tokens, meta.texts));
    this.line.box.hidden = !isKnown;
    const problem = this.line.box.querySelector(".bvl-problem");
    if (problem && this.state.hasAskedChange) problem.toggleAttribute("hidden", true); // said where changes are
    this.intro.hidden = isKnown;
    const { layers, heads, queries } = this.state.shape();
    this.intro.textContent = say("intro", { tokens: queries.tokens.length, layers, heads });
  }
}
