// Walking along a path: what is a stop, where a key leads, how a shape is drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("trace");

// model { first, block { in, out }, one { plain } }: "one" is a single plain operation and cannot be opened.
const trace = {
  texts: ["Model", "", "Block", "block", "op", "one", "First", "stays", "also [2]"],
  shapes: [
    [[2, "batch", "batch=2"]],
    [
      [2, "batch", "batch=2"],
      [8, "hidden_size", "hidden_size=8"],
    ],
  ],
  nodes: [
    [0, 1, 0, 1, -1, 1, 0, 0, 1, 1, 1, 1],
    [1, 0, 6, 1, 0, 0, 0, 0, 1, 1, 1, 1],
    [2, 1, 2, 3, 0, 1, 0, 10, 1, 1, 1, 1],
    [3, 0, 4, 3, 2, 0, 0, 0, 1, 1, 1, 1],
    [5, 0, 4, 3, 2, 0, 1, 0, 1, 1, 1, 1],
    [6, 1, 5, 5, 0, 0, 0, 0, 1, 1, 1, 1],
    [7, 0, 4, 5, 6, 0, 0, 0, 1, 1, 1, 1],
  ],
  paths: {
    ids: {
      start: 0,
      hops: [
        [0, 0, 1, 7, []],
        [1, 0, 1, 7, [8]],
        [2, 1, 1, 7, []],
        [3, 1, 1, 7, []],
        [4, 1, -1, 7, []],
        [5, 1, 1, 7, []],
        [6, 1, 1, 7, []],
      ],
    },
  },
};
const path = view.readPath(trace, "ids");
const stops = (...closed) => view.stopsOf(path, new Set(closed));

test("a path is read with what is inside what", () => {
  assert.equal(path.items.length, 8);
  assert.deepEqual(
    path.items.map(({ parent }) => parent),
    [0, 0, 1, 1, 3, 3, 1, 6],
  );
  assert.deepEqual(
    path.items.map(({ depth }) => depth),
    [0, 0, 1, 1, 2, 2, 1, 2],
  );
  assert.deepEqual(path.items[3].inside, [4, 5]);
  assert.deepEqual(path.items[6].inside, []);
  assert.equal(path.items[5].after, null);
  assert.equal(path.items[5].failed, true);
  assert.deepEqual(path.items[2].others, ["also [2]"]);
  assert.equal(path.items[3].parameters, 10);
});

test("stops: closed modules and operations", () => {
  assert.deepEqual(stops(), [0, 2, 4, 5, 6]);
  assert.deepEqual(stops("block"), [0, 2, 3, 6]);
  assert.deepEqual(stops("", "block"), [0, 1]);
});

test("a place inside a closed module is shown as the module, an open module as its first step", () => {
  const shown = (at, ...closed) => view.stopFor(path, new Set(closed), at);
  assert.equal(shown(5, "block"), 3);
  assert.equal(shown(5), 5);
  assert.equal(shown(3), 4);
  assert.equal(shown(1), 2);
  assert.equal(shown(7), 6);
  assert.equal(shown(5, "", "block"), 1);
});

test("every place has a stop, whatever is closed", () => {
  for (const closed of [[], ["block"], [""], ["", "block"]]) {
    for (const { at } of path.items) {
      assert.ok(stops(...closed).includes(view.stopFor(path, new Set(closed), at)), `${at} with ${closed} closed`);
    }
  }
});

test("where a command leads", () => {
  const from = (step, collapsed, command) => view.after(path, { step, collapsed }, command);
  assert.deepEqual(from(2, ["block"], "forward"), { step: 3, collapsed: ["block"] });
  assert.deepEqual(from(3, ["block"], "into"), { step: 4, collapsed: [] });
  assert.deepEqual(from(3, ["block"], "fold"), { step: 4, collapsed: [] });
  assert.deepEqual(from(5, [], "fold"), { step: 3, collapsed: ["block"] });
  assert.deepEqual(from(5, [], "out"), { step: 3, collapsed: ["block"] });
  assert.deepEqual(from(6, [], "first"), { step: 0, collapsed: [] });
  assert.deepEqual(from(0, [], "last"), { step: 6, collapsed: [] });
  assert.equal(from(0, [], "back"), null);
  assert.equal(from(6, [], "forward"), null);
  assert.equal(from(0, [], "out"), null);
  assert.equal(from(4, [], "into"), null);
});

test("walking forward visits every stop once, back returns", () => {
  for (const collapsed of [[], ["block"]]) {
    const seen = [0];
    let now = { step: 0, collapsed };
    for (let next = now; next; next = view.after(path, now, "forward")) {
      now = next;
      if (next.step !== 0) seen.push(next.step);
    }
    assert.deepEqual(seen, stops(...collapsed));
    let count = 0;
    for (let next = now; next; next = view.after(path, now, "back")) [now, count] = [next, count + 1];
    assert.equal(now.step, 0);
    assert.equal(count, seen.length);
  }
});

test("keys", () => {
  const key = (name, shiftKey = false) => view.commandOf({ key: name, shiftKey });
  assert.equal(key("ArrowRight"), "forward");
  assert.equal(key("ArrowUp"), "back");
  assert.equal(key("ArrowRight", true), "into");
  assert.equal(key("ArrowLeft", true), "out");
  assert.equal(key("["), "out");
  assert.equal(key("]"), "into");
  assert.equal(key("Enter"), "fold");
  assert.equal(key("Enter", true), null); // runs the cell
  assert.equal(key("End"), "last");
  assert.equal(key("toString"), null);
});

const axis = (text) => {
  const [name, size] = text.split("=");
  return { size: Number(size ?? name), name: size ? name : "", text };
};

test("a box grows with the logarithm of its sides", () => {
  assert.equal(view.side(1, 1024), 0.12);
  assert.equal(view.side(1024, 1024), 1);
  assert.ok(Math.abs(view.side(32, 1024) - 0.56) < 1e-12);
  assert.equal(view.side(1, 1), 0.12);
});

test("the last two axes are the sides, the others sheets", () => {
  const box = view.boxOf(["batch=2", "num_heads=12", "seq_len=7", "head_size=64"].map(axis), 64);
  assert.deepEqual(box.signs, ["×", "×", "↓", "→"]);
  assert.equal(box.sheets, 4);
  assert.equal(box.width, 1);
  assert.deepEqual(view.boxOf([axis("batch=2")], 64).signs, ["→"]);
  assert.deepEqual(view.boxOf([], 64), { width: 0.12, height: 0.12, sheets: 1, signs: [] });
});

test("new axes are told from those that were there", () => {
  const marks = (before, now) => view.newAxes(before && before.map(axis), now.map(axis));
  assert.deepEqual(marks(["batch=2", "seq_len=7"], ["batch=2", "seq_len=7", "hidden_size=8"]), [false, false, true]);
  assert.deepEqual(marks(["seq_len=7"], ["seq_len=7", "seq_len=7"]), [false, true]);
  assert.deepEqual(marks(null, ["batch=2"]), [false]);
});

test("axes have their colours, other names one for all", () => {
  assert.equal(view.colourOf("seq_len"), "bvl-axis-seq_len");
  assert.equal(view.colourOf("channels"), "bvl-axis-other");
  assert.equal(view.colourOf(""), "bvl-axis-other");
});
