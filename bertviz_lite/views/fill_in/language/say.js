// A text of this view, by its key, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { FILL_IN_EN } from "./en.js";
import { FILL_IN_ZH } from "./zh.js";

export const say = speaker(FILL_IN_EN, FILL_IN_ZH);
