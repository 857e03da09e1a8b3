"""Chapter 15: what its helpers say of words and of two models, tried another way."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.collections import PathCollection
from matplotlib.patches import Rectangle
from torch.nn.functional import cosine_similarity

from bertviz_lite import load
from bertviz_lite.chapters.chapter_15 import alike, arms, cuts, swans, tables_drawn, tearing
from bertviz_lite.chapters.chapter_15.same_events import EVENTS, Event, nothing_shared
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.recorded.by_seed import BySeed
from bertviz_lite.plots.display import picture

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerBase

    Parts = tuple[PreTrainedTokenizerBase, BertForPreTraining]


@pytest.fixture(scope="module")
def chinese() -> Parts:
    tokenizer, model = load("pocket-zh")
    return tokenizer, model.double()


def test_each_topic_has_five_events_and_each_model_knows_every_word(chinese: Parts) -> None:
    assert set(Counter(event.topic for event in EVENTS).values()) == {5}
    assert len({event.english for event in EVENTS}) == len({event.chinese for event in EVENTS}) == 40
    english = load("pocket")[0]
    for event in EVENTS:
        assert not any(token.startswith("##") for token in english.tokenize(event.english)), event.english
        for tokenizer, text in ((english, event.english), (chinese[0], event.chinese)):
            assert tokenizer.unk_token not in tokenizer.tokenize(text), text


def test_pairs_that_share_a_word_in_either_language_are_not_apart() -> None:
    events = [
        Event("a", "The dog runs to the park.", "小狗跑了。"),
        Event("b", "A dog is in the house.", "家里有一只犬。"),
        Event("c", "The cat sleeps.", "小猫睡了。"),
        Event("d", "It rains.", "下雨了。"),
    ]
    apart = nothing_shared(events).tolist()
    pairs = {(one, other) for one in range(4) for other in range(one) if apart[one][other]}
    assert pairs == {(2, 1), (3, 0), (3, 1), (3, 2)}  # "dog" in 0 and 1, 小 in 0 and 2
    assert apart == [list(column) for column in zip(*apart, strict=True)]
    strict = nothing_shared(events, grammar=True).tolist()
    pairs = {(one, other) for one in range(4) for other in range(one) if strict[one][other]}
    assert pairs == {(3, 1)}  # "the" in 0, 1 and 2, 了 in 0, 2 and 3


def test_the_vector_of_a_text_is_the_mean_over_its_own_tokens(chinese: Parts) -> None:
    tokenizer, model = chinese
    texts = ["小猫喝牛奶。", "犇在湖里。", "好"]
    vectors = alike.sentence_vectors(tokenizer, model, texts)
    for number, text in enumerate(texts):
        with torch.no_grad():
            states = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        for layer, hidden in enumerate(states):
            wanted = hidden[0, 1:-1].mean(dim=0)  # one text alone: [CLS], its tokens, [SEP]
            torch.testing.assert_close(vectors[layer, number], wanted)


def test_tokens_can_be_left_out_of_the_mean(chinese: Parts) -> None:
    tokenizer, model = chinese
    vectors = alike.sentence_vectors(tokenizer, model, ["小猫喝了牛奶。", "好"], without={"了", "。"})
    with torch.no_grad():
        states = model(**tokenizer("小猫喝了牛奶。", return_tensors="pt"), output_hidden_states=True)
    for layer, hidden in enumerate(states.hidden_states):
        wanted = hidden[0, [1, 2, 3, 5, 6]].mean(dim=0)
        torch.testing.assert_close(vectors[layer, 0], wanted)


def test_likeness_is_the_cosine_without_the_common_mean() -> None:
    vectors = torch.randn(2, 5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    table = alike.likeness(vectors)
    centred = vectors - vectors.mean(dim=1, keepdim=True)
    for layer in range(2):
        for row in range(5):
            wanted = cosine_similarity(centred[layer, row][None], centred[layer], dim=-1)
            torch.testing.assert_close(table[layer, row], wanted)


def test_agreement_is_the_correlation_of_pairs() -> None:
    draw = np.random.default_rng(0)
    one, other = draw.normal(size=(2, 6, 6))
    kept = np.ones((6, 6), dtype=bool)
    kept[0, 1] = kept[2, 5] = False
    for counted, rest in ((None, np.triu(np.ones((6, 6), dtype=bool), 1)), (kept, np.triu(kept, 1))):
        found = alike.agreement(
            torch.tensor(one), torch.tensor(other), None if counted is None else torch.tensor(counted)
        )
        assert found == pytest.approx(np.corrcoef(one[rest], other[rest])[0, 1])


def test_what_follows_from_a_third_table_is_taken_off() -> None:
    third = torch.rand(9, 9, generator=torch.Generator().manual_seed(1)).double()
    one, other = (torch.rand(9, 9, generator=torch.Generator().manual_seed(n)).double() for n in (2, 3))
    assert alike.agreement(one + 9 * third, other + 9 * third) > 0.9
    left = alike.agreement(one + 9 * third, other + 9 * third, given=[third])
    assert left == pytest.approx(alike.agreement(one, other, given=[third]))


def test_two_tables_are_drawn_by_topic_with_a_dot_for_each_pair() -> None:
    topics = [*"aabbb"]
    near = {name: alike.likeness(torch.randn(5, 4).double()) for name in ("one", "other")}
    axes = tables_drawn.draw_tables(near, topics, title="Two tables", named={(3, 1): "a pair"})
    for ax, (name, table) in zip(axes[:2], near.items(), strict=True):
        shown = np.asarray(ax.images[0].get_array())
        within = [float(table[i, j]) for i in (2, 3, 4) for j in (2, 3, 4) if i != j]
        wanted = [[float(table[0, 1]), float(table[:2, 2:].mean())]]
        wanted += [[float(table[2:, :2].mean()), float(np.mean(within))]]
        np.testing.assert_allclose(shown, wanted)
        assert ax.get_title(loc="left") == name
    assert [tick.get_text() for tick in axes[0].get_yticklabels()] == ["a", "b"]
    dots, ring_of_dot = (
        np.asarray(marks.get_offsets()) for marks in axes[2].collections if isinstance(marks, PathCollection)
    )
    wanted = [[float(table[i, j]) for table in near.values()] for i in range(5) for j in range(i + 1, 5)]
    np.testing.assert_allclose(dots, wanted)
    np.testing.assert_allclose(ring_of_dot, [[float(table[1, 3]) for table in near.values()]])
    assert [text.get_text() for text in axes[2].texts] == ["a pair"]
    line = axes[2].lines[0]  # least squares: it passes through the mean of the dots
    assert np.interp(dots[:, 0].mean(), line.get_xdata(), line.get_ydata()) == pytest.approx(
        dots[:, 1].mean()
    )
    assert near["one"].diagonal().allclose(torch.ones(5).double())  # the table itself stays as it was
    assert len(picture(axes, "Two squares, and dots.").png) < 100_000


def test_turning_all_vectors_leaves_the_agreement_and_shuffling_the_events_does_not() -> None:
    vectors = torch.randn(30, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    turn = torch.linalg.qr(torch.randn(8, 8, dtype=torch.float64)).Q
    one, other = alike.likeness(vectors), alike.likeness(3 * vectors @ turn + 1)
    assert alike.agreement(one, other) == pytest.approx(1)
    chance = alike.shuffled(one, other, times=50)
    assert chance == sorted(chance)
    assert len(chance) == 50
    assert abs(sum(chance) / 50) < 0.05
    assert chance[-1] < 0.4


def test_a_box_for_each_part_and_no_text_beside_another() -> None:
    ax = cuts.draw_cuts({"BERT": list("白天鹅"), "words": ["白", "天鹅"], "x": ["白天", "鹅"]}, title="Cuts")
    boxes = [(box.get_y(), box.get_width()) for box in ax.patches if isinstance(box, Rectangle)]
    assert len(boxes) == 3 + 2 + 2
    assert len({round(low, 3) for low, _ in boxes}) == 3
    assert len(ax.texts) == len(boxes)
    plt.close(ax.figure)
    with pytest.raises(ValueError, match="equally long"):
        cuts.draw_cuts({"one": ["白"], "other": ["黑", "天"]}, title="")


def test_an_arm_has_a_mark_for_each_seed_in_every_row_and_a_line_from_the_lowest_to_the_highest() -> None:
    values = {"one": [0.5, 0.7, 0.6], "other": [0.2, 0.1, 0.3]}
    seeds = [{name: [numbers[seed], 10] for name, numbers in values.items()} for seed in range(3)]
    variant = {"what": "", "beside": "characters", "parameters": 1, "seeds": seeds}
    found = BySeed({"recipe": {}, "variants": dict.fromkeys(arms.ARMS, variant)})
    rows = {name: (name, 0) for name in values}
    ax = arms.draw_arms(found, rows, title="No arm wins", label="right")
    drawn = [np.asarray(marks.get_offsets()) for marks in ax.collections if isinstance(marks, PathCollection)]
    assert [len(marks) for marks in drawn] == [2 * 3] * len(arms.ARMS)
    assert drawn[0][:, 0].tolist() == values["one"] + values["other"]
    assert {round(height) for height in drawn[0][:, 1]} == {0, 1}
    assert [list(line.get_xdata()) for line in ax.lines[:2]] == [[0.5, 0.7], [0.1, 0.3]]
    plt.close(ax.figure)


def test_every_arm_of_the_figure_is_recorded_with_three_seeds_and_its_words() -> None:
    results = recorded("chinese_masking")
    assert set(arms.ARMS) == set(BySeed(results).names) == set(results["words"])
    for name in arms.ARMS:
        assert len(BySeed(results).values(name, "characters", 0)) == 3
    assert results["words"]["whole words"]["f1"] == 1
    assert results["words"]["characters"]["characters"] == 1
    assert results["words"]["shuffled words"]["characters"] == results["words"]["whole words"]["characters"]


def test_a_word_is_torn_if_some_of_its_characters_are_chosen_and_some_are_not() -> None:
    continues = torch.tensor([[0, 0, 1, 0, 1, 1], [0, 1, 0, 0, 1, 0]], dtype=torch.bool)
    chosen = torch.tensor([[1, 1, 1, 0, 1, 1], [1, 0, 1, 0, 0, 0]], dtype=torch.bool)
    assert tearing.torn_words(chosen, continues) == (2, 4)  # the word of three, and the next row's first


def test_a_row_for_each_pair_on_the_way() -> None:
    pairs = {"one": (0.3, 0.2), "other": (0.6, 0.4)}
    told = {"title": "Hardly", "members": ("black", "evening"), "ends": ("day", "swan")}
    ax = swans.draw_way(pairs, **told)
    drawn = [np.asarray(marks.get_offsets()) for marks in ax.collections if isinstance(marks, PathCollection)]
    np.testing.assert_allclose(drawn[0], [[0.3, 0], [0.6, 1]])
    np.testing.assert_allclose(drawn[1], [[0.2, 0], [0.4, 1]])
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["one", "other"]
    assert [text.get_text() for text in ax.texts] == ["+0.10", "+0.20"]
    plt.close(ax.figure)
