// What the token view works out of a cut word.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("tokens");
const word = {
  text: "unties",
  spans: [
    [0, 2],
    [2, 5],
    [5, 6],
  ],
  failed_at: null,
  too_long: false,
  searched: true,
};

test("every look: the longest candidate first, then one character less", () => {
  const tries = view.triesOf(word);
  assert.deepEqual(
    tries.map((one) => view.pieceOf(word.text, one, "##")),
    ["unties", "untie", "unti", "unt", "un", "##ties", "##tie", "##s"],
  );
  assert.deepEqual(
    tries.filter(({ found }) => found).map(({ stop }) => stop),
    [2, 5, 6],
  );
});

test("a search that fails goes down to one character", () => {
  const tries = view.triesOf({ text: "unz!", spans: [[0, 2]], failed_at: 2 });
  assert.deepEqual(
    tries.slice(3).map(({ start, stop, found }) => [start, stop, found]),
    [
      [2, 4, false],
      [2, 3, false],
    ],
  );
});

test("characters beyond 16 bits are one", () => {
  const tries = view.triesOf({ text: "😀a😀", spans: [], failed_at: 0 });
  assert.deepEqual(
    tries.map((one) => view.pieceOf("😀a😀", one, "##")),
    ["😀a😀", "😀a", "😀"],
  );
  assert.equal(view.slice("😀a😀", 1), "a😀");
});

test("what became of a word, in words", () => {
  assert.equal(view.outcome(word, ["un", "##tie", "##s"], 8), "3 tokens after 8 looks into the vocabulary.");
  assert.equal(view.outcome({ ...word, spans: [[0, 6]] }, ["unties"], 1), "1 token after 1 look into the vocabulary.");
  assert.match(view.outcome({ ...word, failed_at: 3 }, ["[UNK]"], 8), /At “ies” no word piece fits, .* \[UNK\]\.$/);
  assert.match(view.outcome({ ...word, too_long: true }, ["[UNK]"], 0), /It has 6 characters, too many/);
  assert.match(view.outcome({ ...word, searched: false }, ["[MASK]"], 0), /without a search/);
});

test("what cannot be seen is made visible", () => {
  assert.equal(view.visible("a\n\u0000"), "a␊␀");
  assert.equal(view.visible("\u0301"), "\u25cc\u0301");
  assert.equal(view.visible("e\u0301"), "e\u0301");
  assert.equal(view.visible("a\u202eb"), "a\ufffdb");
});
