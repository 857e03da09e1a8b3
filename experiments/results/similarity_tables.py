"""Tables of chapters 07 and 13: texts with the same meaning, and the senses of a word in real English."""

from __future__ import annotations

from bertviz_lite.chapters.chapter_07.same_meaning import english_questions
from bertviz_lite.chapters.chapter_13.english_sentences import RELATIONS
from bertviz_lite.evaluation.recorded import recorded
from experiments.results.markdown import MarkdownTable, count_of, share, share_of

_EVENT_QUESTIONS = 200  # of experiments.similarity
_REAL_ENGLISH = "python -m experiments.real_english"
_SIMILARITY = "python -m experiments.similarity --bf16"


def same_event() -> MarkdownTable:
    """Return the table of poolings of the pocket model, while it is trained for them."""
    over = recorded("similarity")["over steps"]
    first, last = over["steps"].index(30), over["steps"][-1]
    return MarkdownTable(
        "Which of five texts tells the same event?",
        _SIMILARITY,
        f"The pocket model, trained for this with each pooling, two orders of the questions; "
        f"{_EVENT_QUESTIONS} new events, after 30 of {last} steps and at the end. *No tanh* is the pooler "
        "without its tanh.",
        ("trained", "pooling", "after 30 steps", f"after {last}"),
        tuple(
            (which, name, *(" and ".join(share(run[at]) for run in runs) for at in (first, -1)))
            for which in ("top layer", "all layers")
            for name, runs in over[which].items()
        ),
    )


def same_meaning() -> MarkdownTable:
    """Return the table of poolings of all-MiniLM-L6-v2 on English questions."""
    count = len(english_questions())
    return MarkdownTable(
        "Real English: which text means the same?",
        _SIMILARITY,
        f"all-MiniLM-L6-v2 as it is, and shared words; {count} questions.",
        ("vectors", "or is of the same topic", "or has like words"),
        tuple(
            (name, share_of(two, count), share_of(three, count))
            for name, (two, three) in recorded("similarity")["all-MiniLM-L6-v2"].items()
        ),
    )


def bank() -> MarkdownTable:
    """Return the table of the two senses of *bank*, layer by layer."""
    return MarkdownTable(
        "Real English: the two senses of *bank*",
        _REAL_ENGLISH,
        "all-MiniLM-L6-v2, nearest centroid. Matched: the word is at the same place in a sentence of each "
        "sense. Crossed: a word of the other sense is near. *Other words*: their mean embedding.",
        ("vectors", "matched", "crossed"),
        tuple(
            (name, count_of(*counts["matched"]), count_of(*counts["crossed"]))
            for name, counts in recorded("real_english")["bank"].items()
        ),
    )


def relations() -> MarkdownTable:
    """Return the table of relations between sentences."""
    others = RELATIONS[1:]
    return MarkdownTable(
        "Real English: is the same meaning nearer than …",
        _REAL_ENGLISH,
        "all-MiniLM-L6-v2, by the cosine of pooled vectors: the same meaning in other words, against the "
        "sentence denied, one on the same topic, and an unrelated one.",
        ("pooling", *others),
        tuple(
            (name, *(count_of(*counts[relation]) for relation in others))
            for name, counts in recorded("real_english")["same meaning nearer than"].items()
        ),
    )
