"""Stories made by hand, with the marks that a test needs."""

from __future__ import annotations

from bertviz_lite.world.events.text import Sentence, Story, Word


def make_story(*sentences: str, **marks: dict[str, object]) -> Story:
    """Make a story; ``w1_2={...}`` gives the marks of word 2 of sentence 1, counted from 0."""
    result = []
    for number, text in enumerate(sentences):
        words = []
        for index, word in enumerate(text.split()):
            fields = {
                "lemma": word.lower(), "pos": "PUNCT" if word == "." else "X", "glued": word == ".",
            } | marks.get(f"w{number}_{index}", {})  # fmt: skip
            words.append(Word(text=word, index=index, sentence=number, **fields))  # type: ignore[arg-type]
        result.append(Sentence(tuple(words)))
    return Story(seed=0, index=0, sentences=tuple(result))
