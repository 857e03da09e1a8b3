// Lets a view's js/answers.js answer what a test asks: one process for all questions about a view.
// Arguments: a folder with questions.json and models; answers.json is put there.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { view, asked } = JSON.parse(readFileSync(join(folder, "questions.json"), "utf8"));
const views = new URL("../../../bertviz_lite/views/", import.meta.url);
const { answer } = await import(new URL(`${view}/js/answers.js`, views).href);
const { PageEngine } = await import(new URL("engine/js/client.js", views).href);
const { default: joined } = await import(pathToFileURL(join(folder, "engine.mjs")).href);

/** @type {Map<string, any>} */
const engines = new Map();
/** @param {string} name */
async function engineOf(name) {
  if (!engines.has(name)) {
    const opened = await joined.openEngine(new Uint8Array(readFileSync(join(folder, `${name}.bin`))));
    engines.set(name, new PageEngine({ ...opened, place: "page" }));
  }
  return engines.get(name);
}

/** @param {any} value numbers and bytes as base64 @returns {any} */
function written(value) {
  if (ArrayBuffer.isView(value)) {
    return { bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
  }
  if (Array.isArray(value)) return value.map(written);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]));
}

const answers = [];
for (const { model, question } of asked) {
  try {
    answers.push({ answer: written(await answer(await engineOf(model), question)) });
  } catch (error) {
    const { constructor, message, stack } = /** @type {Error} */ (error);
    if (constructor.name !== "Refusal" && constructor.name !== "Error") throw new Error(stack);
    answers.push({ refused: message });
  }
}
writeFileSync(join(folder, "answers.json"), JSON.stringify(answers));
