// The arithmetic of the pair view.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("pair");

test("a word adds what is lost when it is hidden", () => {
  const facts = {
    probability: 0.75,
    log_odds: 2,
    words: [
      ["Ada", 0, 1, 0],
      ["[MASK]", 1, 1, 1],
      ["keys", 1, 2, 0],
    ],
  };
  const numbers = Float32Array.from([0.5, 0.75, 1, 1, 2, 4]);
  const words = view.readWords({ facts, numbers });
  assert.deepEqual(
    words.map(({ adds }) => adds),
    [
      [0.25, 1],
      [0, 0],
      [-0.25, -2],
    ],
  );
  assert.deepEqual(
    words.map(({ text, segment, pieces, isMask }) => [text, segment, pieces, isMask]),
    [
      ["Ada", 0, 1, false],
      ["[MASK]", 1, 1, true],
      ["keys", 1, 2, false],
    ],
  );
  assert.deepEqual(
    words.map(({ probability, logOdds }) => [probability, logOdds]),
    [
      [0.5, 1],
      [0.75, 2],
      [1, 4],
    ],
  );
  assert.deepEqual(view.byStrength(words, 1), [2, 0, 1]);
  assert.deepEqual(view.byStrength(words, 0), [0, 2, 1]);
});

test("words are found behind the ones before, whatever stands between", () => {
  const text = "a cat 😀 and a cat.";
  const words = ["a", "cat", "😀", "and", "a", "cat", "."];
  const places = view.findWords(text, words);
  assert.deepEqual(
    places.map(({ start, end }) => text.slice(start, end)),
    words,
  );
  assert.deepEqual(
    places.map(({ start }) => start),
    [0, 2, 6, 9, 13, 15, 18],
  );
});

test("a hidden word leaves as many masks as it had tokens", () => {
  assert.equal(view.hideWord("the kennels.", { start: 4, end: 11 }, 2, "[MASK]"), "the [MASK] [MASK].");
  assert.equal(view.hideWord("the", { start: 0, end: 3 }, 1, "[MASK]"), "[MASK]");
});

const stories = [
  { name: "1", sentences: ["A.", "B.", "C."] },
  { name: "2", sentences: ["D.", "E.", "C."] },
];

test("texts are cut out of stories, and the cuts are found again", () => {
  const pick = { a: { story: 0, cut: 2 }, b: { story: 1, cut: 1 } };
  assert.deepEqual(view.textsOf(stories, pick), { first: "A. B.", second: "E. C." });
  assert.deepEqual(view.findPick(stories, "A. B.", "E. C."), pick);
  assert.deepEqual(view.findPick(stories, "A. B. C.", "E."), { a: null, b: null });
  assert.deepEqual(view.findPick(stories, "A.", "C."), { a: { story: 0, cut: 1 }, b: { story: 0, cut: 2 } });
  assert.deepEqual(view.findPick([], "A.", "C."), { a: null, b: null });
});

test("what a word adds has its sign", () => {
  assert.equal(view.formatAdds(0.1234, 0), "+12.3");
  assert.equal(view.formatAdds(-0.0012, 0), "−0.12");
  assert.equal(view.formatAdds(-0.00001, 0), "0.00");
  assert.equal(view.formatAdds(-1.006, 1), "−1.01");
});

test("the engine is asked for a few words at a time: what is typed meanwhile need not wait for all", async () => {
  const { answer } = await import("../../../bertviz_lite/views/pair/js/answers.js");
  const words = Array.from({ length: 10 }, (_, i) => ({ text: "key", start: i + 1, stop: i + 2, segment: 0 }));
  /** @type {number[][][]} */
  const asked = [];
  /** @type {any} */
  const engine = {
    facts: { unknown_token: null, positions: null, cls_token: "[CLS]", sep_token: "[SEP]", mask_token: "[MASK]" },
    encode: async () => ({ tokens: { tokens: ["[CLS]"] }, words }),
    judgePair: async (/** @type {any} */ _, /** @type {number[][]} */ hidden) => {
      asked.push(hidden);
      return Float64Array.from(hidden, ([first]) => first ?? 0);
    },
  };
  const found = await answer(engine, { type: "block", name: "words", values: { first: "a", second: "b" } });
  assert.deepEqual(asked.flat(), [[], ...words.map(({ start }) => [start])]);
  assert.ok(asked.every((hidden) => hidden.length <= 4));
  const { facts, numbers } = view.unpackAnswer(found);
  assert.equal(facts.log_odds, 0);
  assert.deepEqual([...numbers.slice(10)], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
