"""Tables of models trained from nothing or trained on: the second head, the recipe, reading one way."""

from __future__ import annotations

from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.scores import TITLES
from experiments.results.markdown import MarkdownTable, share, share_of

_ABLATIONS = "python -m experiments.ablations --bf16"
_SCORES = (
    "masked_words",
    "agreement",
    "pronoun",
    "mention",
    "consequence",
    "next_part",
    "minimal_pairs",
)
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
        "python -m experiments.one_way --bf16",
        f"Accuracy on {results['after']['pieces']:,} hidden tokens, of the pocket model where it sees one "
        f"side, before and after {results['steps']:,} more steps of training that way.",
        ("sees", "before", "after"),
        tuple(
            (words, *(share_of(results[when][name], results[when]["pieces"]) for when in ("before", "after")))
            for name, words in _SIDES.items()
        ),
    )


def second_head() -> MarkdownTable:
    """Return the table of chapter 09: the second head of each variant, and probes."""
    variants = recorded("ablations")["variants"]
    kinds = list(next(iter(variants.values()))["pairs"])
    columns = ("head", "probe of vectors", "probe of words")
    return MarkdownTable(
        "What the second head tells apart, and what a probe could",
        _ABLATIONS,
        "The small models of the ablations: parts of another story, and parts that have changed places; half "
        "of the pairs are true. *Short*: two to four sentences in all.",
        ("model", "false pairs", "its head", *columns[1:]),
        tuple(
            (name, kind, *(share(variant["pairs"][kind][column]) for column in columns))
            for kind in kinds
            for name, variant in variants.items()
        ),
    )


def recipes() -> MarkdownTable:
    """Return the table of chapter 10: the scores of each variant of the recipe."""
    results = recorded("ablations")
    recipe, variants = results["recipe"], results["variants"]
    return MarkdownTable(
        "One decision of the recipe changed",
        _ABLATIONS,
        f"Each trained from nothing in {recipe['steps']:,} steps of {recipe['batch_size']} inputs, then "
        "scored like the pocket model. *Another seed* shows how much is random. Losses: the last logged.",
        ("model", "parameters", "loss of words", "loss of pairs", *(TITLES[name] for name in _SCORES)),
        tuple(
            (
                name,
                f"{variant['parameters']:,}",
                *(share(loss) for loss in variant["losses"][-1][1:]),
                *(share(variant["scores"][score][0]) for score in _SCORES),
            )
            for name, variant in variants.items()
        ),
    )
