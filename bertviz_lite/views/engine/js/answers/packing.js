// An answer as bytes, as Python's pack_found packs it: base/js/blocks.js unpacks either.

/**
 * @param {any} facts
 * @param {ArrayLike<number>} numbers
 * @returns {DataView} length of the facts, facts as JSON, padding, float32 numbers
 */
export function packAnswer(facts, numbers) {
  const text = new TextEncoder().encode(JSON.stringify(facts));
  const start = 4 + text.length + (-text.length & 3);
  const bytes = new Uint8Array(start + 4 * numbers.length).fill(0x20, 0, start);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, start - 4, true);
  bytes.set(text, 4);
  for (let i = 0; i < numbers.length; i += 1) view.setFloat32(start + 4 * i, numbers[i], true);
  return view;
}
