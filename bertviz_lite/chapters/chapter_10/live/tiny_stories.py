"""The town's smallest stories, to be learned from within a minute.

A story has two sentences. In the first a child finds, sees, buys or draws a toy, or several; the second says
something of the toys, with a verb that must agree.

>>> for story in tiny_stories(seed=4, n=1):
...     print(story)
Sam saw four skateboards. The skateboards behind two dolls were new.

One toy and several occur equally often, as subjects and, in half of the stories, in between (*the robot under
two kites was …*). So the words beside such a verb do not show its number: only its subject does.

Left out: everything else that the town speaks of.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from transformers import BertTokenizer

from bertviz_lite.data.vocabulary import MAX_LENGTH
from bertviz_lite.world.english.teller import Teller
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Referent
from bertviz_lite.world.events.text import Story, Word
from bertviz_lite.world.events.town import PEOPLE, things

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SINGULAR, PLURAL = ("is", "was", "has"), ("are", "were", "have")

_CHILDREN = tuple(person for person in PEOPLE if person.age == "child")
_FIRST = ("[A.n] <find> [T]", "[A.n] <see> [T]", "[A.n] <buy> [T]", "[A.n] <draw> [T]")
_SECOND = ("<be@T!> $look", "<be@T!> very $look", "<have@T!> been there all day")
_BETWEEN = ("beside", "under", "near", "behind")
_LOOKS = ("fine", "new", "old", "dusty", "lovely", "strange", "plain", "heavy")
_MANY = ("two", "three", "four", "five")
_VOCABULARY = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] . a ##d ##s ##w the was is there behind day were under been tom has "
    "found ben old jack very oliver ruby mia sam grace two emma zoe luke adam finn lucy ivy anna ella "
    "nina lily leo saw max noah all are toby three maya ##ies new ball five bought finds four beside "
    "sees dra boat robot drum skateboard balloon ted hoop buys sailboat top teddy kite near have marble "
    "whistle doll dusty puzzle heavy rattle lovely plain yoyo strange fine drew"
)
"""The word pieces of tiny stories. Toys in the plural are cut (*ball ##s*), as rare words are."""


def tiny_stories(seed: int, n: int) -> list[Story]:
    """Return the first ``n`` of a seed's stories of two sentences; story k does not depend on ``n``.

    Half of them have a noun between the second sentence's subject and its verb.

    Raises
    ------
    ValueError
        Where ``n`` is negative.
    """
    if n < 0:
        raise ValueError(f"n={n}: take 0 or more stories")
    return [_tiny_story(seed, index) for index in range(n)]


def _tiny_story(seed: int, index: int) -> Story:
    dice = Dice(f"tiny/{seed}/{index}")
    child = dice.pick(_CHILDREN)
    hero = Referent("person", "child", child.gender, child.name, chain=0)
    subject, other = (
        _toy(dice, noun, chain) for chain, noun in enumerate(dice.sample(things("toy"), 2), start=1)
    )
    roles, facts = {"A": hero, "T": subject, "U": other}, {"look": dice.pick(_LOOKS)}
    # *had* is one form for both numbers, so what has been there all day is in the present tense
    predicate = dice.pick(_SECOND)
    teller = Teller(dice, present="have" in predicate or dice.chance(0.3), referents=[hero, subject, other])
    between = f"{dice.pick(_BETWEEN)} [U] " if dice.chance(0.5) else ""
    sentences = (
        teller.render(dice.pick(_FIRST), roles, facts),
        teller.render(f"[T.the] {between}{predicate}", roles, facts, "attractor" if between else "simple"),
    )
    return Story(seed, index, sentences)


def _toy(dice: Dice, noun: str, chain: int) -> Referent:
    many = dice.chance(0.5)
    count = dice.pick(_MANY) if many else ""
    return Referent("thing", noun, "p" if many else "n", count=count, chain=chain)


def agreeing_verb(story: Story) -> Word:
    """Return the verb of a tiny story that agrees with its subject."""
    return next(word for word in story.sentences[1].words if word.determined == "agreement")


def neighbours(story: Story) -> tuple[str, str]:
    """Return the words before and after that verb, lower-cased."""
    words = story.sentences[1].words
    place = agreeing_verb(story).index
    return words[place - 1].text.lower(), words[place + 1].text.lower()


def kind_of(story: Story) -> tuple[bool, bool] | None:
    """Return (is the subject plural, does a noun of the other number follow); None if one of its own does."""
    verb, words = agreeing_verb(story), story.sentences[1].words
    assert verb.subject is not None
    form = words[verb.subject].form
    between = {word.form for word in words[verb.subject + 1 : verb.index] if word.pos == "NOUN"}
    return None if form in between else (form == "plural", bool(between))


def nearest_noun_agrees(story: Story) -> bool:
    """Return whether the noun nearest before the verb has the verb's number, be it the subject or not."""
    verb, words = agreeing_verb(story), story.sentences[1].words
    assert verb.subject is not None
    nouns = [word.form for word in words[: verb.index] if word.pos == "NOUN"]
    return nouns[-1] == words[verb.subject].form


def any_plural_agrees(story: Story) -> bool:
    """Return whether "plural if any toy before the verb is, else singular" gives the verb's number."""
    verb, words = agreeing_verb(story), story.sentences[1].words
    assert verb.subject is not None
    nouns = [word.form for word in words[: verb.index] if word.pos == "NOUN"]
    return ("plural" in nouns) == (words[verb.subject].form == "plural")


def first_sentence_agrees(first: str, second: str) -> bool:
    """Return whether the first sentence's toy has the number of the second sentence's verb.

    >>> first_sentence_agrees("Tom drew a doll.", "The kites near a boat were old.")
    False
    """
    several = " a " not in first.lower()
    return several == any(word in PLURAL for word in second.lower().split())


@lru_cache(maxsize=1)
def small_tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer that knows what tiny stories need: ``_VOCABULARY``."""
    tokenizer: PreTrainedTokenizerFast = BertTokenizer(
        vocab={token: index for index, token in enumerate(_VOCABULARY.split())},
        do_lower_case=True,
        model_max_length=MAX_LENGTH,
    )
    return tokenizer
