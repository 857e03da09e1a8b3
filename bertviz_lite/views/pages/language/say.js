// A text that a page of several views says itself, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { PAGES_EN } from "./en.js";
import { PAGES_ZH } from "./zh.js";

export const sayOfPage = speaker(PAGES_EN, PAGES_ZH);
