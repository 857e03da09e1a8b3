"""What chapter 10 prints and measures: a recorded run, one change of a recipe, homework, the bill."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from transformers import BertConfig, BertForPreTraining

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.chapters.chapter_10 import bill, hikers, homework, looking_back, way_back
from bertviz_lite.chapters.chapter_10.live import rule_plane, ten_seeds
from bertviz_lite.chapters.chapter_10.live.panels import above_each_other, across_among_tokens
from bertviz_lite.chapters.chapter_10.live.tiny_stories import (
    any_plural_agrees,
    first_sentence_agrees,
    kind_of,
    nearest_noun_agrees,
    small_tokenizer,
    tiny_stories,
)
from bertviz_lite.chapters.chapter_10.live.training import LIVE, LiveTraining, Moment
from bertviz_lite.views.time_lapse.training_run import TrainingRun

TINY = replace(LIVE, steps=4, batch_size=4, stories=40, hidden_size=8, num_heads=2, intermediate_size=8)


def run_of(scores: dict[str, list[float | None]], losses: dict[int, float]) -> TrainingRun:
    """Make a run whose moments are at the steps 0, 10, 20, ..."""
    count = len(next(iter(scores.values())))
    moments: list[dict[str, Any]] = [
        {
            "step": 10 * k,
            "tokens": None,
            "heads": {},
            "scores": {name: row[k] for name, row in scores.items()},
        }
        for k in range(count)
    ]
    entries = [{"step": step, "mlm_loss": loss, "nsp_loss": 0.7} for step, loss in losses.items()]
    attention = [np.zeros((count, 1, 1, 2, 2), np.uint8)]
    return TrainingRun(moments, entries, ["a"], [["a", "b"]], attention, [])


RUN = run_of(
    {
        "masked_words": [0.0, 0.1, 0.7, 0.9],
        "pronoun": [0.0, 0.0, 0.0, 1.0],
        "senses": [None, None, None, 0.8],
    },
    {5: 6.0, 15: 4.0, 25: 2.0, 30: 0.0},
)


def test_an_ability_lies_between_two_moments_and_the_earliest_is_first() -> None:
    header, words, pronoun, senses = looking_back.milestones(RUN).splitlines()
    assert header.split() == ["ability", "appears", "between", "steps", "first", "→", "best"]
    assert words.split() == ["any", "masked", "word", "10", "and", "20", "0.00", "→", "0.90"]
    assert pronoun.split() == ["the", "right", "pronoun", "20", "and", "30", "0.00", "→", "1.00"]
    assert senses.split()[-5:] == ["once,", "at", "the", "end", "0.80"]


def test_abilities_are_counted_in_the_next_test_after_the_first_logged_loss() -> None:
    early = looking_back.early_on(RUN, blind=9.0, until=25)
    assert (early.measured, early.there, early.abilities) == (10, 0, 2)
    assert (early.first, early.last, early.loss) == (6, 15, 4.0)  # the mean with step 10 among its steps
    assert early.made == pytest.approx(5 / 7)  # from 9 to 4, on its way to 2


def test_both_gradients_of_the_way_back_are_those_of_autograd() -> None:
    x, w1, w2 = 0.7, -1.2, 2.3
    knobs = [torch.tensor(w, dtype=torch.float64, requires_grad=True) for w in (w1, w2)]
    loss = -((knobs[0] * x).tanh() * knobs[1]).sigmoid().log()
    loss.backward()
    numbers, gradients = way_back.way(x, w1, w2)
    assert numbers["L"] == pytest.approx(loss.item(), abs=1e-14)
    for name, knob in zip(("w1", "w2"), knobs, strict=True):
        assert knob.grad is not None
        assert gradients[name] == pytest.approx(knob.grad.item(), abs=1e-14)
    ax = way_back.draw(x, w1, w2, title="Back")
    written = {text.get_text() for text in ax.texts}
    for number in (*numbers.values(), *gradients.values()):
        assert any(f"{number:.2f}".replace("-", "−") in text for text in written)


def test_the_first_sentence_s_number_is_right_in_all_true_pairs_and_half_of_the_false() -> None:
    stories = tiny_stories(0, 400)
    texts = [tuple(map(str, story.sentences)) for story in stories]
    assert all(first_sentence_agrees(first, second) for first, second in texts)
    exchanged = pairwise(texts)
    share = sum(first_sentence_agrees(one[0], other[1]) for one, other in exchanged) / (len(texts) - 1)
    assert share == pytest.approx(0.5, abs=0.08)
    pairs = LiveTraining(TINY).pairs()
    assert len(pairs) == TINY.steps * TINY.batch_size
    assert all(first.endswith(".") and second.endswith(".") for first, second in pairs)


def test_a_gradient_is_that_of_autograd() -> None:
    places = [[1.1, -2.0], [-0.3, 0.4]]
    knobs = torch.tensor(places, dtype=torch.float64, requires_grad=True)
    (torch.tensor(hikers.STEEPNESS) * knobs**2 / 2).sum().backward()
    assert knobs.grad is not None
    assert hikers.gradients(places) == pytest.approx(knobs.grad.numpy())


def test_scores_and_losses_are_drawn_above_each_other() -> None:
    scores = [Moment(step, 0.5, step / 100) for step in (0, 20, 40)]
    losses = [(float(k), 1.0) for k in range(40)]
    top = above_each_other(scores, losses, mark=20, title="Both")
    above, below = top.figure.axes
    direct, across, *seeds = (np.asarray(line.get_xydata()) for line in above.get_lines())
    assert direct.tolist() == [[0, 0.5], [20, 0.5], [40, 0.5]]
    assert across.tolist() == [[0, 0.0], [20, 0.2], [40, 0.4]]
    assert [line[:, 1].tolist() for line in seeds[:10]] == ten_seeds.across()[:, 1:].tolist()
    assert np.asarray(below.get_lines()[0].get_xydata()).tolist() == [[10, 9.5], [30, 29.5]]


def test_verbs_across_a_toy_are_counted_among_all_tokens() -> None:
    stories, tokenizer = tiny_stories(0, 40), small_tokenizer()
    across = [story for story in stories if (kind_of(story) or (0, 0))[1]]
    share = across_among_tokens(stories, tokenizer)
    assert share * len(tokenizer.tokenize(" ".join(map(str, stories)))) == pytest.approx(len(across))


def test_the_knob_is_drawn_where_it_was_with_the_loss_there() -> None:
    places = [0.0, 0.5, 0.5 + 1 / (1 + np.exp(0.5))]
    ax = hikers.descent(places, title="Down")
    dots = [line for line in ax.get_lines() if line.get_marker() == "o"]
    assert [float(np.asarray(dot.get_xdata())[0]) for dot in dots] == places
    losses = [float(np.asarray(dot.get_ydata())[0]) for dot in dots]
    assert losses == pytest.approx([-np.log(1 / (1 + np.exp(-w))) for w in places])
    words = [text.get_text() for text in ax.texts if text.get_text()]
    uphill = [(begin[0] - end[0], begin[1] - end[1]) for begin, end in arrows(ax)[:3]]
    assert uphill == [pytest.approx((1 / (1 + np.exp(w)), 0)) for w in places]
    assert words == [
        "step 0: gradient −0.50",
        "step 1: gradient −0.38",
        "step 2: gradient −0.29",
        "+0.50",
        "+0.38",
    ]


def arrows(ax: Axes) -> list[tuple[list[float], list[float]]]:
    """Return where each arrow of some axes begins and ends."""
    found = [text for text in ax.texts if isinstance(text, Annotation) and text.arrow_patch is not None]
    return [(list(map(float, arrow.xyann)), list(map(float, arrow.xy))) for arrow in found]


def test_a_training_is_a_path_between_rules() -> None:
    scores = [Moment(0, 0.5, 0.5, (50, 0, 5, 43)), Moment(35, 1, 0.5, (50, 50, 50, 0))]
    ax = rule_plane.draw(scores, marks=[35], title="A path")
    assert arrows(ax) == [([5, 43], [50, 0])]
    words = [text.get_text() for text in ax.texts if text.get_text()]
    assert words == ["half of all right", "step 35", *rule_plane.CORNERS.values()]
    dots = [np.asarray(line.get_xydata()).tolist() for line in ax.get_lines() if line.get_marker() == "o"]
    assert dots == [[[50, 0]]]


def test_bends_are_numbered_up_to_the_last_mark_but_one() -> None:
    places = [(0, 0), (50, 0), (50, 30), (20, 30), (20, 40), (50, 40)]
    scores = [Moment(10 * k, 0.5, 0.5, (50, 50, *place)) for k, place in enumerate(places)]
    ax = rule_plane.draw(scores, marks=[10, 30, 50], title="A path")
    numbers = {text.get_text(): text for text in ax.texts if text.get_text().isdigit()}
    assert [*numbers] == ["20"]  # 40 comes after the last mark but one
    bend = numbers["20"]
    assert isinstance(bend, Annotation)
    assert (*map(float, bend.xy),) == (50, 30)
    assert all(offset > 0 for offset in bend.xyann)  # outside: up and to the right


def test_the_path_gets_darker() -> None:
    scores = [Moment(step, 0.5, 0.5, (50, 50, step, 0)) for step in (0, 10, 20, 30)]
    ax = rule_plane.draw(scores, marks=[], title="A path")
    patches = [text.arrow_patch for text in ax.texts if isinstance(text, Annotation) and text.arrow_patch]
    light = [float(np.mean(patch.get_edgecolor()[:3])) for patch in patches]
    assert len(light) == 3
    assert light == sorted(light, reverse=True)
    assert light[0] > light[-1] + 0.3


def test_a_rule_s_corner_is_where_its_answers_put_it() -> None:
    stories = [story for story in tiny_stories(0, 400) if (kind_of(story) or (0, 0))[1]]  # those across
    for plural, axis in ((True, 0), (False, 1)):  # of a plural subject the toy between is singular
        some = [story for story in stories if kind_of(story) == (plural, True)]
        assert not any(map(nearest_noun_agrees, some))
        assert {any_plural_agrees(story) for story in some} == {plural}
        corner = {rule: place[axis] for place, rule in rule_plane.CORNERS.items()}
        assert corner["nearest noun"] == 0
        assert corner["any toy plural? say plural\n(or: always plural)"] == (50 if plural else 0)
        assert corner["any toy singular? say singular\n(or: always singular)"] == (0 if plural else 50)
        assert corner["all right: the subject,\nor the first sentence"] == 50


def test_the_nearest_noun_is_read_off_the_text() -> None:
    stories = tiny_stories(0, 300)
    for story in stories:
        # in *The boats near a robot are new*, the noun before the verb; toys in the plural end with s
        words = str(story.sentences[1]).rstrip(".").split()
        verb = next(k for k, word in enumerate(words) if word in {"is", "was", "has", "are", "were", "have"})
        noun_is_plural = words[verb - 1].endswith("s")
        verb_is_plural = words[verb] in {"are", "were", "have"}
        assert nearest_noun_agrees(story) == (noun_is_plural == verb_is_plural)
        any_is_plural = any(word.endswith("s") for word in words[:verb])
        assert any_plural_agrees(story) == (any_is_plural == verb_is_plural)
    share = sum(map(nearest_noun_agrees, stories)) / len(stories)
    assert share == pytest.approx(0.75, abs=0.08)
    # wrong only where a plural toy follows a subject in the singular: a quarter of one half
    share = sum(map(any_plural_agrees, stories)) / len(stories)
    assert share == pytest.approx(0.875, abs=0.06)


def test_unread_stories_have_none_of_the_given_texts() -> None:
    some = homework.unread_stories(50, unlike=[])
    assert len(some) == 50
    left = homework.unread_stories(50, unlike=some[:20])
    assert {str(story) for story in left} == {str(s) for s in some} - {str(s) for s in some[:20]}


def test_the_loss_on_stories_is_that_of_the_library() -> None:
    training = LiveTraining(TINY)
    again = LiveTraining(replace(TINY, steps=2, seed=5), stories=training.stories)
    config = training.model.config
    words_alone = BertForPreTraining(config).double()
    words_alone.load_state_dict(training.model.state_dict())
    expected = []
    for step in range(2):
        batch = again.batch(step)
        del batch["next_sentence_label"]
        logits = words_alone(**{k: v for k, v in batch.items() if k != "labels"}).prediction_logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())
        expected.append(loss.item())
    found = homework.loss_on(training.stories, training, steps=2)
    assert found == pytest.approx(sum(expected) / 2, abs=1e-10)


def test_homework_is_recorded_as_it_runs() -> None:
    own, new = homework.recorded()
    assert own.shape == new.shape == (len(homework.SEEDS), len(homework.AMOUNTS))
    assert len({*homework.SEEDS, homework.MASKS_SEED, homework.UNREAD_SEED}) == len(homework.SEEDS) + 2
    stories = tiny_stories(homework.SEEDS[1], max(homework.AMOUNTS))
    trained = homework.learned_from(homework.AMOUNTS[0], stories, seed=homework.SEEDS[1])
    assert trained.step * trained.recipe.batch_size // homework.AMOUNTS[0] == 185  # readings of each
    unread = homework.unread_stories(400, unlike=stories)
    assert homework.loss_on(trained.stories, trained) == pytest.approx(own[1, 0], abs=0.02)
    assert homework.loss_on(unread, trained) == pytest.approx(new[1, 0], abs=0.02)


def test_the_bill_names_parameters_and_days() -> None:
    line = bill.model_costs({"BERT-Base": BertConfig()}).splitlines()[1]
    assert line.split()[:2] == ["BERT-Base", f"{110_106_428:,}"]


def test_times_are_written_with_two_digits_and_in_years_from_one_year_on() -> None:
    slow, fast = bill.days_at(86_400e9 * 5_516, {"slow": 1e9, "fast": 2e12}).splitlines()
    assert slow.split() == ["slow", "5,500", "days", "=", "15", "years"]
    assert fast.split() == ["fast", "2.8", "days"]


def test_a_gap_is_filled_as_the_library_fills_it() -> None:
    live = LiveTraining(TINY)
    first, second = "Tom drew a doll.", "The doll near two dolls [MASK] very heavy."
    inputs = live.tokenizer(first, second, return_tensors="pt")
    with torch.no_grad():
        logits = live.model.eval()(**inputs).prediction_logits[0]
    place = live.tokenizer.convert_ids_to_tokens(inputs["input_ids"][0]).index("[MASK]")
    expected = logits[place].exp() / logits[place].exp().sum()
    filled = live.fill(first, second, k=3)
    assert filled[0][0] == live.tokenizer.convert_ids_to_tokens(int(expected.argmax()))
    assert [share for _, share in filled] == pytest.approx(sorted(expected.tolist())[:-4:-1])


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("The doll was heavy.", "0 [MASK] in these sentences: put in exactly one."),
        ("The spaceship [MASK] heavy.", "a word occurs in no story"),
    ],
)
def test_a_gap_that_cannot_be_filled_is_explained(second: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(message)):
        LiveTraining(TINY).fill("Tom drew a doll.", second)


def test_both_ways_through_the_valley_are_those_of_torch() -> None:
    rates, steps, fall = (0.03, 0.1), 6, 4
    made = hikers.ways(rates, steps, fall)
    steepness = torch.tensor(hikers.STEEPNESS, dtype=torch.float64)
    for name, rate in zip(made, (*rates, rates[1]), strict=True):
        knobs = torch.ones(2, dtype=torch.float64, requires_grad=True)
        optimizer: torch.optim.Optimizer = torch.optim.SGD([knobs], lr=rate)
        if name != "gradient descent":
            optimizer = torch.optim.AdamW([knobs], lr=rate, betas=(0.9, 0.98), weight_decay=0.0)
        cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, fall)
        for step, place in enumerate(made[name]):
            assert knobs.detach().numpy() == pytest.approx(place, abs=1e-12)
            optimizer.zero_grad()
            (steepness * knobs**2 / 2).sum().backward()
            optimizer.step()
            if name == "AdamW, rate falling" and step < fall:
                cosine.step()


def test_the_ways_are_drawn_where_they_went() -> None:
    made = hikers.ways((0.03, 0.1), 6, fall=3)
    ax = hikers.valley(made, title="Down")
    drawn = {str(line.get_label()): np.asarray(line.get_xydata()) for line in ax.get_lines()}
    for name, way in made.items():
        assert drawn[name] == pytest.approx(way[:, ::-1])  # across: the gentle knob
    shown = made["AdamW"][:10:3]
    assert [begin for begin, _ in arrows(ax)] == [pytest.approx(place[::-1]) for place in shown]
    rises = [end[1] - begin[1] for begin, end in arrows(ax)]
    assert rises == pytest.approx((50 * shown[:, 0] / 100).tolist())
    by_step = [np.asarray(line.get_ydata()) for line in ax.figure.axes[1].get_lines()[:3]]
    assert by_step == [pytest.approx(way[:, 1]) for way in made.values()]
    with pytest.raises(ValueError, match=r"\(steps \+ 1, 2\)"):
        hikers.valley({"one": [1.0, 2.0]})
