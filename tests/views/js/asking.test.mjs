// Questions to Python, as far as they need no page.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { load } from "./load.mjs";

const view = await load("fill_in");

/** A model that keeps what it is sent; answer() is Python's. */
function live() {
  const followers = new Set();
  const model = {
    sent: [],
    on: (_, react) => followers.add(react),
    off: (_, react) => followers.delete(react),
    send: (message) => model.sent.push(message),
    answer: (problem = "", ticket = model.sent.at(-1).ticket) => {
      for (const react of followers) react({ type: "asked", ticket, problem });
    },
    followers,
  };
  return model;
}

function asking() {
  const model = live();
  const life = new view.Life();
  let told = 0;
  const asker = new view.Asker(model, life, () => (told += 1));
  return { model, life, asker, told: () => told };
}

test("what Python packed is unpacked", () => {
  const text = '{"text":"\\u00e9"} ';
  const bytes = new Uint8Array(3 + 4 + 20 + 8);
  const data = new DataView(bytes.buffer, 3);
  data.setUint32(0, 20, true);
  bytes.set(new TextEncoder().encode(text.padEnd(20)), 7);
  data.setFloat32(24, 1, true);
  data.setFloat32(28, -2.5, true);
  const { facts, numbers } = view.unpackAnswer(data);
  assert.deepEqual(facts, { text: "é" });
  assert.deepEqual([...numbers], [1, -2.5]);
});

test("one question is under way, and the latest of the others is next", () => {
  const { model, asker, life } = asking();
  asker.ask({ text: "a" });
  asker.ask({ text: "ab" });
  asker.ask({ text: "abc" });
  assert.deepEqual(
    model.sent.map(({ values }) => values.text),
    ["a"],
  );
  assert.ok(asker.busy);
  model.answer();
  assert.deepEqual(
    model.sent.map(({ values }) => values.text),
    ["a", "abc"],
  );
  assert.ok(asker.busy);
  model.answer();
  assert.ok(!asker.busy);
  assert.equal(model.sent.length, 2);
  life.end();
});

test("questions about different traits are put together", () => {
  const { model, asker, life } = asking();
  asker.ask({ text: "a" });
  asker.ask({ follow: ["b"] });
  asker.ask({ text: "c" });
  model.answer();
  assert.deepEqual(model.sent[1].values, { follow: ["b"], text: "c" });
  life.end();
});

test("a refusal is told, and the next agreement takes it back", () => {
  const { model, asker, told, life } = asking();
  let agreed = 0;
  asker.ask({ text: "a" }, { then: () => (agreed += 1) });
  const before = told();
  model.answer("text has no [MASK]");
  assert.equal(asker.problem, "text has no [MASK]");
  assert.ok(told() > before);
  assert.equal(agreed, 0);
  asker.ask({ text: "b" }, { then: () => (agreed += 1) });
  model.answer();
  assert.equal(asker.problem, "");
  assert.equal(agreed, 1);
  life.end();
});

test("an answer to another page's question changes nothing", () => {
  const { model, asker, life } = asking();
  asker.ask({ text: "a" });
  model.answer("no", "other-1");
  assert.ok(asker.busy);
  assert.equal(asker.problem, "");
  life.end();
});

test("typing waits for a pause; Python that does not answer is told", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const { model, asker, life } = asking();
  asker.ask({ text: "a" }, { pause: 100 });
  mock.timers.tick(99);
  asker.ask({ text: "ab" }, { pause: 100 });
  mock.timers.tick(99);
  assert.equal(model.sent.length, 0);
  mock.timers.tick(1);
  assert.deepEqual(
    model.sent.map(({ values }) => values.text),
    ["ab"],
  );
  mock.timers.tick(10_000);
  assert.match(asker.problem, /^Python has not answered yet/);
  model.answer();
  assert.equal(asker.problem, "");
  asker.ask({ text: "abc" }, { pause: 100 });
  life.end();
  mock.timers.tick(20_000);
  assert.equal(model.sent.length, 1);
  assert.equal(model.followers.size, 0);
});

test("what Python never answers is not awaited for ever, and the next question is put", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const { model, asker, life } = asking();
  asker.ask({ text: "a" });
  mock.timers.tick(9_999);
  assert.ok(asker.busy);
  mock.timers.tick(1);
  assert.ok(!asker.busy);
  asker.ask({ text: "ab" });
  assert.deepEqual(
    model.sent.map(({ values }) => values.text),
    ["a", "ab"],
  );
  assert.ok(asker.busy);
  model.answer();
  assert.ok(!asker.busy);
  assert.equal(asker.problem, "");
  life.end();
});

test("a late answer is taken", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const { model, asker, life } = asking();
  let agreed = 0;
  asker.ask({ text: "a" }, { then: () => (agreed += 1) });
  mock.timers.tick(10_000);
  model.answer();
  assert.equal(agreed, 1);
  assert.equal(asker.problem, "");
  life.end();
});

test("a Python that is gone is told at once", () => {
  const { model, asker, told, life } = asking();
  model.send = () => {
    throw new Error("Cannot send");
  };
  asker.ask({ text: "a" });
  assert.match(asker.problem, /^Python is gone/);
  assert.ok(!asker.busy);
  assert.ok(told() > 0);
  life.end();
});

test("a saved page asks nobody", () => {
  const model = { ...live(), savedBlock: () => null };
  const asker = new view.Asker(model, new view.Life(), () => assert.fail("nothing has changed"));
  asker.ask({ text: "a" });
  assert.equal(asker.busy, false);
  assert.deepEqual(model.sent, []);
});
