"""Twenty texts that go on in three ways: a word comes back, a pronoun stands for it, or only the sense tells.

They were written for this chapter, before any model had read them, and none was left out afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.evaluation.pair_probes import pair_vectors
from bertviz_lite.evaluation.scores.own_words import OWN_WORDS_FILE, BothExams, Tally
from bertviz_lite.models.loading import folder_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

__all__ = ["after_own_and_wrong", "exam_answers", "going_on", "two_exams"]

_WAYS = ("a word comes back", "a pronoun", "only the sense")

_TABLE = """
Anna lost her key in the park. | Tom found the key under a bench. | Tom found it under a bench. | The door stayed shut all night.
The cat jumped on the table. | The table was full of cups. | It broke three cups. | Three cups fell and broke.
Peter baked a cake for his mother. | The cake was brown and sweet. | She liked it very much. | The whole kitchen smelled of sugar.
It was raining when Mia went to school. | The school was far away. | She had forgotten her umbrella. | Every street was full of puddles.
The children built a boat. | The boat was small and red. | They painted it red. | By evening the paint was dry.
Max broke a window with his ball. | The window was new. | He was sorry and ran home. | There was glass all over the floor.
The old queen was ill. | A doctor came to see the queen. | A doctor came to see her. | A doctor came with a big bag.
Ben bought a horse at the market. | The horse was old and slow. | It was old and slow. | The stable was not empty any more.
Lily planted a tree in the garden. | The tree grew quickly. | It grew quickly. | After five years there were apples.
The farmer forgot to shut the gate. | In the morning the gate was still open. | In the morning he could not find his sheep. | In the morning all the sheep were gone.
Emma wrote a letter to her brother. | The letter was very long. | He read it twice. | An answer came after a week.
The bus was late. | When the bus came, everybody was wet. | When it came, everybody was wet. | Everybody at the corner was cold and wet.
Paul cut his finger with a knife. | The finger hurt all day. | It hurt all day. | The nurse came with a plaster.
A dog ran through the village. | Nobody knew the dog. | Nobody knew it. | The hens flew onto the roof.
Nina was afraid of the dark. | In the dark the room looked strange. | She left the lamp on. | So the lamp stayed on all night.
The baker got up at four. | The baker made a hundred rolls. | He made a hundred rolls. | At six there was fresh bread.
George had no money. | Without money nobody can buy a coat. | He could not buy the coat. | The coat was too dear.
Our team won the game. | After the game there was a party. | We danced in the street. | There was dancing in the street.
The soup was too hot. | So everybody waited until the soup was cold. | So everybody waited for it. | So everybody blew on the spoons.
Clara heard a noise in the attic. | The noise came from a mouse. | She went up with a lamp. | Behind the old chest sat a mouse.
"""  # noqa: E501 - a text and its three ways to go on are one row


def going_on() -> dict[str, list[tuple[str, str]]]:
    """Return the pairs of texts for each way to go on, in the same order each time."""
    rows = [tuple(cell.strip() for cell in line.split("|")) for line in _TABLE.strip().splitlines()]
    return {way: [(row[0], row[k]) for row in rows] for k, way in enumerate(_WAYS, start=1)}


def after_own_and_wrong(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast
) -> dict[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    """Return the log-odds of each B after its own A, and after the A of the text before it.

    Parameters
    ----------
    model, tokenizer
        Of the package's, with an NSP head.

    Returns
    -------
    dict
        For each way to go on, two arrays in the order of the texts; shape (texts,) each.
    """
    found = {}
    for way, texts in going_on().items():
        wrong = [(texts[place - 1][0], second) for place, (_, second) in enumerate(texts)]
        found[way] = (
            pair_vectors(model, tokenizer, texts).log_odds,
            pair_vectors(model, tokenizer, wrong).log_odds,
        )
    return found


def exam_answers(model: str) -> dict[str, npt.NDArray[np.bool_]]:
    """Return which answers of the two exams were right, as ``figures.shares`` takes them.

    Parameters
    ----------
    model
        Its name for ``load``.
    """
    exams, kinds = two_exams(model), {"true": "true", "stranger": "other story", "B before A": "other order"}
    return {
        f"{name}, {whose}": np.arange(marks[kind].n) < marks[kind].right
        for name, kind in kinds.items()
        for whose, marks in exams.items()
    }


def two_exams(model: str) -> dict[str, dict[str, Tally]]:
    """Return what a shipped model got in two exams of pairs, from the results beside its weights.

    Parameters
    ----------
    model
        Its name for ``load``.

    Returns
    -------
    dict
        For the town's own stories and for people's own words: a tally of the true pairs, of those with
        another story's part, and of those in the other order; short and long ones together.
    """
    marks = BothExams.from_json((folder_of(model) / OWN_WORDS_FILE).read_text(encoding="utf-8"))
    return {
        whose: {
            kind.replace("-", " "): Tally.together([pairs[name] for name in pairs if name.startswith(kind)])
            for kind in ("true", "other-story", "other-order")
        }
        for whose, pairs in {"the town's": marks.town.pairs, "people's": marks.own.pairs}.items()
    }
