"""The three orders of a clause in which somebody does something to something.

Plain (打破了花瓶) brings up something new. 把 (把花瓶打破了) says what becomes of something known.
被 (花瓶被小明打破了) speaks of the thing, and of harm.
"""

from __future__ import annotations

from bertviz_lite.world.chinese.grammar.discourse import Discourse
from bertviz_lite.world.chinese.grammar.notation import Classifier, Item, Plain, Slot, Voice
from bertviz_lite.world.chinese.lexicon import entry

BA, BEI = Plain("把"), Plain("被")


def ordered(items: tuple[Item, ...], subject: int | None, discourse: Discourse) -> tuple[Item, ...]:
    """Return the items of a clause with its ``< … >`` put in an order."""
    place = next((index for index, item in enumerate(items) if isinstance(item, Voice)), None)
    if place is None:
        return items
    voice, rest = items[place], items[place + 1 :]
    assert isinstance(voice, Voice)
    way = _way(items, subject, voice, discourse)
    if way == "bei" and subject is not None:
        between = items[subject + 1 : place]
        doer = (BEI, items[subject])
        return (
            *items[:subject],
            *voice.object,
            *doer,
            *between,
            *voice.adverbs,
            *voice.verb,
            *voice.complement,
            *rest,
        )
    if way == "plain":
        return (*items[:place], *voice.adverbs, *voice.verb, *voice.object, *rest)
    return (*items[:place], *voice.adverbs, BA, *voice.object, *voice.verb, *voice.complement, *rest)


def _way(items: tuple[Item, ...], subject: int | None, voice: Voice, discourse: Discourse) -> str:
    if any(isinstance(item, Classifier) for item in voice.object) and not voice.complement:
        return "plain"
    dice = discourse.cast.dice
    doer = items[subject] if subject is not None else None
    harms = any(isinstance(item, Plain) and "harm" in entry(item.key).classes for item in voice.verb)
    if harms and isinstance(doer, Slot) and not doer.kind and _known(voice.object, discourse):
        who = discourse.cast.number_of(doer)
        share = (
            0.0 if who == discourse.topic and discourse.in_chain else 0.3 if who == discourse.topic else 0.6
        )
        if dice.chance(share):
            return "bei"
    return "ba" if voice.complement or dice.chance(0.75) else "plain"


def _known(items: tuple[Item, ...], discourse: Discourse) -> bool:
    """Return whether an object has been spoken of."""
    labels = {item.label for item in items if isinstance(item, Plain)}
    labels |= {item.letters[0] for item in items if isinstance(item, Slot)}
    return any(discourse.cast.labels.get(label) in discourse.ever for label in labels)
