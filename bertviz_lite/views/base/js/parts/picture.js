// A view, or a part of it, as a picture: what is seen of it, drawn from a copy that carries its looks in itself.

/** What makes an element look as it does, and stand where it stands. */
const LOOKS = [
  ...["display", "position", "top", "right", "bottom", "left", "float", "z-index", "transform", "transform-origin"],
  ...["box-sizing", "width", "height", "min-width", "min-height", "margin", "padding", "overflow", "opacity"],
  ...["border-top", "border-right", "border-bottom", "border-left", "border-radius", "border-collapse", "box-shadow"],
  ...["background-color", "background-image", "background-size", "background-position", "background-repeat", "color"],
  ...["font-family", "font-size", "font-weight", "font-style", "font-variant-numeric", "line-height", "letter-spacing"],
  ...["text-align", "text-decoration", "text-overflow", "white-space", "overflow-wrap", "vertical-align", "direction"],
  ...["flex", "flex-direction", "flex-wrap", "align-items", "align-self", "align-content", "justify-content"],
  ...["justify-items", "justify-self", "gap", "order", "columns", "column-gap", "list-style", "table-layout"],
  ...["grid-template-columns", "grid-template-rows", "grid-auto-flow", "grid-column", "grid-row", "writing-mode"],
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap"],
  ...["text-anchor", "dominant-baseline", "visibility", "vector-effect", "accent-color", "color-scheme"],
];

/** @param {CSSStyleDeclaration} style */
const looksOf = (style) => LOOKS.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");

/**
 * A copy of an element that looks like it without any style sheet; what is not seen is left out.
 * @param {Element} own in the page
 * @returns {Element | null}
 */
function copyOf(own) {
  const style = getComputedStyle(own);
  if (style.display === "none") return null;
  /** @type {any} */
  const copy = own instanceof HTMLCanvasElement ? document.createElement("img") : own.cloneNode(false);
  if (own instanceof HTMLCanvasElement) copy.setAttribute("src", own.toDataURL());
  if (own instanceof HTMLInputElement) {
    copy.setAttribute("value", own.value);
    copy.toggleAttribute("checked", own.checked);
  }
  copy.setAttribute("style", looksOf(style));
  copy.removeAttribute("class");
  const before = drawnBy(own, "::before");
  const after = drawnBy(own, "::after");
  if (before) copy.append(before);
  for (const child of own.childNodes) {
    const made = child instanceof Element ? copyOf(child) : child.cloneNode();
    if (made) copy.append(made);
  }
  if (after) copy.append(after);
  return copy;
}

/**
 * What a style sheet puts before or after an element's own content.
 * @param {Element} own
 * @param {"::before" | "::after"} where
 */
function drawnBy(own, where) {
  const style = getComputedStyle(own, where);
  const text = /^"(.*)"$/s.exec(style.content)?.[1];
  if (text === undefined || own instanceof SVGElement) return null;
  const made = document.createElement("span");
  made.setAttribute("style", looksOf(style));
  made.textContent = text;
  return made;
}

/**
 * A view as a picture, as sharp as on the screen or twice that. What has the class bvl-no-show is left out.
 * @param {HTMLElement} root
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function pictureOf(root) {
  root.classList.add("bvl-taking");
  const { width, height } = root.getBoundingClientRect();
  const copy = /** @type {Element} */ (copyOf(root));
  root.classList.remove("bvl-taking");
  const inside = new XMLSerializer().serializeToString(copy);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<foreignObject width="100%" height="100%">${inside}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const sharp = Math.max(2, window.devicePixelRatio || 1);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * sharp);
  canvas.height = Math.ceil(height * sharp);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(sharp, sharp);
  pen.drawImage(image, 0, 0, width, height);
  return canvas;
}
