// Slides: reveal.js turns them over, and a view starts when its slide is first seen.

import { Views } from "./views.js";

const { Reveal, RevealNotes } = /** @type {any} */ (window);
const views = new Views();

/** Views whose layout for the whole screen leaves in sight all that is clicked. */
const PRESENTED = new Set(["TimeLapse"]);

/** What in a view has the keys, if anything. */
const inView = () =>
  /** @type {HTMLElement | null} */ (document.activeElement?.closest(".bvl") && document.activeElement);

/** The view that has the whole screen, if any. */
const presented = () => document.querySelector(".bvl:is(:fullscreen, .bvl-covering)");

const leave = () => /** @type {HTMLElement | null | undefined} */ (presented()?.querySelector(".bvl-present"))?.click();

const stages = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".bvs-stage")]);

/** Show the view of a slide, and start it. */
function showStage() {
  inView()?.blur();
  for (const stage of stages) {
    stage.hidden = stage.dataset.bvsSlide !== Reveal.getCurrentSlide().id || Reveal.isOverview();
    const holder = /** @type {HTMLElement} */ (stage.querySelector("[data-bvl-view]"));
    if (!stage.hidden) void start(holder);
  }
}

/** @param {HTMLElement} holder */
async function start({ dataset: { bvlView = "", bvlKind = "" } }) {
  const drawn = await views.start(bvlView);
  if (PRESENTED.has(bvlKind)) drawn?.place.querySelector(".bvl")?.classList.add("bvl-presenting");
  // A view that takes the height which is left has to measure again, now that all of it stands.
  requestAnimationFrame(() => window.dispatchEvent(new Event("resize")));
}

// In a view, and while one has the screen, the keys are the view's, but for those of a presenter's remote control.
// Escape gives them back: to reveal.js it would mean all slides at once.
document.addEventListener(
  "keydown",
  (event) => {
    if (!inView() && !presented()) return;
    if (event.key === "Escape" && /** @type {Element} */ (event.target).closest(".bvl-over")) return; // typed
    if (event.key === "Escape") {
      if (inView())
        setTimeout(() => inView()?.blur()); // when the view has done what it does with it
      else event.stopPropagation();
      leave(); // wherever the focus is: it can still be on the button that began it
    }
    if (!/^Page(Down|Up)$/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    leave();
    if (event.key === "PageDown") Reveal.next();
    else Reveal.prev();
  },
  { capture: true },
);

// A view that has left the screen gives the keys back, whatever ended it.
document.addEventListener("fullscreenchange", () => {
  if (!presented()) setTimeout(() => inView()?.blur()); // when the view has ended it, too
});

/** What Escape does in reveal.js, but that it shows no slides: one Escape too many comes easily; O shows all. */
function escape() {
  Reveal.toggleHelp(false); // and whatever else lies over the slides
  Reveal.toggleOverview(false);
}

for (const change of ["ready", "slidechanged", "overviewshown", "overviewhidden"]) Reveal.on(change, showStage);
void Reveal.initialize({
  center: false,
  controls: false,
  disableLayout: true, // every size is in rem, which follows the window: nothing is scaled, so views stay exact
  hash: true,
  // H is a view's own key, and one that has just left the screen must turn no slide; nor do its neighbours.
  keyboard: { 27: escape, 72: null, 74: null, 75: null, 76: null },
  keyboardCondition: () => !inView() && !presented(),
  plugins: [RevealNotes],
  slideNumber: "c/t",
  transition: "none",
});
