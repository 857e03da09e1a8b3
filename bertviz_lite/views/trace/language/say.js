// A text of this view, by its key, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { TRACE_EN } from "./en.js";
import { TRACE_ZH } from "./zh.js";

export const say = speaker(TRACE_EN, TRACE_ZH);
