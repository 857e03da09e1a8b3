"""What a linear probe reads off the vector of [CLS]: a text's first person, first verb and thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.chapters.chapter_07.same_event import KINDS_OF_THINGS, VERBS
from bertviz_lite.chapters.chapter_07.tuning import states
from bertviz_lite.evaluation.probes.linear import linear_probe
from bertviz_lite.world.english.grammar import plural, verb
from bertviz_lite.world.events.town import PEOPLE, things

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor
    from transformers import BertModel, PreTrainedTokenizerBase

    from bertviz_lite.evaluation.similarity import SimilarityQuestion

_THINGS = things(*KINDS_OF_THINGS)

ASKED: dict[str, dict[str, str]] = {
    "person": {person.name.lower(): person.name.lower() for person in PEOPLE},
    "verb": {
        verb(base, form): base
        for base in VERBS
        if base not in ("call", "say")  # "a boy called Tom …", "Anna said that …": the deed is told later
        for form in ("base", "past", "participle")
    },
    "thing": {form: thing for thing in _THINGS for form in (thing, plural(thing))},
}
"""For "person", "verb" and "thing", the words that answer, and for each of them the answer."""


def first_named(questions: Sequence[SimilarityQuestion], answers: Mapping[str, str]) -> NDArray[np.str_]:
    """Return for each text the answer of the first of its words that has one; "" for none."""
    found = []
    for question in questions:
        for text in question.texts:
            words = re.findall(r"[a-z]+", text.lower())
            found.append(next((answers[word] for word in words if word in answers), ""))
    return np.array(found)


def read_off_cls(
    bert: BertModel,
    tokenizer: PreTrainedTokenizerBase,
    fit: Sequence[SimilarityQuestion],
    score: Sequence[SimilarityQuestion],
    known: tuple[Tensor, Tensor] | None = None,
) -> dict[str, float]:
    """Fit linear probes on the last vectors of [CLS] of some texts; score them on those of other texts.

    Parameters
    ----------
    bert, tokenizer
        A BERT and its tokenizer.
    fit, score
        Questions: the probes are fitted on all texts of the first, and scored on all texts of the second.
    known
        The last hidden states of both, if they have been computed already.

    Returns
    -------
    dict
        For each of `ASKED`, the share of texts of which the probe gives the answer. Texts without an answer,
        or with one that no text of `fit` has, are left out.
    """
    last = known or tuple(states(bert, tokenizer, which)[0] for which in (fit, score))
    before, after = (each[:, 0].double().numpy() for each in last)
    shares = {}
    for asked, words in ASKED.items():
        learned, answers = first_named(fit, words), first_named(score, words)
        fitted, scored = learned != "", (answers != "") & np.isin(answers, learned)
        read = linear_probe(before[fitted], learned[fitted], after[scored])
        shares[asked] = float((read == answers[scored]).mean())
    return shares


def commonest(questions: Sequence[SimilarityQuestion]) -> dict[str, float]:
    """Return for each of `ASKED` how often it's right to always say the commonest answer: chance."""
    shares = {}
    for asked, words in ASKED.items():
        answers = [answer for answer in first_named(questions, words) if answer]
        shares[asked] = Counter(answers).most_common(1)[0][1] / len(answers)
    return shares
