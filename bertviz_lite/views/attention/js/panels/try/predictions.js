// What the model expects where a token was changed: before, after, and with all heads on.

import { element, setText } from "../../../../base/js/elements.js";
import { formatNumber, formatPercent } from "../../../../base/js/numbers.js";
import { readable } from "../../weights/axis.js";
import { say } from "../../../language/say.js";

/** @import { ExplorerState } from "../../state.js" */

const RUNS = /** @type {const} */ (["before", "heads_on", "after"]);
/** The order of Python's losses. */
const LOSSES = ["before", "after", "heads_on"];

/** What follows from a change; where nothing is changed yet, what will stand there. */
export class Predictions {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    this.problem = element("p", { class: "bvl-problem", role: "status" });
    this.rest = element("p", { class: "bvl-soft" });
    this.list = element("div", { class: "bvl-predictions" });
    this.box = element(
      "section",
      { class: "bvl-effect", "aria-label": say("effect_label") },
      this.problem,
      this.rest,
      this.list,
    );
    this.key = "";
  }

  draw() {
    const { _meta: meta, _predictions: predictions, _problem: told, edits, heads_off: off } = this.state.traits;
    const problem = (this.state.hasAskedChange && this.state.asker.problem) || told;
    setText(this.problem, problem ?? "");
    this.problem.hidden = !problem;
    const positions = predictions?.positions ?? [];
    const isChanged = off.length > 0 || Object.keys(edits).length > 0;
    let rest = "";
    if (meta.can_run && !isChanged) rest = meta.predicts ? say("effect_hint") : say("effect_hint_weights");
    else if (isChanged && positions.length === 0 && meta.can_run) rest = say("predicts_nothing");
    setText(this.rest, rest);
    this.rest.hidden = rest === "";
    this.box.hidden = rest === "" && !problem && positions.length === 0;
    const key = JSON.stringify(positions);
    if (key === this.key) return;
    this.key = key;
    this.list.replaceChildren(...positions.map(predictionAt));
  }
}

/** @param {any} prediction at one position */
function predictionAt(prediction) {
  const { position, token, loss, most_changed: isMostChanged } = prediction;
  const runs = RUNS.filter((name) => prediction[name]);
  // Where heads are off and tokens replaced, what the heads do is seen against the same tokens with all heads on.
  const shown = prediction.heads_on ? runs.filter((name) => name !== "before") : runs;
  const losses = runs.map((name) => `${say(name)} ${nats(loss?.[LOSSES.indexOf(name)])}`).join("; ");
  return element(
    "section",
    { class: "bvl-prediction" },
    element("h5", {}, say("expects_at", { position })),
    ...(isMostChanged ? [element("p", { class: "bvl-soft" }, say("most_changed"))] : []),
    element(
      "div",
      { class: "bvl-tops bvl-to-hold" },
      ...shown.map((name) => topTable(say(name), prediction[name], token)),
    ),
    element(
      "p",
      { class: "bvl-to-hold" },
      say("loss_of"),
      element("bdi", { class: "bvl-token-name" }, readable(token)),
      say("loss_there", { losses }),
    ),
  );
}

/** @param {number | null | undefined} loss */
const nats = (loss) => (loss === null || loss === undefined ? "–" : formatNumber(loss));

/**
 * @param {string} title
 * @param {[string, number][]} top tokens and their probabilities
 * @param {string} marked
 */
function topTable(title, top, marked) {
  const rows = top.map(([token, share]) =>
    element(
      "tr",
      { class: token === marked ? "bvl-this" : null },
      element("th", { scope: "row" }, element("bdi", {}, readable(token))),
      element(
        "td",
        { class: "bvl-bar-cell" },
        element("span", { class: "bvl-weight-bar", style: `inline-size:${(100 * share).toFixed(1)}%` }),
        element("span", {}, formatPercent(share)),
      ),
    ),
  );
  return element("table", { class: "bvl-top" }, element("caption", {}, title), element("tbody", {}, ...rows));
}
