"""The machine without scripts: the map as a figure, its boxes with their numbers as colours, and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.basics.text import clip, percent, readable
from bertviz_lite.views.base.static import Static, Table
from bertviz_lite.views.machine.boxes import BOXES, CHAPTERS, GROUPS
from bertviz_lite.views.machine.drawing import draw

if TYPE_CHECKING:
    from bertviz_lite.views.machine.shown import Shown

__all__ = ["static"]


def static(shown: Shown) -> Static:
    """Return the script-free layer."""
    return Static(draw(shown), _alt(shown), tables=(_box_table(shown), _token_table(shown)))


def _alt(shown: Shown) -> str:
    facts = shown.facts
    texts = " and ".join(
        f"“{readable(clip(text, 120))}”" for text in (facts["text"], facts["text_pair"]) if text
    )
    steps = (
        "Word pieces and ids; token, position and segment embeddings, their sum, LayerNorm; "
        f"then {shown.num_layers} layers, of which layer {shown.layer} is drawn: query, key, weights, value, "
        "context, projection, add and normalise; up, GELU, down, add and normalise. "
        "Residual connections lead around both halves of the layer. The pooler reads the last "
        "vector of [CLS] alone."
    )
    if facts["is_tied"]:
        steps += " The decoder's table is that of the token embeddings."
    parts = [f"A map of BERT, with the numbers for {texts}, {facts['sizes']['seq_len']} tokens.", steps]
    if shown.best is not None:
        word, share = facts["best"][shown.focus][0], shown.best[shown.focus][0]
        parts.append(f"The LM head puts {word} at {facts['tokens'][shown.focus]} with {percent(share)}.")
    if shown.continues is not None:
        parts.append(
            f"The NSP head says that the second text continues the first with {percent(shown.continues)}."
        )
    if shown.here is not None:
        names = {group.id: group.name for group in GROUPS} | {box.id: box.full_name for box in BOXES}
        parts.append(f"“You are here” marks: {names[shown.here]}.")
    return " ".join(parts)


def _box_table(shown: Shown) -> Table:
    rows = []
    for box in BOXES:
        shape = " × ".join(f"{name} {size:,}" for name, size in shown.shape(box))
        rows.append([box.full_name, shape, f"{box.chapter} · {CHAPTERS[box.chapter]}", box.what])
    return Table(
        "Every box of the map, its shape and the chapter that builds it",
        ("box", "shape", "chapter", "what it does"),
        rows,
    )


def _token_table(shown: Shown) -> Table:
    facts = shown.facts
    rows = []
    for number, (token, own_id, segment) in enumerate(
        zip(facts["tokens"], facts["input_ids"], facts["segments"], strict=True)
    ):
        row = [token, str(own_id), str(number), str(segment)]
        if shown.best is not None:
            row.append(f"{facts['best'][number][0]} {percent(shown.best[number][0])}")
        rows.append(row)
    columns = ("token", "id", "position", "segment", "likeliest word")[: len(rows[0])]
    return Table("Every token", columns, rows)
