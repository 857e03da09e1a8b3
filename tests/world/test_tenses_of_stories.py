"""A story may change its tense: habits before it and what is so since then are told in the present."""

from __future__ import annotations

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.text import Sentence
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.life.knowledge import reading
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.tales.openings import open_story
from bertviz_lite.world.life.tales.plans import Plan, plan_of
from bertviz_lite.world.life.tales.scripts import tell_story
from bertviz_lite.world.life.tales.storyteller import Storyteller

SCRIPT = (
    "now: A:farmer.sg | drive + to the city ; A | bring | newspapers + back",
    "A's horse=H | be | ill + this week",
    "B:postman.sg | tie | a sack + to B's bicycle ; B | leave + early",
    "now: nobody | complain",
)
PRESENT = {"s", "base"}
NAMES = {person.name: person.gender for person in PEOPLE}


def plan(*steps: str) -> Plan:
    """Return a script of these steps, made ready."""
    return plan_of(reading.Script("a small story", reading._steps(list(steps))))


def tenses(sentence: Sentence) -> set[str]:
    """Return past and present, of the finite verbs of a sentence outside speech."""
    finite = {word.form for word in sentence.words if word.pos in ("VERB", "AUX") and word.form is not None}
    return {"past"} & finite | (
        {"present"} if "s" in finite or (finite & PRESENT and "past" not in finite) else set()
    )


def told(seed: int, *steps: str) -> Telling:
    """Return a story of these steps."""
    telling = Telling(Dice(f"tenses/{seed}"))
    storyteller = Storyteller(telling, plan(*steps))
    storyteller.tell()
    storyteller.close()
    return telling


def test_steps_of_now_are_told_in_the_present_and_the_others_in_the_past() -> None:
    for seed in range(40):
        sentences = told(seed, *SCRIPT).sentences
        assert tenses(sentences[0]) == {"present"}, str(sentences[0])
        assert str(sentences[-1]).lower().removeprefix("now ") == "nobody complains.", str(sentences[-1])
        ill = next(
            sentence for sentence in sentences if "ill" in str(sentence).split(" ") or " ill" in str(sentence)
        )
        assert "was ill" in str(ill) or "were ill" in str(ill), str(ill)


def test_a_story_goes_on_in_its_tense_after_a_step_of_now() -> None:
    for seed in range(40):
        telling = told(seed, *SCRIPT)
        assert telling.tense == "past"
        assert not any("tied" in str(one) and "ties" in str(one) for one in telling.sentences)
        assert any(" tied " in str(one) for one in telling.sentences)


def test_only_the_first_step_of_what_happened_after_a_habit_is_given_a_time() -> None:
    steps = ("now: A:child.sg | play + in the park", "A | find | a coin", "A | buy | a bun")
    firsts = [str(told(seed, *steps).sentences[1]) for seed in range(40)]
    assert all("found" in first for first in firsts)
    assert (
        sum(first.split()[0] in ("One", "This", "Last", "Yesterday", "Once", "On") for first in firsts) > 20
    )


def test_an_optional_step_may_be_of_now() -> None:
    step = reading._steps(["A | run", "? now: A | still run"])[1]
    assert step.optional
    assert step.now


def test_about_an_eighth_of_the_stories_of_the_past_begin_or_end_in_the_present() -> None:
    mixed = past = 0
    for seed in range(600):
        telling = Telling(Dice(f"shares/{seed}"))
        tell_story(telling, goes_on=False)
        if telling.tense != "past" or any('"' in str(one) for one in telling.sentences):
            continue
        past += 1
        ends = (tenses(telling.sentences[0]), tenses(telling.sentences[-1]))
        mixed += {"present"} in ends
    assert 0.08 < mixed / past < 0.25


def test_no_word_of_a_closing_in_the_present_is_marked_as_agreement_by_a_tense_of_the_past() -> None:
    for seed in range(600):
        telling = Telling(Dice(f"marks/{seed}"))
        tell_story(telling, goes_on=False)
        if telling.tense == "past" and tenses(telling.sentences[-1]) == {"present"}:
            marked = [word.text for word in telling.sentences[-1].words if word.determined == "agreement"]
            assert not marked, str(telling.sentences[-1])


def test_the_pronoun_of_a_bare_name_is_known_by_the_name() -> None:
    steps = (
        "A:child.sg | lose | a kite=K",
        "A | look + in the garden",
        "B:child.sg | find | K ; B | laugh",
        "B | be | glad",
    )
    bare = 0
    for seed in range(200):
        telling = told(seed, *steps)
        one = telling.bindings["B"]
        if one.intro == "name" and one.kin is None and one.name:
            bare += 1
            assert one.gender == NAMES[one.name]
            said = {
                word.text.lower() for s in telling.sentences for word in s.words if word.entity == one.chain
            }
            assert not said & ({"he", "him", "his"} if one.gender == "f" else {"she", "her"})
    assert 40 < bare < 140


def test_without_a_time_before_its_first_sentence_a_story_never_begins_with_a_habit_in_the_present() -> None:
    for seed in range(100):
        telling = Telling(Dice(f"openings/{seed}"))
        telling.tense = "past"
        storyteller = Storyteller(telling, plan("A:child.sg | be | six years old", "A | run"))
        telling.bindings = {}
        storyteller.players.cast(None)
        open_story(telling, storyteller.plan, storyteller.players, timely=False)
        assert all("present" not in tenses(one) or "story of" in str(one) for one in telling.sentences)
