"""What was measured of the page's engine, in words: ``docs/page_engine.md`` and a sentence in the README.

``bench_page_engine.py --write`` measures and writes; the numbers are kept in ``page_engine.json`` beside it.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("page_engine.json")
DOCUMENT, README = ROOT / "docs" / "page_engine.md", ROOT / "README.md"
COMMAND = "python tests/benchmarks/bench_page_engine.py --write"
BEGIN, END = f"<!-- {COMMAND} -->", "<!-- end of what it writes -->"

Measured = dict[str, Any]


def read() -> Measured:
    """Return what was measured last."""
    measured: Measured = json.loads(RECORD.read_text(encoding="utf-8"))
    return measured


def write(measured: Measured) -> None:
    """Keep what was measured, and put it into words."""
    measured = json.loads(json.dumps(measured), parse_float=lambda digits: round(float(digits), 3))
    RECORD.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8", newline="\n")
    DOCUMENT.write_text(document(measured), encoding="utf-8", newline="\n")
    readme = README.read_text(encoding="utf-8")
    README.write_text(with_sentence(readme, measured), encoding="utf-8", newline="\n")


def with_sentence(readme: str, measured: Measured) -> str:
    """Return the README with the sentence in its place."""
    before, rest = readme.split(BEGIN)
    return f"{before}{BEGIN}\n{sentence(measured)}\n{END}{rest.split(END)[1]}"


def sentence(measured: Measured) -> str:
    """Return what the README says."""
    lengths = measured["models"][0]["ways"][0]["lengths"]
    ratios = " and ".join(f"at {length['tokens']} tokens {length['ratio']:.1f} times" for length in lengths)
    page = measured["page"]
    text = (
        f"The BERT in such a page is plain JavaScript: its forward pass takes {ratios} as long as that of "
        f"torch on one thread. A page with the pocket model has {page['bytes'] / 1e6:.1f} MB; its "
        f"first answer was there {page['first_answer'] / 1e3:.1f} s after it was opened, on "
        f"{measured['cores']} cores ({measured['processor']}; [all figures](docs/page_engine.md))."
    )
    return fill(text, 118, break_long_words=False, break_on_hyphens=False)


def document(measured: Measured) -> str:
    """Return the document."""
    page = measured["page"]
    return _BEGINNING.format(command=COMMAND, **measured) + "\n".join(
        [
            *(line for model in measured["models"] for line in _model_lines(model)),
            "## A page on disk",
            "",
            "A fill-in view of the pocket model as a file. A sentence is typed the moment the view is drawn.",
            "",
            *_table(
                ("", "measured"),
                [
                    ("bytes of the page", f"{page['bytes']:,}"),
                    ("of these, engine and model", f"{page['bytes'] - page['bytes_recording']:,}"),
                    ("first answer after opening", f"{page['first_answer']:.0f} ms"),
                    ("the same, quickest of the openings", f"{page['quickest']:.0f} ms"),
                    ("asked for, on a machine at rest", f"{page['at_most']:.0f} ms at most"),
                ],
            ),
            "",
        ]
    )


_BEGINNING = """\
# The page's engine beside torch

How long BERT in plain JavaScript takes in a page, how many bytes it adds and how much memory it needs,
written by `{command}`.

Both compute the same: a forward pass of one text with attention, hidden states and the logits of all
positions, torch on one thread, the engine in Node, in turns. What counts is the ratio, the median of three
turns; a time is the least of three. Times and memory are those of one machine, which may have been busy with
other things: {processor}, {cores} cores; torch {torch}, Node {node}.

"""


def _model_lines(model: Measured) -> list[str]:
    rows = [
        (
            way["name"],
            f"{length['tokens']}",
            f"{length['ratio']:.1f}",
            f"{length['at_most']:.0f}" if way["name"] == "with SIMD" else "",
            f"{length['engine']:.1f} ms",
            f"{length['by_torch']:.1f} ms",
            f"{length['first']:.0f} ms",
        )
        for way in model["ways"]
        for length in way["lengths"]
    ]
    costs = [
        (way["name"], f"{way['opened']:.0f} ms", f"{way['memory']:.0f} MB", f"{way['held']:.0f} ms")
        for way in model["ways"]
    ]
    names = ("engine", "tokens", "times torch's", "at most", "engine's time", "torch's", "the first pass")
    size = f"{model['megabytes']:.1f} MB as {model['precision']}, before they are deflated"
    return [
        f"## {model['name'][0].upper()}{model['name'][1:]}",
        "",
        f"{model['parameters']:,} parameters; {size}.",
        "",
        *_table(names, rows),
        "",
        "Where a page may start no worker, its own thread computes, and is held at most for:",
        "",
        *_table(("engine", "opened in", "memory", "thread held"), costs),
        "",
    ]


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [names, ["---"] * len(names), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]
