// A chapter: each view stands where the notebook shows it, and is started when it is scrolled to.

import { sayOfPage } from "../language/say.js";
import { Views, nameInHash } from "./views.js";

const views = new Views();

const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      void views.start(/** @type {HTMLElement} */ (target).dataset.bvlView ?? "");
    }
  },
  { rootMargin: "50% 0px" }, // a little before it is seen
);
for (const holder of views.holders.values()) watcher.observe(holder);

/** Go to the view that the address names. */
async function followAddress() {
  const name = nameInHash(window.location.hash);
  const holder = views.holders.get(name);
  if (!holder) return;
  await views.start(name);
  // What stands above grows when it is drawn, and would push the place out of sight again.
  await Promise.all(views.started.values());
  holder.scrollIntoView();
}

/** What is wider than its place can be scrolled by keys, too. */
function reachWide() {
  const outputs = /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("pre, .bvp-html, .bvp-html [style*=overflow]")
  );
  for (const output of outputs) {
    const isWide = output.scrollWidth > output.clientWidth + 1 && output.clientWidth > 0;
    if (!isWide || !/auto|scroll/.test(getComputedStyle(output).overflowX)) continue;
    output.tabIndex = 0;
    output.setAttribute("role", "group");
    output.setAttribute("aria-label", sayOfPage(output.matches(".bvp-code") ? "wide_code" : "wide_output"));
  }
}

window.addEventListener("hashchange", followAddress);
void followAddress();
new ResizeObserver(reachWide).observe(document.body);
