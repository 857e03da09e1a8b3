// The attention explorer: all heads as small pictures, one head as a matrix and as ribbons, one pair of tokens as why.
// See view.py for the traits and for the names of the blocks.

import { DrawnView } from "../base/js/drawn_view.js";
import { element, setText } from "../base/js/elements.js";
import { whenPlaced } from "../base/js/life.js";
import { followTheme } from "../base/js/theme.js";
import { HeadChips } from "./js/panels/chips.js";
import { FilterPanel } from "./js/panels/filters.js";
import { HeadMap } from "./js/panels/head_map.js";
import { Heading } from "./js/panels/heading.js";
import { Readout } from "./js/panels/readout.js";
import { Scale } from "./js/panels/scale.js";
import { WeightTable } from "./js/panels/table.js";
import { TopBar } from "./js/panels/top_bar.js";
import { TryPanel } from "./js/panels/try_it.js";
import { WhyPanel } from "./js/panels/why.js";
import { picturesOf } from "./js/pictures.js";
import { Stages } from "./js/stages.js";
import { ExplorerState, TRAITS } from "./js/state.js";

const KEYS_HELP = [
  ["↑ ↓", "query"],
  ["← →", "key"],
  ["Shift + arrows", "layer, head"],
  ["Home End", "first, last key"],
  ["Enter", "pin"],
  ["Esc", "unpin"],
  ["+ −", "enlarge"],
];

export class AttentionView extends DrawnView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    super(model, "attention", "Attention explorer");
    this.root.dir = "ltr"; // rows, ribbons and scrolling are laid out left to right, whatever is around
    /** Whether more than what is pointed at has changed. */
    this.isAllDue = false;
    this.room = { main: 0, stages: 0 };
    const state = new ExplorerState(model, this.life, this.root, (what) => this.soon(what));
    this.state = state;
    this.topBar = new TopBar(state);
    this.filters = new FilterPanel(state);
    this.heads = new HeadMap(state);
    this.heading = new Heading(state);
    this.chips = new HeadChips(state);
    this.stages = new Stages(
      state,
      () => this.drawNow(true),
      () => this.table.draw(),
    );
    this.scale = new Scale(state, this.stages);
    this.readout = new Readout(state, this.stages, this.heading);
    this.why = new WhyPanel(state, this.stages);
    this.tries = new TryPanel(state);
    this.table = new WeightTable(state, this.stages, this.heading);
    this.problem = element("p", { class: "bvl-problem", role: "status" });
    this.keys = this.makeKeys();
    this.oneHead = this.makeOneHead();
    this.root.append(...this.arrange());
    el.append(this.root);
    followTheme(this.root, this.life);
    this.watchSize();
    this.watchTheme();
    this.life.follow(model, TRAITS, () => this.soon());
    whenPlaced(this.root, this.life, () => {
      this.measure();
      this.drawNow(true);
    });
    if (this.root.getBoundingClientRect().width > 0) this.measure();
    this.drawNow(true);
  }

  makeKeys() {
    const items = KEYS_HELP.map(([keys, what]) => {
      const names = keys.split(" + ").map((key) => element("kbd", {}, key));
      return element("span", {}, ...names, ` ${what}`);
    });
    return { box: element("p", { class: "bvl-keys bvl-soft" }, ...items), enlarge: items[items.length - 1] };
  }

  makeOneHead() {
    return element(
      "section",
      { class: "bvl-one", "aria-label": "One head" },
      ...this.heading.boxes,
      this.chips.box,
      this.stages.box,
      this.scale.box,
      ...this.readout.boxes,
      this.keys.box,
    );
  }

  arrange() {
    const overview = element(
      "section",
      { class: "bvl-overview", "aria-label": "All layers and heads, and what is drawn" },
      element("h4", { class: "bvl-title" }, "All layers and heads"),
      ...this.heads.boxes,
      this.filters.box,
    );
    const main = element("div", { class: "bvl-main" }, overview, this.oneHead);
    // Changing a token comes right below the tokens; where nothing can be run, that note comes last.
    const panels = this.model.get("_meta").can_run ? [this.tries.box, this.why.box] : [this.why.box, this.tries.box];
    return [this.topBar.box, this.problem, main, ...panels, this.table.box];
  }

  // ---- size, letters and colours

  measure() {
    this.room = { main: this.root.clientWidth, stages: this.stages.box.clientWidth };
  }

  watchSize() {
    const observer = new ResizeObserver(() => {
      this.state.forgetTheme(); // the letters may be of another size now
      this.measure();
      this.soon();
    });
    observer.observe(this.stages.box);
    observer.observe(this.root);
    this.life.endings.push(() => observer.disconnect());
  }

  watchTheme() {
    const readAgain = () => {
      this.state.forgetTheme();
      this.soon();
    };
    const observer = new MutationObserver(readAgain);
    observer.observe(this.root, { attributes: true, attributeFilter: ["data-theme"] });
    // Notebooks change colours by attributes above us without changing light to dark; read them again then, too.
    const attributeFilter = ["class", "data-jp-theme-name", "style"];
    observer.observe(document.body, { attributes: true, attributeFilter });
    this.life.endings.push(() => observer.disconnect());
    const watchDensity = () => {
      const density = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
      const change = () => {
        readAgain();
        watchDensity();
      };
      this.life.listen(density, "change", change, { once: true });
    };
    watchDensity();
  }

  // ---- from state to page

  /** Draw once for any number of changes in the same moment. @param {"focus" | "all"} [what] */
  soon(what = "all") {
    this.isAllDue ||= what === "all";
    super.soon();
  }

  draw() {
    this.drawNow(this.isAllDue);
  }

  /** @param {boolean} all else only what follows the pointer */
  drawNow(all) {
    if (this.life.controller.signal.aborted) return;
    if (all) {
      this.isAllDue = false;
      this.state.read();
      this.drawControls();
      this.stages.take(picturesOf(this.state));
      this.heading.draw();
      this.oneHead.setAttribute("aria-label", this.heading.name);
      this.chips.draw();
    }
    if (this.room.stages === 0) return;
    this.heads.draw(this.room.main);
    this.stages.draw(this.room.stages, this.heading.title);
    this.scale.draw();
    this.keys.enlarge.hidden = this.scale.zoom.hidden;
    if (all) this.filters.drawRule(this.stages.sums);
    this.readout.draw();
    this.why.draw();
    this.tries.draw();
    if (all) this.table.draw();
  }

  drawControls() {
    const { _busy: busy, _problem: problem } = this.state.traits;
    this.topBar.draw();
    this.filters.draw();
    this.root.setAttribute("aria-busy", String(Boolean(busy)));
    setText(this.problem, problem ?? "");
    this.problem.hidden = !problem;
  }

  end() {
    this.stages.end();
    this.heads.overview.free();
    super.end();
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  const view = new AttentionView(model, el);
  return () => view.end();
}

export default { render };
