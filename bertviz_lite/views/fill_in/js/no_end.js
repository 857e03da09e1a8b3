// Nobody types a full stop on a phone, and then BERT expects one in place of the last word: say so, and add it.

import { element, setText } from "../../base/js/elements.js";
import { listed } from "./rows.js";
import { endedWith, quoted } from "./words.js";
import { say } from "../language/say.js";

/** @import { FillIn } from "../view.js" */

const FULL_STOPS = [".", "。"];

export class NoEnd {
  /** @param {FillIn} view */
  constructor(view) {
    this.view = view;
    /** The text with the mark that it lacks, if it lacks one. @type {string | null} */
    this.ended = null;
    this.said = element("span");
    this.button = element("button", { type: "button" });
    this.box = element("p", { class: "bvl-no-end", hidden: true }, this.said);
    if (!view.asker.isSaved) this.box.append(" ", this.button);
    view.life.listen(this.button, "click", () => {
      const number = view.mask;
      if (this.ended === null) return;
      view.write([this.ended], () => view.set({ mask: number }));
      const masks = view.sentence.box.querySelectorAll(".bvl-masked");
      /** @type {HTMLElement} */ (masks[masks.length - 1]).focus(); // this button goes
    });
  }

  draw() {
    const { isRead, rows, facts, draft, maskToken } = this.view;
    const [best] = listed(rows[rows.length - 1], facts.layers - 1, 1, []);
    this.ended = isRead ? endedWith(draft, maskToken, best.word) : null;
    this.box.hidden = this.ended === null;
    if (this.ended === null) return;
    const isFullStop = FULL_STOPS.includes(best.word);
    setText(this.said, say(isFullStop ? "no_full_stop" : "no_end_mark"));
    setText(this.button, isFullStop ? say("add_full_stop") : say("add_end_mark", { mark: quoted(best.word) }));
  }
}
