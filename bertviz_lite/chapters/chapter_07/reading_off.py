"""What a linear probe reads off the vector of [CLS]: who an event's text names first, and which thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.chapters.chapter_07.same_event import KINDS_OF_THINGS
from bertviz_lite.chapters.chapter_07.tuning import states
from bertviz_lite.evaluation.probes.linear import linear_probe
from bertviz_lite.world.events.town import PEOPLE, things

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from transformers import BertModel, PreTrainedTokenizerBase

    from bertviz_lite.evaluation.similarity import SimilarityQuestion

ASKED = {"person": {person.name.lower() for person in PEOPLE}, "thing": set(things(*KINDS_OF_THINGS))}
"""For "person" and "thing", the words that answer."""


def first_named(questions: Sequence[SimilarityQuestion], answers: Collection[str]) -> NDArray[np.str_]:
    """Return for each text the first of its words that is an answer, in the singular; "" for none."""
    found = []
    for question in questions:
        for text in question.texts:
            words = re.findall(r"[a-z]+", text.lower())
            singular = [word if word in answers else word.removesuffix("s") for word in words]
            found.append(next((word for word in singular if word in answers), ""))
    return np.array(found)


def read_off_cls(
    bert: BertModel,
    tokenizer: PreTrainedTokenizerBase,
    fit: Sequence[SimilarityQuestion],
    score: Sequence[SimilarityQuestion],
) -> dict[str, float]:
    """Fit linear probes on the last vectors of [CLS] of some texts; score them on those of other texts.

    Parameters
    ----------
    bert, tokenizer
        A BERT and its tokenizer.
    fit, score
        Questions: the probes are fitted on all texts of the first, and scored on all texts of the second.

    Returns
    -------
    dict
        For each of `ASKED`, the share of texts of which the probe names the person, or the thing. Texts
        without an answer, or with one that no text of `fit` has, are left out.
    """
    before, after = (states(bert, tokenizer, which)[0][:, 0].double().numpy() for which in (fit, score))
    shares = {}
    for asked, words in ASKED.items():
        known, answers = first_named(fit, words), first_named(score, words)
        fitted, scored = known != "", (answers != "") & np.isin(answers, known)
        read = linear_probe(before[fitted], known[fitted], after[scored])
        shares[asked] = float((read == answers[scored]).mean())
    return shares


def commonest(questions: Sequence[SimilarityQuestion]) -> dict[str, float]:
    """Return for each of `ASKED` how often it's right to always say the commonest answer: chance."""
    shares = {}
    for asked, words in ASKED.items():
        answers = [answer for answer in first_named(questions, words) if answer]
        shares[asked] = Counter(answers).most_common(1)[0][1] / len(answers)
    return shares
