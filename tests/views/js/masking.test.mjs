// The arithmetic of the masking lab. That it agrees with Python on real draws is in test_masking_lab.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("masking");

/** Two words of two tokens and one of one, between special tokens; the random draws of two seeds. */
const sentence = {
  tokens: ["[CLS]", "key", "##ring", "a", "un", "##lock", "[SEP]"],
  ids: [2, 10, 11, 12, 13, 14, 3],
  ordinary: [false, true, true, true, true, true, false],
  first: [0, 1, 1, 3, 4, 4, 6],
  chooseDraw: [Float32Array.of(0, 0.1, 0.9, 0.2, 0.9, 0.1, 0), Float32Array.of(0, 0.5, 0.5, 0.5, 0.5, 0.5, 0)],
  replaceDraw: [Float32Array.of(0, 0.5, 0.85, 0.95, 0.1, 0.1, 0), Float32Array.of(0, 0, 0, 0, 0, 0, 0)],
  drawn: [Float32Array.of(0, 1, 0, 1, 0, 1, 0), new Float32Array(7)],
  drawnIds: [20, 21],
  drawnNames: ["cat", "dog"],
};
const rules = { rate: 0.25, shares: [0.8, 0.1, 0.1], wholeWords: false };

test("two random draws decide: the first whether, the second what", () => {
  assert.deepEqual(view.outcomes(sentence, 0, rules), ["special", "mask", "left", "keep", "left", "mask", "special"]);
  assert.deepEqual(
    view.outcomes(sentence, 1, rules).filter((outcome) => outcome !== "special"),
    Array(5).fill("left"),
  );
});

test("of whole words the first token's draw decides, and each token has its own second draw", () => {
  const whole = { ...rules, wholeWords: true };
  assert.deepEqual(view.outcomes(sentence, 0, whole), ["special", "mask", "random", "keep", "left", "left", "special"]);
});

test("a share of 1 leaves nothing to the others, whatever is drawn", () => {
  const all = (shares) => view.outcomes(sentence, 0, { rate: 0.99, shares, wholeWords: false }).slice(1, 6);
  assert.deepEqual(all([1, 0, 0]), Array(5).fill("mask"));
  assert.deepEqual(all([0, 1, 0]), Array(5).fill("random"));
  assert.deepEqual(all([0, 0, 1]), Array(5).fill("keep"));
});

test("draws are compared as float32, as PyTorch compares them", () => {
  const edge = { ...sentence, chooseDraw: [new Float32Array(7).fill(0.15)] };
  assert.ok(Math.fround(0.15) > 0.15); // as a double it would not be below 0.15 either; just above it is
  const above = { ...edge, chooseDraw: [new Float32Array(7).fill(0.7)] };
  assert.ok(Math.fround(0.7) < 0.7); // below 0.7 as a double, equal to it as float32
  for (const [one, rate] of [
    [edge, 0.15],
    [above, 0.7],
  ]) {
    assert.deepEqual(view.outcomes(one, 0, { ...rules, rate })[1], "left");
  }
});

test("what the model reads, and the label", () => {
  const mask = { token: "[MASK]", id: 4 };
  const read = (outcome, place) => view.reads(sentence, 0, outcome, place, mask);
  assert.deepEqual(read("left", 1), { token: "key", id: 10, label: -100 });
  assert.deepEqual(read("special", 0), { token: "[CLS]", id: 2, label: -100 });
  assert.deepEqual(read("mask", 1), { token: "[MASK]", id: 4, label: 10 });
  assert.deepEqual(read("random", 1), { token: "dog", id: 21, label: 10 });
  assert.deepEqual(read("keep", 1), { token: "key", id: 10, label: 10 });
});

test("three shares always add up to one; the two that were not moved keep their ratio", () => {
  const near = (found, expected) =>
    found.forEach((share, i) => assert.ok(Math.abs(share - expected[i]) < 1e-12, `${found} is not ${expected}`));
  near(view.balance([0.8, 0.1, 0.1], 0, 0.6), [0.6, 0.2, 0.2]);
  near(view.balance([0.8, 0.1, 0.1], 1, 0.55), [0.4, 0.55, 0.05]);
  near(view.balance([0.6, 0.3, 0.1], 2, 0.4), [0.4, 0.2, 0.4]);
  near(view.balance([1, 0, 0], 0, 0.5), [0.5, 0.25, 0.25]);
  near(view.balance([0.8, 0.1, 0.1], 0, 1), [1, 0, 0]);
  for (let moved = 0; moved < 3; moved += 1) {
    for (let percent = 0; percent <= 100; percent += 1) {
      const shares = view.balance([0.7, 0.2, 0.1], moved, percent / 100);
      assert.ok(Math.abs(shares[0] + shares[1] + shares[2] - 1) < 1e-9);
      assert.ok(Math.min(...shares) >= 0);
    }
  }
});

test("counts: tries, hits and what is expected", () => {
  const [chosen, mask, random, keep] = view.counts(sentence, [0], rules);
  assert.deepEqual([chosen.of, chosen.hits, chosen.tries, chosen.expected], ["tokens", 3, 5, 1.25]);
  assert.deepEqual([mask.hits, mask.tries, random.hits, keep.hits], [2, 3, 0, 1]);
  assert.equal(mask.expected, 3 * 0.8);
  const words = view.counts(sentence, [0, 1], { ...rules, wholeWords: true })[0];
  assert.deepEqual([words.of, words.hits, words.tries], ["words", 2, 6]);
});

test("the range of 95 %, by hand for three tries, and at the ends", () => {
  assert.deepEqual(view.binomialInterval(3, 0.5), [0, 3]);
  assert.deepEqual(view.binomialInterval(100, 0.15), [8, 22]);
  assert.deepEqual(view.binomialInterval(7, 0), [0, 0]);
  assert.deepEqual(view.binomialInterval(7, 1), [7, 7]);
  assert.deepEqual(view.binomialInterval(0, 0.3), [0, 0]);
});
