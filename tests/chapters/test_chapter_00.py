"""Chapter 00: the jobs of the town's stories, counted by hand, and what the picture of them says."""

import numpy as np

from bertviz_lite.chapters.chapter_00 import exercises
from bertviz_lite.chapters.chapter_00.jobs import jobs, people_and_answers, women_by_job
from bertviz_lite.world.events.town import PEOPLE
from tests.helpers.made_stories import make_story


def test_who_expects_it_to_be_unsure_where_it_is_sure_is_told_to_look_again() -> None:
    assert "never read Descartes" in exercises.least_sure.check("D").text
    assert "birthday" in exercises.least_sure.check("C").text
    assert exercises.least_sure.check("B")


def test_women_are_counted_by_the_jobs_that_stories_call_them_by() -> None:
    her, him = {"entity": 0}, {"entity": 1}
    nurse, sailor = {**her, "form": "singular"}, {**him, "form": "singular"}
    stories = [
        make_story("The nurse is tired .", "She sleeps .", w0_1=nurse, w1_0=her),
        make_story("A nurse waves .", "He smiles and she too .", w0_1={**him, "form": "singular"}, w1_0=him),
        make_story("The sailor loses his hat .", "He laughs .", w0_1=sailor, w0_3=him, w1_0=him),
        make_story("She is a sailor .", w0_0=her, w0_3=nurse),  # called so after "she": not counted
        make_story("The nurses see the cook .", "They wave .", w0_1={**her, "lemma": "nurse"}, w1_0=her),
    ]
    assert women_by_job(stories) == {"nurse": 0.5, "sailor": 0.0}


def test_every_job_of_the_town_is_counted() -> None:
    found = jobs(4_000)
    assert set(found) == {person.job for person in PEOPLE if person.job}
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found["postman"] == 0.0
    assert found["doctor"] > 0.5 > found["cook"], "Clara and Martin have these jobs where they have names"


def test_the_title_counts_the_jobs_in_which_the_answer_is_the_majoritys() -> None:
    town = {"doctor": 1.0, "tailor": 1.0, "painter": 0.5, "farmer": 1 / 3, "cook": 0.0}
    answers = {"doctor": 0.9, "tailor": 0.4, "painter": 0.9, "farmer": 0.3, "cook": 0.1}
    ax = people_and_answers(town, answers)
    title = ax.get_title(loc="left").replace("\n", " ")
    assert title == "In 3 of 4 jobs it says the majority's pronoun (1 more: no majority)"
    squares, dots = (np.asarray(collection.get_offsets()) for collection in ax.collections)
    assert squares[:, 0].tolist() == list(town.values())
    assert dots[:, 0].tolist() == list(answers.values())
    assert [label.get_text() for label in ax.get_yticklabels()] == list(town)
