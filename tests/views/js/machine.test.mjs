// What the machine's page computes itself: shapes, sums, what one pixel shows, hidden words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("machine");
const numbers = (values, ...shape) => ({ values: Float32Array.from(values), shape });

test("arrays are read one after another, in the order of their names", () => {
  const facts = {
    arrays: [
      ["a", 2, 2],
      ["b", 3],
    ],
  };
  const { a, b } = view.readArrays({ facts, numbers: Float32Array.from([1, 2, 3, 4, 5, 6, 7]) });
  assert.deepEqual(
    view.rowsIn(a).map((row) => [...row]),
    [
      [1, 2],
      [3, 4],
    ],
  );
  assert.deepEqual(
    view.rowsIn(b).map((row) => [...row]),
    [[5, 6, 7]],
  );
});

test("a sum leaves its parts as they are", () => {
  const [a, b] = [numbers([1, 2], 1, 2), numbers([10, -2], 1, 2)];
  assert.deepEqual([...view.sumOf([a, b]).values], [11, 0]);
  assert.deepEqual([...a.values], [1, 2]);
});

test("one large number in a hundred does not take the colour from the others", () => {
  const vector = Float32Array.from({ length: 200 }, (_, i) => (i === 0 ? 1000 : i % 2 ? 1 : -1));
  assert.equal(view.fullColour([vector]), 1);
  assert.equal(view.fullColour([Float32Array.of(0, 0)]), 1);
  assert.equal(view.fullColour([Float32Array.of(0, -3)]), 3);
  assert.equal(view.fullColour([]), 1);
});

test("a pixel shows the number that is farthest from 0", () => {
  assert.equal(view.farthest([1, -5, 3], 0, 3), -5);
  assert.equal(view.farthest([1, -5, 3], 2, 3), 3);
});

test("rows share a height without a gap and to the last pixel", () => {
  assert.deepEqual(view.edgesOf([1, 1, 1], 10), [0, 3, 7, 10]);
  assert.deepEqual(view.edgesOf([1, 2, 1], 8), [0, 2, 6, 8]);
});

test("squares are as large as the place allows", () => {
  assert.deepEqual(view.packSquares(4, 100, 20), { side: 20, perLine: 4, lines: 1 });
  assert.deepEqual(view.packSquares(12, 60, 20), { side: 10, perLine: 6, lines: 2 });
});

test("a shape is told with the names of its axes", () => {
  const sizes = { seq_len: 12, num_heads: 4, vocab_size: 2000 };
  const shape = (...axes) => view.shapeText(view.axesOf({ axes }, sizes));
  assert.equal(shape("num_heads", "query", "key"), "num_heads 4 × query 12 × key 12");
  assert.equal(shape("seq_len", "vocab_size"), "seq_len 12 × vocab_size 2,000");
  assert.equal(shape("2"), "answers 2");
});

test("a word is hidden with all its word pieces, in the text that it stands in, and only there", () => {
  const facts = {
    text: "She is unhappy; is she?",
    text_pair: "is it?",
    words: [
      ["She", 1, 2, 0],
      ["is", 2, 3, 0],
      ["unhappy", 3, 6, 0],
      [";", 6, 7, 0],
      ["is", 7, 8, 0],
      ["she", 8, 9, 0],
      ["?", 9, 10, 0],
      ["is", 11, 12, 1],
    ],
  };
  assert.deepEqual(view.hideWord(facts, 4, "[MASK]"), ["She is [MASK]; is she?", "is it?"]);
  assert.deepEqual(view.hideWord(facts, 7, "[MASK]"), ["She is unhappy; [MASK] she?", "is it?"]);
  assert.deepEqual(view.hideWord(facts, 11, "[MASK]"), ["She is unhappy; is she?", "[MASK] it?"]);
  assert.equal(view.hideWord(facts, 0, "[MASK]"), null); // [CLS]
  facts.words[0] = ["[MASK]", 1, 2, 0];
  assert.equal(view.hideWord(facts, 1, "[MASK]"), null);
});

test("what is read most comes first, of equal weights the first", () => {
  assert.deepEqual(view.heaviest([0.1, 0.4, 0.1, 0.4], 3), [1, 3, 0]);
});

test("two logits become a probability", () => {
  assert.equal(view.firstOfTwo([1, 1]), 0.5);
  assert.ok(Math.abs(view.firstOfTwo([2, 0]) - 0.8807970779778823) < 1e-12);
  assert.equal(view.firstOfTwo([-1000, 1000]), 0);
});

test("a number is told with its place, in a head's own count where there are heads", () => {
  const told = (headSize) => view.numberText({ name: "key of she", component: 37, value: -0.4312, headSize });
  assert.equal(told(null), "key of she · component 37: −0.4312");
  assert.equal(told(32), "key of she · component 37: −0.4312 · head 1, its component 5");
});

test("a box is made of boxes that are there", () => {
  assert.deepEqual(
    view.inputsOf("attended").map(({ id }) => id),
    ["input", "projected"],
  );
  assert.deepEqual(view.inputsOf("words"), []);
});

test("a number keeps four digits, however small it is", () => {
  assert.deepEqual([0, 1.36347, -0.0012883, 0.114651, 2e-5, -1234.56].map(view.exactText), [
    "0",
    "1.363",
    "−0.001288",
    "0.1147",
    "2.000e−5",
    "−1235",
  ]);
});

const at = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
const endOf = (line) =>
  line
    .match(/[-\d.]+ [-\d.]+(?= M)/)[0]
    .split(" ")
    .map(Number);

test("a line leads to the left side of a box beside, and to the top of one below", () => {
  const [from, beside, below] = [at(0, 0, 10, 20), at(30, 40, 10, 20), at(5, 60, 10, 20)];
  assert.deepEqual(endOf(view.route(from, beside)), [29, 50]);
  assert.deepEqual(endOf(view.route(from, beside, 0)), [29, 40]);
  assert.equal(endOf(view.route(from, below))[1], 59);
  assert.equal(view.route(from, at(-50, 0, 10, 20)), null);
});

test("the values go under the weights where these stand between, else straight on", () => {
  const [value, weights, context] = [at(0, 80, 10, 20), at(30, 0, 40, 90), at(90, 0, 10, 100)];
  assert.match(view.under(value, weights, context), / 30 95 H 89 /);
  assert.equal(view.under(value, at(0, 0, 10, 20), context), view.route(value, context));
});

test("a residual connection leaves and arrives on the side on which it runs", () => {
  const above = view.around({ x: 0, y: 50 }, 10, { x: 100, y: 20 });
  assert.match(above, /^M 0 50 V 16 Q 0 10 6 10 H 94 Q 100 10 100 16 V 20/);
  const below = view.around({ x: 0, y: 50 }, 90, { x: 100, y: 80 });
  assert.match(below, /^M 0 50 V 84 Q 0 90 6 90 H 94 Q 100 90 100 84 V 80/);
});
