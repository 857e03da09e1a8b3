// Times the page's engine: node page_engine.mjs ENGINE MODEL JSON, where JSON is {text by length, simd, runs}.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , source, model, given] = process.argv;
const { texts, simd, runs } = JSON.parse(given);
const packed = new Uint8Array(readFileSync(model));
const { default: module } = await import(pathToFileURL(source).href);
const memory = () => {
  const { rss } = process.memoryUsage();
  return rss / 1e6;
};
/** The longest time for which the thread was held while something went on. */
let held = 0;
async function watched(/** @type {() => Promise<any>} */ act) {
  let last = performance.now();
  const look = () => {
    held = Math.max(held, performance.now() - last);
    last = performance.now();
    timer = setImmediate(look);
  };
  let timer = setImmediate(look);
  const result = await act();
  clearImmediate(timer);
  return result;
}

const before = memory();
const opening = performance.now();
const engine = await watched(() => module.openEngine(packed, { simd }));
const opened = performance.now() - opening;

/** @param {(any: any) => Promise<unknown>} act */
async function median(act, count = runs) {
  const times = [];
  for (let run = 0; run < count; run += 1) {
    const start = performance.now();
    await act(run);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

const times = {};
for (const [length, text] of Object.entries(texts)) {
  const encoded = await engine.ask("encode", [text]);
  const first = performance.now();
  await engine.ask("run", [encoded]);
  times[`first ${length}`] = performance.now() - first;
  // In a worker all steps run at once: so they do here, without the pauses of the page's own thread.
  const pause = globalThis.setTimeout;
  globalThis.setTimeout = (/** @type {any} */ goOn) => queueMicrotask(goOn);
  for (let warm = 0; warm < 5; warm += 1) await engine.ask("run", [encoded]);
  times[length] = await median(() => engine.ask("run", [encoded]));
  globalThis.setTimeout = pause;
  await watched(() => engine.ask("run", [encoded]));
}
process.stdout.write(JSON.stringify({ opened, times, held, memory: memory() - before }));
