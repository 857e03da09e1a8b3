"""Causes and effects, contrasts, reports and answers as sentences, checked by hand."""

from __future__ import annotations

import pytest

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot, read_clause
from bertviz_lite.world.grammar.reading.coreference import leans, linked
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.life.knowledge import reading
from bertviz_lite.world.life.knowledge.reading import Asked, Link, Talk, Words, knowledge
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.talk.answers import short_answer
from bertviz_lite.world.life.talk.reported_talk import reported
from bertviz_lite.world.life.talk.talking import tell_talk
from bertviz_lite.world.life.ways import causes, conditions, contrasts, reports, spoken
from bertviz_lite.world.life.ways.causes import Pair
from bertviz_lite.world.life.ways.facts import tell_fact
from bertviz_lite.world.life.ways.linking import tell_link


def telling(tense: str = "past", *, chance: bool = False, first: bool = True) -> Telling:
    """Return a telling of Anna and Tom in which every chance comes out the same."""
    text = Telling(Dice("test"))
    text.tense = tense
    dice = text.dice
    dice.chance = lambda _: chance  # type: ignore[method-assign]
    dice.random = lambda: 0.0 if first else 0.99  # type: ignore[method-assign]
    dice.pick = lambda options: options[0] if first else options[-1]  # type: ignore[method-assign,assignment]
    text.bindings = {
        "A": Referent("person", "girl", "f", name="Anna"),
        "B": Referent("person", "boy", "m", name="Tom"),
        "C": Referent("person", "child", many=True, determiner="the"),
    }
    return text


def pair(text: str) -> Pair:
    cause, effect = (tuple(read_clause(part) for part in side.split(";")) for side in text.split("=>"))
    clauses = linked((*cause, *effect))
    return Pair(clauses[: len(cause)], clauses[len(cause) :], leans(clauses[len(cause) :]))


def sentences(text: Telling) -> str:
    return " ".join(map(str, text.sentences))


@pytest.mark.parametrize(
    ("way", "line", "tense", "told"),
    [
        (causes.because, "A | be | hungry => A | eat | an apple", "past",
         "Anna ate an apple because she was hungry."),
        (causes.because_first, "A | be | hungry => A | eat | an apple", "present",
         "Because Anna is hungry, she eats an apple."),
        (causes.so, "C | be | cold => C | go | home", "past", "The children were cold, so they went home."),
        (causes.so_that, "the box=K | be | very heavy => A | can not lift | K", "past",
         "The box was so heavy that Anna could not lift it."),
        (causes.two_sentences, "it | rain => A | take | a coat", "past", "It rained. Anna took a coat."),
        (causes.to_do, "A | want to plant | a tree => A | dig | a hole", "past",
         "Anna dug a hole to plant a tree."),
        (causes.why, "A | be | tired => A | go | to bed", "past", "Why did Anna go to bed? Anna was tired."),
        (causes.that_is_why, "it | rain => A | stay | at home", "past",
         "It rained. That was why Anna stayed at home."),
        (conditions.when, "A | come | home => A | call | B", "past", "Anna called Tom when she came home."),
        (conditions.if_would, "it | rain => A | stay | at home", "past",
         "If it rained, Anna would stay at home."),
        (conditions.if_would, "A | have lost | the key => A | can not open | the door", "past",
         "If Anna had not lost the key, she could open the door."),
        (conditions.unless, "A | not water | the rose=K => K | lose | K's leaves", "past",
         "The rose will lose its leaves unless Anna waters it."),
        (conditions.not_until, "the sun | go + down => A | go | home", "past",
         "Anna did not go home until the sun went down."),
        (conditions.as_soon_as, "the bell | ring => C | run + out", "past",
         "As soon as the bell rang, the children ran out."),
        (conditions.whenever, "the bell | ring => C | run + out", "past",
         "When the bell rings, the children always run out."),
    ],
)  # fmt: skip
def test_a_cause_and_its_effect(way: object, line: str, tense: str, told: str) -> None:
    text = telling(tense)
    one = pair(line)
    text.bind(one.clauses, keep=True)
    assert way(text, one)  # type: ignore[operator]
    assert sentences(text) == told


def test_an_effect_that_leans_on_its_cause_never_comes_first() -> None:
    leaning = pair("there | be | two loaves => A | take | the bigger one".replace("loaves", "cakes"))
    assert leaning.leaning
    for way in (
        causes.because,
        causes.why,
        conditions.not_until,
        causes.effect_alone,
        reports.nobody_knew_why,
    ):
        assert not way(telling(), leaning)


def test_what_is_spoken_of_again_gets_a_label() -> None:
    first, second = linked([read_clause("A | dig | a deep hole"), read_clause("A | fall | into the hole")])
    hole, again = first.phrases[0][0], second.phrases[0][-1]
    assert isinstance(hole, Noun)
    assert isinstance(again, Noun)
    assert hole.label == again.label != ""


def test_it_stands_for_the_only_thing_and_never_for_the_subject_of_its_clause() -> None:
    _, second = linked([read_clause("A | take | a cup"), read_clause("A | wash | it")])
    assert isinstance(second.phrases[0][0], Slot)
    _, third = linked([read_clause("the old bridge | be | there"), read_clause("the storm | break | it")])
    assert not isinstance(third.phrases[0][0], Slot)


def test_the_lid_of_a_box_is_not_it_of_a_box() -> None:
    _, second = linked([read_clause("the lid | be | shut"), read_clause("A | open | the lid of the box")])
    lid = second.phrases[0][0]
    assert isinstance(lid, Noun)
    assert lid.label == ""


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (True, "Anna was tired, but she did not go to bed."),
        (False, "Anna was tired, but she did not go to bed."),
    ],
)
def test_a_contrast(first: bool, told: str) -> None:
    text = telling(first=first)
    contrasts.tell_contrast(text, pair("A | be | tired => A | not go | to bed"))
    assert sentences(text) == told


def test_a_contrast_with_although() -> None:
    text = telling()
    text.dice.pick = lambda _: "although"  # type: ignore[method-assign,assignment,return-value]
    contrasts.tell_contrast(text, pair("it | rain => A | go | out"))
    assert sentences(text) == "Although it rained, Anna went out."


def test_what_goes_on_while_something_happens() -> None:
    text = telling()
    contrasts.tell_meanwhile(text, pair("A | walk | home => it | begin + to rain"))
    assert sentences(text) == "Anna was walking home when it began to rain."


def test_a_cause_in_the_mouth_of_the_one_to_whom_it_happens() -> None:
    text = telling()
    assert spoken.say_link(text, pair("A | lose | the key => A | knock | at the door"))
    assert sentences(text) == ('"I will knock at the door because I have lost the key," said Anna.')


def test_somebody_tells_somebody_to_do_something() -> None:
    text = telling()
    assert reports.tells_to(text, pair("it | be | dark => A | light | a candle"))
    assert sentences(text).startswith("It was dark. ")
    assert sentences(text).endswith(" told Anna to light a candle.")


def talk(line: str, answer: str) -> Talk:
    def read(part: str) -> Clause | Asked | Words:
        if "|" not in part:
            return Words(part)
        return Asked(read_clause(part.rstrip("? "))) if part.endswith("?") else read_clause(part)

    return Talk((read(line),), tuple(read(part.strip()) for part in answer.split(";")))


@pytest.mark.parametrize(
    ("line", "answer", "told"),
    [
        ("the ball | be | where ?", "it | be + under the bed",
         "Anna asked where the ball was. Tom said that it was under the bed."),
        ("you | be | hungry ?", "no", "Anna asked if Tom was hungry."),
        ("you | have seen | my dog ?", "it | be + in the park",
         "Anna asked if Tom had seen her dog. Tom said that it was in the park."),
        ("you | open | the window", "yes", "Anna told Tom to open the window."),
        ("you | not open | the window", "yes", "Anna told Tom not to open the window."),
        ("I | can not find | my shoes", "I | will help | you",
         "Anna said that she could not find her shoes. Tom said that he would help Anna."),
        ("I | be | cold", "you | put on | your coat",
         "Anna said that she was cold. Tom told Anna to put on her coat."),
    ],
)  # fmt: skip
def test_talk_is_reported_with_its_people_and_tense(line: str, answer: str, told: str) -> None:
    text = telling()
    assert reported(text, talk(line, answer), text.bindings["A"], text.bindings["B"])
    assert sentences(text) == told


def test_talk_of_two_of_one_gender_is_not_reported() -> None:
    text = telling()
    other = Referent("person", "girl", "f", name="Mia")
    assert not reported(text, talk("you | be | hungry ?", "no"), text.bindings["A"], other)


@pytest.mark.parametrize(
    ("fact", "tense", "answer"),
    [
        ("cats | catch | mice", "present", "yes, they do"),
        ("a cat | catch | mice", "present", "yes, it does"),
        ("A | be | late", "past", "yes, she was"),
        ("C | can swim", "present", "yes, they can"),
        ("a cup and a plate | break", "past", "yes, they did"),
        ("A | have lost | a shoe", "present", "yes, she has"),
    ],
)  # fmt: skip
def test_a_short_answer(fact: str, tense: str, answer: str) -> None:
    tokens = short_answer(telling(), read_clause(fact), tense)
    assert tokens is not None
    assert " ".join(token.text for token in tokens).replace(" ,", ",") == answer


def test_a_fact_of_one_is_told_of_many_with_what_belongs_to_them() -> None:
    seen = set()
    for number in range(400):
        text = Telling(Dice(f"fact/{number}"))
        tell_fact(text, (read_clause("a turtle | lay | its eggs + in the sand"),))
        seen.add(str(text.sentences[0]))
    assert "Turtles lay their eggs in the sand." in seen
    assert "A turtle lays its eggs in the sand." in seen
    assert not any(
        "turtles lay its" in sentence.lower() or "turtles lays" in sentence.lower() for sentence in seen
    )


def test_a_pony_is_a_horse_and_ponies_are_horses() -> None:
    seen = set()
    for number in range(300):
        text = Telling(Dice(f"fact/{number}"))
        tell_fact(text, (read_clause("a pony | be | a small horse"),))
        seen.add(str(text.sentences[0]))
    assert "Ponies are small horses." in seen
    assert not any(sentence.lower().startswith("ponies are a") for sentence in seen)


@pytest.mark.thorough
def test_every_line_of_the_tables_is_told_without_a_problem() -> None:
    known = knowledge()
    for number, link in enumerate(known.links):
        tell_link(Telling(Dice(f"every/{number}")), link)
    for number, clauses in enumerate(known.facts):
        tell_fact(Telling(Dice(f"every/{number}")), clauses)
    for number, one in enumerate(known.talks):
        tell_talk(Telling(Dice(f"every/{number}")), one)


def test_a_line_that_cannot_be_read_is_refused() -> None:
    for line in ("A", "A | | the door", "blue | be | nice", "A | door | it", "A | open | the dooor"):
        with pytest.raises(ValueError, match=r"clause|noun phrase|verb|words\.txt"):
            read_clause(line)


def test_a_line_that_cannot_be_read_is_named_by_its_file_and_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(text: str) -> Clause:
        raise ValueError(f"{text!r}: not a clause")

    knowledge.cache_clear()
    known = knowledge()  # reads no line
    with monkeypatch.context() as patch:
        patch.setattr(reading, "read_clause", unreadable)
        with pytest.raises(ValueError, match=r"^\w+\.txt, line \d+: .*: not a clause$"):
            known.facts[0]
    assert isinstance(known.facts[0][0], Clause)


def test_the_kinds_of_links_are_told_by_their_own_words() -> None:
    link = Link((read_clause("A | be | tired"),), (read_clause("A | go | on"),), "but")
    joining = set()
    for number in range(60):
        text = Telling(Dice(f"but/{number}"))
        tell_link(text, link)
        joining |= {word.text.lower() for sentence in text.sentences for word in sentence.words}
    assert {"but", "although", "though", "yet", "still"} <= joining
    assert "because" not in joining


def test_clauses_after_one_conjunction_are_one_whole() -> None:
    text = telling("present")
    text.dice.chance = lambda share: share in (0.7, 0.75, 0.8)  # type: ignore[method-assign]
    conditions.if_will(text, pair("A | be | ill ; B | have | no time => C | help | B"))
    assert sentences(text) == "If Anna is ill and Tom has no time, the children will help him."
    text = telling()
    causes.that_is_why(text, pair("it | rain => A | jump + up ; A | shout"))
    assert sentences(text) == "It rained. That was why Anna jumped up and shouted."


def test_when_tells_a_time_not_a_reason() -> None:
    assert not conditions.when(telling(), pair("A | be | always polite => B | like | A"))
    assert not conditions.when(telling(), pair("the box=K | be | too heavy => A | call | B"))
    assert conditions.when(telling(), pair("it | be | dark => A | go | home"))
    assert conditions.when(telling("present"), pair("A | be | tired => A | go | to bed"))


def test_what_is_chosen_of_two_is_no_consequence() -> None:
    told = set()
    line = pair("there | be | hay and milk + in the barn => the horse | eat | the hay")
    for number in range(40):
        text = Telling(Dice(f"chosen/{number}"))
        tell_link(text, Link(line.cause, line.effect))
        told.add(sentences(text))
    assert told
    assert not any(word in sentence for sentence in told for word in (", so ", "Because ", " So ", "Why "))


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("who | make | the honey ?", "the bees | make | the honey", '"The bees do."'),
        ("the bat | sleep | where ?", "it | sleep + in the cave", '"In the cave."'),
        ("you | be + where + last week ?", "I | be + at the sea + last week", '"At the sea."'),
        ("the train | leave | when ?", "we | can still catch | it", '"We can still catch it."'),
    ],
)
def test_an_answer_does_not_say_the_question_again(question: str, answer: str, told: str) -> None:
    text = telling("present")
    text.dice.chance = lambda share: share in (0.3, 0.85)  # type: ignore[method-assign]
    tell_talk(text, talk(question, answer))
    assert str(text.sentences[-1]) == told


def test_please_stays_with_what_is_asked_for() -> None:
    text = telling(chance=True)
    words = Words("please")
    tell_talk(text, Talk((read_clause("you | shut | the door"), words), (Words("yes"),)))
    assert ", please" in sentences(text)


def test_what_goes_on_now_is_told_so() -> None:
    text = telling("present")
    causes.effect_alone(text, pair("it | rain => C | paint | a boat"))
    assert sentences(text) == "The children are painting a boat."
    text = telling("present")
    causes.why(text, pair("a fox | be | near => B | climb + a tree"))
    assert sentences(text).startswith("Why is Tom climbing a tree?")
