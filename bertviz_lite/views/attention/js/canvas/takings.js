// What can be taken away: the pictures that are in sight as one, and the weights behind them as rows.

import { exactRow } from "../exact.js";

/** @import { Stages } from "../stages.js" */
/** @import { ExplorerState } from "../state.js" */

/**
 * The pictures on the stages with their names, on paper of the theme, as sharp as on the screen or twice that.
 * @param {ExplorerState} state
 * @param {Stages} stages
 * @param {string} title
 * @param {string} said what is pointed at
 * @returns {HTMLCanvasElement}
 */
export function pictureOfStages(state, stages, title, said) {
  const { theme } = state;
  const { size } = theme;
  const box = stages.box.getBoundingClientRect();
  const margin = size;
  const [head, foot] = [2 * size, said ? 2 * size : 0];
  const sharp = Math.max(2, window.devicePixelRatio || 1);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil((box.width + 2 * margin) * sharp);
  canvas.height = Math.ceil((box.height + 2 * margin + head + foot) * sharp);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(sharp, sharp);
  pen.fillStyle = theme.paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "middle";
  const write = (/** @type {string} */ text, /** @type {string} */ font, /** @type {[number, number]} */ at) => {
    pen.font = `${font} ${theme.letters}`;
    pen.fillStyle = theme.ink;
    pen.fillText(text, ...at);
  };
  write(title, `600 ${1.15 * size}px`, [margin, margin + 0.6 * size]);
  const [x0, y0] = [margin - box.left, margin + head - box.top];
  for (const { title: name, ribbons, matrix } of stages.list) {
    const place = name.getBoundingClientRect();
    if (!name.hidden)
      write(name.textContent ?? "", `600 ${size}px`, [x0 + place.left, y0 + place.top + place.height / 2]);
    for (const { canvas: drawn, box: panel } of [ribbons, matrix]) {
      if (panel.hidden) continue;
      const { left, top, width, height } = drawn.getBoundingClientRect();
      pen.drawImage(drawn, x0 + left, y0 + top, width, height);
    }
  }
  if (said) write(said, `${size}px`, [margin, margin + head + box.height + foot / 2]);
  return canvas;
}

/**
 * The weights that are shown, a row for each pair: exact where they can be had, else as drawn.
 * @param {ExplorerState} state
 * @param {Stages} stages
 * @returns {(string | number)[][]}
 */
export function numbersOfStages(state, stages) {
  const { layer, aggregate } = state.traits;
  const isOne = aggregate === "none";
  /** @type {(string | number)[][]} */
  const rows = [["side", "layer", "head", "query_position", "query", "key_position", "key", "weight"]];
  for (const picture of stages.ready) {
    const { name, side, rows: queries, columns: keys, signed } = picture;
    for (const { head } of state.ribbonHeads()) {
      const drawn = new Float32Array(keys.size);
      for (let query = 0; query < queries.size; query += 1) {
        picture.read(head, query, drawn);
        const exact = signed ? null : exactRow(state, { side, head, row: query, ask: true });
        for (let key = 0; key < keys.size; key += 1) {
          const weight = (exact ?? drawn)[key];
          if (Number.isNaN(weight)) continue; // hidden by the filters
          const [from, to] = [queries.starts[query], keys.starts[key]];
          const pair = [from, queries.tokens[query], to, keys.tokens[key], Number(weight.toPrecision(exact ? 7 : 3))];
          rows.push([name, layer, isOne ? head : aggregate, ...pair]);
        }
      }
    }
  }
  return rows;
}
