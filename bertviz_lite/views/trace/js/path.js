// The path of one tensor, and how a reader walks along it. Pure functions.

import { say } from "../language/say.js";

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
    change: say("here", { name }),
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
  const stops = [0];
  /** @param {number} at */
  const visit = (at) => {
    const { inside, path: name } = path.items[at];
    if (inside.length === 0 || closed.has(name)) stops.push(at);
    else inside.forEach(visit);
  };
  path.items.forEach((item) => {
    if (item.at > 0 && item.parent === 0) visit(item.at);
  });
  return stops;
}

/**
 * The modules around a step, outermost first.
 * @param {Path} path
 * @param {number} at
 * @returns {number[]}
 */
export function around(path, at) {
  const modules = [];
  for (let up = path.items[at].parent; up > 0; up = path.items[up].parent) modules.unshift(up);
  return modules;
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
