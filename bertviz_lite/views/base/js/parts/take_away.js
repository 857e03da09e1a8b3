// Take away: the picture and the numbers of a view as files, and a link to its state.

import { element, setText } from "../elements.js";
import { sayCommon } from "../language/common.js";

/** @import { Life } from "../life.js" */
/** @import { StateLink } from "./link.js" */

/**
 * What can be taken away.
 * @typedef {object} Takings
 * @property {() => string} name of the files, without an ending
 * @property {() => HTMLCanvasElement | SVGSVGElement | Promise<HTMLCanvasElement>} picture a canvas makes a PNG, an SVG
 * stays one
 * @property {boolean} [isVector] whether the picture is an SVG
 * @property {() => (string | number)[][]} numbers rows, the first of them names
 * @property {StateLink} [link]
 */

/**
 * Rows as CSV (RFC 4180).
 * @param {(string | number)[][]} rows
 */
export function csvOf(rows) {
  const cell = (/** @type {string | number} */ value) => {
    const text = String(value);
    return /[",\r\n]|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** What an SVG has from style sheets. */
const DRAWN = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity"],
  ...["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "visibility", "display"],
];

/**
 * An SVG as a file that looks alike everywhere: what style sheets say is written into it.
 * @param {SVGSVGElement} svg in the page
 */
export function svgText(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const [here, there] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  for (const [i, own] of here.entries()) {
    const style = getComputedStyle(own);
    const text = DRAWN.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
    there[i].setAttribute("style", text);
    there[i].removeAttribute("class");
  }
  const { width, height } = svg.getBoundingClientRect();
  for (const [name, value] of Object.entries({ width, height })) copy.setAttribute(name, String(value));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/** @param {Takings} takings @returns {Promise<Blob>} */
async function pictureOfView({ picture }) {
  const drawn = await picture();
  if (drawn instanceof SVGSVGElement) return new Blob([svgText(drawn)], { type: "image/svg+xml" });
  return new Promise((resolve, reject) =>
    drawn.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(sayCommon("picture_too_large"))))),
  );
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const anchor = /** @type {HTMLAnchorElement} */ (element("a", { href: address, download: name }));
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * A button that unfolds what can be taken away.
 * @param {Life} life
 * @param {Takings} takings
 * @returns {HTMLElement}
 */
export function takeAway(life, takings) {
  const said = element("p", { class: "bvl-soft", role: "status" });
  const address = /** @type {HTMLInputElement} */ (
    element("input", {
      type: "text",
      class: "bvl-input",
      readonly: true,
      "aria-label": sayCommon("link_label"),
      hidden: true,
    })
  );
  const format = takings.isVector ? "svg" : "png";
  /** @type {[string, () => Promise<string>][]} */
  const choices = [
    [
      sayCommon("picture_as", { format: format.toUpperCase() }),
      async () => {
        const name = `${takings.name()}.${format}`;
        download(await pictureOfView(takings), name);
        return sayCommon("saved_as", { name });
      },
    ],
    [
      sayCommon("numbers_csv"),
      async () => {
        const name = `${takings.name()}.csv`;
        download(new Blob([csvOf(takings.numbers())], { type: "text/csv;charset=utf-8" }), name);
        return sayCommon("saved_as", { name });
      },
    ],
  ];
  const { link } = takings;
  if (link?.isPossible)
    choices.push([
      sayCommon("link_to_shown"),
      async () => {
        address.value = link.write();
        address.hidden = false;
        address.select();
        try {
          await navigator.clipboard.writeText(address.value);
          return sayCommon("link_copied");
        } catch {
          return sayCommon("link_is");
        }
      },
    ]);
  const buttons = choices.map(([name, act]) => {
    const button = element("button", { type: "button" }, name);
    life.listen(button, "click", () => {
      act().then(
        (text) => setText(said, text),
        (error) => setText(said, String(error.message)),
      );
    });
    return button;
  });
  const menu = element(
    "div",
    { class: "bvl-take-menu", role: "group", "aria-label": sayCommon("take_away"), hidden: true },
    ...buttons,
    address,
    said,
  );
  const opener = element("button", { type: "button", "aria-expanded": "false" }, sayCommon("take_away"));
  const show = (/** @type {boolean} */ on) => {
    menu.hidden = !on;
    opener.setAttribute("aria-expanded", String(on));
    setText(said, "");
    address.hidden = true;
  };
  const box = element("span", { class: "bvl-take" }, opener, menu);
  life.listen(opener, "click", () => show(menu.hidden));
  life.listen(box, "keydown", (event) => {
    if (event.key !== "Escape" || menu.hidden) return;
    show(false);
    opener.focus();
    event.stopPropagation();
  });
  life.listen(box.ownerDocument, "pointerdown", (event) => {
    if (!menu.hidden && !event.composedPath().includes(box)) show(false);
  });
  return box;
}
