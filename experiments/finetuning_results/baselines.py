"""Each task without a model: the majority, and what single words tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.chapters.chapter_11.rivals import by_usual_tag, by_words
from bertviz_lite.world.tasks.sets import (
    Labelled,
    Pair,
    Question,
    Tagged,
)

if TYPE_CHECKING:
    from bertviz_lite.world.tasks.sets import Example


def baselines(fit: Sequence[Example], score: Sequence[Example]) -> dict[str, Any]:
    """Score majority and single words on the examples ``score``."""
    train: Any = fit
    test: Any = score
    if isinstance(test[0], Tagged):
        return {"majority": 0.0, "words": by_usual_tag(train, test).value}
    if isinstance(test[0], Question):
        answered = [np.array([str(example.answer is not None) for example in half]) for half in (train, test)]
        result = {
            "majority": float(np.mean([example.answer is None for example in test])),
            "answered": float((answered[1] == "True").mean()),
        }
        for title, texts in (("words of the question", _question_only), ("words of both", _texts)):
            guessed = by_words(
                [texts(example) for example in train], answered[0], [texts(example) for example in test]
            )
            result[title] = float((guessed == answered[1]).mean())
        return result
    labels = [np.array([example.label for example in half]) for half in (train, test)]
    common = Counter(labels[0].tolist()).most_common(1)[0][0]
    guessed = by_words(
        [_texts(example) for example in train], labels[0], [_texts(example) for example in test]
    )
    result = {"majority": float((labels[1] == common).mean()), "words": float((guessed == labels[1]).mean())}
    if isinstance(test[0], Pair):
        alone = by_words(
            [(example.second,) for example in train], labels[0], [(example.second,) for example in test]
        )
        result["words of the second text"] = float((alone == labels[1]).mean())
    return result


def _texts(example: Example) -> tuple[str, ...]:
    if isinstance(example, Labelled):
        return (example.text,)
    if isinstance(example, Pair):
        return example.first, example.second
    assert isinstance(example, Question)
    return example.question, example.context


def _question_only(example: Question) -> tuple[str, ...]:
    return (example.question,)
