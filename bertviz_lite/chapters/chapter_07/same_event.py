"""Questions about town events: which of five texts describes the same event as another one.

An event is described twice, in different words. Beside its second description there are four texts about
other events, each changed in a known way: who does it, with what, what is done, or two of these. Vectors are
good at this if the two descriptions of one event lie closer together than the first one and any of the four.
Left out: texts of several sentences, and verbs that the model's vocabulary has only in word pieces.

>>> question = event_questions(seed=1, n=3)[2]
>>> print(question.query)
Zoe gave the painting to Peter.
>>> for change, text in zip(CHANGES, question.candidates):
...     print(f"{change}: {text}")
same event: Zoe held out the painting, and Peter took it.
other person: Anna gave the painting to Peter.
other thing: Zoe held out the saw, and Peter took it.
other deed: Zoe chose a painting on the bridge.
two changes: Peter held out the painting, and Zoe took it.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from bertviz_lite.evaluation.similarity import SimilarityQuestion
from bertviz_lite.world.english import Teller
from bertviz_lite.world.english.grammar import verb
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Event, Referent, Scene, Setting
from bertviz_lite.world.events.town import PEOPLE, places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bertviz_lite.world import Sentence

CHANGES = ("same event", "other person", "other thing", "other deed", "two changes")
"""What is different in each of a question's five candidates; only the first is right."""

SWAPPED, BOTH = "swapped", "both others"
"""The two kinds of *two changes*: giver and taker change places; person and thing are others."""

KINDS_OF_CANDIDATES = (*CHANGES[:-1], SWAPPED, BOTH)
"""`CHANGES`, with the two kinds of *two changes* told apart. A question has one of these two."""

# Kinds of events in which A does something with T, and those in which T passes from A to B.
_DEEDS = ("break", "buy", "find", "lose", "mend", "put")
_TRANSFERS = ("give", "give_back", "give_present", "sell")
KINDS_OF_THINGS = ("toy", "clothes", "small", "music", "paper", "tool")
_TOOLS = ("a hammer", "a needle", "glue", "string", "wire")
_SPLIT = {"discover", "hand", "pass", "repair"}  # into word pieces, by the model's vocabulary
VERBS = (
    *("break", "bring", "buy", "call", "choose", "find", "give", "hold", "lay", "leave", "lose", "mend"),
    *("offer", "open", "put", "return", "say", "sell", "spend", "take"),
)
"""The verbs of all questions, but for *be*, *have* and *can*."""

TRAINING_SEED, TEST_SEED, PROBE_SEED = 7, 900_000_061, 900_000_063
"""Seeds of the questions that chapter 07 trains on, of those it scores, and of those it fits probes on."""

_VERB_OF = {verb(base, form): base for base in VERBS for form in ("base", "past", "participle")}

_LONGEST = 11  # words and punctuation of a text: short ones are quick to train on
_TRIES = 100  # descriptions of an event until one names everybody and everything in it


def event_questions(seed: int, n: int) -> list[SimilarityQuestion]:
    """Return ``n`` questions; question k does not depend on ``n``.

    Half of the events are transfers, in which somebody gives, gives back, sells or presents a thing to
    somebody; there *two changes* means that giver and taker change places. In the others it means another
    person and another thing. All texts are in the past tense, each in a wording drawn at random; the two
    descriptions of the event never have all their verbs in common.

    Raises
    ------
    ValueError
        Where ``n`` is negative.

    Examples
    --------
    >>> [len(question.texts) for question in event_questions(seed=1, n=2)]
    [6, 6]
    """
    if n < 0:
        raise ValueError(f"n={n}: ask for 0 or more questions")
    return [_question(seed, index) for index in range(n)]


def changes_of(question: SimilarityQuestion) -> tuple[str, ...]:
    """Return what is different in each candidate of a question: five of `KINDS_OF_CANDIDATES`.

    Examples
    --------
    >>> *_, gift, find = event_questions(seed=1, n=4)
    >>> changes_of(gift)[-1], changes_of(find)[-1]
    ('swapped', 'both others')
    """
    names = {person.name for person in PEOPLE}
    query, last = (
        set(re.findall(r"\w+", text)) & names for text in (question.query, question.candidates[-1])
    )
    return (*CHANGES[:-1], SWAPPED if query == last else BOTH)


def keeps_verbs(question: SimilarityQuestion) -> tuple[bool, ...]:
    """Say of each candidate whether it has the query's verbs, all of `VERBS`, and no others.

    Examples
    --------
    >>> keeps_verbs(event_questions(seed=1, n=3)[2])  # gave; held, took; gave; held, took; chose; held, took
    (False, True, False, False, False)
    """
    verbs, *others = (_verbs_in(text) for text in question.texts)
    return tuple(other == verbs for other in others)


def rewording(question: SimilarityQuestion) -> tuple[str, str]:
    """Return by which verbs of `VERBS` the query tells the event, and by which its partner; sorted.

    Examples
    --------
    >>> rewording(event_questions(seed=1, n=3)[2])  # gave; held, took
    ('give', 'hold, take')
    """
    one, other = sorted(", ".join(sorted(set(_verbs_in(text)))) for text in question.texts[:2])
    return one, other


def tally(questions: Sequence[SimilarityQuestion]) -> dict[str, tuple[int, int]]:
    """Count the candidates of each of `KINDS_OF_CANDIDATES`, and those among them that `keeps_verbs`.

    Examples
    --------
    >>> tally(event_questions(seed=1, n=10))["swapped"]
    (9, 3)
    """
    kept: dict[str, list[bool]] = {kind: [] for kind in KINDS_OF_CANDIDATES}
    for question in questions:
        for kind, keeps in zip(changes_of(question), keeps_verbs(question), strict=True):
            kept[kind].append(keeps)
    return {kind: (len(each), sum(each)) for kind, each in kept.items()}


def _question(seed: int, index: int) -> SimilarityQuestion:
    for attempt in count():
        dice = Dice(f"similarity/{seed}/{index}/{attempt}")
        stage = _Stage(dice)
        transfer = dice.chance(0.5)
        kind = dice.pick(_TRANSFERS if transfer else _DEEDS)
        query = stage.tell(kind)
        if query is None:
            continue
        candidates = (
            stage.tell(kind, unlike=query),
            stage.tell(kind, A="N"),
            stage.tell(kind, T="U"),
            stage.tell(dice.pick([deed for deed in _DEEDS if deed != kind])),
            stage.tell(kind, A="B", B="A") if transfer else stage.tell(kind, A="N", T="U"),
        )
        finished = tuple(str(candidate) for candidate in candidates if candidate is not None)
        if len(finished) == len(candidates):
            return SimilarityQuestion(str(query), finished)
    raise AssertionError


class _Stage:
    """Three people, two things, a spot and a place, for a few descriptions outside any story."""

    def __init__(self, dice: Dice) -> None:
        first, second, third = dice.sample(PEOPLE, 3)
        scene = Scene(dice, Setting.drawn(dice), first, second)
        self.dice, self.scene = dice, scene
        self.facts = {"time": scene.setting.time, "tool": dice.pick(_TOOLS)}
        self.roles: dict[str, Referent] = {
            "A": scene.hero,
            "B": scene.other,
            "N": scene.person(third),
            "T": scene.thing(*KINDS_OF_THINGS),
            "U": scene.thing(*KINDS_OF_THINGS),
            "C": scene.spot(),
            "P": scene.place(dice.pick(places("shop", "open"))),
        }

    def tell(self, kind: str, unlike: Sentence | None = None, **instead: str) -> Sentence | None:
        """Describe an event with some roles played by others; None where no description names all of them."""
        roles = self.roles | {role: self.roles[other] for role, other in instead.items()}
        needed = {roles[role].chain for role in ("ABT" if kind in _TRANSFERS else "AT")}
        for _ in range(_TRIES):
            teller = Teller(self.dice, present=False, referents=self.scene.referents)
            (sentence,) = teller.tell([Event(kind, roles, self.facts)])
            named = {word.entity for word in sentence.words}
            if len(sentence.words) > _LONGEST or _verbs(sentence) & _SPLIT:
                continue
            if needed <= named and (unlike is None or _verbs(sentence) != _verbs(unlike)):
                return sentence
        return None


def _verbs_in(text: str) -> list[str]:
    """Return the verbs of a text, those of `VERBS`, as their base forms in alphabetical order."""
    return sorted(_VERB_OF[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _VERB_OF)


def _verbs(sentence: Sentence) -> set[str]:
    return {word.lemma for word in sentence.words if word.pos == "VERB"}
