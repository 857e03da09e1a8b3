// Loads a view's module as anywidget does: _common.js, the parts of a large view, and the view's own file, one text after
// the other.
import { readdir, readFile } from "node:fs/promises";

const folder = new URL("../../bertviz_lite/views/", import.meta.url);

/**
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function load(name) {
  const parts = (await readdir(folder)).filter((file) => file.startsWith(`_${name}_`) && file.endsWith(".js")).sort();
  const files = [`_common.js`, ...parts, `${name}.js`];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  return import(`data:text/javascript;base64,${Buffer.from(texts.join("\n")).toString("base64")}`);
}
