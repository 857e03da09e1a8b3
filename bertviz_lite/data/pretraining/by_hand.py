"""Texts written by hand in the words of the town, for training beside its stories.

A line of a file is one text, its sentences separated by ``|``; ``[red/blue]`` stands for one of several
words, and a first name for any name of the same sex, so that a line is many texts. Left out: marks. Nobody
says what is true in these texts, so nothing is scored on them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.world import Sentence, Story, Word
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import rows, tables_below
from bertviz_lite.world.events.town import names

STORIES = "stories"
"""A file whose name has this in it holds stories: two to seven sentences, one thread."""

SHARE = 0.2
"""What share of the pocket model's training texts they are."""

_OFTENER = 2
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_NAME = re.compile(r"[A-Z][a-z]+")
_WORD = re.compile(r"\w+(?:'\w+)*|[^\w\s]")


@dataclass(frozen=True)
class ByHand:
    """Texts by hand, and what share of a training text they are.

    Attributes
    ----------
    share
        How often a text by hand takes the place of one that the town tells.
    files
        The lines of each file. A file is drawn first, then a line of it; one of stories twice as often.
    """

    share: float = 0.0
    files: tuple[tuple[str, ...], ...] = field(default=(), repr=False)

    @classmethod
    def read(cls, folder: Path | None, share: float) -> ByHand:
        """Read the files of a folder; without one there are no texts by hand.

        Raises
        ------
        ArgumentError
            Where it holds none, or the share is none.
        """
        if folder is None:
            return NONE_BY_HAND
        files = tables_below(folder) if folder.is_dir() else []
        if not files:
            raise ArgumentError(f"{folder} holds no texts by hand (*.txt): give another folder.")
        if not 0 < share < 1:
            raise ArgumentError(f"share={share}: a share above 0 and below 1 is needed.")
        return cls(
            share,
            tuple(
                tuple(rows(path.read_text(encoding="utf-8")))
                for path in files
                for _ in range(_OFTENER if STORIES in path.name else 1)
            ),
        )

    def __bool__(self) -> bool:
        return bool(self.files)

    @property
    def digest(self) -> str:
        """A hash of all lines and of the share."""
        text = "\n".join(line for lines in self.files for line in lines)
        return hashlib.sha256(f"{self.share}\n{text}".encode()).hexdigest()[:16]

    def takes_the_place(self, seed: int, index: int) -> bool:
        """Say whether text ``index`` of a seed is one by hand."""
        return bool(self) and Dice(f"by hand/{seed}/{index}").chance(self.share)

    def text(self, seed: int, index: int) -> Story:
        """Return text ``index`` of a seed: the same on every machine and supported Python."""
        dice = Dice(f"text by hand/{seed}/{index}")
        line = dice.pick(dice.pick(self.files))
        chosen = _CHOICE.sub(lambda match: dice.pick(match[1].split("/")), line)
        named = _with_other_names(chosen, dice)
        return Story(seed, index, tuple(map(_sentence, enumerate(named.split("|")))))


NONE_BY_HAND = ByHand()


def _with_other_names(line: str, dice: Dice) -> str:
    groups = _groups()
    given: dict[str, str] = {}
    for name in dict.fromkeys(_NAME.findall(line)):
        if name in groups:
            free = [other for other in groups[name] if other not in given.values()]
            given[name] = dice.pick(free)
    return _NAME.sub(lambda match: given.get(match[0], match[0]), line)


@cache
def _groups() -> Mapping[str, tuple[str, ...]]:
    """Return, for each first name, all of its sex."""
    return {name: group for group in (tuple(names("f")), tuple(names("m"))) for name in group}


def _sentence(numbered: tuple[int, str]) -> Sentence:
    number, written = numbered
    written = " ".join(written.split())
    return Sentence(
        tuple(
            Word(
                text=match[0],
                lemma=match[0].lower(),
                pos="X",
                index=index,
                sentence=number,
                glued=index > 0 and written[match.start() - 1] != " ",
            )
            for index, match in enumerate(_WORD.finditer(written))
        ),
        "by hand",
    )
