// The weights of one query as a table.

import { element } from "../../../base/js/elements.js";
import { exactRow } from "../exact.js";
import { formatError, formatWeight } from "../weights/codes.js";
import { say } from "../../language/say.js";

/** @import { Stages } from "../stages.js" */
/** @import { ExplorerState } from "../state.js" */
/** @import { Heading } from "./heading.js" */

export class WeightTable {
  /**
   * @param {ExplorerState} state
   * @param {Stages} stages
   * @param {Heading} heading
   */
  constructor(state, stages, heading) {
    this.state = state;
    this.stages = stages;
    this.heading = heading;
    this.summary = element("summary", {}, say("as_table"));
    this.table = element("table", {});
    this.box = /** @type {HTMLDetailsElement} */ (
      element(
        "details",
        { class: "bvl-table" },
        this.summary,
        element(
          "div",
          { class: "bvl-tall", tabindex: 0, role: "region", "aria-label": say("table_label") },
          this.table,
        ),
      )
    );
    state.life.listen(this.box, "toggle", () => this.draw());
  }

  /** Fill the table only while it is open: with many tokens it is the largest thing on the page. */
  draw() {
    const { box, summary, table } = this;
    const picture = this.stages.ready[0];
    if (!picture) return;
    const { rows, columns } = picture;
    const query = Math.min(this.state.pins(picture).query ?? this.state.chosenQuery, rows.size - 1);
    summary.replaceChildren(
      say("weights_of_query"),
      element("bdi", {}, rows.labels[query]),
      say("weights_as_table", { place: rows.starts[query] }),
    );
    table.replaceChildren();
    if (!box.open) return;
    const heads = this.state.ribbonHeads();
    const { aggregate, _meta: meta } = this.state.traits;
    let isExact = !picture.signed;
    const values = heads.map(({ head }) => {
      const exact = picture.signed ? null : exactRow(this.state, { side: picture.side, head, row: query, ask: true });
      isExact &&= exact !== null;
      if (exact) return exact;
      const row = new Float32Array(columns.size);
      picture.read(head, query, row);
      return row;
    });
    const shown = Array.from(columns.labels.keys()).filter((key) => !Number.isNaN(values[0][key]));
    shown.sort(
      (a, b) => Math.max(...values.map((row) => Math.abs(row[b]))) - Math.max(...values.map((row) => Math.abs(row[a]))),
    );
    const title = aggregate === "none" ? heads.map(({ head }) => say("column_head", { head })) : [say("column_weight")];
    const of = { title: this.heading.title, error: formatError(meta.error) };
    const caption = say(isExact ? "caption_exact" : "caption_drawn", of);
    table.append(
      element("caption", {}, meta.sides.length > 1 ? say("caption_side", { side: picture.name, caption }) : caption),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...[say("column_key"), say("column_token"), ...title].map((name) => element("th", { scope: "col" }, name)),
        ),
      ),
      element(
        "tbody",
        {},
        ...shown.map((key) =>
          element(
            "tr",
            {},
            element("td", {}, String(columns.starts[key])),
            element("th", { scope: "row" }, element("bdi", {}, columns.labels[key])),
            ...values.map((row) => element("td", {}, formatWeight(row[key], isExact, picture.signed))),
          ),
        ),
      ),
    );
  }
}
