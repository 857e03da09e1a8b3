"""Events that lead to each other: each needs a fact that the one before has made."""

from __future__ import annotations

from collections.abc import Iterator

from bertviz_lite.world.chinese.grammar.notation import Slot, read_line
from bertviz_lite.world.chinese.grammar.telling import Teller
from bertviz_lite.world.chinese.knowledge.reading import Event, events

Fact = tuple[str, ...]
State = dict[Fact, int]
"""The facts that hold: a word and the numbers of those it is about; and which event made it."""

ENDING = "结尾"
_FEWEST, _MOST = 2, 6
_SENTENCES = 5


class Chain:
    """The events of one story while it is told."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.dice = teller.dice
        self.state: State = {}
        self.happened: list[str] = []

    def tell(self) -> bool:
        """Tell a whole story, and return whether it came to an end."""
        self._happen(self.dice.pick([event for event in events() if not event.needs]), {})
        while len(self.happened) < _MOST and not self._may_end():
            found = [
                pair for event in events() if not event.name.startswith(ENDING) for pair in self._fits(event)
            ]
            if not found:
                break
            self._happen(*self.dice.pick(found))
        endings = [pair for event in events() if event.name.startswith(ENDING) for pair in self._fits(event)]
        if not endings or len(self.happened) < _FEWEST:
            return False
        self._happen(*self.dice.pick(endings))
        return len(self.teller.sentences) >= _SENTENCES

    def _may_end(self) -> bool:
        """Return whether the story ends here, though more could happen."""
        if len(self.happened) < _FEWEST or self.dice.chance(0.65):
            return False
        return any(True for event in events() if event.name.startswith(ENDING) for _ in self._fits(event))

    def _fits(self, event: Event) -> Iterator[tuple[Event, dict[str, int]]]:
        """Yield the event with who could be in it, if the last event has led to it."""
        if not event.needs or event.name in self.happened:
            return
        last = len(self.happened) - 1
        for bound in self._bindings(event.needs, {}):
            facts = [_filled(need, bound) for need in event.needs]
            if any(self.state[fact] == last for fact in facts) and not any(
                _filled(fact, bound) in self.state for fact in event.forbids
            ):
                yield event, bound

    def _bindings(self, needs: tuple[Fact, ...], bound: dict[str, int]) -> Iterator[dict[str, int]]:
        if not needs:
            yield bound
            return
        (word, *letters), rest = needs[0], needs[1:]
        for fact in self.state:
            if fact[0] == word and len(fact) == len(letters) + 1:
                pairs = dict(zip(letters, map(int, fact[1:]), strict=True))
                if all(bound.get(letter, number) == number for letter, number in pairs.items()):
                    yield from self._bindings(rest, {**bound, **pairs})

    def _happen(self, event: Event, bound: dict[str, int]) -> None:
        cast = self.teller.cast
        cast.labels = dict(bound)
        self.teller.numbers = {}
        for text in event.who:
            (slot,) = read_line(text)
            assert isinstance(slot, Slot)
            if (known := self._known(slot)) is None:
                cast.number_of(slot)
            else:
                cast.label(slot.letters[0], known)
        for line in event.lines:
            self.teller.tell(line)
        for fact in event.ends:
            self.state.pop(_filled(fact, cast.labels), None)
        for fact in event.makes:
            self.state[_filled(fact, cast.labels)] = len(self.happened)
        self.happened.append(event.name)

    def _known(self, slot: Slot) -> int | None:
        """Return the mother of somebody whose mother the story knows already."""
        cast = self.teller.cast
        owner = cast.labels.get(slot.owner)
        for actor in cast.actors:
            if slot.owner and actor.owner == owner and actor.role == slot.kind:
                return actor.number
        return None


def _filled(fact: Fact, bound: dict[str, int]) -> Fact:
    return (fact[0], *(str(bound[letter]) for letter in fact[1:]))
