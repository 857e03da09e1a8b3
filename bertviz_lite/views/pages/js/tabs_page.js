// Views behind tabs: one is seen, and started when its tab is first opened. The address says which: page.html#name.

import { followLanguage } from "../../base/js/language/around.js";
import { Views, nameInHash } from "./views.js";

followLanguage();
const views = new Views();
const list = /** @type {HTMLElement} */ (document.querySelector("[role=tablist]"));
const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);

/** @param {HTMLElement} tab */
const panelOf = (tab) => /** @type {HTMLElement} */ (document.getElementById(tab.getAttribute("aria-controls") ?? ""));

/** @param {HTMLElement} tab */
const nameOf = (tab) => tab.dataset.bvpTab ?? "";

/** @param {HTMLElement} opened */
function open(opened) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === opened));
    tab.tabIndex = tab === opened ? 0 : -1;
    panelOf(tab).hidden = tab !== opened;
  }
  void views.start(nameOf(opened));
}

/** Open what the address names, else the first. */
function followAddress() {
  const name = nameInHash(window.location.hash);
  open(tabs.find((tab) => nameOf(tab) === name) ?? tabs[0]);
}

/** Open a tab, and say so in the address. @param {HTMLElement} tab */
function choose(tab) {
  open(tab);
  try {
    window.history.replaceState(null, "", `#${nameOf(tab)}`);
  } catch {
    // A page without an address of its own, in a frame.
  }
}

/**
 * Which tab a key goes to, of `count`, from the one at `at`.
 * @type {Record<string, (at: number, count: number) => number>}
 */
const KEYS = {
  ArrowLeft: (at, count) => (at + count - 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
list.addEventListener("keydown", (event) => {
  const at = tabs.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const go = KEYS[event.key];
  if (!go || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const tab = tabs[go(at, tabs.length)];
  choose(tab);
  tab.focus();
});
window.addEventListener("hashchange", followAddress);
list.hidden = false;
followAddress();
