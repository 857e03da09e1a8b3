"""Chapter 03 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

import logging
import math

import numpy as np
import pytest
import torch
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text
from torch import Tensor
from transformers import BertForPreTraining

from bertviz_lite import load
from bertviz_lite.chapters.chapter_03 import (
    agreement,
    exercises as chapter_03,
    figures,
    library_log,
    school,
    square,
    strips,
)
from bertviz_lite.chapters.chapter_03.contributions import contribution_moves
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.evaluation.probes import subject_relations
from bertviz_lite.world import stories
from tests.helpers.tiny_models import make


@pytest.mark.parametrize("hidden", [torch.finfo(torch.float64).min, -math.inf, -1e9])
def test_an_inverted_causal_mask_is_named(hidden: float) -> None:
    def head(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
        triangle = torch.ones(scores.shape[-2:]).tril()
        return scores.masked_fill(triangle == 1, hidden).softmax(dim=-1) @ value

    assert "not yet. The mask is inverted" in chapter_03.causal_head.check(head).text


def test_an_inverted_mask_that_is_added_is_named() -> None:
    def head(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
        return (scores + torch.ones(scores.shape[-2:]).tril() * -1e9).softmax(dim=-1) @ value

    assert "not yet. The mask is inverted" in chapter_03.causal_head.check(head).text


def test_softmax_may_not_be_left_to_torch() -> None:
    for answer in (
        lambda scores: torch.softmax(scores, -1),
        lambda scores: scores.softmax(dim=-1),
        torch.nn.Softmax(dim=-1),
        lambda scores: torch.nn.functional.log_softmax(scores, dim=-1).exp(),
    ):
        assert "torch's own softmax has made them" in chapter_03.softmax_row.check(answer).text
    assert chapter_03.softmax_row.check(lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp())


def test_a_verb_is_misleading_only_where_the_nearest_noun_has_another_number() -> None:
    tokenizer, _ = load("pocket")
    encoded = encode_stories(stories(seed=900_000_021, n=400), tokenizer)
    verbs = subject_relations(encoded, joined=True)
    found = agreement.misleading_verbs(encoded, verbs, tokenizer)
    pairs = {"is": "plural", "was": "plural", "has": "plural"}
    pairs |= {"are": "singular", "were": "singular", "have": "singular"}
    sentences = []
    for relation in found:
        words = {start: word for word, start, _ in encoded[relation.story].words}
        verb, nearest = words[relation.start], words[relation.nearest[0]]
        assert nearest.form == pairs.get(verb.text, "plural" if verb.text.endswith("s") else "singular")
        assert nearest.index != verb.subject
        sentences.append(str(encoded[relation.story].story.sentences[verb.sentence]))
    assert "She had no blue paint, and the sky in the pictures was still white." in sentences
    assert 5 < len(found) < len(verbs) / 10


def test_the_blend_of_the_arrows_is_the_weighted_mean_of_the_values() -> None:
    vectors = {
        "query": [2.0, 1.0],
        "keys": [[1.0, 1.0], [-1.0, 1.0]],
        "values": [[2.0, 0.0], [0.0, 0.0]],
        "weights": [0.75, 0.25],
    }
    ask, mix = figures.arrows(["Anna", "waved"], vectors, asking="she", title="three quarters")
    tips = {text.get_text(): text.xy for text in mix.texts if text.get_text()}
    step = tips.pop("0.75 × Anna")  # along the first axis, somewhere on the way to the blend
    assert step[1] == 0 < step[0] < 1.5
    assert tips == {"Anna": (2.0, 0.0), "waved": (0.0, 0.0), "blend": (1.5, 0.0)}
    assert {text.get_text() for text in ask.texts} == {"", "she asks", "Anna", "3", "waved", "−1"}


def test_weighted_values_stand_tip_to_tail_from_the_heaviest_to_the_blend() -> None:
    vectors = {
        "query": [1.0, 0.0],
        "keys": [[1.0, 0.0]] * 2,
        "values": [[0.0, 4.0], [2.0, 0.0]],
        "weights": [0.25, 0.75],
    }
    _, mix = figures.arrows(["Tom", "Anna"], vectors, asking="she")
    arrows = [
        (text.xyann, text.xy) for text in mix.texts if isinstance(text, Annotation) and text.arrow_patch
    ]
    assert ((0.0, 0.0), (1.5, 0.0)) in arrows  # 0.75 × (2, 0)
    assert ((1.5, 0.0), (1.5, 1.0)) in arrows  # then 0.25 × (0, 4)
    assert arrows[-1] == ((0, 0), (1.5, 1.0))


def test_names_of_arrows_stay_in_the_frame_and_off_the_axes() -> None:
    vectors = {
        "query": [2.0, 1.0],
        "keys": [[1.0, -1.0], [1.0, 1.0], [-1.0, -1.0]],
        "values": [[0.0, 2.0], [2.0, 0.0], [0.0, 0.0]],
        "weights": [0.19, 0.80, 0.01],
    }
    both = figures.arrows(["Tom", "Anna", "blanket"], vectors, asking="[MASK]", title="four fifths")
    both[0].figure.canvas.draw()
    for ax in both:
        frame = ax.get_window_extent()
        zero_x, zero_y = ax.transData.transform((0, 0))
        for text in (text for text in ax.texts if text.get_text()):
            box = Text.get_window_extent(text)  # of the words, without the arrow's way to its tip
            assert frame.x0 < box.x0
            assert box.x1 < frame.x1
            assert frame.y0 < box.y0
            assert box.y1 < frame.y1
            assert not box.x0 <= zero_x <= box.x1
            assert not box.y0 <= zero_y <= box.y1


def test_gazes_are_rows_with_two_decimals_each_and_names_that_are_not_cut() -> None:
    rows = {"[MASK], head 0.3": [0.95, 0.05, 0.001], "[MASK], head 3.0": [0.1, 0.2, 0.7]}
    ax = figures.gazes(rows, ["anna", "itself", "was"], title="One of two")
    assert [label.get_text() for label in ax.get_yticklabels()] == list(rows)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["anna", "itself", "was"]
    assert [text.get_text() for text in ax.texts] == ["0.95", "0.05", "0.00", "0.10", "0.20", "0.70"]
    assert len(ax.figure.axes) == 1  # no colour bar: the numbers are written


def test_maps_of_heads_have_layers_down_and_heads_across() -> None:
    numbers = np.arange(6.0).reshape(2, 3)
    first, second = figures.head_maps({"one": numbers, "other": -numbers}, limits=[5, 5])
    assert [label.get_text() for label in first.get_yticklabels()] == ["layer 0", "layer 1"]
    assert [label.get_text() for label in second.get_xticklabels()] == ["0", "1", "2"]
    assert [text.get_text() for text in first.texts] == ["0", "1", "2", "3", "4", "5"]
    assert len(first.figure.axes) == 2  # no colour bar: the numbers are written


def test_what_the_library_warns_of_is_kept_and_its_handlers_come_back() -> None:
    log = logging.getLogger("transformers")
    usual = log.handlers
    with library_log.heard() as messages:
        log.warning("No weights. Ask for eager attention.")
    assert messages == ["No weights"]
    assert log.handlers is usual


def test_hidden_verbs_are_scored_on_stories_of_odd_number_with_the_verb_out_of_sight() -> None:
    tokenizer, model = load("pocket")
    encoded = encode_stories(stories(seed=900_000_021, n=400), tokenizer)
    hard = agreement.misleading_verbs(encoded, subject_relations(encoded, joined=True), tokenizer)
    result = agreement.hidden_verbs(model, tokenizer, encoded, hard)
    scored = [verb for verb in hard if verb.story % 2]
    other = {"is": "are", "was": "were", "has": "have"}
    other |= {wrong: right for right, wrong in other.items()}
    right, found, singular = [], [], []
    for verb in scored:
        input_ids = torch.tensor(encoded[verb.story].input_ids)[None]
        form = tokenizer.decode(input_ids[0, verb.start : verb.stop])
        singular.append(form.endswith("s"))
        wrong = other.get(form) or (form.removesuffix("s") if singular[-1] else f"{form}s")
        hidden = input_ids.clone()
        hidden[0, verb.start] = tokenizer.mask_token_id
        with torch.no_grad():
            output = model(hidden, output_attentions=True)
        likely = output.prediction_logits[0, verb.start]
        right.append(bool(likely[input_ids[0, verb.start]] > likely[tokenizer.vocab[wrong]]))
        assert right[-1] == agreement.form_is_right(model, tokenizer, encoded, verb)
        layer, head = result.best
        row = output.attentions[layer][0, head, verb.start, 1:-1]
        found.append(int(row.argmax()) + 1 in verb.targets)
    assert 0 < len(scored) == result.n < len(hard)
    assert result.right == pytest.approx(np.mean(right))
    assert result.head == pytest.approx(np.mean(found))
    assert result.usual == pytest.approx(max(np.mean(singular), 1 - np.mean(singular)))
    at = [verb.start + result.offset in verb.targets for verb in scored]
    assert result.guess == pytest.approx(np.mean(at))
    lengths = [len(encoded[verb.story].input_ids) - 2 for verb in scored]
    shares = [len(verb.targets) / length for verb, length in zip(scored, lengths, strict=True)]
    assert result.chance == pytest.approx(np.mean(shares))


def test_the_bars_show_the_model_in_colour_beside_rules_in_grey_and_say_of_how_many() -> None:
    result = agreement.HiddenVerbs(
        n=8, right=0.875, usual=0.75, head=0.25, best=(2, 1), guess=0.375, offset=-5, chance=0.02
    )
    forms, subjects = figures.verb_bars(result)
    drawn = [[bar for bar in ax.patches if isinstance(bar, Rectangle)] for ax in (forms, subjects)]
    assert [[bar.get_width() for bar in bars] for bars in drawn] == [[0.875, 0.75], [0.25, 0.375, 0.02]]
    (model, usual), (head, guess, chance) = [[bar.get_facecolor() for bar in bars] for bars in drawn]
    assert model == head != usual == guess == chance
    labels = [label.get_text() for label in subjects.get_yticklabels()]
    assert labels == ["head 2.1", "always 5 tokens before", "a word at random"]
    assert subjects.get_xlabel() == "share of 8 verbs"


def test_outlined_heads_get_a_frame_where_they_stand() -> None:
    numbers = np.arange(6.0).reshape(2, 3)
    first, second = figures.head_maps({"one": numbers, "other": numbers}, outlined={"one": numbers == 5})
    boxes = [box for box in first.patches if isinstance(box, Rectangle)]
    centres = [(box.get_x() + box.get_width() / 2, box.get_y() + box.get_height() / 2) for box in boxes]
    assert centres == [pytest.approx((2, 1))]
    assert not second.patches


def test_arrows_show_angles_as_they_are() -> None:
    one = np.array([[1.0, 1.0]])
    vectors = {"query": one[0], "keys": one, "values": 0 * one, "weights": np.ones(1)}
    axes = figures.arrows(["Anna"], vectors, asking="[MASK]")
    assert [ax.get_aspect() for ax in axes] == [1, 1]


def test_in_the_scene_the_thick_lines_lead_to_one_label_and_from_its_message() -> None:
    ax = school.scene(title="Found by the label")
    places = {text.get_text(): text.get_position() for text in ax.texts}
    thick = [line for line in ax.lines if line.get_linewidth() > 5]
    assert len(ax.lines) == 6
    assert len(thick) == 2
    to_label, from_message = (line.get_xydata() for line in thick)
    row = places["a person, was\ngiven a blanket"][1]
    assert places["“I'm a girl”"][1] == row == to_label[1][1] == from_message[0][1]
    assert to_label[1][0] < places["Anna"][0] < from_message[0][0]
    for column in ax.lines[::2], ax.lines[1::2]:  # to the labels, from the messages
        tom, anna, blanket = (line.get_linewidth() for line in column)
        assert blanket < tom / 2 < anna / 4  # as the weights of the sum by hand: 0.01, 0.19, 0.80


def test_the_scene_in_numbers_has_vectors_in_its_boxes_and_weights_on_its_lines() -> None:
    vectors = {
        "query": [2, 1],
        "keys": [[1, -1], [1, 1]],
        "values": [[0, 2], [2, 0]],
        "weights": [0.25, 0.75],
    }
    ax = school.scene_in_numbers(["Tom", "Anna"], vectors, title="In numbers")
    words = [text.get_text() for text in ax.texts]
    assert {"(2, 1)", "(1, −1)", "(1, 1)", "(0, 2)", "(2, 0)", "(1.5, 0.5)", "Tom", "Anna"} <= {*words}
    assert (words.count("0.25"), words.count("0.75")) == (2, 2)


def test_padding_has_closed_columns_and_every_row_sums_to_one() -> None:
    scores = np.array([[0.0, 0.0, 9.0], [1.0, 1.0, 9.0], [2.0, 2.0, 9.0]])
    ax = square.padded(["Max", "sleeps", "[PAD]"], scores, [True, True, False], title="Closed")
    _, weights = ax.images
    assert np.asarray(weights.get_array()).tolist() == [[0.5, 0.5, 0]] * 3
    words = [text.get_text() for text in ax.texts]
    assert {"−∞", "0", "scores", "weights"} <= {*words}
    assert (words.count("1"), words.count("[PAD]")) == (3, 4)  # two rows, two columns


def test_what_the_chapter_asks_first_is_told_by_the_figures() -> None:
    rows = {"she, head 0.3": [0.7, 0.3], "[MASK], head 3.0": [0.8, 0.2], "[MASK], head 3.1": [0.6, 0.4]}
    told = "Anna gets the largest weight from “she” in head 0.3, from [MASK] in heads 3.0 and 3.1"
    assert figures.looked_at(rows, ["anna", "was"], "anna") == told
    assert figures.looked_at(rows, ["anna", "was"], "was") == "Was gets the largest weight nowhere"
    looks, changed, names = np.array([[0.1, 0.9]]), np.array([[19, 0]]), np.array([[1, 18]])
    told = "Head 0.1 looks harder; yet 0.0 changes 19 of 20 pronouns, 0.1 changes 18 names"
    assert figures.swaps_told(looks, changed, names, count=20) == told
    told = "Head 0.0 looks hardest, and changes 19 of 20 pronouns"
    assert figures.swaps_told(1 - looks, changed, names, count=20) == told


@pytest.mark.parametrize(("layer", "head"), [(0, 1), (1, 0)])
def test_a_contribution_moves_as_far_as_the_library_says_when_two_keys_are_really_swapped(
    layer: int, head: int
) -> None:
    model = make(BertForPreTraining, attn_implementation="eager").eval()
    batch = {"input_ids": torch.tensor([[2, 7, 8, 9, 3], [2, 10, 11, 12, 3]])}
    at, one, other = torch.tensor([3, 1]), 2, 4
    attention = model.bert.encoder.layer[layer].attention
    size = attention.self.attention_head_size

    def swap(_module: object, _inputs: object, keys: Tensor) -> Tensor:
        keys = keys.clone()
        part = slice(head * size, (head + 1) * size)
        keys[:, [one, other], part] = keys[:, [other, one], part]
        return keys

    handed_on: list[Tensor] = []
    attention.output.dense.register_forward_hook(lambda _module, _inputs, output: handed_on.append(output))
    with torch.no_grad():
        model.bert(**batch)
        hook = attention.self.key.register_forward_hook(swap)
        model.bert(**batch)
        hook.remove()
    usual, moved = (output[torch.arange(2), at] for output in handed_on)
    found = contribution_moves(model, batch, at, one, other)
    assert found.shape == (2, 2, 2)
    torch.testing.assert_close(found[:, layer, head], (moved - usual).norm(dim=-1))


def test_with_labels_or_messages_swapped_the_thick_line_leads_from_the_boys_message() -> None:
    (labels, messages), words = school.swapped_scenes()
    assert words.endswith("either way, “I'm a boy” is loudest.")
    for ax, wearer, sayer in (labels, "Tom", "Tom"), (messages, "Anna", "Anna"):
        places = {text.get_text(): text.get_position() for text in ax.texts}
        to_label, from_message = (line.get_xydata() for line in ax.lines if line.get_linewidth() > 5)
        assert places["a person, was\ngiven a blanket"][1] == to_label[1][1]
        assert places["“I'm a boy”"][1] == from_message[0][1]
        assert abs(places[wearer][1] - to_label[1][1]) < 0.5
        assert abs(places[sayer][1] - from_message[0][1]) < 0.5
        assert "mostly\n“I'm a boy”" in places


def _strips(ax: Axes) -> list[tuple[list[float], list[list[float]]]]:
    """List where each strip is (left, right, bottom, top), and its numbers."""
    return [(list(image.get_extent()), np.asarray(image.get_array()).tolist()) for image in ax.images]


def test_a_head_is_drawn_with_its_slice_and_the_blend_is_the_sum_of_the_weighted_values() -> None:
    token = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])
    vectors = {
        "token": token,
        "query": 10 * token,
        "key": 100 * token,
        "value": -token,
        "weights": [0.25, 0.75],
    }
    ax = strips.one_head(["she", "Anna"], vectors, head_size=2, head=1, asking=0, made_of=1)
    drawn = [numbers for _, [numbers] in _strips(ax)]
    assert drawn[:4] == [[5, 6, 7, 8], [50, 60, 70, 80], [500, 600, 700, 800], [-5, -6, -7, -8]]
    query, *table, blend = drawn[4:]
    assert query == [30, 40]  # of “she”, the second half: head 1
    she, anna = table[:4], table[4:]  # key, query × key, value, weight × value
    assert she == [[300, 400], [9000, 16000], [-3, -4], [-0.75, -1]]
    assert anna == [[700, 800], [21000, 32000], [-7, -8], [-5.25, -6]]
    assert blend == [-6, -7]
    words = {text.get_text() for text in ax.texts}
    assert {"Anna's vector", "head 0", "head 1", "2:4", "she's query", "0.25", "0.75"} <= words


def test_what_the_heads_add_is_drawn_above_its_sum_with_one_head_framed() -> None:
    # of three heads with two numbers each; the second adds twice its blend, and the bias is 1 everywhere
    blends, added = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.zeros((3, 6))
    added[1, :2] = 6, 8
    added[2] = -2
    ax = strips.all_heads(blends, added, np.ones(6), head=1)
    places, drawn = zip(*_strips(ax), strict=True)
    assert drawn[0] == [[1, 2, 3, 4, 5, 6]]
    assert drawn[1:5] == ([[0] * 6], [[6, 8, 0, 0, 0, 0]], [[-2] * 6], [[1] * 6])
    assert drawn[5] == [[5, 7, -1, -1, -1, -1]]
    above, below = (box for box in ax.patches if isinstance(box, Rectangle))
    left, right, *_ = places[0]
    third = (right - left) / 3
    assert (above.get_x(), above.get_width()) == pytest.approx((left + third, third))
    assert (below.get_x(), below.get_y()) == pytest.approx((places[2][0], places[2][2]))
    assert len({(image.norm.vmin, image.norm.vmax) for image in ax.images[1:]}) == 1  # of one scale
    words = [text.get_text() for text in ax.texts]
    assert [word for word in words if word.startswith("from")] == [
        f"from head {number}" for number in range(3)
    ]


def test_the_formula_is_drawn_with_softmax_by_rows_and_blends_beside_the_weights() -> None:
    query, key = [[0.0] * 4, [2 * np.log(3), 0.0, 0.0, 0.0]], [[0.0] * 4, [1.0, 0.0, 0.0, 0.0]]
    value = [[4.0, 0.0, 0.0, 0.0], [0.0, 8.0, 0.0, 0.0]]
    ax = square.all_tokens(["she", "Anna"], query, key, value, asking=1, answering=0, title="At once")
    places, drawn = zip(*_strips(ax), strict=True)
    queries, keys, scores, weights, values, blends = (np.array(numbers) for numbers in drawn)
    assert queries == pytest.approx(np.array(query))
    assert keys == pytest.approx(np.array(key).T)
    assert values == pytest.approx(np.array(value))
    # by √4: the score of the second query with the second key is 2 ln 3 / 2, so e to its power is 3
    assert scores == pytest.approx(np.array([[0, 0], [0, np.log(3)]]))
    assert weights == pytest.approx(np.array([[0.5, 0.5], [0.25, 0.75]]))
    assert blends == pytest.approx(np.array([[2, 4, 0, 0], [1, 6, 0, 0]]))
    of_query, of_key, of_score, of_weight, of_value, of_blend = places
    assert of_query[2:] == of_score[2:] == of_weight[2:] == of_blend[2:]  # a row runs through all four
    assert of_key[:2] == of_score[:2]
    assert of_value[:2] == of_blend[:2]
    second = (of_query[2] + of_query[3]) / 2 - (of_query[3] - of_query[2]) / 2  # its lower edge
    boxes = [box for box in ax.patches if isinstance(box, Rectangle)]
    assert [box.get_y() for box in boxes[:4]] == pytest.approx([second] * 4)


def test_a_head_is_drawn_with_its_scores_rounded_and_without_a_negative_zero() -> None:
    token = np.array([[2.0, 0.0], [-0.02, 1.0]])
    vectors = {"token": token, "query": token, "key": token, "value": token, "weights": [0.9, 0.1]}
    ax = strips.one_head(["she", "Anna"], vectors, head_size=2, head=0, asking=0, made_of=1)
    words = {text.get_text() for text in ax.texts}
    assert {"2.8", "0.0"} <= words  # 4 / √2 and −0.04 / √2


def test_the_framed_weights_are_said_and_the_largest_of_the_rest() -> None:
    maps = {"on Anna": [[0.1, 0.6], [0.3, 0.2]], "on Tom": [[0.0, 0.4], [0.25, 0.1]]}
    outlined = {"on Anna": [[False, True], [True, False]], "on Tom": [[False, True], [False, False]]}
    title, rest = figures.framed_weights(maps, outlined)
    assert title == "In 2 of 4 heads, Anna gets the largest weight: 0.30 and 0.60"
    assert rest == 0.25


def test_weights_are_coloured_by_their_root_and_counts_are_not() -> None:
    weights, counts = figures.head_maps({"weight": [[0.25, 1.0]], "count": [[5, 20]]}, limits=[1, 20])
    assert weights.images[0].norm(0.25) == pytest.approx(0.5)
    assert counts.images[0].norm(5) == pytest.approx(0.25)
    assert figures.gazes({"she": [0.25, 0.75]}, ["a", "b"]).images[0].norm(0.25) == pytest.approx(0.5)


def test_the_weights_of_the_sum_by_hand_follow_from_the_vector() -> None:
    made = chapter_03.weights_of_query
    by_hand, with_bias, _ = [made.call(made.reference, *case.copy()) for case in made.cases()]
    assert by_hand.tolist() == pytest.approx([0.19, 0.80, 0.01], abs=0.005)
    # (0, 2) gives (2, 2), the bias (1, −1) makes it (3, 1): dot products 2, 4, −4
    powers = np.exp(np.array([2, 4, -4]) / 2**0.5)
    assert by_hand.shape == with_bias.shape == (3,)
    assert with_bias.tolist() == pytest.approx(list(powers / powers.sum()))


@pytest.mark.parametrize(
    ("head", "control", "said"),
    [
        ((3, 2), ("come", "[SEP]"), "cause: right"),
        ((3, 2), ("come", "that"), "isn't fair"),
        ((3, 2), ("[SEP]", "[SEP]"), "isn't fair"),
        ((3, 2), ("Vera", "that"), "has a name in it"),
        ((3, 0), ("come", "[SEP]"), "the one of the blanket"),
        ((2, 3), ("come", "[SEP]"), "The layer comes first"),
        ((3, 4), ("come", "[SEP]"), "at most half of the 20 pronouns change"),
        ((3, 2), ("because", "[SEP]"), "'because' is none of the tokens [CLS] anna promised"),
        ((4, 2), ("come", "[SEP]"), "there is no head 4.2"),
        ((3, 2), (8, 9), "as words, not as places"),
    ],
)
def test_a_cause_and_its_control_are_tried_on_the_model(
    head: tuple[int, int], control: tuple[str, str], said: str
) -> None:
    assert said in chapter_03.cause.check(lambda: (head, control)).text.splitlines()[0]


def test_a_cause_without_a_control_is_refused() -> None:
    assert "return a head and two tokens" in chapter_03.cause.check(lambda: (3, 2)).text
