// The attention of all heads as small pictures, and which head is the best for a relation.

import { say, titleOf } from "../language/say.js";
import { element, setAttributes, setText } from "../../base/js/elements.js";
import { ListBox } from "../../base/js/parts/list_box.js";

/** @import { TimeLapse } from "../view.js" */

export class HeadMaps {
  /** @param {TimeLapse} view */
  constructor(view) {
    this.view = view;
    this.key = "";
    this.choice = /** @type {HTMLSelectElement} */ (element("select", { class: "bvl-input" }));
    this.choice.append(
      ...view.run.texts.map((/** @type {string} */ text, /** @type {number} */ i) =>
        element("option", { value: i }, text),
      ),
    );
    view.life.listen(this.choice, "change", () => view.set({ text: Number(this.choice.value) }));
    this.list = new ListBox(view.life, {
      className: "bvl-heads",
      label: say("heads_label"),
      isHorizontal: true,
      chosen: () => view.option,
      choose: (index) => {
        view.set({ layer: Math.floor(index / view.run.heads), head: index % view.run.heads });
        this.list.options[index].focus({ preventScroll: true });
      },
      perLine: () => view.run.heads,
    });
    this.list.box.style.setProperty("--bvl-heads", String(view.run.heads));
    this.options = this.makeOptions();
    this.field = element("label", { class: "bvl-field" }, element("span", {}, say("attention_while")), this.choice);
    this.note = element("p", { class: "bvl-soft bvl-note" });
    this.overview = element("div", { class: "bvl-overview" }, this.list.box, this.note);
  }

  makeOptions() {
    const { heads, layers } = this.view.run;
    const name = (/** @type {string} */ text) => element("span", { "aria-hidden": "true", class: "bvl-soft" }, text);
    /** @type {{box: HTMLElement, canvas: HTMLCanvasElement, badge: HTMLElement}[]} */
    const options = [];
    const shown = [name(say("head")), ...Array.from({ length: heads }, (_, head) => name(String(head)))];
    for (let layer = 0; layer < layers; layer += 1) {
      shown.push(name(say("layer", { layer })));
      for (let head = 0; head < heads; head += 1) {
        const canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { "aria-hidden": "true" }));
        const badge = element("span", { class: "bvl-badge" });
        const box = element("div", { role: "option", class: "bvl-head", tabindex: -1 }, canvas, badge);
        options.push({ box, canvas, badge });
        shown.push(box);
      }
    }
    this.list.put(
      options.map(({ box }) => box),
      shown,
    );
    return options;
  }

  /** The heads that are best for a relation now, by their number; only where the ability is there by its score. */
  bestHeads() {
    /** @type {Map<number, string[]>} */
    const best = new Map();
    for (const [relation, [layer, head]] of Object.entries(this.view.moments[this.view.moment].heads)) {
      const ability = this.view.abilities.find(({ name }) => name === `head.${relation}`);
      const value = ability?.values[this.view.moment];
      if (!ability || ability.level === null || value === null || value === undefined || value < ability.level)
        continue;
      const option = layer * this.view.run.heads + head;
      best.set(option, [...(best.get(option) ?? []), relation]);
    }
    return best;
  }

  draw() {
    const { moment, codes, run } = this.view;
    const text = this.view.model.get("text");
    this.choice.value = String(text);
    const best = this.bestHeads();
    for (const [index, { box, badge }] of this.options.entries()) {
      const isChosen = index === this.view.option;
      const relations = best.get(index) ?? [];
      setText(badge, relations.map((relation) => relation[0].toUpperCase()).join(""));
      setAttributes(box, {
        "aria-selected": String(isChosen),
        tabindex: isChosen ? 0 : -1,
        "aria-label": nameWith(this.view.nameOf(index), relations, run.titles),
        title: this.view.nameOf(index),
      });
    }
    const marks = [...best].map(([option, relations]) => {
      const describe = (/** @type {string} */ relation) =>
        say("mark", {
          ...{ letter: relation[0].toUpperCase(), title: titleOf(`head.${relation}`, run.titles) },
          head: this.view.nameOf(option),
        });
      return relations.map(describe).join(" ");
    });
    const light = say(this.view.root.dataset.theme === "dark" ? "brighter" : "darker");
    setText(this.note, codes.problem || [...marks, light].join(" "));
    const key = [moment, text, this.view.root.dataset.theme, codes.codes.has(text)].join();
    if (key === this.key || !codes.codes.has(text)) return;
    this.key = key;
    for (const [index, { canvas }] of this.options.entries()) codes.paint(canvas, index);
  }
}

/**
 * A head, and what it is best at.
 * @param {string} head
 * @param {string[]} relations
 * @param {Record<string, string>} titles
 */
function nameWith(head, relations, titles) {
  if (relations.length === 0) return head;
  return say("option", { head, titles: relations.map((name) => titleOf(`head.${name}`, titles)).join(": ") });
}
