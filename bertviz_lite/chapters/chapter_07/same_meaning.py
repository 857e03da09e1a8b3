"""Questions in everyday English: which of three texts means the same as another one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.chapters.chapter_07.tuning import states
from bertviz_lite.evaluation.poolings import Pool
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.similarity import SimilarityQuestion, chosen, cosines, word_overlap

ENGLISH_CHANGES = ("same meaning", "same topic", "like words")
"""What each of a question's three candidates is; only the first is right."""


_ENGLISH = """
The doctor told him to stop smoking. | His physician advised him to give up cigarettes.
    | He told the doctor to stop smoking. | The doctor wrote down how much he weighed.
The company fired two hundred workers. | Two hundred employees lost their jobs at the firm.
    | The company hired two hundred workers. | The company moved to a larger office.
She missed the last bus home. | The final bus had left before she got there.
    | She took the last bus home. | The bus ride home takes an hour.
The film was far too long for me. | I thought the movie should have been shorter.
    | The film was not too long for me. | The film was made in Italy.
Prices have gone up sharply this year. | Things have become much more expensive lately.
    | Prices have gone down sharply this year. | The shop shows its prices in the window.
A storm knocked out the power in the village. | The village lost electricity in bad weather.
    | A storm knocked down the tower in the village. | The village gets its power from the river.
The boy cannot swim. | The child never learned to stay afloat in water.
    | The boy can swim. | The boy likes the beach.
My neighbour's dog barks all night. | The pet next door keeps me awake with its noise.
    | My dog barks at my neighbour. | My neighbour walks his dog every morning.
The teacher praised the pupil. | The student was commended by the instructor.
    | The pupil praised the teacher. | The teacher opened the classroom window.
He paid for the meal with a credit card. | He used plastic to settle the restaurant bill.
    | He paid for the credit card with a meal. | The meal began with a soup.
The bridge is closed for repairs. | You cannot cross the river here while they mend it.
    | The bridge is open after repairs. | The bridge was built a century ago.
I would rather stay at home tonight. | This evening I prefer not to go out.
    | I would rather not stay at home tonight. | My home is near the station.
The train was delayed by heavy snow. | Bad winter weather made the railway late.
    | The heavy train was delayed by a cow. | The train has a dining car.
The cat chased the mouse. | The rodent was pursued by the feline.
    | The mouse chased the cat. | The cat slept on the warm stove.
She forgot to lock the door. | She left the house without turning the key.
    | She did not forget to lock the door. | She painted the door green.
The old man fell asleep in his chair. | Grandfather dozed off in the armchair.
    | The old chair fell apart under the man. | The old man bought a new chair.
They could not agree on a price. | Their bargaining came to nothing.
    | They could agree on a price. | They asked what the price was.
The river flooded the fields. | The farmland was under water.
    | The fields lay along the river. | The river is full of fish.
He has been out of work since May. | For months he has had no job.
    | He has been at work since May. | His work is near the harbour.
The baby woke up and started to cry. | The infant stopped sleeping and burst into tears.
    | The baby stopped crying and fell asleep. | The baby has blue eyes.
The thief got away through the window. | The burglar escaped by climbing out.
    | The thief got in through the window. | The thief was seen on a camera.
Nobody came to her party. | All of her guests stayed away.
    | Everybody came to her party. | Her party was on a Saturday.
The plants died because nobody watered them. | Without anyone to give them a drink, the flowers withered.
    | The plants died because somebody watered them. | The plants stand on the balcony.
Our team beat theirs. | Their side was defeated by us.
    | Their team beat ours. | Our team trains on Mondays.
"""


def english_questions() -> list[SimilarityQuestion]:
    """Return 24 questions in everyday English, written by hand for this course.

    Each has three candidates: the same meaning in other words; another statement on the same topic; nearly
    the same words with another meaning. They are few, by one author, and made to mislead a count of shared
    words: they tell good vectors from bad ones, but not good ones from each other.
    """
    entries = re.split(r"\n(?=\S)", _ENGLISH.strip())
    parts = [[text.strip() for text in entry.split("|")] for entry in entries]
    return [SimilarityQuestion(query, (same, topic, alike)) for query, same, alike, topic in parts]


def english_scores(pools: Mapping[str, Pool]) -> dict[str, tuple[float, float]]:
    """Score shared words and poolings of all-MiniLM-L6-v2 on the English questions.

    Where the model is not installed (the extra ``real``), the recorded scores are returned.

    Returns
    -------
    dict
        By name, the share of questions in which the same meaning is nearest, of two candidates (the other is
        of the same topic) and of three (the last has nearly the same words).
    """
    from bertviz_lite.models.loading import ModelError, load

    try:
        tokenizer, model = load("minilm")
    except ModelError:
        scores = recorded("similarity")["all-MiniLM-L6-v2"]
        wanted = ("shared words", *pools)
        return {name: (two, three) for name, (two, three) in scores.items() if name in wanted}
    questions = english_questions()
    bert: Any = model
    hidden, real = states(bert, tokenizer, questions)
    similarities = {"shared words": word_overlap(questions)}
    similarities |= {
        name: cosines(pool(bert, hidden, real).detach(), questions) for name, pool in pools.items()
    }

    def accuracy(values: NDArray[np.float64]) -> float:
        return round(float(chosen(values)[:, 0].mean()), 4)

    return {name: (accuracy(values[:, :2]), accuracy(values)) for name, values in similarities.items()}
