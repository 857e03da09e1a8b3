"""Four labelled sets from the town, to teach a model a task; the town that made the texts has the answers.

``feelings``         a text: how does the person feel whom it names first?
``names``            words: which are names of people, pets and places?
``questions``        a story and a question: which words of the story answer it, if any do?
``sentence_pairs``   a story and a sentence: does the sentence follow, contradict, or neither?

Each is made so that the single words do not give the answer away: the words that point to one answer stand
in texts with every other answer, too, and who did what to whom decides. How far words alone go is measured in
``finetuning_results``, and so is what a fine-tuned model makes of each task.

The training seeds and the held-out seeds are far from each other and from those of the stories on which the
pocket model was trained and scored; ``split`` takes out what is the same in both by chance. No third-party
package is imported here. Left out: everything about models; what happens in the texts (``feeling_plots``,
``accounts``).

>>> example = feelings(seed=1, n=2)[1]
>>> print(example.text.partition(". ")[2], example.label)
Daniel lost a pink robot at the station. Ben did not give the sailboat back to Victor. angry
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, is_number, share, shown, whole_number
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.tasks.account_questions import QUESTIONS
from bertviz_lite.world.tasks.accounts import plan, tell
from bertviz_lite.world.tasks.feeling_plots import FEELINGS, felt
from bertviz_lite.world.tasks.hypotheses import HYPOTHESES
from bertviz_lite.world.tasks.name_stories import named_text

__all__ = [
    "FEELINGS",
    "HELD_OUT_SEED",
    "PAIR_LABELS",
    "TAGS",
    "TRAINING_SEED",
    "Labelled",
    "Pair",
    "Question",
    "Tagged",
    "feelings",
    "names",
    "questions",
    "sentence_pairs",
    "split",
]

PAIR_LABELS = ("follows", "contradicts", "neither")
TAGS = ("O", "B-person", "I-person", "B-place", "I-place", "B-pet")
TRAINING_SEED, HELD_OUT_SEED = 910_000_000, 920_000_000


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and its label, one of ``FEELINGS``; ``hero`` is the person whom it is about."""

    text: str
    label: str
    hero: str = ""


@dataclass(frozen=True, slots=True)
class Tagged:
    """The words of a text, and one of ``TAGS`` for each."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a story.

    Attributes
    ----------
    context, question
        The story, and the question.
    answer
        First character and the one after the last in ``context``; None where the story does not say.
    kind
        The kind of question, such as ``"who has"``.
    """

    context: str
    question: str
    answer: tuple[int, int] | None
    kind: str = ""

    @property
    def answer_text(self) -> str:
        """The words of the answer; empty where there is none."""
        return "" if self.answer is None else self.context[slice(*self.answer)]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and what the second is, given the first: one of ``PAIR_LABELS``."""

    first: str
    second: str
    label: str
    kind: str = ""


Example = Labelled | Tagged | Question | Pair
E = TypeVar("E", Labelled, Tagged, Question, Pair)


def feelings(seed: int, n: int, shares: Mapping[str, float] | None = None) -> list[Labelled]:
    """Return texts about three people, with the feeling of the one who is named first.

    What happened to that person decides: who gets a present is glad, who loses something is sad, who is
    laughed at is angry, who hears a noise in the dark is afraid. Something that makes one feel otherwise
    happens to the second person, before or after.

    Parameters
    ----------
    seed, n
        Of the draws, and how many; text k does not depend on ``n``.
    shares
        How often each label is drawn, by label; equally often where None. A label left out never comes.

    Raises
    ------
    ArgumentError
        Where a number is not whole, ``n`` is negative, or ``shares`` names no label or an unknown one.
    """
    seed, n = _numbers(seed, n)
    wheel = _shares(shares)
    return [_feeling(Dice(f"feelings/{seed}/{index}"), wheel) for index in range(n)]


def names(seed: int, n: int) -> list[Tagged]:
    """Return sentences of stories, with the names of people, pets and places in them.

    Many a word is a name in one text and none in another: the families are called Stone, Hill, Field …, the
    streets Rose Street and Mill Lane, and pets bear the names of things, or of people.

    Parameters
    ----------
    seed, n
        Of the draws, and how many.

    Raises
    ------
    ArgumentError
        Where a number is not whole, or ``n`` is negative.
    """
    seed, n = _numbers(seed, n)
    return [Tagged(*named_text(seed, index)) for index in range(n)]


def questions(seed: int, n: int, unanswerable: float = 1 / 3) -> list[Question]:
    """Return short stories with a question about each.

    The questions without an answer have the same wording, and are about people and things of the story: only
    the story shows that it holds no answer.

    Parameters
    ----------
    seed, n
        Of the draws, and how many.
    unanswerable
        Share of the questions that the story does not answer.

    Raises
    ------
    ArgumentError
        Where a number is not whole, ``n`` is negative, or the share is not between 0 and 1.
    """
    seed, n = _numbers(seed, n)
    unanswerable = share("unanswerable", unanswerable)
    return [_question(f"questions/{seed}/{index}", unanswerable) for index in range(n)]


def sentence_pairs(seed: int, n: int) -> list[Pair]:
    """Return short stories, each with a sentence that follows from it, contradicts it, or does neither.

    All three labels come with the same forms of sentences, so that the sentence alone says nothing. One that
    contradicts names the wrong person of the story, or the wrong place; one that does neither is mostly about
    somebody and something of which the story says nothing.

    Parameters
    ----------
    seed, n
        Of the draws, and how many.

    Raises
    ------
    ArgumentError
        Where a number is not whole, or ``n`` is negative.
    """
    seed, n = _numbers(seed, n)
    return [_pair(f"pairs/{seed}/{index}") for index in range(n)]


def _numbers(seed: int, n: int) -> tuple[int, int]:
    return whole_number("seed", seed), whole_number("n", n, least=0)


def _shares(shares: Any) -> Sequence[tuple[str, float]]:  # noqa: ANN401 - checked here
    """Return labels with the upper ends of their intervals of [0, 1)."""
    shares = dict.fromkeys(FEELINGS, 1.0) if shares is None else shares
    valid = isinstance(shares, Mapping) and set(shares) <= set(FEELINGS)
    if not (valid and all(_is_share(value) for value in shares.values()) and sum(shares.values()) > 0):
        raise ArgumentError(
            f"shares={shown(shares)}: give shares of 0 or more, not all of them 0, in a dict; "
            f"its keys are some of {', '.join(FEELINGS)}."
        )
    whole = sum(shares.values())
    ends, reached = [], 0.0
    for label in FEELINGS:
        reached += shares.get(label, 0.0) / whole
        ends.append((label, reached))
    return ends


def _is_share(value: Any) -> bool:  # noqa: ANN401 - checked here
    return is_number(value) and 0 <= value < math.inf


def _feeling(dice: Dice, wheel: Sequence[tuple[str, float]]) -> Labelled:
    drawn = dice.random()
    label = next((label for label, end in wheel if drawn < end), wheel[-1][0])
    text, hero = felt(dice, label)
    return Labelled(text, label, hero)


def _question(name: str, unanswerable: float) -> Question:
    dice = Dice(name)
    kind, wanted = dice.pick(tuple(QUESTIONS)), not dice.chance(unanswerable)
    while True:
        planned = plan(dice)
        fitting = [question for question in QUESTIONS[kind](planned) if (question[1] is not None) == wanted]
        if not fitting or (account := tell(planned)) is None:
            continue
        text, answer, step = dice.pick(fitting)
        span = account.span(answer, step) if answer is not None and step is not None else None
        return Question(str(account), text, span, kind)


def _pair(name: str) -> Pair:
    dice = Dice(name)
    kind, label = dice.pick(tuple(HYPOTHESES)), dice.pick(PAIR_LABELS)
    while True:
        planned = plan(dice)
        fitting = [text for text, holds in HYPOTHESES[kind](planned) if holds == label]
        if fitting and (account := tell(planned)) is not None:
            return Pair(str(account), dice.pick(fitting), label, kind)


# Training and held-out sets


def split(
    task: Callable[[int, int], list[E]], train: int, test: int, seed: int = 0
) -> tuple[list[E], list[E]]:
    """Return examples for training and held-out ones, which share no text.

    The held-out examples are the same for every ``seed`` and size of training set, but for those that are
    left out because their text is among the training examples.

    Parameters
    ----------
    task
        ``feelings``, ``names``, ``questions``, ``sentence_pairs``, or a function of seed and count like them.
    train, test
        How many of each, at most.
    seed
        Of the training examples; those of a smaller set are the first of a larger one.

    Examples
    --------
    >>> train, test = split(feelings, 30, 10)
    >>> len(train), len(test), {text.text for text in train} & {text.text for text in test}
    (30, 10, set())
    """
    if not callable(task):
        raise ArgumentError(
            f"task={shown(task)}: feelings, names, questions, sentence_pairs or another function of seed and "
            f"count is needed, not {a_or_an(task)}."
        )
    seed, train = whole_number("seed", seed), whole_number("train", train, least=0)
    test = whole_number("test", test, least=0)
    examples = task(TRAINING_SEED + seed, train)
    seen = {_text(example) for example in examples}
    extra = task(HELD_OUT_SEED, test + max(20, test // 4))
    return examples, [example for example in extra if _text(example) not in seen][:test]


def _text(example: Example) -> str:
    if isinstance(example, Labelled):
        return example.text
    if isinstance(example, Tagged):
        return " ".join(example.words)
    return example.context if isinstance(example, Question) else example.first
