// What a page says around its views: both languages stand in its elements, and one of them is shown.

import { CHOSEN, LANGUAGES, languageOf, speak } from "./language.js";

/** What may say something else than its text. */
const NAMES = ["aria-label"];

/** Say it in the language of the page, now and whenever its reader chooses another. */
export function followLanguage() {
  const root = document.documentElement;
  const given = root.lang === LANGUAGES.zh.code ? "zh" : "en";
  const show = () => {
    const language = languageOf(given);
    speak(language);
    root.lang = LANGUAGES[language].code;
    for (const part of document.querySelectorAll("[data-bvl-zh]")) {
      part.textContent = part.getAttribute(`data-bvl-${language}`);
    }
    for (const name of NAMES) {
      for (const part of document.querySelectorAll(`[data-bvl-${name}-zh]`)) {
        part.setAttribute(name, part.getAttribute(`data-bvl-${name}-${language}`) ?? "");
      }
    }
  };
  window.addEventListener(CHOSEN, show);
  show();
}
