// A text of this view, by its key, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { EMBEDDING_EN } from "./en.js";
import { EMBEDDING_ZH } from "./zh.js";

export const say = speaker(EMBEDDING_EN, EMBEDDING_ZH);

const ROW_NAMES = /** @type {const} */ ({
  token: "row_token",
  position: "row_position",
  segment: "row_segment",
  sum: "row_sum",
  bias: "row_bias",
  result: "row_result",
});

/** What a row is called. @param {string} name one of ROWS */
export const rowName = (name) => say(ROW_NAMES[/** @type {keyof typeof ROW_NAMES} */ (name)]);
