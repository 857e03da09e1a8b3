// Everything that the JavaScript of a view and of the base exports, under one name.
import { readdir } from "node:fs/promises";

const folder = new URL("../../../bertviz_lite/views/", import.meta.url);

/**
 * @param {string} name of the view's folder
 * @returns {Promise<any>}
 */
export async function load(name) {
  const exported = {};
  for (const part of ["base", name]) {
    const files = await readdir(new URL(`${part}/`, folder), { recursive: true });
    for (const file of files.map((path) => path.replaceAll("\\", "/"))) {
      // page.js is for saved pages: it looks for its place as soon as it is read.
      if (!file.endsWith(".js") || file.endsWith("page.js")) continue;
      Object.assign(exported, await import(new URL(`${part}/${file}`, folder).href));
    }
  }
  return exported;
}
