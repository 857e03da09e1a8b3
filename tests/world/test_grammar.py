"""Sentences of the grammar, checked by hand: verb groups, agreement, questions, passives, phrases, marks."""

from __future__ import annotations

import pytest

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.text import Sentence
from bertviz_lite.world.grammar.clauses import Clauses, Manner
from bertviz_lite.world.grammar.notation import read_clause
from bertviz_lite.world.grammar.referents import Detail, Memory, Referent
from bertviz_lite.world.grammar.tokens import Token, finish, mark
from bertviz_lite.world.grammar.verb_groups import Agreement, bare, verb_group


class Teller:
    """Tells clauses of Anna, Tom, two children and things, without chance."""

    def __init__(self) -> None:
        dice = Dice("test")
        dice.chance = lambda _: False  # type: ignore[method-assign]
        self.clauses = Clauses(dice, Memory())
        self.bindings = {
            "A": Referent("person", "girl", "f", name="Anna"),
            "B": Referent("person", "boy", "m", name="Tom"),
            "C": Referent("person", "child", many=True, determiner="two"),
            "K": Referent("thing", "key", determiner="a", adjectives=("old",)),
            "T": Referent("thing", "box", many=True, determiner="three"),
            "H": Referent("place", "hill", determiner="the", preposition="on"),
        }

    def say(self, *texts: str, **manner: object) -> Sentence:
        tokens: list[Token] = []
        for text in texts:
            if tokens:
                tokens.append(mark(","))
            tokens += self.clauses.tell(read_clause(text), self.bindings, Manner(**manner))  # type: ignore[arg-type]
        if manner.get("form") == "question":
            tokens.append(mark("?"))
        self.clauses.memory.end_sentence()
        return finish(tokens, 0, "test")


def told(text: str, **manner: object) -> str:
    return str(Teller().say(text, **manner))


# Verb groups.

SUBJECTS = [(1, False), (2, False), (3, False), (1, True), (3, True)]  # I, you, she, we, they


def group(text: str, tense: str, person: int, many: bool, **options: bool) -> str:
    verb = read_clause(f"A | {text}").verb
    told_group = verb_group(verb, tense, Agreement(person, many), **options)
    words = [told_group.finite, *told_group.middle, *told_group.rest]
    if not told_group.inverts:
        words = [*told_group.middle, told_group.finite, *told_group.rest]
    return " ".join(token.text for token in words)


@pytest.mark.parametrize(
    ("verb", "present", "past"),
    [
        ("be", ["am", "are", "is", "are", "are"], ["was", "were", "was", "were", "were"]),
        ("have", ["have", "have", "has", "have", "have"], ["had"] * 5),
        ("go", ["go", "go", "goes", "go", "go"], ["went"] * 5),
        ("lay", ["lay", "lay", "lays", "lay", "lay"], ["laid"] * 5),
        ("be sleeping", [f"{be} sleeping" for be in ("am", "are", "is", "are", "are")],
         [f"{be} sleeping" for be in ("was", "were", "was", "were", "were")]),
        ("have lost", [f"{have} lost" for have in ("have", "have", "has", "have", "have")], ["had lost"] * 5),
        ("have been waiting", [f"{have} been waiting" for have in ("have", "have", "has", "have", "have")],
         ["had been waiting"] * 5),
        ("not sing", [f"{do} not sing" for do in ("do", "do", "does", "do", "do")], ["did not sing"] * 5),
        ("not be", [f"{be} not" for be in ("am", "are", "is", "are", "are")],
         [f"{be} not" for be in ("was", "were", "was", "were", "were")]),
        ("can not open", ["cannot open"] * 5, ["could not open"] * 5),
        ("will find", ["will find"] * 5, ["would find"] * 5),
        ("must wait", ["must wait"] * 5, ["must wait"] * 5),
        ("never be", [f"{be} never" for be in ("am", "are", "is", "are", "are")],
         [f"{be} never" for be in ("was", "were", "was", "were", "were")]),
        ("often sing", [*["often sing"] * 2, "often sings", *["often sing"] * 2], ["often sang"] * 5),
        ("have never seen", [f"{have} never seen" for have in ("have", "have", "has", "have", "have")],
         ["had never seen"] * 5),
    ],
)  # fmt: skip
def test_a_verb_group_agrees_in_every_person_and_tense(
    verb: str, present: list[str], past: list[str]
) -> None:
    assert [group(verb, "present", *subject) for subject in SUBJECTS] == present
    assert [group(verb, "past", *subject) for subject in SUBJECTS] == past


@pytest.mark.parametrize(
    ("verb", "short"),
    [
        ("not sing", "doesn't sing"), ("can not sing", "can't sing"), ("will not sing", "won't sing"),
        ("not be", "isn't"), ("have not lost", "hasn't lost"), ("may not sing", "may not sing"),
        ("must not sing", "mustn't sing"),
    ],
)  # fmt: skip
def test_not_and_the_auxiliary_become_one_word(verb: str, short: str) -> None:
    assert group(verb, "present", 3, False, contracted=True) == short


def test_verbs_without_a_finite_form() -> None:
    verb = read_clause("A | have lost").verb
    assert [token.text for token in bare(verb, "ing")] == ["having", "lost"]
    assert [token.text for token in bare(read_clause("A | not go").verb, "base")] == ["not", "go"]
    assert [token.text for token in bare(read_clause("A | be waiting").verb, "base")] == ["be", "waiting"]


# Clauses.


@pytest.mark.parametrize(
    ("clause", "manner", "sentence"),
    [
        ("A | open | the door", {}, "Anna opened the door."),
        ("C | open | the door", {"tense": "present"}, "Two children open the door."),
        ("A and B | be | hungry", {"tense": "present"}, "Anna and Tom are hungry."),
        ("A | be | always late", {}, "Anna was always late."),
        ("A | be | where", {"form": "question"}, "Where was Anna?"),
        ("C | be | happy", {"form": "question"}, "Were two children happy?"),
        ("A | want | what", {"form": "question", "tense": "present"}, "What does Anna want?"),
        ("A | live | where", {"form": "reported"}, "Where Anna lived."),
        ("the road | be closed | why", {"form": "question"}, "Why was the road closed?"),
        ("the axe | belong | to whom", {"form": "question"}, "Who did the axe belong to?"),
        ("you | come | from where", {"form": "question", "tense": "present"}, "Where do you come from?"),
        ("a cat | be | afraid of what", {"form": "question", "tense": "present"}, "What is a cat afraid of?"),
        ("you | know | why", {"form": "question", "tense": "present"}, "Do you know why?"),
        ("who | break | the window", {}, "Who broke the window."),
        ("how many boats | be + in the harbour", {"tense": "present"}, "How many boats are in the harbour."),
        ("B | mend | K", {"passive": True}, "An old key was mended by Tom."),
        ("somebody | steal | T", {"passive": True}, "Three boxes were stolen."),
        ("A | find | K + in the garden", {"fronted": 1}, "In the garden, Anna found an old key."),
        ("A | play | in H", {}, "Anna played on the hill."),
        ("A | put on | K", {}, "Anna put on an old key."),
        ("there | be | puddles + in the street", {}, "There were puddles in the street."),
        ("there | be | two of us", {"tense": "present"}, "There are two of us."),
        ("there | be | a chair and a table", {}, "There was a chair and a table."),
        ("sheep | eat | grass", {"tense": "present"}, "Sheep eat grass."),
        ("two fish | swim + away", {"tense": "present"}, "Two fish swim away."),
        ("half of the milk | be gone", {}, "Half of the milk was gone."),
        ("half of the apples | be | ripe", {}, "Half of the apples were ripe."),
        ("neither! of the apples | be | ripe", {}, "Neither of the apples was ripe."),
        ("all C's friends | laugh", {"tense": "present"}, "All two children's friends laugh."),
        ("only four | be + in the basket", {}, "Only four were in the basket."),
        ("the fastest | win | the race", {"tense": "present"}, "The fastest wins the race."),
        ("a boy | be | somebody's son", {"tense": "present"}, "A boy is somebody's son."),
        ("I | can not", {"tense": "present", "contracted": True}, "I can't."),
        ("grandmother | be + at home", {}, "Grandmother was at home."),
    ],
)  # fmt: skip
def test_a_clause_is_told(clause: str, manner: dict[str, object], sentence: str) -> None:
    assert told(clause, **manner) == sentence


@pytest.mark.parametrize(
    ("clause", "present", "past"),
    [
        ("A | think | that the milk boils over", "Anna thinks that the milk boils over.",
         "Anna thought that the milk boiled over."),
        ("A | wash | the apple + before A eats it", "Anna washes the apple before she eats it.",
         "Anna washed the apple before she ate it."),
        ("C | wait | until the young birds can fly", "Two children wait until the young birds can fly.",
         "Two children waited until the young birds could fly."),
        ("A | know | where the goat is", "Anna knows where the goat is.", "Anna knew where the goat was."),
        ("A | not know | how late it is", "Anna does not know how late it is.",
         "Anna did not know how late it was."),
        ("A | not know | which way to go", "Anna does not know which way to go.",
         "Anna did not know which way to go."),
        ("A | help | people who are ill", "Anna helps people who are ill.",
         "Anna helped people who were ill."),
        ("A | take | things that belong to others", "Anna takes things that belong to others.",
         "Anna took things that belonged to others."),
        ("A | say | that B will come", "Anna says that Tom will come.", "Anna said that Tom would come."),
        ("A | look | for K + until A has found it", "Anna looks for an old key until she has found it.",
         "Anna looked for an old key until she had found it."),
        ("C | run | as fast as C can", "Two children run as fast as they can.",
         "Two children ran as fast as they could."),
        ("A | remember | when A was small", "Anna remembers when she was small.",
         "Anna remembered when she was small."),
        ("A | be | afraid + when A was small", "Anna was afraid when she was small.",
         "Anna was afraid when she was small."),
        ("the box | be | so heavy that two must carry it", "The box is so heavy that two must carry it.",
         "The box was so heavy that two had to carry it."),
        ("A | ask | whose hat it is", "Anna asks whose hat it is.", "Anna asked whose hat it was."),
        ("A | want to know | who lives there", "Anna wants to know who lives there.",
         "Anna wanted to know who lived there."),
    ],
)  # fmt: skip
def test_clauses_within_a_clause_follow_its_tense(clause: str, present: str, past: str) -> None:
    assert told(clause, tense="present") == present
    assert told(clause, tense="past") == past


def test_what_was_mentioned_goes_by_a_pronoun_where_it_is_clear() -> None:
    teller = Teller()
    assert str(teller.say("A | find | K", "A | give | K + to B")) == (
        "Anna found an old key, she gave it to Tom."
    )
    teller = Teller()
    teller.say("A | see | the cat")
    assert str(teller.say("T | be | heavy", "A | can not lift | T")) == (
        "Three boxes were heavy, Anna could not lift them."
    )


def test_two_of_one_gender_are_told_apart() -> None:
    teller = Teller()
    teller.bindings["B"] = Referent("person", "girl", "f", name="Mia")
    assert str(teller.say("A | call | B", "A | thank | B")) == "Anna called Mia, Anna thanked her."


def test_a_subject_that_is_told_again_is_clear_though_another_thing_was_mentioned() -> None:
    teller = Teller()
    assert str(teller.say("K | lie | under the cushion", "K | be | lost")) == (
        "An old key lay under the cushion, it was lost."
    )


def test_relative_clauses_agree_and_tell_who_or_that() -> None:
    teller = Teller()
    memory = teller.clauses.memory
    for referent in teller.bindings.values():
        memory.enter(referent)
    teller.clauses.dice.chance = lambda share: share == 0.5  # type: ignore[method-assign]
    garden = read_clause("R | live | next door")
    teller.bindings["C"].details = [Detail("", None, garden, {}, "R")]
    assert str(teller.say("C | laugh", tense="present")) == "Two children who live next door laugh."


# Marks.


def test_a_verb_knows_the_word_that_it_agrees_with() -> None:
    for text, verb, subject in (
        ("C | sing", "sing", "children"),
        ("there | be | three apples + in the basket", "are", "apples"),
        ("A and B | be | hungry", "are", "Anna"),
        ("half of the apples | be | ripe", "are", "apples"),
    ):
        sentence = Teller().say(text, tense="present")
        word = next(word for word in sentence.words if word.text == verb)
        assert word.subject is not None
        assert sentence.words[word.subject].text == subject


def test_a_verb_without_its_subject_knows_the_word_that_was_told() -> None:
    teller = Teller()
    tokens = [
        *teller.clauses.tell(read_clause("the frog | sit + on the step"), teller.bindings, Manner("present")),
        *teller.clauses.tell(
            read_clause("the frog | be | wet"), teller.bindings, Manner("present", subject=False)
        ),
    ]
    sentence = finish(tokens, 0, "test")
    assert str(sentence) == "The frog sits on the step is wet."
    assert [word.subject for word in sentence.words if word.form == "s"] == [1, 1]


def test_all_words_for_one_bear_its_chain() -> None:
    teller = Teller()
    sentence = teller.say("A | lose | A's key", "A | cry")
    chain = teller.bindings["A"].chain
    assert [word.text for word in sentence.words if word.entity == chain] == ["Anna", "her", "she"]


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        # what stands aside is no rival, nor is the subject of the same clause, nor its other object
        ("K | be + near the hammer", "A | take | K", "An old key was near the hammer, Anna took it."),
        ("A | call | M", "M | thank | A", "Anna called Mia, Mia thanked her."),
        ("A | find | K", "A | put | the hammer + beside K",
         "Anna found an old key, she put the hammer beside it."),
        # an object is the object again, whatever the subject was
        ("the hammer | hit | K", "A | take | K", "The hammer hit an old key, Anna took it."),
        # but two keys are told apart
        ("A | find | K and the hammer", "A | take | K",
         "Anna found an old key and the hammer, she took the key."),
    ],
)  # fmt: skip
def test_a_pronoun_has_no_rival_in_what_cannot_be_meant(first: str, second: str, told: str) -> None:
    teller = Teller()
    teller.bindings["M"] = Referent("person", "girl", "f", name="Mia")
    assert str(teller.say(first, second)) == told


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("C | want to be | a sailor", "Two children wanted to be sailors."),
        ("C | be | the best dancer + in town", "Two children were the best dancers in town."),
        ("C | buy | a new hat", "Two children bought new hats."),
        ("there | be | a hole + in C's coat", "There were holes in two children's coats."),
        ("C's coat | have | a hole", "Two children's coats had holes."),
        ("C | be | a team", "Two children were a team."),
        ("A | buy | a new hat", "Anna bought a new hat."),
    ],
)
def test_several_have_and_are_several(clause: str, told: str) -> None:
    assert str(Teller().say(clause)) == told


def test_whose_it_is_is_known() -> None:
    teller = Teller()
    teller.bindings["M"] = Referent("person", "girl", "f", determiner="a")
    assert str(teller.say("M's coat | be | new")) == "The girl's coat was new."
    teller.bindings["N"] = Referent("person", "girl", "f", name="Lily", intro="called")
    assert str(teller.say("N's coat | be | new")) == "Lily's coat was new."


def test_what_is_over_is_not_told_in_the_perfect() -> None:
    assert (
        str(Teller().say("A | have lost | a hat + yesterday", tense="present"))
        == "Anna lost a hat yesterday."
    )


def test_not_goes_with_any() -> None:
    assert str(Teller().say("A | not catch | some fish")) == "Anna did not catch any fish."


def test_i_come_last_and_which_tree_comes_first() -> None:
    teller = Teller()
    teller.clauses.phrases.speaker = teller.bindings["A"]
    assert str(teller.say("A and B | agree")) == "Tom and I agreed."
    question = Teller().say("this leaf | be | from which tree", tense="present", form="question")
    assert str(question) == "Which tree is this leaf from?"


def test_what_was_not_allowed_could_not_be_done() -> None:
    assert str(Teller().say("A | may not get + on the train")) == "Anna could not get on the train."
    assert str(Teller().say("nobody | may skate + on it")) == "Nobody could skate on it."


def test_tomorrow_is_the_next_day_in_what_is_past() -> None:
    told = Teller().say("A | think | that tomorrow will be fine")
    assert str(told) == "Anna thought that the next day would be fine."
    assert str(Teller().say("A | be | colder than yesterday")) == "Anna was colder than the day before."
