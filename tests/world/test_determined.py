"""Marks of determined words in the second town: taken off where another word would do as well."""

from __future__ import annotations

from collections import Counter

import pytest

from bertviz_lite.world import DETERMINED, minimal_pairs
from bertviz_lite.world.english.grammar import verb
from bertviz_lite.world.life.marks import keep_sure_marks
from bertviz_lite.world.minimal import kinds_of, minimal_pairs_of
from bertviz_lite.world.towns import stories_of
from tests.helpers.made_stories import make_story

NOUN = {"pos": "NOUN", "form": "singular"}


def mark_after(*sentences: str, **marks: dict[str, object]) -> list[str | None]:
    """Return the marks that are left, in reading order, of the words that had one."""
    story = make_story(*sentences, **marks)
    kept = keep_sure_marks(story.sentences)
    assert [str(sentence) for sentence in kept] == [str(sentence) for sentence in story.sentences]
    return [
        new.determined
        for old_sentence, new_sentence in zip(story.sentences, kept, strict=True)
        for old, new in zip(old_sentence.words, new_sentence.words, strict=True)
        if old.determined
    ]


@pytest.mark.parametrize(
    ("text", "person", "kept"),
    [
        ("When the girl ran she fell .", "girl", "pronoun"),
        ("When the farmer ran she fell .", "farmer", None),  # nothing shows that it is a woman
        ("When Anna ran she fell .", "Anna", "pronoun"),
    ],
)
def test_a_pronoun_needs_a_word_that_shows_its_gender(text: str, person: str, kept: str | None) -> None:
    words = text.split()
    marks: dict[str, dict[str, object]] = {
        f"w0_{words.index(person)}": {"pos": "PROPN" if person[0].isupper() else "NOUN", "entity": 1},
        f"w0_{words.index('she')}": {"pos": "PRON", "entity": 1, "determined": "pronoun"},
    }
    assert mark_after(text, **marks) == [kept]


def test_a_person_of_the_other_gender_before_a_pronoun_leaves_it_open() -> None:
    marks: dict[str, dict[str, object]] = {
        "w0_1": {"pos": "NOUN", "entity": 1},
        "w0_3": {"pos": "PROPN", "entity": 2, "name": "person"},
        "w0_5": {"pos": "PRON", "entity": 1, "determined": "pronoun"},
    }
    assert mark_after("The girl met Tom before she fell .", **marks) == [None]
    assert mark_after("The girl met Anna before she fell .", **marks) == ["pronoun"]


def test_a_possessive_is_sure_before_what_one_has_only_one_of() -> None:
    marks: dict[str, dict[str, object]] = {
        "w0_0": {"pos": "PROPN", "entity": 1},
        "w0_2": {"pos": "PRON", "entity": 1, "determined": "pronoun"},
        "w0_3": {"pos": "NOUN"},
    }
    assert mark_after("Tom washed his face .", **marks) == ["pronoun"]
    assert mark_after("Tom washed his hat .", **marks) == [None], "the hat"


@pytest.mark.parametrize(
    ("text", "lemma", "kept"),
    [
        ("Somebody has cut the tree .", "cut", None),  # will cut
        ("Somebody has taken the tree .", "take", "agreement"),
        ("The wheel has broken .", "break", None),  # is broken
        ("The wheel hasn't taken it .", "take", None),  # has taken
        ("The wheel has been here .", "be", "agreement"),
    ],
)
def test_an_auxiliary_is_sure_where_neither_a_modal_nor_another_fits(
    text: str, lemma: str, kept: str | None
) -> None:
    words = text.split()
    place = next(number for number, word in enumerate(words) if word.startswith("has"))
    marks: dict[str, dict[str, object]] = {
        f"w0_{place}": {"lemma": "have", "pos": "AUX", "determined": "agreement"},
        f"w0_{place + 1}": {"lemma": lemma, "pos": "VERB", "form": "participle"},
        f"w0_{place + 2}": {"pos": "PUNCT" if words[place + 2] == "." else "DET"},
    }
    assert mark_after(text, **marks) == [kept]


def test_a_mention_is_of_a_noun_that_was_told_and_is_spoken_of_as_known() -> None:
    marks: dict[str, dict[str, object]] = {"w0_3": NOUN, "w1_3": {**NOUN, "determined": "mention"}}
    assert mark_after("He had a bun .", "He ate the bun .", **marks) == ["mention"]
    assert mark_after("He had a bun .", "He ate some bun .", **marks) == [None]
    assert mark_after("He had a pie .", "He ate the bun .", **marks) == [None]


def test_a_consequence_has_its_cue_beside_it() -> None:
    marks: dict[str, dict[str, object]] = {"w1_2": {"pos": "ADJ", "determined": "consequence"}}
    assert mark_after("She wants lemonade .", "She is thirsty .", **marks) == ["consequence"]
    assert mark_after("She wants soap .", "She is thirsty .", **marks) == [None]
    assert mark_after("She wants lemonade .", "She is green .", **marks) == [None]


@pytest.mark.thorough
def test_the_second_town_has_every_mark_and_every_minimal_pair() -> None:
    marks = Counter(word.determined for story in stories_of("second", 5, 1_500) for word in story.words)
    assert set(DETERMINED) <= set(marks)
    pairs = minimal_pairs(5, 6, town="second")
    assert Counter(pair.kind for pair in pairs) == dict.fromkeys(kinds_of("second"), 6)
    for pair in pairs:
        assert pair.right != pair.wrong
        assert pair.right[0].isupper() == pair.wrong[0].isupper()


def test_a_verb_of_the_second_town_is_wrong_in_the_other_number() -> None:
    found = minimal_pairs_of(stories_of("second", 6, 1_500), 40, "second")
    pairs = [pair for pair in found if pair.kind == "agreement of a verb"]
    assert len(pairs) == 40
    for pair in pairs:
        right, wrong = pair.right.lower(), pair.wrong.lower()
        assert verb(right, "s") == wrong or verb(wrong, "s") == right
        assert verb(min(right, wrong, key=len), "past") not in (right, wrong), "put may be past"
