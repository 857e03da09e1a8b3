// The pure functions of the attention explorer: bytes, words, filters, why, colours, keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const view = await load("attention");

const near = (actual, expected, most = 1e-6) => {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) <= most, `${i}: ${actual[i]} is not ${value}`));
};
const total = (row) => row.reduce((sum, weight) => sum + (weight || 0), 0);

// [CLS] un ##like ##ly . [SEP] yes [SEP] [PAD]
const LIST = {
  tokens: ["[CLS]", "un", "##like", "##ly", ".", "[SEP]", "yes", "[SEP]", "[PAD]"],
  segments: [0, 0, 0, 0, 0, 0, 1, 1, 0],
  special: [1, 0, 0, 0, 0, 1, 0, 1, 0],
  padding: [0, 0, 0, 0, 0, 0, 0, 0, 1],
  words: [-1, 0, 0, 0, 1, -1, 2, -1, -1],
};
const PIECES = view.makeAxis(LIST, false);
const WORDS = view.makeAxis(LIST, true);
const OPEN = { direction: "all", hideSpecial: false, renormalise: false, threshold: 0, mass: 1 };

/** Rows that differ, and sum to one. */
const rowAt = (query) => {
  const raw = LIST.tokens.map((_, key) => 1 + ((query * 7 + key * 5) % 9));
  const sum = raw.reduce((a, b) => a + b);
  return raw.map((value) => value / sum);
};
const exactReader = (query, out) => out.set(rowAt(query));

test("every code gives a weight that gives the code back, within the error that is told", () => {
  for (let code = 0; code < 256; code += 1) assert.equal(view.codeOf(view.WEIGHTS[code]), code);
  let most = 0;
  for (let i = 0; i <= 5000; i += 1) {
    const weight = i / 5000;
    const drawn = view.WEIGHTS[view.codeOf(weight)];
    assert.ok(Math.abs(drawn - weight) <= view.errorOf(drawn) + 1e-7, `${weight}`);
    most = Math.max(most, view.errorOf(drawn));
  }
  assert.ok(most <= 0.004);
  for (let code = 1; view.WEIGHTS[code] < 0.2; code += 1) {
    // Rounded the other way: a whole step.
    assert.ok(view.errorOf(view.WEIGHTS[code - 1]) >= view.WEIGHTS[code] - view.WEIGHTS[code - 1] - 1e-7);
  }
  assert.deepEqual([view.codeOf(-1), view.codeOf(7), view.codeOf(1 / 512)], [0, 255, 11]);
});

test("a uniform row of 512 keys survives the code", () => {
  const sum = 512 * view.WEIGHTS[view.codeOf(1 / 512)];
  assert.ok(Math.abs(sum - 1) < 0.05, String(sum));
});

test("a block's codes are read where they begin", () => {
  const bytes = Uint8Array.from([9, 9, 1, 2, 3]);
  assert.deepEqual([...view.decodeCodes(new DataView(bytes.buffer, 2, 3))], [1, 2, 3]);
});

test("one head of a layer, and mean and largest over its heads", () => {
  const codes = Uint8Array.from([255, 0, 0, 255, 0, 255, 0, 255]); // 2 heads × 2 queries × 2 keys
  const row = new Float32Array(2);
  view.headReader(codes, 2, 2, 1)(0, row);
  assert.deepEqual([...row], [0, 1]);
  view.headsReader(codes, 2, 2, "mean")(0, row);
  assert.deepEqual([...row], [0.5, 0.5]);
  view.headsReader(codes, 2, 2, "max")(0, row);
  assert.deepEqual([...row], [1, 1]);
});

test("words are neighbouring pieces; special tokens and padding stay alone", () => {
  assert.deepEqual(WORDS.tokens, ["[CLS]", "unlikely", ".", "[SEP]", "yes", "[SEP]", "[PAD]"]);
  assert.deepEqual(WORDS.starts, [0, 1, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(WORDS.padding.map(Number), [0, 0, 0, 0, 0, 0, 1]);
  assert.equal(WORDS.merged, true);
  assert.equal(PIECES.merged, false);
  assert.deepEqual(
    [0, 1, 3, 4, 8].map((piece) => view.groupOf(WORDS, piece)),
    [0, 1, 1, 2, 6],
  );
  assert.deepEqual(
    [0, 8].map((piece) => view.groupOf(PIECES, piece)),
    [0, 8],
  );
});

test("names of words are without the marks of the tokenizer", () => {
  assert.equal(view.wordOf(["un", "##like", "##ly"]), "unlikely");
  assert.equal(view.wordOf(["Ġun", "likely"]), "unlikely");
  assert.equal(view.wordOf(["▁yes"]), "yes");
  assert.equal(view.wordOf(["##"]), "##");
});

test("merged to words: the sum over keys, the mean over queries, and rows still sum to one", () => {
  const read = view.mergedReader(exactReader, WORDS, WORDS);
  const row = new Float32Array(WORDS.size);
  for (let word = 0; word < WORDS.size; word += 1) {
    read(word, row);
    assert.ok(Math.abs(total(row) - 1) < 1e-6);
  }
  read(1, row);
  const mean = (key) => (rowAt(1)[key] + rowAt(2)[key] + rowAt(3)[key]) / 3;
  near(row, [mean(0), mean(1) + mean(2) + mean(3), mean(4), mean(5), mean(6), mean(7), mean(8)]);
  assert.equal(view.mergedReader(exactReader, PIECES, PIECES), exactReader);
});

test("special tokens are hidden, and their share is told", () => {
  const row = Float32Array.from(rowAt(1));
  const shares = view.filterRow(row, 1, PIECES, PIECES, { ...OPEN, hideSpecial: true });
  const special = rowAt(1)[0] + rowAt(1)[5] + rowAt(1)[7];
  near([shares.total, shares.special, shares.direction, shares.small], [1, special, 0, 0]);
  assert.deepEqual([...row].map(Number.isNaN), LIST.special.map(Boolean));
  near([total(row)], [1 - special]);
  assert.equal(shares.hidden, false);
  const itself = Float32Array.from(rowAt(0));
  assert.equal(view.filterRow(itself, 0, PIECES, PIECES, { ...OPEN, hideSpecial: true }).hidden, true);
  assert.ok([...itself].every(Number.isNaN));
});

test("which tokens a filter takes away", () => {
  const hidden = (filter, as) =>
    LIST.tokens.map((_, i) => Number(view.isHidden(PIECES, i, { ...OPEN, ...filter }, as)));
  assert.deepEqual(hidden({}, "query"), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(hidden({ hideSpecial: true }, "key"), LIST.special);
  assert.deepEqual(hidden({ direction: "A→B" }, "query"), LIST.segments);
  assert.deepEqual(
    hidden({ direction: "A→B" }, "key"),
    LIST.segments.map((segment) => 1 - segment),
  );
});

test("one direction between the sentences", () => {
  const row = Float32Array.from(rowAt(1));
  const shares = view.filterRow(row, 1, PIECES, PIECES, { ...OPEN, direction: "A→B" });
  near([shares.direction], [1 - rowAt(1)[6] - rowAt(1)[7]]);
  assert.deepEqual(
    [...row].map(Number.isNaN),
    LIST.segments.map((segment) => segment === 0),
  );
  assert.equal(view.filterRow(row, 6, PIECES, PIECES, { ...OPEN, direction: "A→B" }).hidden, true);
  assert.equal(view.filterRow(row, 6, PIECES, PIECES, { ...OPEN, direction: "B→A" }).hidden, false);
});

test("renormalised only when asked, and what is hidden is still told of the whole", () => {
  const filter = { ...OPEN, hideSpecial: true, renormalise: true };
  const row = Float32Array.from(rowAt(1));
  const shares = view.filterRow(row, 1, PIECES, PIECES, filter);
  near([total(row)], [1]);
  near([shares.special], [rowAt(1)[0] + rowAt(1)[5] + rowAt(1)[7]]);
  const left = 1 - shares.special;
  near([row[1]], [rowAt(1)[1] / left]);
});

test("weights below the threshold are not drawn; what they hold is told", () => {
  const row = Float32Array.from([0.5, 0.3, 0.15, 0.05]);
  const axis = view.makeAxis(
    { tokens: [..."abcd"], segments: [0, 0, 0, 0], special: [0, 0, 0, 0], padding: [0, 0, 0, 0], words: [0, 1, 2, 3] },
    false,
  );
  const shares = view.filterRow(row, 0, axis, axis, { ...OPEN, threshold: 0.2 });
  near(row, [0.5, 0.3, 0, 0]);
  near([shares.small], [0.2]);
  // About the numbers that are shown: of what is left, 0.15 is 0.3.
  const again = Float32Array.from([0.5, 0.3, 0.15, 0.05]);
  const first = view.makeAxis(
    { tokens: [..."abcd"], segments: [0, 0, 0, 0], special: [1, 0, 0, 0], padding: [0, 0, 0, 0], words: [-1, 1, 2, 3] },
    false,
  );
  const hidden = view.filterRow(again, 1, first, first, {
    ...OPEN,
    hideSpecial: true,
    renormalise: true,
    threshold: 0.2,
  });
  near([...again].slice(1), [0.6, 0.3, 0]);
  near([hidden.special, hidden.small], [0.5, 0.05]);
});

test("the largest weights that together hold a share; of equal ones the first", () => {
  const kept = (values, mass) => {
    const row = Float32Array.from(values);
    const size = values.length;
    const none = Array(size).fill(0);
    const axis = view.makeAxis(
      { tokens: Array(size).fill("x"), segments: none, special: none, padding: none, words: none.map((_, i) => i) },
      false,
    );
    view.filterRow(row, 0, axis, axis, { ...OPEN, mass });
    return [...row].map((weight) => weight > 0);
  };
  assert.deepEqual(kept([0.5, 0.1, 0.4], 0.6), [true, false, true]);
  assert.deepEqual(kept([0.5, 0.1, 0.4], 0.5), [true, false, false]);
  assert.deepEqual(kept([0.25, 0.25, 0.25, 0.25], 0.5), [true, true, false, false]);
  assert.deepEqual(kept([0.25, 0.25, 0.25, 0.25], 1), [true, true, true, true]);
  assert.deepEqual(kept([0, 1, 0], 0.01), [false, true, false]);
});

test("a filter that hides nothing says so", () => {
  assert.equal(view.isOpen(OPEN), true);
  for (const change of [
    { direction: "B→B" },
    { hideSpecial: true },
    { renormalise: true },
    { threshold: 0.1 },
    { mass: 0.9 },
  ]) {
    assert.equal(view.isOpen({ ...OPEN, ...change }), false);
  }
});

test("entropy in bits", () => {
  near([view.entropy([0, 1, 0]), view.entropy([0.25, 0.25, 0.25, 0.25]), view.entropy([0.5, NaN, 0.5])], [0, 2, 1]);
  near([view.entropy([0.1, 0.1])], [1]); // shares of what is there
  assert.ok(Number.isNaN(view.entropy([0, 0])));
});

test("softmax, also of large scores and behind a mask", () => {
  near(view.softmax([0, Math.log(3)]), [0.25, 0.75]);
  near(view.softmax([1000, 1000]), [0.5, 0.5]);
  near(view.softmax([1, -3.4e38]), [1, 0]);
  near(view.softmax([-Infinity, 2]), [0, 1]);
  near(view.softmax([-Infinity, -Infinity]), [0, 0]);
});

test("why: products, sum, scale, bias and softmax give the weight", () => {
  const [queries, keys, size, scaling] = [2, 3, 4, 0.5];
  const q = [1, 2, 3, 4, -1, 0.5, 0, 2];
  const k = [0.5, -1, 1, 0, 1, 1, 1, 1, -2, 0, 0, 1];
  const bias = [0, 0.25, -3e38, 0, 0, 0];
  const shape = { queries, keys, size, scaling };
  const why = view.explain(Float32Array.from([...q, ...k, ...bias]), shape, 0, 1);
  near(why.product, [1, 2, 3, 4]);
  assert.equal(why.sum, 10);
  assert.equal(why.scaled, 5);
  assert.equal(why.bias, 0.25);
  near([why.scores[0], why.scores[1]], [0.75, 5.25]);
  const share = Math.exp(5.25) / (Math.exp(0.75) + Math.exp(5.25));
  near(why.weights, [1 - share, share, 0]);
  near([total(why.weights)], [1], 1e-12);
  const plain = view.explain(Float32Array.from([...q, ...k]), shape, 1, 2);
  assert.equal(plain.bias, 0);
  assert.equal(plain.sum, 4);
  near(plain.weights, view.softmax([0.5 * (-0.5 - 0.5), 0.5 * 1.5, 0.5 * 4]));
});

test("the components that push most", () => {
  assert.deepEqual(view.pushers([1, -5, 3, 0, -2], 2), { up: [2, 0], down: [1, 4] });
  assert.deepEqual(view.pushers([1, 2], 3), { up: [1, 0], down: [] });
});

/** Relative luminance and contrast, WCAG 2.2. */
const luminance = (colour) => {
  const [r, g, b] = colour.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)].sort((one, other) => other - one);
  return (x + 0.05) / (y + 0.05);
};

test("any number of heads is told apart, on light and on dark paper", () => {
  for (const count of [2, 4, 6, 8, 12, 16, 24]) {
    for (const [dark, paper] of [
      [false, [255, 255, 255]],
      [true, [21, 24, 28]],
    ]) {
      const colours = Array.from({ length: count }, (_, head) => view.headColour(head, count, dark));
      colours.forEach((colour, i) => {
        assert.ok(contrast(colour, paper) >= 2.9, `head ${i} of ${count}: ${contrast(colour, paper)}`);
        colours.slice(i + 1).forEach((other) => {
          const far = Math.hypot(...colour.map((value, channel) => value - other[channel]));
          assert.ok(far > (count > 16 ? 20 : 28), `${count} heads: ${colour} and ${other}`);
        });
      });
    }
  }
});

test("a colour of OKLCH is the known one", () => {
  assert.deepEqual(view.fromLch(1, 0, 0), [255, 255, 255]);
  assert.deepEqual(view.fromLch(0, 0, 0), [0, 0, 0]);
  near(view.fromLch(0.627955, 0.257683, 29.2338 / 360), [255, 0, 0], 1); // sRGB red
});

test("colour tables: zero is paper, the largest weight stands out, signs differ", () => {
  const parts = (pixel) => [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
  const light = view.colourTable(false, false);
  assert.deepEqual(parts(light[0]), [247, 251, 255]);
  assert.deepEqual(parts(light[255]), [8, 48, 107]);
  const dark = view.colourTable(false, true);
  assert.ok(luminance(parts(dark[255])) > 0.7 && luminance(parts(dark[0])) < 0.02);
  for (const isDark of [false, true]) {
    const signed = view.colourTable(true, isDark);
    const [minus, zero, plus] = [60, 128, 196].map((code) => parts(signed[code]));
    assert.ok(minus[2] > minus[0] && plus[0] > plus[2]); // blue below, orange above
    assert.ok(Math.abs(zero[0] - zero[2]) < 12);
  }
  assert.deepEqual([-1, -0.25, 0, 0.25, 1].map(view.signedCode), [1, 64, 128, 192, 255]);
});

test("keys move through queries and keys, with Shift through layers and heads", () => {
  const at = { layer: 1, head: 2, query: 3, key: 4 };
  const sizes = { layers: 2, heads: 3, queries: 4, keys: 9 };
  const after = (key, shift = false) => view.moveAfterKey(key, shift, at, sizes);
  assert.deepEqual(after("ArrowUp"), { ...at, query: 2 });
  assert.deepEqual(after("ArrowDown"), { ...at, query: 3 });
  assert.deepEqual(after("ArrowLeft"), { ...at, key: 3 });
  assert.deepEqual(after("ArrowRight"), { ...at, key: 5 });
  assert.deepEqual(after("Home"), { ...at, key: 0 });
  assert.deepEqual(after("End"), { ...at, key: 8 });
  assert.deepEqual(after("PageUp"), { ...at, query: 0 });
  assert.deepEqual(after("ArrowUp", true), { ...at, layer: 0 });
  assert.deepEqual(after("ArrowDown", true), { ...at, layer: 1 });
  assert.deepEqual(after("ArrowLeft", true), { ...at, head: 1 });
  assert.deepEqual(after("End", true), { ...at, head: 2 });
  assert.equal(after("a"), null);
  assert.equal(after("constructor"), null);
});

test("heads are switched one by one, and one always stays", () => {
  assert.deepEqual(view.toggleHead([], 2, 0), [0, 2]);
  assert.deepEqual(view.toggleHead([0, 2], 2, 0), [2]);
  assert.deepEqual(view.toggleHead([0, 2], 2, 2), [0]);
  assert.deepEqual(view.toggleHead([], 2, 2), [2]);
  assert.deepEqual(view.toggleHead([3], 2, 3), [3]);
});

test("as many names as there is room for", () => {
  assert.deepEqual(
    [20, 13, 7, 3, 1, 0.5].map((cell) => view.labelStep(cell, 13)),
    [1, 1, 2, 5, 20, 50],
  );
});

test("tokens are made readable: blanks, control characters, turns and lengths", () => {
  assert.equal(view.readable("cat"), "cat");
  assert.equal(view.readable(""), "∅");
  assert.equal(view.readable(" "), "␣");
  assert.equal(view.readable("a b "), "a b␣");
  assert.equal(view.readable("a\u0000\n\u007f"), "a␀␊␡");
  assert.equal(view.readable("x\u202ey\u200b"), "x⟨202E⟩y⟨200B⟩");
  assert.equal(view.readable("</script><img src=x onerror=alert(1)>").length, 24);
  assert.equal([...view.readable("🙂".repeat(5000))].length, 24);
  assert.equal(view.readable("a".repeat(10000)), `${"a".repeat(23)}…`);
  assert.equal(view.readable("אב"), "אב");
  assert.equal(view.readable("👩‍👧"), "👩‍👧"); // joined by U+200D
  assert.equal(view.readable("\u200d"), "∅");
});

test("weights and errors are written so that they can be believed", () => {
  assert.deepEqual(
    [0, 0.4123, 0.0004, 1].map((weight) => view.formatWeight(weight)),
    ["0", "0.412", "<0.001", "1.000"],
  );
  assert.deepEqual(
    [0.41234, 0.00003].map((weight) => view.formatWeight(weight, true)),
    ["0.4123", "<0.0001"],
  );
  assert.deepEqual(
    [0.25, -0.25].map((weight) => view.formatWeight(weight, false, true)),
    ["+0.250", "−0.250"],
  );
  assert.equal(view.formatWeight(NaN), "–");
  assert.deepEqual([0.004, 0.0031, 0.00021].map(view.formatError), ["±0.004", "±0.004", "±0.0003"]);
  // What is drawn as nothing is less than the smallest number that is written; many pieces may add up to more.
  assert.deepEqual([view.drawnWeight(0, 1), view.drawnWeight(0, 9)], ["<0.0001", "0 ±0.0002"]);
});

test("the numbers beside the keys are exact where exact weights are here", () => {
  const axis = { size: 2, labels: ["a", "b"], special: [0, 0], padding: [0, 0], segments: [0, 0] };
  const written = (exact) => {
    const texts = [];
    const pen = new Proxy({ fillText: (text) => texts.push(text) }, { get: (of, name) => of[name] ?? (() => {}) });
    const picture = {
      ...{ rows: axis, columns: axis, hidden: { rows: [], columns: [] }, signed: false },
      read: (_head, _query, out) => out.set([0.0649, 0.9351]), // what the code of 0.0653 gives back
    };
    const theme = { ink: "", soft: "", paper: "", focus: [0, 0, 0], segments: ["", ""], size: 14, letters: "" };
    const ruler = { use: () => {}, cut: (text) => text, width: () => 8 };
    const focus = { query: 0, key: null };
    const scene = { picture, theme, ruler, focus, pinned: {}, head: 3, heads: [{ head: 3, colour: [0, 0, 0] }], exact };
    const panel = { line: 20, top: 20, left: 50, right: 90, width: 160, height: 60, numbers: 30, letter: 12 };
    view.paintLabels(pen, { ...panel, box: { scrollTop: 0 }, font: "" }, scene, { first: 0, last: 1 });
    return texts.filter((text) => text.startsWith("."));
  };
  assert.deepEqual(
    written(() => null),
    [".06", ".94"],
  );
  assert.deepEqual(
    written((head, query) => (head === 3 && query === 0 ? Float32Array.of(0.0653, 0.9347) : null)),
    [".07", ".93"],
  );
});
