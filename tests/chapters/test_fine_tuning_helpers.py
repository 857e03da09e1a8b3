"""The rivals, reports and figures beside chapter 11's fine-tuning say what was measured."""

import numpy as np
import pytest
import torch
from transformers import BertModel

from bertviz_lite.chapters.chapter_11 import figures, reports, rivals
from bertviz_lite.chapters.chapter_11.figures.heads import JOBS
from bertviz_lite.chapters.chapter_11.figures.methods import METHODS
from bertviz_lite.chapters.chapter_11.messages import messages
from bertviz_lite.models.loading import load
from bertviz_lite.plots import CYCLE
from bertviz_lite.plots.course_style import INK
from bertviz_lite.world.tasks.sets import FEELINGS, TAGS

LOG = [
    {"loss": 1.4, "epoch": 1.0},
    {"eval_loss": 1.3, "eval_macro_f1": 0.25, "epoch": 1.0},
    {"loss": 1.1, "epoch": 2.0},
    {"eval_loss": 1.2, "eval_macro_f1": 0.5, "epoch": 2.0},
    {"loss": 0.9, "epoch": 3.0},
    {"eval_loss": 1.5, "eval_macro_f1": 0.5, "epoch": 3.0},
    {"train_runtime": 7.0, "train_loss": 1.1, "epoch": 3.0},
]


def test_the_first_of_the_best_epochs_is_marked_as_kept() -> None:
    _, *lines = reports.by_epoch(LOG, "macro_f1").splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["1", "1.40", "1.30", "0.25"],
        ["2", "1.10", "1.20", "0.50"],
        ["3", "0.90", "1.50", "0.50"],
    ]
    assert [line.endswith("kept") for line in lines] == [False, True, False]


def test_each_label_has_its_line_and_the_last_is_their_mean() -> None:
    metrics = {f"test_{name}_{label}": n / 4 for n, label in enumerate("ab") for name in ("recall", "f1")}
    metrics |= {"test_precision_a": 1.0, "test_precision_b": 0.5, "test_macro_f1": 0.125}
    assert [line.split() for line in reports.by_label(metrics, ["a", "b"]).splitlines()] == [
        ["precision", "recall", "F1"],
        ["a", "1.00", "0.00", "0.00"],
        ["b", "0.50", "0.25", "0.25"],
        ["macro", "F1", "0.12"],
    ]


def test_frozen_vectors_are_those_of_each_text_alone() -> None:
    tokenizer, model = load("pocket")
    texts = ["Anna waved to Tom.", "Max sleeps."]
    vectors = rivals.frozen_vectors(model, tokenizer, texts)
    body = model.base_model
    assert isinstance(body, BertModel)
    for number, text in enumerate(texts):  # no padding here, and chapter 04's hidden states
        with torch.inference_mode():
            output = body(**tokenizer(text, return_tensors="pt"), output_hidden_states=True)
        mean = sum(layer[0].mean(dim=0) for layer in output.hidden_states[-4:]) / 4
        assert vectors["mean of last four layers"][number] == pytest.approx(mean.numpy(), abs=1e-5)
        assert vectors["pooler"][number] == pytest.approx(output.pooler_output[0].numpy(), abs=1e-5)


def test_the_rivals_learn_from_the_training_part_alone() -> None:
    tokenizer, model = load("pocket")
    parts = messages()
    guessed = rivals.guesses(parts, model, tokenizer)
    truth = np.array([label for _, label in parts["test"]])
    assert set(guessed) == {"word counts", "frozen, pooler", "frozen, mean of last four layers"}
    assert 14 <= (guessed["word counts"] == truth).sum() <= 30  # chance is 10 of 40
    parts["test"] = [(text, "thanks") for text, _ in parts["test"]]
    again = rivals.guesses(parts, model, tokenizer)
    assert all((again[way] == said).all() for way, said in guessed.items())


def test_the_rows_of_the_confusion_are_true_labels() -> None:
    ax = figures.confusion([1, 1, 0], [0, 0, 0], ["a", "b"])
    assert ax.get_ylabel() == "what is true"
    image = ax.get_images()[0].get_array() if ax.get_images() else ax.collections[0].get_array()
    assert image is not None
    assert np.asarray(image).reshape(2, 2).tolist() == [[1, 2], [0, 0]]


def test_a_curve_has_a_line_for_each_way_and_a_dot_for_each_training() -> None:
    measured = {"x": {"10": [0.3, 0.5], "100": [0.6, 0.8]}, "unused": {"10": [0.3], "100": [0.4]}}
    ax = figures.curve(measured, {"x": "a way"})
    assert ax.get_lines()[0].get_ydata() == pytest.approx([0.4, 0.7])
    assert sum(len(dots.get_offsets()) for dots in ax.collections) == 4  # type: ignore[arg-type]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["10", "100"]


def test_the_names_of_a_curve_stand_apart_at_the_ends_of_their_lines() -> None:
    ends = {"low": 0.5, "same": 0.5, "top": 1.0, "near the top": 0.99}
    measured = {way: {"10": [0.3], "100": [end]} for way, end in ends.items()}
    ax = figures.curve(measured, {way: f"by {way}" for way in ends})
    written = {text.get_text(): text for text in ax.texts if text.get_text().startswith("by ")}
    colours = {line.get_label(): line.get_color() for line in ax.get_lines()}
    assert all(text.get_color() == colours[name] for name, text in written.items())
    up = {name: text.xyann[1] for name, text in written.items()}  # type: ignore[attr-defined]
    assert up == pytest.approx(  # the axis has 0.8; names are 0.06 of it apart
        {"by low": 0.5, "by same": 0.548, "by near the top": 0.952, "by top": 1.0}
    )


def test_a_curve_keeps_the_colours_of_the_ways_that_matter() -> None:
    measured = {way: {"10": [0.3], "100": [0.5]} for way in "abc"}
    ax = figures.curve(measured, {way: way for way in "abc"}, strong=("a", "c"))
    one, grey, two = (line.get_color() for line in ax.get_lines())
    assert (one, two) == CYCLE[:2]
    assert float(str(grey)) < 0.6  # dark enough to be read
    ax = figures.curve(measured, {way: way for way in "abc"}, strong=("a", "c"), rival="b")
    assert [line.get_color() for line in ax.get_lines()] == [CYCLE[0], INK, CYCLE[1]]
    ax = figures.curve(measured, {way: way for way in "abc"}, strong=("a",), rival="b")
    assert len(ax.collections) == 2  # no dots for the grey ones


def test_a_curve_shows_where_longer_trainings_end() -> None:
    measured = {way: {"10": [0.3], "100": [0.5]} for way in "ab"}
    ax = figures.curve(measured, {"a": "one", "b": "two"}, later={"40 epochs": {"b": [0.6, 0.7]}})
    mark = ax.get_lines()[2]
    assert np.asarray(mark.get_xdata()) == pytest.approx([100])
    assert np.asarray(mark.get_ydata()) == pytest.approx([0.65])
    assert mark.get_color() == ax.get_lines()[1].get_color()
    assert "after 40 epochs" in [text.get_text() for text in ax.texts]


def test_clouds_have_a_panel_a_model_and_a_point_a_text() -> None:
    vectors = {"before": np.eye(6), "after": np.diag([9.0, 4, 1, 0, 0, 0])}
    panels = figures.clouds(vectors, [1, 0, 1, 1, 0, 1], ["x", "y"], title="Apart")
    assert [ax.get_title() or ax.get_title(loc="left") for ax in panels] == ["before", "after"]
    for ax in panels:  # the labels in their order, whichever text comes first
        assert [len(dots.get_offsets()) for dots in ax.collections] == [2, 4]  # type: ignore[arg-type]
    spread = np.concatenate([np.asarray(dots.get_offsets()) for dots in panels[1].collections])
    assert np.ptp(spread[:, 0]) > np.ptp(spread[:, 1])  # most along the first axis


def test_one_more_text_is_ringed_in_every_cloud() -> None:
    vectors = {"before": np.eye(5), "after": np.diag([1.0, 4, 1, 0, 9])}
    panels = figures.clouds(vectors, [1, 0, 1, 0], ["x", "y"], ring="Nina")
    for ax in panels:
        assert [len(dots.get_offsets()) for dots in ax.collections] == [2, 2]  # type: ignore[arg-type]
        assert [text.get_text() for text in ax.texts] == ["Nina"]
    (mark,) = panels[1].get_lines()
    assert abs(np.asarray(mark.get_xdata())).item() > 4  # the last text's own place, far from the others


def test_tags_are_laid_end_to_end() -> None:
    ax = figures.tags_given({"as it is": [3, 0, 1], "changed": [0, 2, 2]}, ["B", "I", "O"], label="names")
    bars = [[(patch.get_x(), patch.get_width()) for patch in box] for box in ax.containers]
    assert bars == [[(0, 3), (0, 0)], [(3, 0), (0, 2)], [(3, 1), (2, 2)]]
    assert [text.get_text() for text in ax.texts] == ["3", "", "", "2", "1", "2"]


def test_old_weights_are_filled_and_what_learns_is_framed() -> None:
    ax = figures.old_and_new(title="New")
    filled, framed, hatched = (
        sum(test(patch) for patch in ax.patches)
        for test in (
            lambda patch: patch.get_facecolor()[:3] == pytest.approx((0xCF / 255, 0xE4 / 255, 0xF3 / 255)),
            lambda patch: patch.get_linewidth() == 3,
            lambda patch: patch.get_hatch() is not None,
        )
    )
    assert [method.name for method in METHODS] == [
        "as pre-trained",
        "fine-tuned",
        "frozen",
        "from random weights",
    ]
    assert filled == (3 + 2) + 3 + 3  # bodies of three parts; two old heads
    assert framed == 4 + 1 + 4  # all, the head alone, all
    assert hatched == 1 + 1 + 4  # new heads, and all of the last


def test_epochs_are_drawn_with_the_first_of_the_best_as_kept() -> None:
    left, right = figures.epochs(LOG, "macro_f1", title="Up")
    assert [np.asarray(line.get_ydata()).tolist() for line in left.get_lines()] == [
        [1.4, 1.1, 0.9],
        [1.3, 1.2, 1.5],
    ]
    score, kept = right.get_lines()
    assert np.asarray(score.get_ydata()).tolist() == [0.25, 0.5, 0.5]
    assert (np.asarray(kept.get_xdata()).tolist(), np.asarray(kept.get_ydata()).tolist()) == ([2.0], [0.5])
    assert right.get_ylabel() == "macro F1 in validation"


def test_the_tokens_of_the_four_jobs_are_the_tokenizers() -> None:
    tokenizer, _ = load("pocket")
    one, two, tags, answer = JOBS
    sentences = {
        "Nina won the race.": one.tokens[1:-1],
        "Tina Rivers plays the oboe.": tags.tokens[1:-1],
        "Where did Noah read?": answer.tokens[1:6],
        "Noah read in the park.": answer.tokens[7:-1],
        "She was last.": two.tokens[7:-1],
    }
    for sentence, tokens in sentences.items():
        assert tokenizer.tokenize(sentence) == list(tokens)
    words = tokenizer("Tina Rivers plays the oboe.").word_ids()
    firsts = [k for k, word in enumerate(words) if word not in {None, *words[:k]}]
    assert [place for place, tag in tags.out.items() if tag != "−100"] == firsts
    assert list(tags.read) == list(tags.out) == list(range(len(tags.tokens)))  # the map reads every vector
    assert (one.numbers, tags.numbers) == (len(FEELINGS), len(TAGS))
    assert " ".join(answer.tokens[9:12]) == "in the park"
    assert list(answer.out) == [9, 11]


def test_the_tokens_that_a_head_reads_are_filled() -> None:
    ax = figures.where_heads_read(title="Where")
    filled = sum(patch.get_facecolor() != (1.0, 1.0, 1.0, 1.0) for patch in ax.patches)
    bodies = [text for text in ax.texts if text.get_text() == "BERT"]
    assert len(bodies) == len(JOBS)
    assert filled == sum(len(job.read) for job in JOBS) + len(bodies)
    poolers = [text for text in ax.texts if text.get_text() == "pooler"]
    assert [job.pooler for job in JOBS] == [0, 0, None, None]  # as in `transformers`' four classes
    assert len(poolers) == 2
    heads = [text.get_text() for text in ax.texts if text.get_text().startswith("linear")]
    assert heads == [
        "linear: 4 numbers",
        "linear: 3 numbers",
        "linear: 6 numbers for each token",
        "linear: 2 numbers for each token",
    ]
    assert len(ax.patches) == sum(len(job.tokens) for job in JOBS) + len(bodies) + len(poolers) + len(heads)
    assert max(patch.get_window_extent().x1 for patch in ax.patches) < ax.get_window_extent().x1


def test_rivals_are_drawn_as_shares_of_all() -> None:
    ax = figures.rivals({"one": 30, "two": 10}, 40, chance=0.25)
    shares = [line.get_xdata() for line in ax.get_lines() if len(line.get_xdata()) == 2]  # type: ignore[arg-type]
    assert any(np.allclose(np.asarray(pair, float), [0.75, 0.25]) for pair in shares)
    assert [text.get_text() for text in ax.texts][:2] == ["30 of 40", "10 of 40"]
