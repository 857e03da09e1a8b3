"""Chapter 00: the jobs of the town, counted by hand, and what the picture of them says."""

import numpy as np
import pytest

from bertviz_lite.chapters.chapter_00 import exercises
from bertviz_lite.chapters.chapter_00.jobs import jobs, people_and_answers


def test_who_expects_it_to_be_unsure_of_a_name_is_told_to_look_again() -> None:
    assert "isn't unsure" in exercises.least_sure.check("B").text
    assert "one baker, a woman" in exercises.least_sure.check("A").text
    assert jobs()["baker"] == 1.0, "Nora"
    assert exercises.least_sure.check("C")


def test_jobs_are_counted_as_the_town_has_them() -> None:
    found = jobs()
    assert {job: found[job] for job in ("doctor", "nurse", "sailor", "cook", "teacher")} == {
        "doctor": 1.0,  # Clara
        "nurse": 1.0,  # Eva
        "sailor": 1.0,  # Sarah
        "cook": 0.0,  # Martin
        "teacher": 0.0,  # Hugo
    }
    assert found["painter"] == 0.5, "Julia and Paul"
    assert found["farmer"] == pytest.approx(1 / 3), "Alice, George and Frank"
    assert list(found.values()) == sorted(found.values(), reverse=True)


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
