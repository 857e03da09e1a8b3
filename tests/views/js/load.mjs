// Loads a view's module as anywidget does: base/common.js, the parts of a large view, and its view.js, one text after the
// other.
import { readdir, readFile } from "node:fs/promises";

const folder = new URL("../../../bertviz_lite/views/", import.meta.url);

/**
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function load(name) {
  const parts = (await readdir(new URL(`${name}/`, folder))).filter((file) => file.endsWith(".js") && file !== "view.js");
  const files = ["base/common.js", ...[...parts.sort(), "view.js"].map((file) => `${name}/${file}`)];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  return import(`data:text/javascript;base64,${Buffer.from(texts.join("\n")).toString("base64")}`);
}
