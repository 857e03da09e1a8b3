"""Print how balanced a town's texts are: ``python -m bertviz_lite.world.balance --town second``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from bertviz_lite.world.balance.aims import PATTERN_SENTENCES, aims
from bertviz_lite.world.balance.counting import counts_of, sentences_of
from bertviz_lite.world.balance.report import report
from bertviz_lite.world.events.text import Story
from bertviz_lite.world.life import story as story_of_second_town
from bertviz_lite.world.towns import TOWNS, story_of

STORIES = "second-stories"
"""Of the second town's texts only the stories."""


def texts_of(name: str) -> Callable[[int, int], Story]:
    """Return the function that writes what is measured, from a seed and an index."""
    return story_of_second_town if name == STORIES else story_of(name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; with --check the exit status is 1 where an aim is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.world.balance",
        description=main.__doc__,
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--town", choices=(*TOWNS, STORIES), default="second", help="whose texts")
    parser.add_argument("--seed", type=int, default=0, help="of the texts")
    parser.add_argument("--sentences", type=int, default=PATTERN_SENTENCES, help="how many are read")
    parser.add_argument("--words", type=int, default=120, help="longest list of words that is printed")
    parser.add_argument("--check", action="store_true", help="exit status 1 where an aim is missed")
    options = parser.parse_args(arguments)
    if options.sentences < 1:
        parser.error(f"--sentences {options.sentences}: at least 1 is needed")
    counts = counts_of(sentences_of(texts_of(options.town), options.seed, options.sentences))
    print(report(counts, words=options.words))
    return 1 if options.check and not all(aim.met for aim in aims(counts)) else 0


if __name__ == "__main__":
    sys.exit(main())
