// The arithmetic and the layout of the embedding view.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("embedding");
const near = (one, other, by = 1e-12) => assert.ok(Math.abs(one - other) <= by, `${one} is not ${other}`);

// The same example stands, worked out by hand, in the Python tests of InputParts.
const parts = { token: [4, 0], position: [0, -1], segment: [0, -1] };
const plain = { gain: [1, 1], bias: [1, 1], eps: 0 };

test("an embedding taken apart by hand", () => {
  const found = view.anatomy(parts, view.PARTS, plain);
  assert.deepEqual([...found.vectors.sum], [4, -2]);
  assert.equal(found.std, 3);
  assert.deepEqual([...found.vectors.result], [2, 0]);
  near(found.scaled.token[0], 2 / 3);
  near(found.scaled.token[1], -2 / 3);
  near(found.shares.token, 1 / 3);
  near(found.shares.position, 1 / 12);
  near(found.shares.segment, 1 / 12);
  near(found.shares.bias, 1 / 2);
});

test("contributions add up to the result, shares to one", () => {
  const draw = (() => {
    let state = 1;
    return () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5;
  })();
  const vector = () => Float32Array.from({ length: 64 }, draw);
  const random = { token: vector(), position: vector(), segment: vector() };
  const norm = { gain: vector(), bias: vector(), eps: 1e-12 };
  for (const on of [view.PARTS, ["token"], ["position", "segment"], []]) {
    const { scaled, vectors, shares } = view.anatomy(random, on, norm);
    for (let i = 0; i < 64; i += 1) {
      near(scaled.token[i] + scaled.position[i] + scaled.segment[i] + scaled.bias[i], vectors.result[i]);
      near(scaled.sum[i] + scaled.bias[i], scaled.result[i]);
    }
    near(
      Object.values(shares).reduce((a, b) => a + b),
      1,
    );
    for (const name of view.PARTS) if (!on.includes(name)) assert.equal(shares[name], 0);
  }
});

test("a part that is off is still shown, but not added", () => {
  const found = view.anatomy(parts, ["position", "segment"], plain);
  assert.deepEqual([...found.vectors.sum], [0, -2]);
  assert.deepEqual(found.vectors.token, [4, 0]);
  assert.equal(found.shares.token, 0);
});

test("a result of no length has no shares", () => {
  const found = view.anatomy({ token: [1, 1], position: [0, 0], segment: [0, 0] }, view.PARTS, {
    gain: [1, 1],
    bias: [0, 0],
    eps: 1e-12,
  });
  assert.deepEqual(found.shares, { token: 0, position: 0, segment: 0, bias: 0 });
});

test("shares are stacked from zero, negative ones downwards", () => {
  const pieces = view.stack({ token: 0.75, position: -0.25, segment: 0.75, bias: -0.25 });
  assert.deepEqual(pieces, [
    { name: "token", from: 0, to: 0.75 },
    { name: "position", from: -0.25, to: 0 },
    { name: "segment", from: 0.75, to: 1.5 },
    { name: "bias", from: -0.5, to: -0.25 },
  ]);
});

test("bars: one shape a component, up is positive, nothing for zero", () => {
  assert.equal(view.barPath([2, 0, -1], 2), "M0 0V-1.0000h1V0zM2 0V0.5000h1V0z");
  assert.equal(view.barPath([0, 0], 0), "");
});

test("the component under the pointer", () => {
  assert.equal(view.componentAt(0, 100, 8), 0);
  assert.equal(view.componentAt(99.9, 100, 8), 7);
  assert.equal(view.componentAt(100, 100, 8), 7);
  assert.equal(view.componentAt(-3, 100, 8), 0);
  assert.equal(view.componentAt(50, 100, 8), 4);
});

test("rows above LayerNorm share a scale, those below it share another, or all share one", () => {
  const rows = { token: [1, -3], position: [2, 0], segment: [0, 0], sum: [3, -3.5], bias: [1, 1], result: [-20, 5] };
  assert.deepEqual(view.limits(rows, false), {
    token: 3.5,
    position: 3.5,
    segment: 3.5,
    sum: 3.5,
    bias: 20,
    result: 20,
  });
  assert.deepEqual(new Set(Object.values(view.limits(rows, true))), new Set([20]));
});

test("the scale of the result is said", () => {
  assert.equal(view.scaleNote({ sum: 0.5, result: 4 }), "drawn to ±4.000, a scale 8.0 times coarser");
  assert.equal(view.scaleNote({ sum: 4, result: 4 }), "on the same scale");
  assert.equal(view.scaleNote({ sum: 0, result: 4 }), "drawn to ±4.000");
});

test("a model's bytes become the rows of each token", () => {
  const bytes = (...numbers) => new DataView(Float32Array.from(numbers).buffer);
  const state = {
    _hidden_size: 2,
    _eps: 0.5,
    _tokens: ["a", "b", "a"],
    _ids: { input_ids: [5, 6, 5] },
    _row_of: { token: [0, 1, 0], position: [0, 1, 2], segment: [0, 0, 0] },
    _token_rows: bytes(1, 2, 3, 4),
    _position_rows: bytes(0, 1, 0, 2, 0, 3),
    _segment_rows: bytes(7, 8),
    _layer_norm: bytes(1, 1, 0, 0),
  };
  const data = view.readModel({ get: (name) => state[name] });
  const found = data.parts(2);
  assert.deepEqual([...found.token], [1, 2]);
  assert.deepEqual([...found.position], [0, 3]);
  assert.deepEqual([...found.segment], [7, 8]);
  assert.equal(data.layerNorm.eps, 0.5);
});

test("a sign stands only where the rows add up", () => {
  const signs = (scaled) => view.ROWS.map((name) => view.signOf(name, scaled)).join(" ");
  assert.equal(signs(false), " + + =  →");
  assert.equal(signs(true), " + + = + =");
});
