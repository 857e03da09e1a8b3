// The language of a page. A reader chooses it for all views of the page, and finds it again where the browser may keep
// it; before that it is what Python says: `lang`. It never follows the browser's language: the prose around a view is
// in one language, and a class that looks at one page should see one page.

/** @typedef {"en" | "zh"} Language */

/** What the languages call themselves, and what they are called in a page's code. */
export const LANGUAGES = {
  en: { code: "en", name: "EN" },
  zh: { code: "zh-Hans", name: "中文" },
};

/** What is told to a page when its reader has chosen a language. */
export const CHOSEN = "bvl-language";

const KEPT = "bertviz-lite language";

/** @param {unknown} value @returns {value is Language} */
const isLanguage = (value) => value === "en" || value === "zh";

/**
 * Each view is a module of its own, so what they share stands at the page's global object.
 * @returns {{chosen: Language | null}}
 */
function sharedChoice() {
  const key = Symbol.for(KEPT);
  const page = /** @type {any} */ (globalThis);
  page[key] ??= { chosen: keptChoice() };
  return page[key];
}

/** @returns {Language | null} */
function keptChoice() {
  try {
    const kept = window.localStorage.getItem(KEPT);
    return isLanguage(kept) ? kept : null;
  } catch {
    return null; // a page that may keep nothing, in a frame
  }
}

/** The language that a page speaks. @param {unknown} given by Python @returns {Language} */
export const languageOf = (given) => sharedChoice().chosen ?? (isLanguage(given) ? given : "en");

/** @param {Language} language */
export function chooseLanguage(language) {
  sharedChoice().chosen = language;
  try {
    window.localStorage.setItem(KEPT, language);
  } catch {
    // It is known as long as the page is open.
  }
  window.dispatchEvent(new Event(CHOSEN));
}

/** The language in which this module's view is drawn now. @type {Language} */
let now = "en";

/** The language in which this module's view is drawn now. */
export const spoken = () => now;

/** @param {Language} language */
export function speak(language) {
  now = language;
}
