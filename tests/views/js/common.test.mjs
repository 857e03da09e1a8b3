// The pure functions that every view shares.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { deflateSync } from "node:zlib";
import { load } from "./load.mjs";

const view = await load("embedding");

test("bytes become the numbers that Python packed", () => {
  const packed = Uint8Array.from([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]); // pack([1.0, -2.0])
  assert.deepEqual([...view.decodeFloats(packed)], [1, -2]);
  assert.deepEqual([...view.decodeFloats(packed.buffer)], [1, -2]);
});

test("bytes that start at an odd place are read too", () => {
  const message = Uint8Array.from([9, 9, 9, 0, 0, 0x80, 0x3f, 9]);
  assert.deepEqual([...view.decodeFloats(new DataView(message.buffer, 3, 4))], [1]);
});

test("half a number is refused", () => {
  assert.throws(() => view.decodeFloats(new Uint8Array(6)), /6 bytes are no whole number of float32 values/);
});

test("rows share the memory of the matrix", () => {
  const rows = view.rowsOf(Float32Array.from([1, 2, 3, 4, 5, 6]), 3);
  assert.deepEqual(
    rows.map((row) => [...row]),
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  );
  assert.equal(rows[0].buffer, rows[1].buffer);
  assert.throws(() => view.rowsOf(new Float32Array(5), 3), /5 numbers do not make rows of 3/);
});

test("lengths and angles", () => {
  assert.equal(view.norm([3, 4]), 5);
  assert.equal(view.dot([1, 2], [3, 4]), 11);
  assert.equal(view.cosine([1, 0], [0, 2]), 0);
  assert.equal(view.cosine([3, 4], [-6, -8]), -1);
  assert.ok(view.cosine([1e-3, 1, 7], [1e-3, 1, 7]) <= 1);
  assert.ok(Number.isNaN(view.cosine([0, 0], [1, 0])));
  assert.deepEqual([...view.minus([3, 1], [1, 4])], [2, -3]);
  assert.equal(
    view.largest([
      [1, -7],
      [3, 2],
    ]),
    7,
  );
});

test("numbers are written for reading", () => {
  const written = [0, 0.25, -0.031234, 11.454, 123.456, 12345.6, 0.00012, -0.00012, NaN].map((x) =>
    view.formatNumber(x),
  );
  assert.deepEqual(written, ["0", "0.250", "−0.031", "11.45", "123.5", "12346", "1.20e−4", "−1.20e−4", "–"]);
  assert.equal(view.formatNumber(0.5, true), "+0.500");
  assert.equal(view.formatNumber(0, true), "0");
});

test("a little is not written as nothing, and nearly everything not as everything", () => {
  const written = (/** @type {number} */ share, digits = 1) => view.formatPercent(share, digits).replace("\u00a0", " ");
  assert.equal(written(0.712), "71.2 %");
  assert.equal(written(-0.05), "−5.0 %");
  assert.equal(written(0), "0.0 %");
  assert.equal(written(-0), "0.0 %");
  assert.equal(written(1), "100.0 %");
  assert.equal(written(NaN), "–");
  assert.equal(written(0.0004), "< 0.1 %");
  assert.equal(written(-0.0004), "> −0.1 %");
  assert.equal(written(0.0006), "0.1 %");
  assert.equal(written(0.9996), "> 99.9 %");
  assert.equal(written(0.9994), "99.9 %");
  assert.equal(written(1 - 2 ** -23), "100.0 %"); // the rounding of single precision
  assert.equal(written(0.99876, 2), "99.88 %");
  assert.equal(written(0.00001, 2), "< 0.01 %");
  assert.equal(written(0.99999, 2), "> 99.99 %");
});

test("keys lead through a list that wraps", () => {
  const after = (key, index, perLine) => view.indexAfterKey(key, index, 10, perLine);
  assert.equal(after("ArrowRight", 3), 4);
  assert.equal(after("ArrowRight", 9), 9);
  assert.equal(after("ArrowLeft", 0), 0);
  assert.equal(after("Home", 7), 0);
  assert.equal(after("End", 7), 9);
  assert.equal(after("ArrowDown", 1, 4), 5);
  assert.equal(after("ArrowDown", 8, 4), 8);
  assert.equal(after("ArrowUp", 5, 4), 1);
  assert.equal(after("ArrowUp", 2, 4), 2);
  assert.equal(after("x", 2), null);
  assert.equal(after("toString", 2), null);
});

test("dark and light backgrounds, and those that are not there", () => {
  assert.equal(view.isDark("rgb(17, 17, 17)"), true);
  assert.equal(view.isDark("rgb(255, 255, 255)"), false);
  assert.equal(view.isDark("rgba(0, 0, 0, 0)"), null);
  assert.equal(view.isDark("rgba(0, 0, 0, 0.9)"), true);
  assert.equal(view.isDark("transparent"), null);
});

// ---- blocks

/** Blocks of a view that ends with the test. */
function blocksOf(context, model) {
  const life = new view.Life();
  context.after(() => life.end());
  return new view.Blocks(model, life);
}

const deflated = (...numbers) => deflateSync(Uint8Array.from(numbers));

/** A live model that keeps what it is sent. */
class LiveModel {
  constructor() {
    this.sent = [];
    this.followers = new Map();
  }
  on(event, react) {
    this.followers.set(event, react);
  }
  off(event, react) {
    if (this.followers.get(event) === react) this.followers.delete(event);
  }
  send(message) {
    this.sent.push(message);
  }
  answer(message, buffers = []) {
    this.followers.get("msg:custom")(message, buffers);
  }
}

test("a block is asked for once, inflated and kept", async (context) => {
  const model = new LiveModel();
  const blocks = blocksOf(context, model);
  const coming = [blocks.get("0/self/mean"), blocks.get("0/self/mean")];
  assert.equal(model.sent.length, 1);
  const { ticket, ...asked } = model.sent[0];
  assert.deepEqual(asked, { type: "block", name: "0/self/mean" });
  model.answer({ type: "block", ticket }, [deflated(7, 8, 9)]);
  for (const bytes of await Promise.all(coming)) assert.deepEqual([...new Uint8Array(bytes.buffer)], [7, 8, 9]);
  await blocks.get("0/self/mean");
  assert.equal(model.sent.length, 1);
});

test("answers find who asked, whatever their order, and no one else", async (context) => {
  const model = new LiveModel();
  const [first, second] = ["a", "b"].map((name) => blocksOf(context, model).get(name));
  assert.equal(new Set(model.sent.map(({ ticket }) => ticket)).size, 2);
  const blocks = blocksOf(context, model);
  const found = [blocks.get("one"), blocks.get("two")];
  const [one, two] = model.sent.slice(2).map(({ ticket }) => ticket);
  model.answer({ type: "block", ticket: "of another window" }, [deflated(0)]);
  model.answer({ type: "block", ticket: two }, [deflated(2)]);
  model.answer({ type: "block", ticket: one }, [deflated(1)]);
  assert.deepEqual(
    (await Promise.all(found)).map((bytes) => bytes.getUint8(0)),
    [1, 2],
  );
  assert.ok(first instanceof Promise && second instanceof Promise);
});

test("a refusal is told and not kept", async (context) => {
  const model = new LiveModel();
  const blocks = blocksOf(context, model);
  const refused = blocks.get("nothing");
  model.answer({ type: "error", ticket: model.sent[0].ticket, message: "no such block" });
  await assert.rejects(refused, /^Error: no such block$/);
  blocks.get("nothing");
  assert.equal(model.sent.length, 2);
});

test("after forget() a block is asked for again", async (context) => {
  const model = new LiveModel();
  const blocks = blocksOf(context, model);
  const before = blocks.get("0/self/max");
  model.answer({ type: "block", ticket: model.sent[0].ticket }, [deflated(1)]);
  await before;
  blocks.forget();
  const after = blocks.get("0/self/max");
  model.answer({ type: "block", ticket: model.sent[1].ticket }, [deflated(2)]);
  assert.equal((await after).getUint8(0), 2);
});

test("an answer that does not come is said to be missing, and is welcome later", async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const model = new LiveModel();
  const blocks = blocksOf(context, model);
  const answer = blocks.get("0/self/mean");
  mock.timers.tick(10_000);
  const reason = await answer.catch((error) => error);
  assert.match(reason.message, /^Python has not answered yet: it is busy with another cell, or has stopped\.$/);
  model.answer({ type: "block", ticket: model.sent[0].ticket }, [deflated(7)]);
  assert.equal((await reason.later).getUint8(0), 7);
});

test("without a Python at the other end that is said at once", async (context) => {
  const model = new LiveModel();
  model.send = () => {
    throw new Error("Cannot send");
  };
  const blocks = blocksOf(context, model);
  await assert.rejects(
    blocks.get("0/self/mean"),
    /^Error: Python is gone: it was started anew, or stopped\. Run this cell again\.$/,
  );
  assert.equal(blocks.waiting.size, 0);
});

test("a view that has ended hears nothing more", () => {
  const model = new LiveModel();
  const life = new view.Life();
  const blocks = new view.Blocks(model, life);
  blocks.get("late");
  life.end();
  assert.equal(model.followers.size, 0);
  assert.equal(blocks.waiting.size, 0);
  assert.equal(blocks.kept.size, 0);
});

test("a saved page has what was written into it, and says what was not", async (context) => {
  const written = { "0/self/mean": deflated(4, 5) };
  const model = { savedBlock: (name) => written[name] ?? null, hasSavedBlock: (name) => name in written };
  const blocks = blocksOf(context, model);
  assert.equal(blocks.has("0/self/mean"), true);
  assert.equal(blocks.has("0/self/exact/0/0/0"), false);
  assert.deepEqual([...new Uint8Array((await blocks.get("0/self/mean")).buffer)], [4, 5]);
  await assert.rejects(blocks.get("0/self/why/0/0"), /^Error: This page was saved without 0\/self\/why\/0\/0\.$/);
});
