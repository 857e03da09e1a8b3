// The attention explorer: all heads as small pictures, one head as a matrix and as ribbons, one pair of tokens as why.
// See view.py for the traits and for the names of the blocks.

import { answeredBy } from "../base/js/answering/model.js";
import { DrawnView } from "../base/js/drawn_view.js";
import { element } from "../base/js/elements.js";
import { sayCommon } from "../base/js/language/common.js";
import { inLanguage, languageButton } from "../base/js/language/shown.js";
import { whenPlaced } from "../base/js/life.js";
import { Hold } from "../base/js/parts/hold.js";
import { StateLink } from "../base/js/parts/link.js";
import { Presenter } from "../base/js/parts/present.js";
import { makeSwitch } from "../base/js/parts/switch.js";
import { takeAway } from "../base/js/parts/take_away.js";
import { followTheme } from "../base/js/theme.js";
import { HeadChips } from "./js/panels/chips.js";
import { FilterPanel } from "./js/panels/filters.js";
import { HeadMap } from "./js/panels/head_map.js";
import { Heading } from "./js/panels/heading.js";
import { Readout } from "./js/panels/readout.js";
import { Scale } from "./js/panels/scale.js";
import { SentenceBar } from "./js/panels/sentence.js";
import { WeightTable } from "./js/panels/table.js";
import { Tip } from "./js/panels/tip.js";
import { TopBar } from "./js/panels/top_bar.js";
import { Predictions } from "./js/panels/try/predictions.js";
import { TryPanel } from "./js/panels/try/try_it.js";
import { WhyPanel } from "./js/panels/why/why.js";
import { picturesOf } from "./js/pictures.js";
import { heightInSight, isSavedPage } from "../base/js/parts/room.js";
import { Stages } from "./js/stages.js";
import { ExplorerState, TRAITS } from "./js/state.js";
import { EXPLORER_ASKS, answer } from "./js/answers.js";
import { numbersOfStages, pictureOfStages } from "./js/canvas/takings.js";
import { say } from "./language/say.js";

/** @import { Panels } from "./js/state.js" */

/** @returns {[string, string][]} */
const explorerKeys = () => [
  ["↑ ↓", say("key_query")],
  ["← →", say("key_key")],
  [say("key_shift_arrows"), say("key_layer_head")],
  ["Home + End", say("key_first_last")],
  ["Enter", say("key_pin")],
  ["Esc", say("key_nothing")],
  ["M", say("key_mask")],
  ["+ + −", say("key_zoom")],
  ["Space", say("key_off")],
  ["1 + Q + A + Z", say("key_rows")],
];

/** Traits that a link holds, in the order in which they are set. */
const LINKED = [
  ...["kind", "side", "layer", "head", "heads", "aggregate", "query", "key"],
  ...["direction", "hide_special", "renormalise", "threshold", "mass", "words"],
];

/** Narrower views, in letters, are one column. */
const NARROW = 44;

/** A view that opens is not seen before the numbers of its first pictures are there, at most so long, in ms. */
const OPENING_MS = 1000;

/** Room below the pictures, and around, in letters; presented, the foot is in letters of its own. */
const [BELOW, BELOW_PRESENTED] = [1.6, 2.1];

export class AttentionView extends DrawnView {
  /**
   * @param {any} object the Python object, as a notebook or a saved page gives it
   * @param {HTMLElement} el
   */
  constructor(object, el) {
    super(object, "attention", say("view"), answeredBy(answer, EXPLORER_ASKS));
    const { model } = this;
    this.root.dir = "ltr"; // rows, ribbons and scrolling are laid out left to right, whatever is around
    /** Whether more than what is pointed at has changed. */
    this.isAllDue = false;
    this.room = { main: 0, stages: 0, tallest: 0 };
    const state = new ExplorerState(model, this.life, this.root, (what) => this.soon(what));
    this.state = state;
    state.read();
    this.link = new StateLink(model, this.life, LINKED, (name, value) => state.accepts(name, value));
    this.link.take();
    this.topBar = new TopBar(state);
    this.filters = new FilterPanel(state);
    this.heads = new HeadMap(state);
    this.heading = new Heading(state);
    this.chips = new HeadChips(state);
    this.tries = new TryPanel(state);
    this.stages = new Stages(
      state,
      () => this.drawNow(true),
      () => this.table.draw(),
      () => this.tries.replace(this.tries.maskToken),
    );
    this.scale = new Scale(state, this.stages);
    this.readout = new Readout(state, this.stages, this.heading);
    this.tip = new Tip(state);
    this.why = new WhyPanel(state, this.stages);
    this.effect = new Predictions(state);
    this.table = new WeightTable(state, this.stages, this.heading);
    this.table.box.classList.add("bvl-no-show");
    this.panels = this.makePanels();
    this.sentence = new SentenceBar(state);
    this.hold = new Hold(this.root, this.life, {
      place: this.readout.box,
      fields: this.sentence.texts,
      canType: state.traits._meta.can_ask,
      redraw: () => this.soon(),
    });
    this.presenter = this.makePresenter();
    this.sentence.tools.append(
      ...[this.hold.ask, this.hold.button, this.presenter.button, this.makeTake(), this.presenter.help],
      languageButton(this.life),
    );
    this.foot = element("div", { class: "bvl-foot" }, this.readout.detail, this.scale.box);
    this.oneHead = this.makeOneHead();
    this.main = this.makeMain();
    this.root.append(...this.arrange());
    el.append(this.root);
    followTheme(this.root, this.life);
    this.watchSize();
    this.watchTheme();
    this.life.follow(model, TRAITS, () => this.soon());
    whenPlaced(this.root, this.life, () => this.resized());
    /** @type {() => void} */
    this.open = () => {};
    this.opened = this.hideUntilDrawn();
    this.measure();
    this.drawNow(true);
    if (this.room.stages > 0) this.resized(); // the height that is left is known once all of it stands
  }

  makePresenter() {
    const { root, life, hold } = this;
    /** @type {[string, string][]} */
    const keys = [...explorerKeys(), ...hold.keys, ["?", sayCommon("these_keys")]];
    return new Presenter(root, life, keys, () => {
      hold.changed();
      this.resized();
    });
  }

  /** Hide the parts until the first pictures are drawn: drawn one after the other, each would move the others. */
  async hideUntilDrawn() {
    const { root, life } = this;
    root.classList.add("bvl-opening");
    await new Promise((open) => {
      this.open = () => open(undefined);
      const patience = setTimeout(this.open, OPENING_MS);
      life.endings.push(() => {
        clearTimeout(patience);
        this.open();
      });
    });
    root.classList.remove("bvl-opening");
  }

  /** Which pictures are drawn. */
  makePanels() {
    /** @type {[Panels, string][]} */
    const names = [
      ["both", say("both")],
      ["matrix", say("matrix")],
      ["ribbons", say("ribbons")],
    ];
    const made = makeSwitch(
      this.life,
      say("pictures"),
      names.map(([, name]) => name),
      (name) => {
        this.state.panels = names.find(([, other]) => other === name)?.[0] ?? null;
        this.soon();
      },
    );
    made.box.classList.add("bvl-panels", "bvl-no-show");
    return made;
  }

  makeTake() {
    const { state, stages, heading, readout } = this;
    return takeAway(this.life, {
      name: () => say("file_name", { title: heading.title.toLowerCase().replace(",", "") }),
      picture: () => pictureOfStages(state, stages, heading.title, this.hold.isHeld ? "" : readout.pointed),
      numbers: () => numbersOfStages(state, stages),
      link: this.link,
    });
  }

  makeOneHead() {
    this.chips.box.classList.add("bvl-no-show");
    return element(
      "section",
      { class: "bvl-one", "aria-label": say("one_head_label") },
      element("div", { class: "bvl-one-head" }, this.heading.heading, this.panels.box, this.chips.box),
      this.heading.claim,
      this.readout.box,
      this.stages.box,
      this.foot,
    );
  }

  makeMain() {
    const overview = element(
      "section",
      { class: "bvl-overview bvl-no-show", "aria-label": say("overview_label") },
      ...this.heads.boxes,
    );
    for (const { box } of [this.tries, this.filters]) box.classList.add("bvl-no-show");
    // What is clicked to change something comes before what changes.
    const parts = [overview, this.tries.box, this.effect.box, this.oneHead, this.filters.box];
    return element("div", { class: "bvl-main" }, ...parts);
  }

  arrange() {
    this.topBar.box.classList.add("bvl-no-show");
    return [
      this.sentence.box,
      this.sentence.line.box,
      this.topBar.box,
      this.main,
      this.why.picture.box,
      this.table.box,
      this.presenter.panel,
      this.tip.box,
    ];
  }

  // ---- size, letters and colours

  measure() {
    const { root, stages, state } = this;
    const { size } = state.theme;
    const place = root.getBoundingClientRect();
    const above = stages.box.getBoundingClientRect().top - place.top + root.scrollTop;
    // On a page of its own the view begins below a heading; in a notebook, or far down, it is scrolled to the top.
    const begin = isSavedPage(this.model) ? place.top + window.scrollY : 0;
    const head = begin > window.innerHeight / 2 ? 0 : Math.min(begin, 7 * size);
    const inSight = this.presenter.isOn ? window.innerHeight : heightInSight(root) - Math.max(0, head);
    const left = inSight - above - this.foot.offsetHeight - (this.presenter.isOn ? BELOW_PRESENTED : BELOW) * size;
    const isNarrow = root.clientWidth < NARROW * size;
    const most = this.presenter.isOn ? Infinity : 34 * size;
    const tallest = Math.min(most, isNarrow ? 0.7 * inSight : left);
    this.room = {
      main: root.clientWidth,
      stages: stages.box.clientWidth,
      tallest: Math.round(Math.max(15 * size, tallest)),
    };
  }

  /** Lay out again for the room that there is. */
  resized() {
    if (this.life.controller.signal.aborted) return;
    this.state.forgetTheme(); // the letters may be of another size now
    this.measure();
    this.drawNow(true);
    const { tallest } = this.room;
    this.measure();
    if (tallest !== this.room.tallest) this.drawNow(true);
  }

  watchSize() {
    const resized = () => {
      this.state.forgetTheme();
      this.measure();
      this.soon();
    };
    // Only widths: heights change with what is drawn, and to draw again for them could go on for ever.
    const observer = new ResizeObserver(() => {
      const { main, stages } = this.room;
      if (this.root.clientWidth !== main || this.stages.box.clientWidth !== stages) resized();
    });
    observer.observe(this.stages.box);
    observer.observe(this.root);
    this.life.listen(window, "resize", resized);
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
      this.oneHead.setAttribute("aria-label", this.heading.title);
    }
    if (this.room.stages === 0) return;
    this.heads.draw(this.room.main);
    this.stages.draw({ width: this.room.stages, tallest: this.room.tallest }, this.heading.title);
    this.scale.draw();
    if (all) this.drawAround();
    this.readout.draw();
    this.drawTip();
    this.why.draw();
    this.tries.draw();
    if (all) this.table.draw();
    if (this.state.store.coming.size === 0) this.open();
  }

  /** What depends on which pictures there are. */
  drawAround() {
    const { stages, panels, chips } = this;
    this.filters.drawRule(stages.sums);
    panels.show(stages.panels);
    panels.buttons[0].hidden = !stages.hasRoom;
    chips.draw();
    chips.box.hidden ||= stages.panels === "matrix";
    const { _meta: meta } = this.state.traits;
    const text = meta.sides[0].kinds[this.state.traits.kind].queries.tokens.join(" ");
    stages.hold([text, this.room.stages, this.room.tallest, this.state.panels].join());
  }

  /** The number beside the pointer or, of a pair that keys have gone to, beside the pair. */
  drawTip() {
    const { state, heads, tip, readout, stages } = this;
    const { tip: head } = heads;
    if (head.length > 0) tip.show(head, heads.mouse);
    else if (state.mouse) tip.show(readout.tip, state.mouse);
    else if (state.cursor && state.isByKeys) {
      const stage = stages.list.find(({ picture }) => picture.side === state.lastSide) ?? stages.list[0];
      const { left, top } = stage.panel.box.getBoundingClientRect();
      const { x, y } = stage.panel.placeOf(state.cursor);
      tip.show(readout.tip, { x: left + x, y: top + y });
    } else tip.show([], null);
  }

  drawControls() {
    this.sentence.draw();
    this.topBar.draw();
    this.filters.draw();
    this.effect.draw();
    const isStale = this.sentence.isStale || this.state.asker.busy;
    for (const part of [this.main, this.why.picture.box, this.table.box]) part.classList.toggle("bvl-stale", isStale);
    this.root.setAttribute("aria-busy", String(this.state.isBusy));
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
 * @returns {Promise<() => void>} takes the view down again
 */
async function render({ model, el }) {
  const { first, end } = inLanguage(model, el, () => new AttentionView(model, el));
  await first.opened;
  return end;
}

export default { render };
