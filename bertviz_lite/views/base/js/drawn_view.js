// A view that draws itself from traits: the base of every view.

import { element } from "./elements.js";
import { LANGUAGES, spoken } from "./language/language.js";
import { answeredOnce } from "./language/shown.js";
import { Life } from "./life.js";

/**
 * The root of a view: named for screen readers, its keys kept from the notebook's shortcuts. JupyterLab would insert,
 * cut or leave cells on plain letters, arrows and Enter while a part of the view has the focus. What is pressed with
 * Ctrl, Alt or Meta, and Shift+Enter, still reaches the notebook.
 * @param {string} kind of the view; its CSS class is bvl-kind
 * @param {string} name what a screen reader calls it
 * @param {Life} life
 * @returns {HTMLElement}
 */
export function viewRoot(kind, name, life) {
  const root = element("section", {
    class: `bvl bvl-${kind}`,
    "aria-label": name,
    lang: LANGUAGES[spoken()].code,
    "data-jp-suppress-context-menu": "true",
  });
  life.listen(root, "keydown", (event) => {
    const forNotebook = event.ctrlKey || event.altKey || event.metaKey || (event.shiftKey && event.key === "Enter");
    if (!forNotebook) event.stopPropagation();
  });
  return root;
}

/**
 * Hide what stands in a notebook for the times when there is no live view.
 * @param {any} model
 */
function hidePictures(model) {
  const name = model.get("_still");
  for (const picture of name ? document.querySelectorAll(`[data-bvl-still="${name}"]`) : []) {
    picture.setAttribute("hidden", "");
  }
}

/**
 * A view that draws itself from traits: what every such view does. A view's class draws once at the end of its own
 * constructor, and follows its traits by soon().
 */
export class DrawnView {
  /**
   * @param {any} model
   * @param {string} kind of the view; its CSS class is bvl-kind
   * @param {string} name what a screen reader calls it
   * @param {((model: any, life: Life) => any) | null} [answered] puts between them who answers without Python
   */
  constructor(model, kind, name, answered = null) {
    this.life = new Life();
    this.model = answered ? answeredOnce(model, answered, this.life) : model;
    this.root = viewRoot(kind, name, this.life);
    this.waiting = false;
    hidePictures(model);
  }

  /** Bring the page to what the traits say. */
  draw() {}

  /** Draw once for any number of changes in the same moment. */
  soon() {
    if (this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => {
      this.waiting = false;
      if (!this.life.controller.signal.aborted) this.draw();
    });
  }

  /** @param {Record<string, unknown>} changes */
  set(changes) {
    for (const [name, value] of Object.entries(changes)) this.model.set(name, value);
    this.model.save_changes();
  }

  end() {
    this.life.end();
    this.root.remove();
  }
}
