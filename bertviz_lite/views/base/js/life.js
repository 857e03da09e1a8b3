// Everything that a drawn view holds on to, and lets go of together.

/**
 * Everything a drawn view holds on to, let go of together by end().
 */
export class Life {
  constructor() {
    this.controller = new AbortController();
    /** @type {(() => void)[]} */
    this.endings = [];
  }

  /**
   * @param {EventTarget} target
   * @param {string} type
   * @param {(event: any) => void} react
   * @param {AddEventListenerOptions} [options]
   */
  listen(target, type, react, options = {}) {
    target.addEventListener(type, react, { ...options, signal: this.controller.signal });
  }

  /**
   * Follow traits of the Python object.
   * @param {any} model
   * @param {string[]} names
   * @param {() => void} react
   */
  follow(model, names, react) {
    for (const name of names) {
      model.on(`change:${name}`, react);
      this.endings.push(() => model.off(`change:${name}`, react));
    }
  }

  end() {
    this.controller.abort();
    for (const ending of this.endings.splice(0)) ending();
  }
}

/**
 * Do something once the view has a place and a size: a notebook may attach it long after drawing.
 * @param {Element} root
 * @param {Life} life
 * @param {() => void} act
 */
export function whenPlaced(root, life, act) {
  const observer = new ResizeObserver(() => {
    if (root.getBoundingClientRect().width === 0) return;
    observer.disconnect();
    act();
  });
  observer.observe(root);
  life.endings.push(() => observer.disconnect());
}
