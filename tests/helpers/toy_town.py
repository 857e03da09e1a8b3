"""A town that nobody lives in, for tests: stories of one to three sentences about numbers."""

from bertviz_lite.world.events.text import Sentence, Story, Word


def story(seed: int, index: int) -> Story:
    """Return a story of one, two or three sentences."""
    return Story(seed, index, tuple(_sentence(seed, index, number) for number in range(1 + index % 3)))


def words() -> list[str]:
    """Return the words of all stories."""
    return ["count", "goes", "on"]


def _sentence(seed: int, index: int, number: int) -> Sentence:
    texts = ("Count", str(seed), str(index), "goes", "on", str(number))
    texts_and_stop = [*texts, "."]
    return Sentence(
        tuple(
            Word(text, text.lower(), "NOUN", place, number, glued=text == ".")
            for place, text in enumerate(texts_and_stop)
        )
    )
