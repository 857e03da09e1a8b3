// Two lists that cut A and B out of stories.

import { element } from "../../base/js/elements.js";
import { findPick, textsOf } from "./stories.js";
import { say } from "../language/say.js";

/** @import { PairView } from "../view.js" */
/** @import { Cut, Story } from "./stories.js" */

export class StoryPicks {
  /** @param {PairView} view */
  constructor(view) {
    this.view = view;
    /** @type {Story[]} */
    this.stories = view.model.get("_stories");
    this.parts = this.stories.length > 0 ? { a: this.make("a"), b: this.make("b") } : null;
    this.boxes = this.parts ? [this.parts.a.box, this.parts.b.box] : [];
  }

  /** @param {"a" | "b"} part */
  make(part) {
    const { asker, life } = this.view;
    const name = part.toUpperCase();
    const list = (/** @type {string} */ label) =>
      /** @type {HTMLSelectElement} */ (element("select", { "aria-label": label, disabled: asker.isSaved }));
    const story = list(say("from_story", { name }));
    const cut = list(say("cut_after", { name }));
    story.append(
      element("option", { value: -1 }, "–"),
      ...this.stories.map((each, i) => element("option", { value: i }, each.name)),
    );
    const box = element(
      "span",
      { class: "bvl-field bvl-pick" },
      element("span", {}, part === "a" ? say("up_to_cut") : say("from_cut")),
      element("span", { class: "bvl-pick-row" }, story, cut),
    );
    life.listen(story, "change", () => {
      const number = Number(story.value);
      if (number < 0) return;
      const most = this.stories[number].sentences.length - 1;
      this.choose(part, { story: number, cut: Math.min(Math.max(1, Number(cut.value)), most) });
    });
    life.listen(cut, "change", () => {
      if (Number(story.value) >= 0) this.choose(part, { story: Number(story.value), cut: Number(cut.value) });
    });
    return { box, story, cut, /** how many cuts it offers */ cuts: -1 };
  }

  /**
   * @param {"a" | "b"} part
   * @param {Cut} chosen
   */
  choose(part, chosen) {
    const texts = textsOf(this.stories, { a: chosen, b: chosen });
    const [a, b] = this.view.fields;
    this.view.write(part === "a" ? [texts.first, b.draft] : [a.draft, texts.second]);
  }

  draw() {
    if (!this.parts) return;
    const { facts, asker } = this.view;
    const cuts = findPick(this.stories, facts.first, facts.second);
    for (const part of /** @type {("a" | "b")[]} */ (["a", "b"])) {
      const [pick, chosen] = [this.parts[part], cuts[part]];
      pick.story.value = String(chosen?.story ?? -1);
      const count = chosen ? this.stories[chosen.story].sentences.length - 1 : 0;
      if (pick.cuts !== count) {
        pick.cuts = count;
        const name = (/** @type {number} */ cut) =>
          say("cut_range", part === "a" ? { from: 1, to: cut } : { from: cut + 1, to: count + 1 });
        const options = Array.from({ length: count }, (_, i) => element("option", { value: i + 1 }, name(i + 1)));
        pick.cut.replaceChildren(...options);
      }
      pick.cut.disabled = asker.isSaved || chosen === null;
      if (chosen) pick.cut.value = String(chosen.cut);
    }
  }
}
