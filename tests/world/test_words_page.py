"""The page of the town's words by kind."""

import re
from pathlib import Path

import pytest

from bertviz_lite.world.english.grammar import verb
from bertviz_lite.world.events.town import PEOPLE, PETS, SENSES
from bertviz_lite.world.grammar.lexicon.words import comparison, kinds, readings, words_of
from bertviz_lite.world.words_page import EXAMPLES, main, page

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_up_to_date(tmp_path: Path) -> None:
    main([str(tmp_path / "words.md")])
    written = (tmp_path / "words.md").read_text(encoding="utf-8")
    assert (ROOT / "docs" / "words.md").read_text(encoding="utf-8") == written, (
        "run python -m bertviz_lite.world.words_page"
    )


def test_the_page_holds_every_word_and_name() -> None:
    shown = set(re.findall(r"[\w'-]+", page()))
    listed = {word for pos, kind in kinds() for word in words_of(pos, kind)}
    names = {one.name for one in PEOPLE} | {pet.name for pet in PETS}
    homes = {part for one in PEOPLE for part in (*one.home.split(), one.family)}
    assert sorted((listed | names | homes) - shown) == []


def test_the_page_says_who_lives_where_and_does_what() -> None:
    assert (
        "| Bell | Rose Street | Nora, baker | Hugo, teacher | Anna (she), Tom (he) | Martha (she) |" in page()
    )
    assert "catch caught caught" in page()
    assert "child children" in page()


def test_every_meaning_has_an_example_in_the_towns_words() -> None:
    assert list(EXAMPLES) == [sense for senses in SENSES.values() for sense in senses]
    for sense, example in EXAMPLES.items():
        words = [word if word in readings() else word.lower() for word in re.findall(r"[\w-]+", example)]
        assert all(word in readings() for word in words), example
        word = sense.partition(".")[0]
        assert any(entry.lemma == word for written in words for entry in readings()[written]), example


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("bleed", "bleed bleeds bled bled bleeding"),
        ("weave", "weave weaves wove woven weaving"),
        ("admit", "admit admits admitted admitted admitting"),
        ("travel", "travel travels travelled travelled travelling"),
        ("visit", "visit visits visited visited visiting"),
    ],
)
def test_verbs_have_the_forms_of_a_dictionary(base: str, forms: str) -> None:
    assert [verb(base, form) for form in ("base", "s", "past", "participle", "ing")] == forms.split()


@pytest.mark.parametrize("adjective", ["whole", "shut", "extra", "upset", "main", "violet", "secret"])
def test_adjectives_that_nobody_compares_have_no_ending(adjective: str) -> None:
    assert comparison(adjective) is None
