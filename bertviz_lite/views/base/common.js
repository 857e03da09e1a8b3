// Shared by every view. A view's module is this text followed by the view's own .js (see base.py), so names declared
// here are simply there, and a view must not declare them again. Pure functions first, then what touches the page.
// Nothing here reads a network, sets innerHTML or gives an element an id.

/**
 * Numbers that travelled as bytes: little-endian float32.
 * @param {DataView | Uint8Array | ArrayBuffer} bytes as anywidget or the saved page hands them over
 * @returns {Float32Array}
 */
export function decodeFloats(bytes) {
  const buffer = bytes instanceof ArrayBuffer ? bytes : bytes.buffer;
  const start = bytes instanceof ArrayBuffer ? 0 : bytes.byteOffset;
  const size = bytes.byteLength;
  if (size % 4 !== 0) throw new RangeError(`${size} bytes are no whole number of float32 values.`);
  return new Float32Array(buffer.slice(start, start + size));
}

/**
 * The rows of a matrix stored row after row; they share its memory.
 * @param {Float32Array} values
 * @param {number} width numbers in a row
 * @returns {Float32Array[]}
 */
export function rowsOf(values, width) {
  if (width <= 0 || values.length % width !== 0) {
    throw new RangeError(`${values.length} numbers do not make rows of ${width}.`);
  }
  return Array.from({ length: values.length / width }, (_, i) => values.subarray(i * width, (i + 1) * width));
}

/** @typedef {ArrayLike<number>} Vector */

/**
 * @param {Vector} a
 * @param {Vector} b
 * @returns {number}
 */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}

/**
 * Euclidean length.
 * @param {Vector} a
 * @returns {number}
 */
export function norm(a) {
  return Math.sqrt(dot(a, a));
}

/**
 * Cosine of the angle between two vectors, from -1 to 1; NaN where one has no length.
 * @param {Vector} a
 * @param {Vector} b
 * @returns {number}
 */
export function cosine(a, b) {
  const lengths = norm(a) * norm(b);
  return lengths > 0 ? Math.min(1, Math.max(-1, dot(a, b) / lengths)) : NaN;
}

/**
 * @param {Vector} a
 * @param {Vector} b
 * @returns {Float64Array}
 */
export function minus(a, b) {
  return Float64Array.from({ length: a.length }, (_, i) => a[i] - b[i]);
}

/**
 * The largest absolute value among vectors.
 * @param {Vector[]} vectors
 * @returns {number}
 */
export function largest(vectors) {
  let most = 0;
  for (const vector of vectors) {
    for (let i = 0; i < vector.length; i += 1) most = Math.max(most, Math.abs(vector[i]));
  }
  return most;
}

/**
 * A number for reading: four digits that matter, a true minus sign, a dash where there is none.
 * @param {number} value
 * @param {boolean} [signed] write a plus sign too
 * @returns {string}
 */
export function formatNumber(value, signed = false) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  let text = "0";
  if (size >= 1000) text = size.toFixed(0);
  else if (size >= 0.001) text = size.toFixed(Math.max(0, 3 - Math.max(0, Math.floor(Math.log10(size)))));
  else if (size > 0) text = size.toExponential(2).replace("-", "−");
  if (value < 0) return `−${text}`;
  return signed && value > 0 ? `+${text}` : text;
}

/**
 * @param {number} share 1 is everything
 * @returns {string}
 */
export function formatPercent(share) {
  if (!Number.isFinite(share)) return "–";
  const text = Math.abs(100 * share).toFixed(1);
  return share < 0 && text !== "0.0" ? `−${text}\u00a0%` : `${text}\u00a0%`;
}

/**
 * Where a key leads in a list that is read left to right and wraps into lines.
 * @param {string} key of a KeyboardEvent
 * @param {number} index where it is now
 * @param {number} size of the list
 * @param {number} [perLine] items in a line, for the up and down arrows
 * @returns {number | null} null if the key moves nothing
 */
export function indexAfterKey(key, index, size, perLine = size) {
  /** @type {Record<string, number>} */
  const goals = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - perLine >= 0 ? index - perLine : index,
    ArrowDown: index + perLine < size ? index + perLine : index,
    Home: 0,
    End: size - 1,
  };
  return Object.hasOwn(goals, key) ? Math.min(size - 1, Math.max(0, goals[key])) : null;
}

/**
 * Whether a colour, as getComputedStyle writes it, is dark; null if nothing of it is seen.
 * @param {string} colour such as "rgb(17, 17, 17)" or "rgba(0, 0, 0, 0)"
 * @returns {boolean | null}
 */
export function isDark(colour) {
  const found = /^rgba?\(([^)]*)\)$/.exec(colour);
  if (!found) return null;
  const [red, green, blue, alpha = 1] = found[1].split(/[\s,/]+/).map(Number);
  if (!(alpha > 0.5)) return null;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}

// ---------------------------------------------------------------------------------------------------- the page

/**
 * An HTML element. Strings become text nodes, never markup.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes] true is an empty attribute, null and
 *   false none
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", tag));
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

/**
 * @param {Element} target
 * @param {Record<string, string | number | boolean | null | undefined>} attributes
 */
export function setAttributes(target, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Write text only where it changed, so that a screen reader is not told the same again.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

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
 * What zlib compressed, as Python's zlib.compress writes it.
 * @param {Uint8Array<ArrayBuffer> | DataView<ArrayBuffer>} bytes
 * @returns {Promise<DataView>}
 */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new DataView(await new Response(stream).arrayBuffer());
}

/**
 * Big numbers by name: asked of Python as they are needed, or read out of a saved page. A block that was had is kept
 * until forget(); while one is on its way it is not asked for again.
 */
export class Blocks {
  /**
   * @param {any} model
   * @param {Life} life
   */
  constructor(model, life) {
    this.model = model;
    this.isSaved = typeof model.savedBlock === "function";
    /** @type {Map<string, Promise<DataView>>} */
    this.kept = new Map();
    /** @type {Map<string, {resolve: (bytes: any) => void, reject: (reason: Error) => void}>} */
    this.waiting = new Map();
    // Python's answer reaches every view of this object, also those in other windows: each knows its own tickets.
    this.own = Math.random().toString(36).slice(2);
    this.asked = 0;
    if (this.isSaved) return;
    const receive = (/** @type {any} */ message, /** @type {any[]} */ buffers) => this.receive(message, buffers);
    model.on("msg:custom", receive);
    life.endings.push(() => {
      model.off("msg:custom", receive);
      this.waiting.clear();
      this.forget();
    });
  }

  /**
   * Whether a block can be had in this page; false means never.
   * @param {string} name
   * @returns {boolean}
   */
  has(name) {
    return this.isSaved ? this.model.hasSavedBlock(name) : true;
  }

  /**
   * @param {string} name
   * @returns {Promise<DataView>} rejected, with the reason in one line, if there is no such block
   */
  get(name) {
    const kept = this.kept.get(name);
    if (kept) return kept;
    const coming = (this.isSaved ? this.read(name) : this.ask(name)).then(inflate);
    this.kept.set(name, coming);
    coming.catch(() => {
      if (this.kept.get(name) === coming) this.kept.delete(name);
    });
    return coming;
  }

  /** Let go of every block: what stood behind them has changed. */
  forget() {
    this.kept.clear();
  }

  /** @param {string} name */
  async read(name) {
    const bytes = this.model.savedBlock(name);
    if (!bytes) throw new Error(`This page was saved without ${name}.`);
    return bytes;
  }

  /** @param {string} name */
  ask(name) {
    this.asked += 1;
    const ticket = `${this.own}-${this.asked}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(ticket, { resolve, reject });
      this.model.send({ type: "block", name, ticket });
    });
  }

  /**
   * @param {any} message
   * @param {any[]} buffers
   */
  receive(message, buffers) {
    const waiting = this.waiting.get(message?.ticket);
    if (!waiting) return;
    this.waiting.delete(message.ticket);
    if (message.type === "block") waiting.resolve(buffers[0]);
    else waiting.reject(new Error(String(message.message)));
  }
}

/**
 * What Python's pack_found packed: facts as JSON and float32 numbers in one piece.
 * @param {DataView | Uint8Array} bytes
 * @returns {{facts: any, numbers: Float32Array}}
 */
export function unpackFound(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 4 + view.getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(bytes.buffer, bytes.byteOffset + 4, end - 4));
  return {
    facts: JSON.parse(text),
    numbers: decodeFloats(new DataView(bytes.buffer, bytes.byteOffset + end, bytes.byteLength - end)),
  };
}

/**
 * Questions to Python: "compute with these values of your traits". One is under way at a time; of those asked meanwhile
 * only the latest is put next, so that answers never lag behind what is typed. Python changes its traits only where it
 * agrees; then, and where it refuses, `tell` is called.
 */
export class Asker {
  /**
   * @param {any} model
   * @param {Life} life
   * @param {() => void} tell called when `busy` or `problem` has changed
   */
  constructor(model, life, tell) {
    this.model = model;
    this.tell = tell;
    /** A saved page has no Python to ask. */
    this.isSaved = typeof model.savedBlock === "function";
    /** Why Python refused the last question, in one line. */
    this.problem = "";
    /** @type {{values: Record<string, unknown>, then: () => void} | null} */
    this.next = null;
    /** @type {{ticket: string, then: () => void} | null} */
    this.underWay = null;
    this.own = Math.random().toString(36).slice(2);
    this.asked = 0;
    this.pause = 0;
    this.patience = 0;
    const receive = (/** @type {any} */ message) => this.receive(message);
    model.on("msg:custom", receive);
    life.endings.push(() => {
      model.off("msg:custom", receive);
      clearTimeout(this.pause);
      clearTimeout(this.patience);
    });
  }

  /** Whether an answer is awaited, or a question is about to be put. */
  get busy() {
    return this.underWay !== null || this.next !== null;
  }

  /**
   * @param {Record<string, unknown>} values of traits
   * @param {object} [how]
   * @param {number} [how.pause] milliseconds to wait for more typing
   * @param {() => void} [how.then] what to do once Python has agreed
   */
  ask(values, { pause = 0, then = () => {} } = {}) {
    if (this.isSaved) return;
    this.next = { values: { ...this.next?.values, ...values }, then };
    clearTimeout(this.pause);
    if (pause > 0) this.pause = setTimeout(() => this.put(), pause);
    else this.put();
    this.tell();
  }

  put() {
    clearTimeout(this.pause);
    if (this.underWay !== null || this.next === null) return;
    this.asked += 1;
    const { values, then } = this.next;
    this.underWay = { ticket: `${this.own}-${this.asked}`, then };
    this.next = null;
    this.patience = setTimeout(() => {
      this.problem = "Python has not answered yet: it is busy with another cell, or has stopped.";
      this.tell();
    }, 10_000);
    this.model.send({ type: "ask", ticket: this.underWay.ticket, values });
  }

  /** @param {any} message */
  receive(message) {
    if (message?.type !== "asked" || message.ticket !== this.underWay?.ticket) return;
    const then = this.underWay?.then;
    clearTimeout(this.patience);
    this.underWay = null;
    this.problem = String(message.problem);
    if (this.problem === "") then?.();
    this.put();
    this.tell();
  }
}

/**
 * A text field whose text Python computes from. It holds a draft: what Python refuses stays, marked, until it is mended.
 */
export class AskingField {
  /**
   * @param {object} what
   * @param {any} what.model
   * @param {Life} what.life
   * @param {Asker} what.asker
   * @param {string} what.trait
   * @param {string} what.label
   * @param {number} [what.rows]
   * @param {() => Record<string, unknown>} [what.values] what to ask with; the draft alone if not given
   * @param {() => void} [what.react] called when the draft changes
   */
  constructor({ model, life, asker, trait, label, rows = 1, values, react = () => {} }) {
    this.model = model;
    this.asker = asker;
    this.trait = trait;
    this.values = values ?? (() => ({ [trait]: this.draft }));
    this.react = react;
    this.input = /** @type {HTMLTextAreaElement} */ (
      element("textarea", {
        rows,
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        readonly: asker.isSaved,
      })
    );
    this.input.value = model.get(trait);
    this.box = element("label", { class: "bvl-field" }, element("span", {}, label), this.input);
    life.listen(this.input, "input", () => this.typed(PAUSE_MS));
    life.listen(this.input, "keydown", (event) => {
      if (event.key !== "Enter" || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      event.preventDefault(); // a line break means nothing to a tokenizer
      event.stopPropagation();
      this.typed(0);
    });
    life.follow(model, [trait], () => {
      if (asker.busy || this.input.value === model.get(trait)) return;
      this.input.value = model.get(trait);
      this.react();
    });
  }

  get draft() {
    return this.input.value;
  }

  /** @param {number} pause */
  typed(pause) {
    this.asker.ask(this.values(), { pause });
    this.react();
  }

  /**
   * Write a new draft and ask at once.
   * @param {string} text
   * @param {() => void} [then] what to do once Python has agreed
   */
  write(text, then) {
    this.input.value = text;
    this.asker.ask(this.values(), { then });
    this.react();
  }

  /** Show whether Python refused what stands here. */
  draw() {
    setAttributes(this.input, {
      "aria-invalid": this.asker.problem !== "" && this.draft !== this.model.get(this.trait) ? "true" : null,
    });
  }
}

/** How long typing must pause before Python is asked. */
const PAUSE_MS = 120;

/**
 * The line under a view's fields: that the model runs, why a question was refused, why typing is off.
 * @param {Asker} asker
 * @returns {{box: HTMLElement, draw: () => void}}
 */
export function askingLine(asker) {
  const problem = element("p", { class: "bvl-problem", role: "status", hidden: true });
  // Seen only where an answer takes long: see common.css.
  const running = element("span", { class: "bvl-running", "aria-hidden": "true" }, "the model is running …");
  const box = element("div", { class: "bvl-asking" }, running, problem);
  if (asker.isSaved) {
    box.append(
      element(
        "p",
        { class: "bvl-soft" },
        "Typing is off: this page was saved without Python. What it was saved with is here with all its numbers; open the notebook to try your own.",
      ),
    );
  }
  return {
    box,
    draw: () => {
      setText(problem, asker.problem);
      problem.hidden = asker.problem === "";
    },
  };
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

/**
 * Keep data-theme="light" or "dark" on a view, by what is behind it: the notebook's theme, else the reader's system.
 * @param {HTMLElement} root
 * @param {Life} life
 */
export function followTheme(root, life) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    /** @type {boolean | null} */
    let dark = null;
    for (let behind = root.parentElement; behind && dark === null; behind = behind.parentElement) {
      dark = isDark(getComputedStyle(behind).backgroundColor);
    }
    root.dataset.theme = (dark ?? system.matches) ? "dark" : "light";
  };
  const observer = new MutationObserver(apply);
  for (const above of [document.documentElement, document.body]) {
    observer.observe(above, { attributes: true, attributeFilter: ["class", "style", "data-jp-theme-light", "theme"] });
  }
  life.endings.push(() => observer.disconnect());
  life.listen(system, "change", apply);
  apply();
  whenPlaced(root, life, apply);
  const later = setTimeout(apply, 500); // a notebook may load the theme's colours after drawing
  life.endings.push(() => clearTimeout(later));
}

/**
 * The root of a view: named for screen readers, its keys kept from the notebook's shortcuts. JupyterLab would insert,
 * cut or leave cells on plain letters, arrows and Enter while a part of the view has the focus. What is pressed with Ctrl,
 * Alt or Meta, and Shift+Enter, still reaches the notebook.
 * @param {string} kind of the view; its CSS class is bvl-kind
 * @param {string} name what a screen reader calls it
 * @param {Life} life
 * @returns {HTMLElement}
 */
export function viewRoot(kind, name, life) {
  const root = element("section", {
    class: `bvl bvl-${kind}`,
    "aria-label": name,
    "data-jp-suppress-context-menu": "true",
  });
  life.listen(root, "keydown", (event) => {
    const forNotebook = event.ctrlKey || event.altKey || event.metaKey || (event.shiftKey && event.key === "Enter");
    if (!forNotebook) event.stopPropagation();
  });
  return root;
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
   */
  constructor(model, kind, name) {
    this.model = model;
    this.life = new Life();
    this.root = viewRoot(kind, name, this.life);
    this.waiting = false;
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
