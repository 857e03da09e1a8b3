"""The document of all recorded numbers that chapters show: ``python -m experiments.results`` writes it.

It prints ``docs/results.md`` and writes it. Nothing is measured here: every number is read from what an
experiment has recorded, and the command above each table makes it anew. A test holds the document equal to
what this would write.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bertviz_lite.basics.files import write_text
from experiments.results import (
    chinese_tables,
    fewer_layers_tables,
    finetuning_tables,
    one_way_tables,
    seed_tables,
    similarity_tables,
)
from experiments.results.markdown import MarkdownTable

DOCUMENT = Path(__file__).parents[2] / "docs" / "results.md"
TABLES: dict[str, tuple[Callable[[], MarkdownTable], ...]] = {
    "Chapter 05": (one_way_tables.one_way, fewer_layers_tables.fewer_layers),
    "Chapter 06": (seed_tables.masking,),
    "Chapter 07": (similarity_tables.same_event, similarity_tables.same_meaning),
    "Chapter 08": (seed_tables.tying,),
    "Chapter 09": (seed_tables.second_head,),
    "Chapter 10": (seed_tables.recipes,),
    "Chapter 11": (
        finetuning_tables.tasks,
        finetuning_tables.names,
        finetuning_tables.curve,
        finetuning_tables.rates,
    ),
    "Chapter 13": (similarity_tables.bank, similarity_tables.relations),
    "Chapter 15": (chinese_tables.arms,),
}
_HEAD = """# Results

What the chapters show of trainings that take too long for a notebook, written by
`python -m experiments.results` from the recorded numbers. Above each table is the command that makes its
numbers anew. In brackets: where a share would lie in 95 of 100 cases if as many questions were drawn again
(Wilson, 1927). That says nothing of another training run. The scores of the pocket model itself are on
[its card](../bertviz_lite/models/pocket/README.md).
"""


def document() -> str:
    """Return the whole document as Markdown."""
    text = [_HEAD]
    for chapter, tables in sorted(TABLES.items()):
        text += [f"## {chapter}\n", *(str(table()) for table in tables)]
    return "\n".join(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the results and write them to a file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.results", description=main.__doc__)
    parser.add_argument(
        "--output", type=Path, default=DOCUMENT, help="the file to write (default: docs/results.md)"
    )
    options = parser.parse_args(arguments)
    text = document()
    sys.stdout.write(text)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    write_text(options.output, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
