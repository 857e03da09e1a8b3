"""Stories of the two towns, old and new, shuffled for readers who must not know which is which.

    python tools/blind_stories.py 50 stories.md key.txt

writes 50 stories of each, numbered, into the first file, and which is which into the second.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bertviz_lite.world.english.stories import story as old_story
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.life.stories import story as new_story

SEED = 2026


def shuffled(count: int, seed: int = SEED) -> list[tuple[str, str]]:
    """Return ``count`` old and ``count`` new stories in random order, each with "old" or "new" before it."""
    stories = [("old", str(old_story(seed, number))) for number in range(count)]
    stories += [("new", str(new_story(seed, number))) for number in range(count)]
    return Dice(f"blind/{seed}").sample(stories, len(stories))


def main(count: str, stories: str, key: str) -> None:
    """Write the stories into one file and the key into another."""
    pairs = shuffled(int(count))
    texts = [f"## {number}\n\n{text}\n" for number, (_, text) in enumerate(pairs, 1)]
    Path(stories).write_text("\n".join(texts), encoding="utf-8")
    lines = [f"{number} {town}\n" for number, (town, _) in enumerate(pairs, 1)]
    Path(key).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
