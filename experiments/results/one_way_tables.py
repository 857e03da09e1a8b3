"""The table of models that read one way."""

from __future__ import annotations

from bertviz_lite.evaluation.recorded import recorded
from experiments.results.markdown import MarkdownTable, share_of

_SIDES = {
    "left": "what is on the left",
    "right": "what is on the right",
    "glued": "both guesses, glued",
    "best glue": "both guesses, best glue",
    "both": "everything",
}


def one_way() -> MarkdownTable:
    """Return the table of chapter 05: reading one way and both ways."""
    results = recorded("one_way")
    return MarkdownTable(
        "Reading one way and both ways",
        "python -m experiments.one_way",
        f"Accuracy on {results['after']['pieces']:,} hidden tokens, of the pocket model where it sees one "
        f"side, before and after {results['steps']:,} more steps of training that way.",
        ("sees", "before", "after"),
        tuple(
            (words, *(share_of(results[when][name], results[when]["pieces"]) for when in ("before", "after")))
            for name, words in _SIDES.items()
        ),
    )
