"""Chapter 00: the jobs of the town's stories, counted by hand, and what its pictures say."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex

from bertviz_lite import capture, load
from bertviz_lite.chapters.chapter_00 import exercises
from bertviz_lite.chapters.chapter_00.articles import two_gaps
from bertviz_lite.chapters.chapter_00.four_steps import draw_steps
from bertviz_lite.chapters.chapter_00.jobs import Counted, jobs, people_and_answers, women_by_job
from bertviz_lite.plots.course_style import CYCLE
from bertviz_lite.world import stories
from bertviz_lite.world.events.town import PEOPLE
from tests.helpers.made_stories import make_story

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = ROOT / "notebooks" / "00_start_here.ipynb"
_HE, _SHE = {"he", "him", "his", "himself"}, {"she", "her", "hers", "herself"}


def test_who_expects_it_to_be_unsure_where_it_is_sure_is_told_to_look_again() -> None:
    assert "never read Caesar" in exercises.least_sure.check("D").text
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
    assert women_by_job(stories) == {"nurse": Counted(1, 2), "sailor": Counted(0, 1)}


@pytest.mark.thorough
def test_every_job_of_the_town_is_counted() -> None:
    found = jobs(4_000)
    assert set(found) == {person.job for person in PEOPLE if person.job}
    shares = {job: counted.share for job, counted in found.items()}
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert shares["postman"] == 0.0
    assert shares["doctor"] > 0.5 > shares["cook"], "Clara and Martin have these jobs where they have names"


def test_the_title_counts_the_jobs_with_a_clear_lean_in_which_the_answer_is_the_majoritys() -> None:
    town = {
        "doctor": Counted(30, 30),
        "tailor": Counted(9, 10),
        "painter": Counted(20, 40),
        "farmer": Counted(12, 33),
        "cook": Counted(0, 20),
    }
    assert [job for job, counted in town.items() if counted.leans] == ["doctor", "tailor", "cook"]
    answers = {"doctor": 0.9, "tailor": 0.4, "painter": 0.9, "farmer": 0.3, "cook": 0.1}
    ax = people_and_answers(town, answers)
    title = ax.get_title(loc="left").replace("\n", " ")
    assert title == "In 2 of 3 jobs with a clear lean, the model leans as the program's texts do"
    clear, grey, dots = (np.asarray(collection.get_offsets()) for collection in ax.collections)
    assert clear.tolist() == [[1.0, 0], [0.9, 1], [0.0, 4]]
    assert grey.tolist() == [[0.5, 2], [12 / 33, 3]]
    assert dots[:, 0].tolist() == list(answers.values())
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["doctor (30)", "tailor (10)", "painter (40)", "farmer (33)", "cook (20)"]


def test_the_two_gaps_have_a_bar_a_word_and_vowels_stand_out() -> None:
    found = {"a ▢": {"bun": 0.6, "egg": 0.3, "pie": 0.1}, "an ▢": {"egg": 0.9, "hour": 0.1}}
    left, right = two_gaps(found, k=2)
    assert [ax.get_title(loc="left") for ax in (left, right)] == list(found)
    assert [bar.get_width() for bar in left.patches] == [0.6, 0.3]
    colours = [[to_hex(bar.get_facecolor()) for bar in ax.patches] for ax in (left, right)]
    assert colours == [[CYCLE[0], CYCLE[1]], [CYCLE[1], CYCLE[0]]]
    assert [label.get_text() for label in right.texts[::2]] == ["egg", "hour"]


def test_the_steps_have_a_line_a_token_and_end_at_the_likeliest_word() -> None:
    tokenizer, model = load("pocket")
    text = "Anna is [MASK], so she drinks."
    ax = draw_steps(tokenizer, model, text, k=2)
    seen = capture(model, tokenizer, text)
    best, second = seen.predictions(3, 2)
    written = [label.get_text() for label in ax.texts]
    assert all(token in written for token in seen.tokens)
    assert all(str(number) in written for number in tokenizer(text)["input_ids"])
    assert any(label.startswith(f"{best[0]} ") for label in written)
    assert any(label.startswith(f"{second[0]} ") for label in written)
    assert f"“{best[0]}”" in ax.get_title(loc="left")


def test_the_steps_draw_what_mask_looks_at_most_the_darkest() -> None:
    tokenizer, model = load("pocket")
    text = "Anna is [MASK], so she drinks."
    ax = draw_steps(tokenizer, model, text)
    lines = [each for each in ax.collections if isinstance(each, LineCollection)]
    n = len(tokenizer(text)["input_ids"])
    assert len(lines) == 4 * n
    of_mask = capture(model, tokenizer, text).attentions[3].mean(axis=0)[3]
    last = lines[3 * n + 3]
    sources = [int(np.asarray(ends)[0, 1]) for ends in last.get_segments()]
    assert sources == [source for source in range(n) if of_mask[source] > 0.06]
    darkest = sources[int(np.argmin(np.asarray(last.get_colors())[:, 2]))]
    assert darkest == int(of_mask.argmax())
    assert to_hex(np.asarray(ax.collections[-1].get_facecolor())[3]) == CYCLE[1]
    rings = [each for each in ax.collections if np.asarray(each.get_offsets()).shape == (len(sources), 2)]
    assert [int(y) for _, y in np.asarray(rings[-1].get_offsets())] == sources, "where each begins is marked"
    below = {label.get_text(): label.get_position()[0] for label in ax.texts if label.get_position()[1] == n}
    assert list(below) == ["layer 0", "layer 1", "layer 2", "layer 3", "green < 0 < purple"]
    begin, end = np.asarray(last.get_segments())[0, :, 0]
    assert begin < below["layer 3"] < end, "a layer's number stands under its lines"


def test_the_rings_are_dark_where_no_clue_is_and_pale_at_drinks_and_water() -> None:
    tokenizer, model = load("pocket")
    seen = capture(model, tokenizer, "Anna is [MASK], so she drinks a glass of water.")
    most = {}
    for weights in seen.attentions:
        for token, weight in zip(seen.tokens, weights.mean(axis=0)[3], strict=True):
            most[token] = max(float(weight), most.get(token, 0.0))
    assert max(most["drinks"], most["water"]) < 0.15
    assert set(sorted(most, key=most.__getitem__, reverse=True)[:4]) == {"[CLS]", "[SEP]", "is", ","}


def test_the_sailors_of_the_texts_by_hand_are_as_many_as_the_chapter_says() -> None:
    folder = ROOT / "experiments" / "packed_pretraining" / "written_by_hand"
    lines = [line.lower() for file in folder.glob("*/*.txt") for line in file.read_text("utf-8").splitlines()]
    words = [set(re.findall(r"\w+", line)) for line in lines]
    men, women = (
        sum("sailor" in each and bool(each & mine) and not each & others for each in words)
        for mine, others in ((_HE, _SHE), (_SHE, _HE))
    )
    told = f"*he* but no *she* stands in {men} of the lines with *sailor*, and *she* but no *he* in {women}."
    assert told in CHAPTER.read_text("utf-8")


@torch.no_grad()
def test_the_model_says_what_the_folded_answers_say() -> None:
    tokenizer, model = load("pocket")

    def best(text: str, k: int) -> list[tuple[str, float]]:
        inputs = tokenizer(text, return_tensors="pt")
        gap = inputs["input_ids"][0].tolist().index(tokenizer.mask_token_id)
        top = model(**inputs).prediction_logits[0, gap].softmax(dim=-1).topk(k)
        return list(zip(tokenizer.convert_ids_to_tokens(top.indices), top.values.tolist(), strict=True))

    said = {
        "I am late because I missed the [MASK].": ["bus"],
        "We bake a [MASK] for my mother's birthday.": ["cake"],
        "I came, I saw, I [MASK].": ["think"],
    }
    for text, words in said.items():
        assert [word for word, _ in best(text, len(words))] == words
    leading = dict(best("My best friend is [MASK].", 2))
    assert set(leading) == {"away", "coming"}
    assert max(leading.values()) < 0.1
    for text in ("I came, I saw, I [MASK].", "Anna is not tired, so she goes to [MASK]."):
        assert best(text, 1)[0][1] > 0.9
    for degree in ("not", "very"):
        assert best(f"Anna is {degree} tired, so she goes to [MASK].", 1)[0][0] == "bed"


@pytest.mark.thorough
def test_the_texts_like_a_contrast_as_often_as_the_chapter_says() -> None:
    chapter = CHAPTER.read_text("utf-8")
    listed = re.search(r"triples = \((.+?)\)", chapter, re.DOTALL)
    assert listed
    opposites: dict[str, set[str]] = {}
    for _, one, other in re.findall(r"(\w+) (\w+) (\w+)(?:,|\\\")", listed[1]):
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    assert len(opposites) > 25
    opposite = followed = 0
    for story in stories(seed=0, n=20_000):
        words = re.findall(r"\w+", str(story).lower())
        for place, word in enumerate(words[1:], start=1):
            if word in opposites and words[place - 1] in {"is", "was", "are", "were"}:
                later = words[place + 1 : place + 9]
                if found := [each for each in later if each == word or each in opposites[word]]:
                    followed += 1
                    opposite += found[0] != word
    assert f"COUNTED: {opposite} of {followed} in twenty thousand" in chapter
