// The trace view: the path of one tensor, step by step; modules are opened and closed on the way.
// See view.py for the traits.

import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText } from "../base/js/elements.js";
import { onKeys } from "../base/js/keys.js";
import { sayCommon } from "../base/js/language/common.js";
import { inLanguage } from "../base/js/language/shown.js";
import { whenPlaced } from "../base/js/life.js";
import { FoldedTable } from "../base/js/parts/folded_table.js";
import { StateLink, isIndexIn } from "../base/js/parts/link.js";
import { Tools } from "../base/js/parts/tools.js";
import { followTheme } from "../base/js/theme.js";
import { changeOf, figuresOf } from "./language/changes.js";
import { boxOf, colourOf, drawBox, highOf, newAxes } from "./js/boxes.js";
import { after, around, commandOf, ownName, readPath, stopFor, stopsOf } from "./js/path.js";
import { say } from "./language/say.js";

/** @import { Axis, Item, Place } from "./js/path.js" */

/** @returns {[string, string][]} */
const traceKeys = () => [
  ["← + →", say("key_step")],
  ["Shift + ←", say("key_out")],
  ["Shift + →", say("key_into")],
  ["Enter", say("key_open")],
  ["Home + End", say("key_ends")],
];

const TRACE_TRAITS = ["value", "step", "collapsed"];

/** @typedef {{row: HTMLElement, at: number, isStop: boolean}} Row a line of the tree */

class TraceView extends DrawnView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    super(model, "trace", say("view", { model: model.get("_trace").model }));
    this.trace = model.get("_trace");
    this.path = readPath(this.trace, model.get("value"));
    /** @type {Row[]} */
    this.rows = [];
    this.rowsFor = "";
    /** Where a reader stops, as things are closed now. @type {number[]} */
    this.stops = [];
    this.controls = this.makeControls();
    this.tree = element("div", { class: "bvl-tree", role: "tree", "aria-label": say("steps_label") });
    this.crumbs = element("nav", { class: "bvl-crumbs", "aria-label": say("crumbs_label") });
    this.heading = element("h4", { class: "bvl-heading" });
    this.picture = element("div", { class: "bvl-hop" });
    this.sentence = element("p", { class: "bvl-change" });
    this.live = element("p", { class: "bvl-heard", "aria-live": "polite", "aria-atomic": "true" });
    this.facts = element("dl", { class: "bvl-facts" });
    this.table = new FoldedTable(this.life, {
      summary: say("as_table"),
      label: say("steps"),
      read: () => this.readTable(),
      className: "bvl-numbers",
    });
    const problem = element("p", { class: "bvl-problem", role: "status" }, `✗ ${this.trace.failure}`);
    this.link = new StateLink(model, this.life, TRACE_TRAITS, (name, value) => this.accepts(name, value));
    this.tools = new Tools(this, {
      keys: traceKeys(),
      name: () => say("file_name", { name: this.path.name }),
      numbers: () => {
        const { columns, rows } = this.readTable();
        return [columns, ...rows];
      },
      link: this.link,
    });
    this.table.box.classList.add("bvl-no-show");
    this.root.append(
      ...(this.trace.failure ? [problem] : []),
      this.tools.after(this.controls.box),
      this.tools.panel,
      element(
        "div",
        { class: "bvl-columns" },
        this.tree,
        element("div", { class: "bvl-here" }, this.crumbs, this.heading, this.picture, this.sentence, this.facts),
      ),
      this.live,
      this.table.box,
    );
    el.append(this.root);
    onKeys(this.life, this.root, (event) => this.key(event), { shift: true });
    this.life.listen(this.tree, "click", (event) => this.click(event));
    followTheme(this.root, this.life);
    whenPlaced(this.root, this.life, () => this.reveal());
    this.life.follow(model, TRACE_TRAITS, () => this.soon());
    this.link.take();
    this.draw();
  }

  /** @param {string} name @param {any} value */
  accepts(name, value) {
    if (name === "value") return Object.hasOwn(this.trace.paths, value);
    if (name === "step") return isIndexIn(value, readPath(this.trace, this.model.get("value")).items.length);
    return value.every((/** @type {unknown} */ path) => typeof path === "string");
  }

  /** @returns {Place} */
  get now() {
    const step = Math.min(this.model.get("step"), this.path.items.length - 1);
    return { step, collapsed: this.model.get("collapsed") };
  }

  get closed() {
    return new Set(/** @type {string[]} */ (this.model.get("collapsed")));
  }

  get here() {
    return stopFor(this.path, this.closed, this.now.step);
  }

  /** @param {string} command */
  go(command) {
    const goal = after(this.path, this.now, command);
    if (goal) this.set({ ...goal });
    return goal !== null;
  }

  makeControls() {
    const names = Object.keys(this.trace.paths);
    const value = /** @type {HTMLSelectElement} */ (
      element("select", {}, ...names.map((name) => element("option", { value: name }, name)))
    );
    this.life.listen(value, "change", () => this.set({ value: value.value, step: 0 }));
    /** @type {Record<string, HTMLButtonElement>} */
    const buttons = {};
    const make = (/** @type {string} */ command, /** @type {string} */ sign, /** @type {string} */ name) => {
      const button = /** @type {HTMLButtonElement} */ (
        element("button", { type: "button", "aria-label": name, title: name }, sign)
      );
      this.life.listen(button, "click", () => this.go(command));
      buttons[command] = button;
      return button;
    };
    const slider = /** @type {HTMLInputElement} */ (
      element("input", { type: "range", min: 0, step: 1, "aria-label": say("step_label") })
    );
    this.life.listen(slider, "input", () => this.set({ step: stopsOf(this.path, this.closed)[Number(slider.value)] }));
    const box = element(
      "div",
      { class: "bvl-bar" },
      element("label", {}, say("follow"), value),
      element(
        "div",
        { class: "bvl-buttons", role: "group", "aria-label": say("walk") },
        make("first", "⇤", say("first")),
        make("back", "←", say("back")),
        make("forward", "→", say("forward")),
        make("last", "⇥", say("last")),
        make("out", say("out"), say("out_title")),
        make("into", say("into"), say("into_title")),
      ),
      element("span", { class: "bvl-slider" }, slider),
    );
    return { box, value, buttons, slider };
  }

  // ---- what the reader does

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant something */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    // A button is pressed by Enter, a summary unfolded, a list and a slider moved by arrows: those keys are theirs.
    if (target.closest("select, .bvl-scroll")) return false;
    if (event.key === "Enter" && target.closest("button, summary")) return false;
    if (target.closest("input") && !event.shiftKey && !["[", "]", "Enter"].includes(event.key)) return false;
    const command = commandOf(event);
    if (!command) return false;
    const inTree = this.tree.contains(target);
    this.go(command);
    if (inTree) queueMicrotask(() => this.focusTree());
    return true;
  }

  focusTree() {
    const row = this.rows.find(({ at, isStop }) => isStop && at === this.here)?.row;
    row?.focus({ preventScroll: true });
  }

  /** @param {MouseEvent} event */
  click(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const line = this.rows.find(({ row }) => row.contains(target));
    if (!line) return;
    const item = this.path.items[line.at];
    const closed = this.closed;
    const isClosed = closed.has(item.path);
    if (item.inside.length > 0 && (!isClosed || target.closest(".bvl-fold"))) {
      if (isClosed) closed.delete(item.path);
      else closed.add(item.path);
      this.set({ step: stopFor(this.path, closed, line.at), collapsed: [...closed] });
    } else {
      this.set({ step: line.at });
    }
    queueMicrotask(() => this.focusTree());
  }

  // ---- from state to page

  draw() {
    const value = this.model.get("value");
    if (this.path.name !== value) this.path = readPath(this.trace, value);
    this.stops = stopsOf(this.path, this.closed);
    this.drawTree();
    this.drawControls();
    this.drawHere();
    this.table.draw();
  }

  drawTree() {
    const { path, closed } = this;
    const made = JSON.stringify([path.name, [...closed].sort()]);
    if (made !== this.rowsFor) {
      const hadFocus = this.tree.contains(document.activeElement);
      this.rowsFor = made;
      this.rows = [];
      /** @param {number} at */
      const visit = (at) => {
        const item = path.items[at];
        const opens = item.inside.length > 0;
        const open = opens && !closed.has(item.path);
        this.rows.push({ row: this.makeRow(item, opens, open), at, isStop: !open });
        if (open) item.inside.forEach(visit);
      };
      visit(0);
      path.items.forEach((item) => {
        if (item.at > 0 && item.parent === 0) visit(item.at);
      });
      this.tree.replaceChildren(...this.rows.map(({ row }) => row));
      if (hadFocus) this.focusTree();
    }
    const { here } = this;
    for (const { row, at, isStop } of this.rows) {
      const chosen = isStop && at === here;
      setAttributes(row, { "aria-selected": String(chosen), tabindex: chosen ? 0 : -1 });
    }
    this.reveal();
  }

  /**
   * @param {Item} item
   * @param {boolean} opens
   * @param {boolean} open
   */
  makeRow(item, opens, open) {
    const name = item.at === 0 ? [item.name] : item.isModule ? [ownName(this.path, item), item.name] : [item.name];
    const row = element("div", {
      class: `bvl-row ${item.isModule ? "bvl-module" : "bvl-operation"}${item.failed ? " bvl-failed" : ""}`,
      role: "treeitem",
      "aria-level": item.depth + 1,
      "aria-expanded": opens ? String(open) : null,
    });
    row.style.paddingInlineStart = `${0.3 + 0.8 * item.depth}em`;
    row.append(element("span", { class: "bvl-fold", "aria-hidden": "true" }, opens ? (open ? "▾" : "▸") : ""));
    row.append(element("span", { class: "bvl-name" }, `${item.failed ? "✗ " : ""}${name[0]}`));
    if (name[1] && name[1] !== name[0]) row.append(element("span", { class: "bvl-soft" }, name[1]));
    return row;
  }

  /** Scroll the tree, and nothing but it. */
  reveal() {
    const row = this.rows.find(({ at, isStop }) => isStop && at === this.here)?.row;
    if (!row) return;
    if (row.offsetTop < this.tree.scrollTop) this.tree.scrollTop = row.offsetTop;
    const below = row.offsetTop + row.offsetHeight - this.tree.clientHeight;
    if (below > this.tree.scrollTop) this.tree.scrollTop = below;
  }

  drawControls() {
    const { value, buttons, slider } = this.controls;
    const { stops, here, path } = this;
    const index = stops.indexOf(here);
    value.value = path.name;
    slider.max = String(stops.length - 1);
    slider.value = String(index);
    slider.setAttribute("aria-valuetext", this.headline());
    for (const [command, button] of Object.entries(buttons)) {
      // Not "disabled", which would drop the focus of a reader who holds the button down.
      button.setAttribute("aria-disabled", String(after(path, this.now, command) === null));
    }
  }

  headline() {
    const { stops, here, path } = this;
    const item = path.items[here];
    const number = stops.indexOf(here);
    if (number === 0) return say("start", { name: item.name });
    const name = item.isModule ? `${ownName(path, item)}${item.path ? ` (${item.name})` : ""}` : item.name;
    return say("headline", { number, count: stops.length - 1, name });
  }

  drawHere() {
    const { path, here } = this;
    const item = path.items[here];
    this.drawCrumbs(here);
    setText(this.heading, this.headline());
    this.drawPicture(item);
    setText(this.sentence, changeOf(item.change));
    this.sentence.classList.toggle("bvl-failed", item.failed);
    setText(this.live, say("heard", { headline: this.headline(), change: changeOf(item.change) }));
    /** @type {[string, Node | string][]} */
    const facts = [];
    if (item.inside.length > 0) {
      facts.push([say("closed"), say("closed_text")]);
    }
    if (item.others.length > 0) facts.push([say("goes_in"), item.others.join(sayCommon("comma"))]);
    if (item.parameters > 0) facts.push([say("parameters"), item.parameters.toLocaleString("en")]);
    if (item.weights) facts.push([say("weights"), item.weights]);
    if (item.numbers) facts.push([say("comes_out"), figuresOf(item.numbers)]);
    if (item.place) {
      const line = element("span", {}, element("span", { class: "bvl-mono" }, item.place));
      if (item.code) line.append(element("code", { class: "bvl-code bvl-mono" }, item.code));
      facts.push([say("line"), line]);
    }
    const unsure = [item.before, item.after].some((axes) => axes?.some(({ text }) => text.endsWith("?")));
    if (unsure) facts.push(["?", changeOf(this.trace.legend)]);
    this.facts.replaceChildren(
      ...facts.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))),
    );
  }

  /** @param {number} here */
  drawCrumbs(here) {
    const { path } = this;
    const list = element("ol");
    for (const at of around(path, here)) {
      const item = path.items[at];
      const button = element(
        "button",
        { type: "button", title: say("close", { name: item.path || item.name }) },
        ownName(path, item),
      );
      // Not by life.listen: crumbs come and go with every step, and their listeners with them.
      button.addEventListener("click", () =>
        this.set({ step: at, collapsed: [...new Set([...this.closed, item.path])] }),
      );
      list.append(element("li", {}, button));
    }
    this.crumbs.replaceChildren(list);
  }

  /** @param {Item} item */
  drawPicture(item) {
    // At the start the end is shown, too: what all of the path makes of the tensor.
    const end = item.at === 0 ? (this.path.items.filter(({ at, after: axes }) => at > 0 && axes).at(-1) ?? null) : null;
    const drawn = [item.before, item.after, end?.after ?? null];
    const sizes = drawn.flatMap((axes) => (axes ?? []).slice(-2).map(({ size }) => size));
    const largest = Math.max(2, ...sizes);
    const room = Math.max(...drawn.map((axes) => (axes ? highOf(boxOf(axes, largest)) : 0)));
    this.picture.style.setProperty("--bvl-room", String(room));
    const parts = [];
    if (item.at > 0) {
      parts.push(this.makeTensor(say("in"), item.before, null, largest, room));
      const name = item.isModule ? ownName(this.path, item) : item.name;
      parts.push(
        element(
          "div",
          { class: "bvl-done" },
          element("span", { class: "bvl-mono" }, name),
          element("span", { class: "bvl-to", "aria-hidden": "true" }),
        ),
      );
    }
    if (item.failed) {
      parts.push(element("p", { class: "bvl-tensor bvl-failed bvl-end" }, say("failed")));
    } else {
      const [what, before] = item.at > 0 ? [say("goes_out"), item.before] : [say("in"), null];
      parts.push(this.makeTensor(what, item.after, before, largest, room));
    }
    if (end) {
      parts.push(
        element(
          "div",
          { class: "bvl-done" },
          element("span", {}, say("count", { count: this.path.items.length - 1 })),
          element("span", { class: "bvl-to", "aria-hidden": "true" }),
        ),
        this.makeTensor(say("at_end"), end.after, item.after, largest, room),
      );
    }
    this.picture.replaceChildren(...parts);
  }

  /**
   * @param {string} what
   * @param {Axis[] | null} axes
   * @param {Axis[] | null} before to mark what is new against it
   * @param {number} largest
   * @param {number} room height of the picture
   */
  makeTensor(what, axes, before, largest, room) {
    const figure = element("figure", { class: "bvl-tensor" });
    const caption = element("figcaption", { class: "bvl-soft" }, what);
    if (!axes) {
      figure.append(caption, element("p", {}, say("no_tensor")));
      return figure;
    }
    const { signs } = boxOf(axes, largest);
    const marks = newAxes(before, axes);
    const list = element("ul");
    axes.forEach((axis, i) => {
      list.append(
        element(
          "li",
          { class: `${colourOf(axis.name)}${marks[i] ? " bvl-new" : ""}` },
          element("span", { class: "bvl-swatch", "aria-hidden": "true" }),
          element("span", { "aria-hidden": "true" }, `${signs[i]} `),
          axis.text,
          marks[i] ? say("new") : "",
        ),
      );
    });
    if (axes.length === 0) list.append(element("li", {}, say("one_number")));
    figure.append(caption, drawBox(axes, largest, room), list);
    return figure;
  }

  readTable() {
    const { path, here } = this;
    const shape = (/** @type {Axis[] | null} */ axes) => (axes ? `[${axes.map(({ text }) => text).join(", ")}]` : "–");
    const rows = this.stops.map((at) => {
      const item = path.items[at];
      const name = item.at === 0 ? item.name : item.isModule ? item.path || item.name : `${item.path}: ${item.name}`;
      return [name, shape(item.before), shape(item.after), changeOf(item.change), item.place];
    });
    const columns = [say("column_step"), say("in"), say("goes_out"), say("what_changes"), say("column_line")];
    return { columns, rows, current: this.stops.indexOf(here) };
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  return inLanguage(model, el, () => new TraceView(model, el)).end;
}

export default { render };
