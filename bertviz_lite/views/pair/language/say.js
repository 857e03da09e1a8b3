// A text of this view, by its key, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { PAIR_EN } from "./en.js";
import { PAIR_ZH } from "./zh.js";

export const say = speaker(PAIR_EN, PAIR_ZH);
