// The parts of the page's engine by themselves; test_page_engine.py compares the whole with torch and tokenizers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const engine = await load("engine");

const numbers = (/** @type {number} */ count, seed = 1) => {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return state / 1073741824 - 1;
  });
};

test("both ways of multiplying give every product, whatever the sizes", () => {
  const simd = engine.simdMultiplier(5000, 200_000);
  assert.equal(simd.name, "WebAssembly SIMD");
  for (const [rows, inputs, outputs] of [
    [1, 1, 1],
    [2, 3, 5],
    [4, 4, 3],
    [5, 7, 10],
    [13, 32, 13],
    [3, 130, 31],
  ]) {
    const [x, matrix] = [numbers(rows * inputs), numbers(outputs * inputs, 7)];
    const stays = simd.room(matrix.length);
    stays.set(matrix);
    for (const [multiplier, right] of [
      [engine.plainMultiplier, matrix],
      [simd, matrix],
      [simd, stays],
    ]) {
      const out = engine.runThrough(engine.product(multiplier, x, right, inputs));
      for (let row = 0; row < rows; row += 1) {
        for (let output = 0; output < outputs; output += 1) {
          const [a, b] = [x.subarray(row * inputs), matrix.subarray(output * inputs)];
          let sum = 0;
          for (let i = 0; i < inputs; i += 1) sum += a[i] * b[i];
          assert.ok(Math.abs(out[row * outputs + output] - sum) < 1e-5, `${multiplier.name} ${rows} ${inputs}`);
        }
      }
    }
  }
});

test("a product that the fast memory has no room for is made in plain JavaScript", () => {
  const simd = engine.simdMultiplier(0, 50);
  const out = engine.runThrough(engine.product(simd, numbers(60), numbers(90), 30));
  const plain = engine.runThrough(engine.product(engine.plainMultiplier, numbers(60), numbers(90), 30));
  assert.deepEqual(out, plain);
});

test("without WebAssembly there is no such multiplier", () => {
  const kept = globalThis.WebAssembly;
  try {
    Object.assign(globalThis, { WebAssembly: { Memory: kept.Memory } });
    assert.equal(engine.simdMultiplier(10, 10), null);
  } finally {
    Object.assign(globalThis, { WebAssembly: kept });
  }
});

test("no step multiplies for long", () => {
  let most = 0;
  let steps = 0;
  const counting = {
    name: "counting",
    multiply: (/** @type {any[]} */ ...[, , , { rows, inputs }, [first, stop]]) => {
      most = Math.max(most, rows * inputs * (stop - first));
    },
  };
  const work = engine.product(counting, new Float32Array(512 * 384), new Float32Array(1536 * 384), 384);
  while (!work.next().done) steps += 1;
  assert.ok(steps > 100);
  assert.ok(most <= 2_400_000, `${most} multiplications in one step`);
});

test("gentle work lets others come in between, and gives the same", async () => {
  let others = 0;
  const timer = setInterval(() => (others += 1), 1);
  const work = function* () {
    for (let step = 0; step < 12; step += 1) {
      const until = performance.now() + 5;
      while (performance.now() < until);
      yield;
    }
    return "done";
  };
  assert.equal(await engine.runGently(work()), "done");
  clearInterval(timer);
  assert.ok(others >= 2);
  assert.equal(engine.runThrough(work()), "done");
});

test("erf is as accurate as float32", () => {
  // From mpmath, 20 digits.
  for (const [x, value] of [
    [0, 0],
    [1e-3, 0.0011283787909692363],
    [0.1, 0.11246291601828489],
    [0.5, 0.5204998778130465],
    [1, 0.8427007929497149],
    [2, 0.9953222650189527],
    [3, 0.9999779095030014],
    [6, 1],
  ]) {
    assert.ok(Math.abs(engine.erf(x) - value) < 7e-8, `erf(${x})`);
    assert.equal(engine.erf(-x), -engine.erf(x));
  }
});

test("softmax, LayerNorm and both GELUs by hand", () => {
  const scores = Float32Array.from([0, Math.log(3), 1000, 1000]);
  engine.softmax(scores, 2);
  [0.25, 0.75, 0.5, 0.5].forEach((share, i) => assert.ok(Math.abs(scores[i] - share) < 1e-7));
  const vector = Float32Array.from([1, 3]);
  engine.layerNorm(vector, { weight: Float32Array.of(2, 2), bias: Float32Array.of(0, 1), eps: 0 });
  assert.deepEqual([...vector], [-2, 3]);
  for (const name of ["gelu", "geluTanh"]) {
    const values = Float32Array.of(0, 1, -1, 10);
    engine[name](values);
    const wanted = name === "gelu" ? [0, 0.8413447, -0.1586553, 10] : [0, 0.841192, -0.158808, 10];
    wanted.forEach((value, i) => assert.ok(Math.abs(values[i] - value) < 1e-6, `${name} ${values[i]}`));
  }
});

test("the longer text of a pair is cut first", () => {
  assert.deepEqual(engine.keptLengths([3, 4], 7), [3, 4]);
  assert.deepEqual(engine.keptLengths([3, 9], 8), [3, 5]);
  assert.deepEqual(engine.keptLengths([9, 3], 8), [5, 3]);
  assert.deepEqual(engine.keptLengths([9, 9], 7), [3, 4]);
  assert.deepEqual(engine.keptLengths([12, 9], 7), [4, 3]);
  assert.deepEqual(engine.keptLengths([9], -1), [0]);
});

test("a word is the longest pieces that the vocabulary has", () => {
  const facts = { unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 5 };
  const vocab = new Map(["[UNK]", "un", "unh", "##app", "##y", "##happ", "𝐀"].map((token, id) => [token, id]));
  const cut = (/** @type {string} */ word) => engine.cutPieces(word, { ...facts, vocab });
  assert.deepEqual(cut("unappy"), [0]); // six letters
  assert.deepEqual(cut("unapp"), [1, 3]);
  assert.deepEqual(cut("unhx"), [0]);
  assert.deepEqual(cut("𝐀"), [6]);
});

test("a word knows where in the text it stands", () => {
  const rules = { clean_text: true, handle_chinese_chars: true, strip_accents: true, lowercase: true };
  const text = "É\u200bté, 世x[MASK]y";
  const words = engine.cutWords(text, rules, new Map([["[MASK]", 4]]));
  const shown = words.map((/** @type {any} */ { word, start, stop, id }) => [word, text.slice(start, stop), id]);
  assert.deepEqual(shown, [
    ["ete", "É\u200bté", null],
    [",", ",", null],
    ["世", "世", null],
    ["x", "x", null],
    ["[MASK]", "[MASK]", 4],
    ["y", "y", null],
  ]);
});
