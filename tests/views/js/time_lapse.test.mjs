// The arithmetic of the time-lapse.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("time_lapse");
const steps = [0, 10, 40, 100, 1000];

test("steps stand by their logarithm, and step 0 apart", () => {
  const places = steps.map((step) => view.placeOf(step, steps));
  assert.equal(places[0], 0.04);
  assert.equal(places[1], 0.12);
  assert.equal(places.at(-1), 0.97);
  assert.ok(Math.abs(places[3] - (places[1] + places[4]) / 2) < 1e-12); // 100 = √(10 · 1000)
  assert.deepEqual(view.tickSteps(steps), [0, 10, 100, 1000]);
  assert.equal(view.placeOf(0, [0]), 0.04);
  assert.deepEqual(view.tickSteps([0]), [0]);
  assert.deepEqual(view.tickSteps([5, 8]), []);
  assert.equal(view.placeOf(5, [5]), 0.12);
});

test("a click chooses the nearest moment", () => {
  for (const [index, step] of steps.entries()) {
    assert.equal(view.momentAt(view.placeOf(step, steps) + 0.01, steps), index);
  }
  assert.equal(view.momentAt(-3, steps), 0);
  assert.equal(view.momentAt(9, steps), 4);
});

test("a missing value leaves a gap", () => {
  const { line, dots } = view.pathsOf([0, 1, null, 0.5, null, 2], [0, 0.1, 0.2, 0.3, 0.4, 0.5], 1);
  assert.equal(line, "M0.00 92.00L10.00 8.00M30.00 50.00M50.00 8.00");
  assert.equal(dots, "M0.00 92.00h0M10.00 8.00h0M30.00 50.00h0M50.00 8.00h0");
  assert.deepEqual(view.pathsOf([null], [0], 1), { line: "", dots: "" });
  assert.equal(view.heightOf(3, 0), 92);
});

test("an ability appears between two moments that were measured", () => {
  const one = view.abilityOf("x", [0.2, 0.25, null, 0.7, 0.6], 0.5, 0.05);
  assert.deepEqual(
    { ...one, values: undefined },
    { name: "x", values: undefined, start: 0.2, level: 0.2 + 0.5 * (0.7 - 0.2), first: 3, below: 1 },
  );
  assert.equal(view.abilityOf("x", [0.5, 0.54], 0.5, 0.05).first, null);
  assert.equal(view.abilityOf("x", [null, null], 0.5, 0.05).first, null);
  assert.equal(view.abilityOf("x", [null, 0.9], 0.5, 0.05).level, null);
});

test("losses are those that were logged last", () => {
  const losses = [
    { step: 10, mlm_loss: 3 },
    { step: 20, mlm_loss: 2 },
  ];
  assert.equal(view.lossesAt(losses, 9), null);
  assert.equal(view.lossesAt(losses, 10).mlm_loss, 3);
  assert.equal(view.lossesAt(losses, 99).mlm_loss, 2);
  assert.equal(view.lossesAt([], 5), null);
});

test("the strongest weight is one between words, if there are any", () => {
  const map = Uint8Array.from([9, 255, 0, 7, 200, 30, 250, 90, 0]);
  assert.deepEqual(view.strongestOf(map, ["[CLS]", "she", "saw"]), { query: 2, key: 1 });
  assert.deepEqual(view.strongestOf(map, ["[CLS]", "she", "."]), { query: 0, key: 1 });
  assert.deepEqual(view.strongestOf(Uint8Array.from([255]), ["she"]), { query: 0, key: 0 });
});

test("codes stand for weights, and have a colour each", () => {
  assert.equal(view.weightOf(255), 1);
  assert.equal(view.weightOf(0), 0);
  assert.ok(Math.abs(view.weightOf(128) - 0.252) < 1e-3);
  for (const dark of [false, true]) {
    const table = view.paletteOf(dark);
    assert.equal(table.length, 1024);
    const light = (code) => table[4 * code] + table[4 * code + 1] + table[4 * code + 2];
    for (let code = 1; code < 256; code += 1)
      assert.ok(dark ? light(code) >= light(code - 1) : light(code) <= light(code - 1));
    assert.equal(table[3], 255);
  }
  assert.deepEqual([...view.paletteOf(false).subarray(0, 3)], [0xf7, 0xfb, 0xff]);
  assert.deepEqual([...view.paletteOf(false).subarray(1020, 1023)], [0x08, 0x30, 0x6b]);
});

test("counts are written for reading", () => {
  assert.equal(view.formatCount(1234567), "1,234,567");
  assert.equal(view.formatLarge(999), "999");
  assert.equal(view.formatLarge(130717), "130,717");
  assert.equal(view.formatLarge(5790267), "5.79 million");
  assert.equal(view.formatLarge(69522274), "69.5 million");
  assert.equal(view.formatLarge(3300000000), "3.3 billion");
});
