// The trace view: the path of one tensor, step by step; modules are opened and closed on the way.
// Follows common.js in one module; see view.py for the traits.

import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText, svgElement } from "../base/js/elements.js";
import { whenPlaced } from "../base/js/life.js";
import { followTheme } from "../base/js/theme.js";

/**
 * @typedef {object} Axis
 * @property {number} size
 * @property {string} name "" where it has none
 * @property {string} text as it is shown: "seq_len=7"
 */

/**
 * @typedef {object} Item one step of a path
 * @property {number} at its place on the path; 0 is the tensor as it comes in
 * @property {boolean} isModule
 * @property {string} name class of a module, or the operation as it is written
 * @property {string} path of the module that it is, or that it is in
 * @property {number} parent place of the module around it; 0 if there is none
 * @property {number} depth modules around it
 * @property {boolean} failed
 * @property {number} parameters
 * @property {string} place file and line
 * @property {string} code the line itself
 * @property {string} weights its own parameters
 * @property {string} numbers what is in its outputs, where that was asked for
 * @property {Axis[] | null} before what comes in of the tensor that is followed
 * @property {Axis[] | null} after what goes out
 * @property {string} change one sentence
 * @property {string[]} others what else goes in
 * @property {number[]} inside places of the steps directly inside; empty for what cannot be opened
 */

/**
 * @typedef {object} Path
 * @property {string} name
 * @property {Item[]} items by place; the first is the start
 */

/**
 * One path, from what Python sent.
 * @param {any} trace
 * @param {string} name
 * @returns {Path}
 */
export function readPath(trace, name) {
  const { texts, shapes, nodes } = trace;
  const { start, hops } = trace.paths[name];
  /** @param {number} number */
  const shape = (number) => {
    if (number < 0) return null;
    return shapes[number].map((/** @type {any[]} */ [size, axis, text]) => ({ size, name: axis, text }));
  };
  /** @type {Item} */
  const first = {
    at: 0,
    isModule: false,
    name,
    path: "",
    parent: 0,
    depth: 0,
    failed: false,
    parameters: 0,
    place: "",
    code: "",
    weights: "",
    numbers: "",
    before: null,
    after: shape(start),
    change: `Here ${name} comes in.`,
    others: [],
    inside: [],
  };
  const items = [first];
  /** Place on this path by the step's index in the trace. @type {Map<number, number>} */
  const placeOf = new Map();
  for (const [node, comesIn, goesOut, change, others] of hops) {
    const [index, isModule, title, path, parent, , failed, parameters, place, code, numbers, weights] = nodes[node];
    const at = items.length;
    placeOf.set(index, at);
    const outer = placeOf.get(parent) ?? 0;
    items.push({
      at,
      isModule: isModule === 1,
      name: texts[title],
      path: texts[path],
      parent: outer,
      depth: outer ? items[outer].depth + 1 : 0,
      failed: failed === 1,
      parameters,
      place: texts[place],
      code: texts[code],
      numbers: texts[numbers],
      weights: texts[weights],
      before: shape(comesIn),
      after: shape(goesOut),
      change: texts[change],
      others: others.map((/** @type {number} */ number) => texts[number]),
      inside: [],
    });
    // A module that cannot be opened (it is one plain operation) keeps its step to itself.
    if (outer && nodes[hops[outer - 1][0]][5] === 1) items[outer].inside.push(at);
  }
  return { name, items };
}

/**
 * What a reader stops at, in order: the start, operations, and closed modules.
 * @param {Path} path
 * @param {Set<string>} closed paths of modules
 * @returns {number[]} places
 */
export function stopsOf(path, closed) {
  /** @type {number[]} */
  const found = [0];
  /** @param {number} at */
  const visit = (at) => {
    const { inside, path: name } = path.items[at];
    if (inside.length === 0 || closed.has(name)) found.push(at);
    else inside.forEach(visit);
  };
  path.items.forEach((item) => {
    if (item.at > 0 && item.parent === 0) visit(item.at);
  });
  return found;
}

/**
 * The modules around a step, outermost first.
 * @param {Path} path
 * @param {number} at
 * @returns {number[]}
 */
export function around(path, at) {
  const found = [];
  for (let up = path.items[at].parent; up > 0; up = path.items[up].parent) found.unshift(up);
  return found;
}

/**
 * The stop that stands for a place: the closed module around it, or the first stop inside an open one.
 * @param {Path} path
 * @param {Set<string>} closed
 * @param {number} at
 * @returns {number}
 */
export function stopFor(path, closed, at) {
  const hidden = around(path, at).find((up) => path.items[up].inside.length === 0 || closed.has(path.items[up].path));
  if (hidden !== undefined) return hidden;
  let stop = at;
  while (path.items[stop].inside.length > 0 && !closed.has(path.items[stop].path)) [stop] = path.items[stop].inside;
  return stop;
}

/**
 * @typedef {object} Place what the reader can change
 * @property {number} step
 * @property {string[]} collapsed
 */

/**
 * Where a command leads.
 * @param {Path} path
 * @param {Place} now
 * @param {string} command "back", "forward", "first", "last", "out", "into" or "fold"
 * @returns {Place | null} null if it leads nowhere
 */
export function after(path, now, command) {
  const closed = new Set(now.collapsed);
  const stops = stopsOf(path, closed);
  const here = stopFor(path, closed, now.step);
  const index = stops.indexOf(here);
  const item = path.items[here];
  if (command === "fold") return after(path, now, item.inside.length > 0 ? "into" : "out");
  if (command === "into") {
    if (item.inside.length === 0) return null;
    closed.delete(item.path);
    return { step: stopFor(path, closed, here), collapsed: [...closed] };
  }
  if (command === "out") {
    if (item.parent === 0) return null;
    closed.add(path.items[item.parent].path);
    return { step: item.parent, collapsed: [...closed] };
  }
  /** @type {Record<string, number>} */
  const goals = { back: index - 1, forward: index + 1, first: 0, last: stops.length - 1 };
  const goal = stops[goals[command]];
  return goal === undefined || goal === here ? null : { step: goal, collapsed: now.collapsed };
}

/**
 * The command of a key.
 * @param {{key: string, shiftKey: boolean}} event
 * @returns {string | null}
 */
export function commandOf({ key, shiftKey }) {
  /** @type {Record<string, string>} */
  const plain = {
    ArrowLeft: "back",
    ArrowUp: "back",
    ArrowRight: "forward",
    ArrowDown: "forward",
    Home: "first",
    End: "last",
    Enter: "fold",
    "[": "out",
    "]": "into",
  };
  /** @type {Record<string, string>} */
  const shifted = { ArrowLeft: "out", ArrowUp: "out", ArrowRight: "into", ArrowDown: "into" };
  const keys = shiftKey ? { ...shifted, "[": "out", "]": "into" } : plain;
  return Object.hasOwn(keys, key) ? keys[key] : null;
}

/** Axis names with a colour of their own, the same as in the figures. */
export const AXES = ["batch", "seq_len", "hidden_size", "num_heads", "head_size", "intermediate_size", "vocab_size"];

/**
 * The class that colours an axis.
 * @param {string} name
 * @returns {string}
 */
export const colourOf = (name) => `bvl-axis-${AXES.includes(name) ? name : "other"}`;

/**
 * How long a side is drawn, from 0.12 to 1: by the logarithm of its size.
 * @param {number} size
 * @param {number} largest
 * @returns {number}
 */
export function side(size, largest) {
  return 0.12 + (0.88 * Math.log2(Math.max(size, 1))) / Math.max(Math.log2(Math.max(largest, 2)), 1);
}

/**
 * The parts of a box: its last two axes are its sides, the others sheets behind it.
 * @param {Axis[]} axes
 * @param {number} largest size that fills a side
 * @returns {{width: number, height: number, sheets: number, signs: string[]}} lengths from 0 to 1; how each axis runs
 */
export function boxOf(axes, largest) {
  const before = axes.slice(0, -2);
  const last = axes.at(-1);
  const second = axes.length > 1 ? axes.at(-2) : undefined;
  return {
    width: last ? side(last.size, largest) : 0.12,
    height: second ? side(second.size, largest) : 0.12,
    sheets: Math.min(4, Math.max(1, ...before.map(({ size }) => size))),
    signs: axes.map((_, i) => (i === axes.length - 1 ? "→" : i === axes.length - 2 ? "↓" : "×")),
  };
}

/**
 * Which axes of a shape were not there before; equal ones are told apart by how many there were.
 * @param {Axis[] | null} before
 * @param {Axis[] | null} now
 * @returns {boolean[]}
 */
export function newAxes(before, now) {
  const left = (before ?? []).map(({ text }) => text);
  return (now ?? []).map(({ text }) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return before !== null && index < 0;
  });
}

/**
 * The last part of a path; of a numbered module with the name of its stack.
 * @param {Path} path
 * @param {Item} item
 * @returns {string} such as "layer.0"
 */
export function ownName(path, item) {
  const outer = item.parent ? path.items[item.parent].path : "";
  const start = outer ? `${outer}.` : "";
  const own = item.path.startsWith(start) ? item.path.slice(start.length) : item.path;
  return own || item.name;
}

// ---------------------------------------------------------------------------------------------------- drawing

const TRAITS = ["value", "step", "collapsed"];

/** @typedef {{row: HTMLElement, at: number, isStop: boolean}} Row a line of the tree */

class TraceView extends DrawnView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    super(model, "trace", `Path of a tensor through ${model.get("_trace").model}`);
    this.trace = model.get("_trace");
    this.path = readPath(this.trace, model.get("value"));
    /** @type {Row[]} */
    this.rows = [];
    this.rowsFor = "";
    /** Where a reader stops, as things are closed now. @type {number[]} */
    this.stops = [];
    this.controls = this.makeControls();
    this.tree = element("div", { class: "bvl-tree", role: "tree", "aria-label": "Steps of the path" });
    this.crumbs = element("nav", { class: "bvl-crumbs", "aria-label": "Modules around this step" });
    this.heading = element("h4", { class: "bvl-heading" });
    this.picture = element("div", { class: "bvl-hop" });
    this.said = element("p", { class: "bvl-change" });
    this.live = element("p", { class: "bvl-heard", "aria-live": "polite", "aria-atomic": "true" });
    this.facts = element("dl", { class: "bvl-facts" });
    this.numbers = this.makeTable();
    const problem = element("p", { class: "bvl-problem", role: "status" }, `✗ ${this.trace.failure}`);
    this.root.append(
      ...(this.trace.failure ? [problem] : []),
      this.controls.box,
      element(
        "div",
        { class: "bvl-columns" },
        this.tree,
        element("div", { class: "bvl-here" }, this.crumbs, this.heading, this.picture, this.said, this.facts),
      ),
      this.live,
      element(
        "p",
        { class: "bvl-soft bvl-keys" },
        "Arrow keys: step. Shift + arrows, or [ and ]: out of and into a module. Enter: open or close. Home, End: ends.",
      ),
      this.numbers.box,
    );
    el.append(this.root);
    this.life.listen(this.root, "keydown", (event) => this.key(event));
    this.life.listen(this.tree, "click", (event) => this.click(event));
    followTheme(this.root, this.life);
    whenPlaced(this.root, this.life, () => this.reveal());
    this.life.follow(model, TRAITS, () => this.soon());
    this.draw();
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
      element("input", { type: "range", min: 0, step: 1, "aria-label": "Step" })
    );
    this.life.listen(slider, "input", () => this.set({ step: stopsOf(this.path, this.closed)[Number(slider.value)] }));
    const box = element(
      "div",
      { class: "bvl-bar" },
      element("label", {}, "Follow", value),
      element(
        "div",
        { class: "bvl-buttons", role: "group", "aria-label": "Walk" },
        make("first", "⇤", "First step"),
        make("back", "←", "Step back"),
        make("forward", "→", "Step forward"),
        make("last", "⇥", "Last step"),
        make("out", "[ out", "Out: close the module around this step"),
        make("into", "into ]", "Into: open this module"),
      ),
      element("span", { class: "bvl-slider" }, slider),
    );
    return { box, value, buttons, slider };
  }

  makeTable() {
    const body = element("tbody");
    const head = element("tr");
    for (const name of ["step", "comes in", "goes out", "what changes", "line"]) {
      head.append(element("th", { scope: "col" }, name));
    }
    const table = element("table", {}, element("thead", {}, head), body);
    const scroll = element("div", { class: "bvl-scroll", tabindex: 0, role: "group", "aria-label": "Steps" }, table);
    const box = element("details", { class: "bvl-numbers" }, element("summary", {}, "These steps as a table"), scroll);
    this.life.listen(box, "toggle", () => this.drawTable());
    return { box, body };
  }

  // ---- what the reader does

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    // A button is pressed by Enter, a summary unfolded, a list and a slider moved by arrows: those keys are theirs.
    if (target.closest("select, .bvl-scroll")) return;
    if (event.key === "Enter" && target.closest("button, summary")) return;
    if (target.closest("input") && !event.shiftKey && event.key !== "[" && event.key !== "]" && event.key !== "Enter") {
      return;
    }
    const command = commandOf(event);
    if (!command) return;
    const inTree = this.tree.contains(target);
    event.preventDefault();
    this.go(command);
    if (inTree) queueMicrotask(() => this.focusTree());
  }

  focusTree() {
    const row = this.rows.find(({ at, isStop }) => isStop && at === this.here)?.row;
    row?.focus({ preventScroll: true });
  }

  /** @param {MouseEvent} event */
  click(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const found = this.rows.find(({ row }) => row.contains(target));
    if (!found) return;
    const item = this.path.items[found.at];
    const closed = this.closed;
    const isClosed = closed.has(item.path);
    if (item.inside.length > 0 && (!isClosed || target.closest(".bvl-fold"))) {
      if (isClosed) closed.delete(item.path);
      else closed.add(item.path);
      this.set({ step: stopFor(this.path, closed, found.at), collapsed: [...closed] });
    } else {
      this.set({ step: found.at });
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
    this.drawTable();
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
    if (number === 0) return `Start: ${item.name}`;
    const name = item.isModule ? `${ownName(path, item)}${item.path ? ` (${item.name})` : ""}` : item.name;
    return `Step ${number} of ${stops.length - 1}: ${name}`;
  }

  drawHere() {
    const { path, here } = this;
    const item = path.items[here];
    this.drawCrumbs(here);
    setText(this.heading, this.headline());
    this.drawPicture(item);
    setText(this.said, item.change);
    this.said.classList.toggle("bvl-failed", item.failed);
    setText(this.live, `${this.headline()}. ${item.change}`);
    /** @type {[string, Node | string][]} */
    const facts = [];
    if (item.inside.length > 0) {
      facts.push(["Closed", "This module is one step: Enter or ] opens it."]);
    }
    if (item.others.length > 0) facts.push(["Goes in as well", item.others.join(", ")]);
    if (item.parameters > 0) facts.push(["Parameters", item.parameters.toLocaleString("en")]);
    if (item.weights) facts.push(["Weights", item.weights]);
    if (item.numbers) facts.push(["What comes out", item.numbers]);
    if (item.place) {
      const line = element("span", {}, element("span", { class: "bvl-mono" }, item.place));
      if (item.code) line.append(element("code", { class: "bvl-code bvl-mono" }, item.code));
      facts.push(["Line", line]);
    }
    const unsure = [item.before, item.after].some((axes) => axes?.some(({ text }) => text.endsWith("?")));
    if (unsure) facts.push(["?", this.trace.legend]);
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
        { type: "button", title: `Close ${item.path || item.name}: it becomes one step` },
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
    const sizes = [item.before, item.after].flatMap((axes) => (axes ?? []).slice(-2).map(({ size }) => size));
    const largest = Math.max(2, ...sizes);
    const room = Math.max(...[item.before, item.after].map((axes) => (axes ? highOf(boxOf(axes, largest)) : 0)));
    this.picture.style.setProperty("--bvl-room", String(room));
    const parts = [];
    if (item.at > 0) {
      parts.push(this.makeTensor("comes in", item.before, null, largest, room));
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
      parts.push(element("p", { class: "bvl-tensor bvl-failed bvl-end" }, "✗ failed here: nothing comes out"));
    } else {
      const [what, before] = item.at > 0 ? ["goes out", item.before] : ["comes in", null];
      parts.push(this.makeTensor(what, item.after, before, largest, room));
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
      figure.append(caption, element("p", {}, "no tensor"));
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
          marks[i] ? " (new)" : "",
        ),
      );
    });
    if (axes.length === 0) list.append(element("li", {}, "one number"));
    figure.append(caption, drawBox(axes, largest, room), list);
    return figure;
  }

  /** Fill the table only while it is open. */
  drawTable() {
    const { box, body } = this.numbers;
    if (!(/** @type {HTMLDetailsElement} */ (box).open)) return body.replaceChildren();
    const { path, here } = this;
    const shape = (/** @type {Axis[] | null} */ axes) => (axes ? `[${axes.map(({ text }) => text).join(", ")}]` : "–");
    const lines = this.stops.map((at) => {
      const item = path.items[at];
      const name = item.at === 0 ? item.name : item.isModule ? item.path || item.name : `${item.path}: ${item.name}`;
      return element(
        "tr",
        { "aria-current": at === here ? "step" : null },
        element("th", { scope: "row" }, name),
        ...[shape(item.before), shape(item.after), item.change, item.place].map((text) => element("td", {}, text)),
      );
    });
    return body.replaceChildren(...lines);
  }
}

/** In units of the picture: its width, a box as large as it gets, how far a sheet is behind another, the border. */
const [WIDE, BOX, SHIFT, BORDER] = [156, { width: 120, height: 84 }, 6, 8];

/**
 * How high a box is with its sheets.
 * @param {{height: number, sheets: number}} box as boxOf() gives it
 * @returns {number}
 */
const highOf = ({ height, sheets }) => BOX.height * height + SHIFT * (sheets - 1) + 2 * BORDER;

/**
 * A box with sheets behind it.
 * @param {Axis[]} axes
 * @param {number} largest
 * @param {number} room height of the picture; the box stands on its ground
 * @returns {SVGElement}
 */
function drawBox(axes, largest, room) {
  const { width, height, sheets } = boxOf(axes, largest);
  const [wide, high, shift, left, low] = [BOX.width * width, BOX.height * height, SHIFT, BORDER, room - BORDER];
  const picture = svgElement("svg", { viewBox: `0 0 ${WIDE} ${room}`, "aria-hidden": "true", class: "bvl-box" });
  const leading = axes.length > 2 ? axes[axes.length - 3] : null;
  for (let sheet = sheets - 1; sheet >= 0; sheet -= 1) {
    picture.append(
      svgElement("rect", {
        x: left + shift * sheet,
        y: low - high - shift * sheet,
        width: wide,
        height: high,
        class: sheet > 0 && leading ? `bvl-sheet ${colourOf(leading.name)}` : "bvl-sheet",
      }),
    );
  }
  const [second, last] = [axes.length > 1 ? axes[axes.length - 2] : null, axes.at(-1)];
  if (last) {
    picture.append(svgElement("path", { d: `M${left} ${low}h${wide}`, class: `bvl-edge ${colourOf(last.name)}` }));
  }
  if (second) {
    picture.append(svgElement("path", { d: `M${left} ${low}v${-high}`, class: `bvl-edge ${colourOf(second.name)}` }));
  }
  return picture;
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  const view = new TraceView(model, el);
  return () => view.end();
}

export default { render };
