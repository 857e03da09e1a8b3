// The arithmetic and the layout of the fill-in view.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("fill_in");
const texts = (text) => view.wordsOf(text, "[MASK]").map((word) => word.text);
const row = (word, ...shares) => ({ word, shares, ranks: shares.map(() => 1) });

test("rows are read mask by mask, probabilities before ranks", () => {
  const numbers = Float32Array.from([0.5, 0.25, 1, 2, 0.125, 0.75, 0.5, 1, 3, 1, 2, 4]);
  const facts = { layers: 2, masks: [{ words: ["a"] }, { words: ["b", "c"] }] };
  const [first, second] = view.readRows({ facts, numbers });
  assert.deepEqual(
    first.map(({ word, shares, ranks }) => [word, [...shares], [...ranks]]),
    [["a", [0.5, 0.25], [1, 2]]],
  );
  assert.deepEqual(
    second.map(({ word, shares, ranks }) => [word, [...shares], [...ranks]]),
    [
      ["b", [0.125, 0.75], [3, 1]],
      ["c", [0.5, 1], [2, 4]],
    ],
  );
});

test("the best at a layer are listed, then those that are followed", () => {
  const rows = [row("a", 0.1, 0.6), row("b", 0.5, 0.3), row("c", 0.4, 0.1)];
  const names = (...given) => view.listed(rows, ...given).map(({ word }) => word);
  assert.deepEqual(names(1, 2, []), ["a", "b"]);
  assert.deepEqual(names(0, 2, ["a"]), ["b", "c", "a"]);
  assert.deepEqual(names(0, 2, ["c", "nobody"]), ["b", "c"]);
  assert.deepEqual(names(0, 9, ["c"]), ["b", "c", "a"]);
});

test("a text is cut into what can be clicked", () => {
  assert.deepEqual(texts("Anna's [MASK], no?"), ["Anna", "'", "s", "[MASK]", ",", "no", "?"]);
  assert.deepEqual(texts("a[MASK][MASK] é猫猫_1 😀"), ["a", "[MASK]", "[MASK]", "é", "猫", "猫", "_", "1", "😀"]);
  assert.deepEqual(texts("  "), []);
  for (const word of view.wordsOf("So [MASK] 😀 it, is [MASK]!", "[MASK]")) {
    assert.equal("So [MASK] 😀 it, is [MASK]!".slice(word.start, word.end), word.text);
    assert.equal(word.isMask, word.text === "[MASK]");
  }
});

test("a mask takes the place of the selection, of the word around the caret, or stands at the caret", () => {
  const put = (text, start, end = start) => {
    const { text: after, caret } = view.insertMask(text, start, end, "[MASK]");
    return `${after.slice(0, caret)}|${after.slice(caret)}`;
  };
  assert.equal(put("lost her key.", 5, 8), "lost [MASK]| key.");
  assert.equal(put("lost her key.", 6), "lost [MASK]| key.");
  assert.equal(put("lost her key.", 8), "lost her [MASK]| key.");
  assert.equal(put("lost her key.", 9), "lost her [MASK]| key.");
  assert.equal(put("lost", 4), "lost [MASK]|");
  assert.equal(put("", 0), "[MASK]|");
  assert.equal(put("a [MASK] b", 5), "a [MASK]| b");
  assert.equal(put("a[MASK]", 1), "a [MASK]| [MASK]");
});

test("an axis ends at a round number", () => {
  const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-12, `${one} is not ${other}`);
  near(view.axisEnd(0.207), 0.3);
  near(view.axisEnd(0.3), 0.3);
  near(view.axisEnd(0.0071), 0.008);
  near(view.axisEnd(0.95), 1);
  assert.equal(view.axisEnd(0), 1);
  assert.equal(view.axisEnd(NaN), 1);
});

test("an axis of ranks ends at a power of ten, or at the last rank that there is", () => {
  assert.equal(view.rankEnd(3, 3750), 10);
  assert.equal(view.rankEnd(100, 3750), 100);
  assert.equal(view.rankEnd(2249, 3750), 3750);
  assert.equal(view.rankEnd(3, 7), 7);
  assert.deepEqual(view.rankMarks(3750), [1, 10, 100, 1000, 3750]);
  assert.deepEqual(view.rankMarks(100), [1, 10, 100]);
  assert.deepEqual(view.rankMarks(7), [1, 7]);
});

test("probabilities stand upwards from 0, ranks downwards from 1 by powers of ten", () => {
  assert.equal(view.heightOf(0, "probability", 0.5), 100);
  assert.equal(view.heightOf(0.5, "probability", 0.5), 0);
  assert.equal(view.heightOf(1, "rank", 100), 0);
  assert.equal(Math.round(view.heightOf(10, "rank", 100)), 50);
  assert.equal(view.heightOf(100, "rank", 100), 100);
});

test("labels are moved apart and keep their order", () => {
  assert.deepEqual(view.spread([10, 50, 90], 7, 100), [10, 50, 90]);
  assert.deepEqual(view.spread([100, 100, 99], 10, 100), [90, 100, 80]);
  assert.deepEqual(view.spread([0, 0], 10, 100), [0, 10]);
  const many = view.spread(Array(30).fill(50), 10, 100);
  assert.ok(Math.min(...many) >= -1e-9 && Math.max(...many) <= 100);
  assert.equal(new Set(many.map((place) => place.toFixed(6))).size, 30);
  assert.deepEqual(view.spread([], 10, 100), []);
});

test("the line under the pointer", () => {
  const lines = [
    [0, 100, 0],
    [100, 90, 80],
  ];
  assert.equal(view.nearestLine(lines, 0, 10), 0);
  assert.equal(view.nearestLine(lines, 0.25, 60), 0);
  assert.equal(view.nearestLine(lines, 0.25, 80), 1);
  assert.equal(view.nearestLine(lines, 1, 70), 1);
  assert.equal(view.nearestLine(lines, 7, 0), 0);
  assert.equal(view.nearestLine([[5]], 0.5, 0), 0);
  assert.equal(view.nearestLine([], 0.5, 0), -1);
});

test("probabilities of a table", () => {
  assert.equal(view.formatExact(0.12345), "0.1235");
  assert.equal(view.formatExact(2.5e-7), "2.50e−7");
  assert.equal(view.formatExact(0), "0.0000");
});

test("a punctuation mark as an answer is quoted, a word is not", () => {
  assert.deepEqual([".", "。", '"', "key", "[UNK]", "##s", "猫"].map(view.quoted), [
    ...["“.”", "“。”", '“"”'],
    ...["key", "[UNK]", "##s", "猫"],
  ]);
});

test("a sentence lacks its end mark where that is expected for a mask in the last place", () => {
  assert.equal(view.endedWith("lost her [MASK] ", "[MASK]", "."), "lost her [MASK].");
  assert.equal(view.endedWith("丢了[MASK]", "[MASK]", "。"), "丢了[MASK]。");
  assert.equal(view.endedWith("lost her [MASK]", "[MASK]", "key"), null);
  assert.equal(view.endedWith("lost her [MASK]", "[MASK]", ","), null);
  assert.equal(view.endedWith("lost [MASK] key", "[MASK]", "."), null);
});
