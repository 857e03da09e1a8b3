// A text of this view, by its key, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { MASKING_EN } from "./en.js";
import { MASKING_ZH } from "./zh.js";

export const say = speaker(MASKING_EN, MASKING_ZH);
