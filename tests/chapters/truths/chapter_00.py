"""Chapter 00: truths by the town's own grammar, by regular expressions, by a table of all lists."""

import re

import numpy as np
from transformers import BertForMaskedLM, BertTokenizer, FillMaskPipeline

from bertviz_lite.chapters.chapter_00.exercises.clues import Probability, toy_case
from bertviz_lite.chapters.chapter_00.exercises.hidden_words import least_sure
from bertviz_lite.exercises import Case
from bertviz_lite.models.loading import folder_of
from tests.helpers.truths import Truth


def gaps_by_substitution(words: list[str]) -> list[str]:
    text = " ".join(words)
    return [f"{text[: word.start()]}[MASK]{text[word.end() :]}" for word in re.finditer(r"\S+", text)]


def clue_from_a_table(words: list[str], gap: int, probability: Probability) -> int:
    table = np.tile(np.array(words, dtype=object), (len(words), 1))
    np.fill_diagonal(table, "[MASK]")
    losses = np.array([probability(words) - probability(list(row)) for row in table])
    losses[gap] = -np.inf
    return int(losses.argmax())


def the_least_sure() -> str:
    """Read the four sentences off the question, and let the library answer them."""
    told = least_sure.reference.__doc__ or ""
    sentences = dict(re.findall(r"\b([A-D]) “(.+?)”", told))
    folder = folder_of("pocket")
    model = BertForMaskedLM.from_pretrained(folder).float().eval()
    fill = FillMaskPipeline(model, BertTokenizer.from_pretrained(folder))
    (spread,) = [name for name, text in sentences.items() if fill(text, top_k=1)[0]["score"] < 0.5]
    assert sorted(sentences) == ["A", "B", "C", "D"]
    return str(spread)


TRUTHS = {
    "least_sure": Truth("the library's fill-mask pipeline", the_least_sure()),
    "gaps": Truth(
        "regular expressions on the text",
        gaps_by_substitution,
        lambda: [Case(["a", "b", "b", "a"]), Case(["Rex", "is", "[MASK]", "!"])],
    ),
    "clue": Truth(
        "a table of all lists, the largest loss",
        clue_from_a_table,
        lambda: [
            toy_case("one two [MASK] three four", two=0.3, four=0.2, one=-0.1),
            toy_case("[MASK] b c", b=0.4, c=0.1),
        ],
    ),
}
