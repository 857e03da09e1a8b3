// A text of this view, by its key, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { MACHINE_EN } from "./en.js";
import { MACHINE_ZH } from "./zh.js";

export const say = speaker(MACHINE_EN, MACHINE_ZH);
