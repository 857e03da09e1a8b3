// A text of this view, by its key, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { EXPLORER_EN } from "./en.js";
import { EXPLORER_ZH } from "./zh.js";

export const say = speaker(EXPLORER_EN, EXPLORER_ZH);

/** What a side is called: those that the view itself names have a name in each language. @param {string} name */
export function sideName(name) {
  if (name === "before") return say("before");
  return name === "after" ? say("after") : name;
}

const KINDS = /** @type {const} */ (["self", "encoder", "decoder", "cross"]);

/** What a kind of attention is called. @param {string} name */
export const kindName = (name) => (KINDS.find((kind) => kind === name) ? say(/** @type {"self"} */ (name)) : name);
