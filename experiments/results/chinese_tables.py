"""The table of chapter 15: which characters are hidden together, in each arm three seeds."""

from __future__ import annotations

from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.recorded.by_seed import BySeed
from experiments.results.markdown import MarkdownTable

RECORD = "chinese_masking"
COLUMNS: tuple[tuple[str, tuple[str | int, ...]], ...] = (
    ("one hidden character", ("characters", 0)),
    ("hidden words", ("scores", "masked_words", 0)),
    ("hidden words that follow", ("scores", "consequence", 0)),
    ("classifiers", ("scores", "classifier", 0)),
    ("minimal pairs", ("scores", "minimal_pairs", 0)),
    ("true next parts", ("scores", "next_part", 0)),
    ("names, fine-tuned", ("tasks", "names", "score")),
    ("feelings, fine-tuned", ("tasks", "feelings", "score")),
)


def arms() -> MarkdownTable:
    """Return the four arms with what their models get right, and how far their words are the town's."""
    results = recorded(RECORD)
    found, words = BySeed(results), results["words"]
    rows = []
    for name in found.names:
        values = [found.values(name, *path) for _, path in COLUMNS]
        cells = [f"{each.mean():.3f} ({each.min():.3f} to {each.max():.3f})" for each in values]
        rows.append((name, f"{words[name]['f1']:.3f}", *cells))
    recipe = found.recipe
    return MarkdownTable(
        "Which Chinese characters are hidden together",
        "python -m experiments.ablations --town chinese --bf16 --jobs 2",
        f"{recipe['steps']:,} steps of {recipe['batch_size']} inputs, {recipe['num_layers']} layers, each "
        "from nothing. *Words, F1*: of an arm's words against the town's (`python -m "
        "experiments.chinese_words`). Feelings are of kinds of stories that training lacked: no arm "
        "learns them. Means of all seeds; in brackets the lowest and the highest of them.",
        ("hidden together", "words, F1", *(title for title, _ in COLUMNS)),
        tuple(rows),
    )
