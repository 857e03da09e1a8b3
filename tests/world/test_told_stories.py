"""Stories told from scripts: the same for the same number, of the right length, their marks true."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.text import Story, Word
from bertviz_lite.world.grammar.notation import parts_of, read_clause
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.stories import FEWEST_SENTENCES, MOST_SENTENCES, story
from bertviz_lite.world.life.tales.news import contrasts, unlucky
from bertviz_lite.world.life.tales.plans import plans
from bertviz_lite.world.life.tales.storyteller import Storyteller
from bertviz_lite.world.life.tales.traits import clauses_of

STORIES = [story(21, number) for number in range(400)]
GENDERED = {"he": "m", "him": "m", "his": "m", "himself": "m", "she": "f", "her": "f", "herself": "f"}
IRREGULAR = {
    "am",
    "is",
    "are",
    "was",
    "were",
    "'s",
    "'m",
    "'re",
    "has",
    "have",
    "isn't",
    "aren't",
    "wasn't",
    "weren't",
}


def chains(one: Story) -> dict[int, list[Word]]:
    """Return the words of every chain of a story."""
    found: dict[int, list[Word]] = defaultdict(list)
    for word in one.words:
        if word.entity is not None:
            found[word.entity].append(word)
    return found


def test_a_number_gives_the_same_story_again() -> None:
    assert all(str(story(21, one.index)) == str(one) for one in STORIES[:50])


def test_numbers_give_different_stories() -> None:
    assert len(set(map(str, STORIES))) == len(STORIES)


def test_lengths_are_within_the_bounds_and_most_between_6_and_12_sentences() -> None:
    lengths = [len(one.sentences) for one in STORIES]
    assert min(lengths) >= FEWEST_SENTENCES
    assert max(lengths) <= MOST_SENTENCES
    assert sum(6 <= length <= 12 for length in lengths) > 0.85 * len(lengths)


def test_a_chain_has_one_gender() -> None:
    for one in STORIES:
        for number, words in chains(one).items():
            genders = {GENDERED[word.text.lower()] for word in words if word.text.lower() in GENDERED}
            assert len(genders) <= 1, (number, str(one))


def test_a_chain_has_one_name_at_most() -> None:
    for one in STORIES:
        for words in chains(one).values():
            names = {word.text for word in words if word.name == "person"}
            assert len(names) <= 1, str(one)


def test_a_name_belongs_to_one_chain() -> None:
    for one in STORIES:
        owners: dict[str, set[int | None]] = defaultdict(set)
        for word in one.words:
            if word.name == "person":
                owners[word.text].add(word.entity)
        assert all(len(entities) == 1 for entities in owners.values()), str(one)


def test_forms_of_be_agree_with_their_subjects() -> None:
    for one in STORIES:
        for sentence in one.sentences:
            for word in sentence.words:
                if word.subject is None or word.lemma != "be" or word.text.lower() not in IRREGULAR:
                    continue
                head = sentence.words[word.subject]
                text = word.text.lower()
                if text in ("was", "is", "wasn't", "isn't"):
                    assert head.form != "plural", str(sentence)
                joined = any(other.lemma == "and" for other in sentence.words)
                if text in ("were", "are") and head.pos in ("NOUN", "PROPN") and not joined:
                    assert head.form == "plural", str(sentence)


def test_verbs_of_a_relative_clause_agree_with_its_own_noun() -> None:
    plan = next(plan for plan in plans() if plan.title == "the wrong train")
    found = 0
    for number in range(12):
        telling = Telling(Dice(f"aunt/{number}"))
        Storyteller(telling, plan).tell()
        for sentence in telling.sentences:
            for before, word in pairwise(sentence.words):
                if before.text == "who" and word.lemma == "be":
                    assert word.subject is not None
                    assert sentence.words[word.subject].text == "aunt", str(sentence)
                    found += 1
    assert found == 12


def test_every_sentence_begins_with_a_capital_and_ends_with_a_mark() -> None:
    for one in STORIES:
        for sentence in map(str, one.sentences):
            assert sentence.lstrip('"')[0].isupper(), sentence
            assert sentence.rstrip('"')[-1] in ".!?", sentence


def test_quotation_marks_come_in_pairs() -> None:
    assert all(str(sentence).count('"') % 2 == 0 for one in STORIES for sentence in one.sentences)


def test_few_sentences_are_chains_of_and() -> None:
    sentences = [str(sentence) for one in STORIES for sentence in one.sentences]
    assert sum(", and" in sentence for sentence in sentences) < 0.15 * len(sentences)
    assert all(sentence.count(", and ") <= 2 for sentence in sentences)


def test_no_script_is_told_much_more_often_than_others() -> None:
    firsts = Counter(str(one.sentences[-1]) for one in STORIES)
    assert firsts.most_common(1)[0][1] < 0.05 * len(STORIES)


def test_every_letter_of_a_script_is_a_role_or_has_a_label_or_a_type() -> None:
    for plan in plans():
        known = {role.letter for role in plan.roles} | {letter for letter, *_ in plan.kin}
        known |= set(plan.groups)
        for step in plan.steps:
            for clause in clauses_of(step):
                for part in parts_of(clause):
                    known |= {getattr(part, "label", "")}
                    if getattr(part, "type", ""):
                        known.add(part.letter)
        for step in plan.steps:
            for clause in clauses_of(step):
                letters = {getattr(part, "letter", "") for part in parts_of(clause)} - {""}
                assert letters <= known, (plan.title, letters - known)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A | look + in A's bag", "the key=K | not be | there"),
        ("A | put on | two jumpers", "A | be | still cold"),
        ("A | open | the cupboard", "there | be | no bread + in it"),
        ("A | taste | the lemonade=L", "L | be | too sour"),
    ],
)
def test_what_fails_is_told_with_but(first: str, second: str) -> None:
    assert contrasts(read_clause(first), read_clause(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A | be | ill", "A | not want to eat"),
        ("A | open | the door", "the sun | shine"),
        ("B | look + at A", "B | not say | a word"),
        ("A | run + after T:kite", "B | run + too"),
    ],
)
def test_what_one_expects_is_not_told_with_but(first: str, second: str) -> None:
    assert not contrasts(read_clause(first), read_clause(second))


def test_too_alone_is_no_bad_news() -> None:
    assert not unlucky(read_clause("B | hear | it + too"))
