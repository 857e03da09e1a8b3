"""Chapter 08 in a reader's words: parameters that share memory are not tied, and the feedback says why."""

from types import SimpleNamespace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from transformers import BertForMaskedLM, BertForPreTraining, PreTrainedTokenizerFast

from bertviz_lite import load
from bertviz_lite.chapters.chapter_08 import (
    boxes,
    exercises as chapter_08,
    figures,
    hidden_words,
    pictures,
    writing,
)
from bertviz_lite.chapters.chapter_08.near_misses import best_of_one, near_misses
from bertviz_lite.data.cloze import Cloze, guess
from bertviz_lite.evaluation.probes import linear_probe
from bertviz_lite.evaluation.recorded.by_seed import BySeed

TWICE = "Each keeps its own gradient, and an optimizer moves the numbers twice."


def test_sharing_memory_is_no_retie_and_training_is_not_said_to_part_it() -> None:
    def shares(model: BertForMaskedLM) -> BertForMaskedLM:
        model.get_output_embeddings().weight.data = model.get_input_embeddings().weight.data
        return model

    verdict = chapter_08.retie.check(shares)
    assert verdict.passed is False
    assert TWICE in verdict.text
    assert "parts them" not in verdict.text


def test_what_the_feedback_says_of_shared_memory_holds_in_torch() -> None:
    first, second = (nn.Parameter(torch.zeros(3, dtype=torch.float64)) for _ in range(2))
    second.data = first.data
    optimizer = torch.optim.SGD([first, second], lr=0.1)
    for step in range(1, 4):
        optimizer.zero_grad()
        with torch.enable_grad():
            first.sum().backward()
        assert second.grad is None  # its own gradient, which this loss does not reach
        second.grad = torch.ones_like(second)
        optimizer.step()
        assert torch.allclose(first, torch.full_like(first, -0.2 * step))
        assert torch.equal(first, second)


START = "Anna lost her key. She"


def pocket() -> tuple[PreTrainedTokenizerFast, BertForPreTraining]:
    tokenizer, model = load("pocket")
    assert isinstance(tokenizer, PreTrainedTokenizerFast)
    assert isinstance(model, BertForPreTraining)
    return tokenizer, model


def gap_of(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ids of the text with `count` masks, and the places of the masks."""
    tokenizer, _ = load("pocket")
    ids = np.array(tokenizer(f"{START} {'[MASK] ' * count}.")["input_ids"])
    return ids, np.flatnonzero(ids == tokenizer.mask_token_id)


def test_gaps_filled_at_once_are_answered_apart_from_each_other() -> None:
    tokenizer, model = pocket()
    ids, places = gap_of(4)
    (answers,) = guess(model, [Cloze(ids, places)], tokenizer.mask_token_id)
    written = writing.fill_gap(model, tokenizer, START, 4, at_once=True)
    assert written == [*answers.best, *ids[places[-1] + 1 : -1]]
    assert tokenizer.decode(written[-1:]) == "."


def test_gaps_filled_one_by_one_are_answered_with_what_is_written_before_them() -> None:
    tokenizer, model = pocket()
    ids, places = gap_of(4)
    written = writing.fill_gap(model, tokenizer, START, 4, at_once=False)
    ids[places] = written[:-1]
    for number, place in enumerate(places):
        asked = Cloze(ids, np.array([place]), hidden=places[number:])
        (answer,) = guess(model, [asked], tokenizer.mask_token_id)
        assert answer.best[0] == written[number]


def test_runs_of_three_are_counted_once_for_each_place() -> None:
    assert writing.runs_of_three([5, 6, 7, 8]) == [(5, 6, 7), (6, 7, 8)]
    assert writing.known_runs([[5, 6, 7, 8], [5, 6], [5, 6, 7]], {(5, 6, 7)}) == (2, 3)


def test_a_writer_stops_at_the_end_and_at_the_most() -> None:
    class Counts(nn.Module):
        """Says the number that follows the last one."""

        def forward(self, ids: torch.Tensor) -> SimpleNamespace:
            return SimpleNamespace(logits=torch.eye(9)[(ids + 1) % 9])

    start = torch.tensor([[1, 2]])
    assert writing.write(Counts(), start, end=5, most=9) == [3, 4, 5]
    assert writing.write(Counts(), start, end=5, most=2) == [3, 4]


def test_second_sentences_to_write_end_in_their_only_full_stop() -> None:
    tokenizer, _ = load()
    asked = writing.asked(tokenizer, 20)
    assert len(asked) == 20
    texts = [str(tokenizer.decode(list(opening.second))) for opening in asked]
    assert all(text.endswith(".") and text.count(".") == 1 for text in texts)


def test_hidden_words_are_those_that_their_story_decides() -> None:
    tokenizer, model = pocket()
    hidden = hidden_words.by_kind(model, tokenizer, 900_000_061, 8, ["pronoun", "agreement"], texts=400)
    pronouns = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their"}
    pronouns |= {"himself", "herself", "itself", "themselves", "hers", "theirs"}
    assert set(tokenizer.convert_ids_to_tokens(hidden["pronoun"].answers.tolist())) <= pronouns
    verbs = hidden["agreement"]
    assert verbs.vectors.shape == (model.config.num_hidden_layers + 1, 8, model.config.hidden_size)
    assert (best(model, verbs)[-1] == verbs.answers).double().mean() > 0.8


def test_a_lens_and_a_probe_choose_among_the_same_words_on_places_that_the_probe_has_not_seen() -> None:
    tokenizer, model = pocket()
    pronouns = hidden_words.by_kind(model, tokenizer, 900_000_061, 60, ["pronoun"], texts=600)["pronoun"]
    words = torch.tensor(tokenizer.convert_tokens_to_ids(["her", "his", "she", "he"]))
    those = torch.isin(pronouns.answers, words)
    half = int(those.sum()) // 2
    curves, scored = hidden_words.lens_and_probe(model, pronouns, words)
    assert scored == int(those.sum()) - half
    truth = pronouns.answers[those][half:]
    layer = pronouns.vectors[1][those][half:]
    with torch.no_grad():
        logits = model.cls.predictions(layer)
    outside = torch.ones(logits.shape[1], dtype=torch.bool)
    outside[words] = False
    among = logits.masked_fill(outside, -torch.inf).argmax(dim=-1)
    assert curves["lens, these words"][1] == (among == truth).double().mean()
    assert curves["lens, all words"][1] < curves["lens, these words"][1] < 1
    learned = pronouns.answers[those][:half]
    guesses = linear_probe(pronouns.vectors[1][those][:half].numpy(), learned.numpy(), layer.numpy())
    assert curves["probe, these words"][1] == (guesses == truth.numpy()).mean()
    assert curves["always the most frequent"][0] == (truth == learned.mode().values).double().mean()


def test_a_number_for_each_word_mends_a_lens_that_is_off_by_just_that() -> None:
    class Off(nn.Module):
        """A head that is right but for a number of each word's."""

        def forward(self, vectors: torch.Tensor) -> torch.Tensor:
            return vectors + torch.tensor([0.0, 9.0, 0.0])

    answers = torch.tensor([0, 1, 2] * 8)
    vectors = 4.0 * torch.nn.functional.one_hot(answers, 3)[None]
    model = SimpleNamespace(cls=SimpleNamespace(predictions=Off()))
    hidden = hidden_words.Hidden(vectors, answers)
    shares = hidden_words.shifted_lens(model, hidden, torch.arange(3))  # type: ignore[arg-type]
    assert shares.tolist() == [1.0]


def best(model: BertForPreTraining, hidden: hidden_words.Hidden) -> torch.Tensor:
    with torch.no_grad():
        return torch.as_tensor(model.cls.predictions(hidden.vectors).argmax(dim=-1))


def test_a_near_miss_is_wrong_in_tense_alone_or_in_person_alone() -> None:
    said = ["was", "had", "has", "are", "had", "fell"]
    right = ["is", "have", "have", "is", "is", "was"]
    counts = near_misses("agreement", said, right)
    near, far = "only the tense wrong", "another form of be or have"
    assert counts == {"right": 0, near: 2, far: 3, "another word": 1}
    said, right = ["he", "her", "her", "her", "my"], ["she", "his", "him", "she", "my"]
    counts = near_misses("pronoun", said, right)
    assert counts == {"right": 1, "only the person wrong": 3, "another pronoun": 1, "another word": 0}
    assert best_of_one("pronoun", ["his", "him", "him"]) == ("her", 3)


def test_the_commonest_word_of_a_kind_is_one_of_that_kind() -> None:
    tokenizer, _ = pocket()
    found = hidden_words.commonest(tokenizer, ["agreement", "pronoun"], texts=150)
    verb, pronoun = tokenizer.convert_ids_to_tokens(list(found.values()))
    assert verb in {"am", "is", "are", "was", "were", "has", "have"}
    assert pronoun in {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their"}


def test_each_panel_has_the_dashed_line_of_its_own_habit() -> None:
    curves = {"agreement: 4 gaps": [0.0, 0.5, 1.0], "mention: 4 gaps": [0.0, 0.0, 0.75]}
    habits = {"agreement: 4 gaps": ("has", 0.25), "mention: 4 gaps": ("chair", 0.0)}
    axes = figures.kinds_over_layers(curves, habits)
    for ax, curve, (word, habit) in zip(axes, curves.values(), habits.values(), strict=True):
        drawn, dashed = ax.lines
        np.testing.assert_allclose(drawn.get_ydata(), curve)
        assert set(dashed.get_ydata()) == {habit}
        assert f"always “{word}”,\ncommonest in training, {habit:.0%}" in ax.get_title(loc="left")
        assert [tick.get_text() for tick in ax.get_xticklabels()] == ["input", "0", "1"]


def test_the_table_is_read_where_a_word_stands_and_used_in_every_row() -> None:
    rows, vector = np.array([[1.0, 2.0], [0.0, 1.0], [-1.0, 0.0]]), np.array([2.0, 1.0])
    ax = figures.one_table(["anna", "she", "key"], [7, 8, 9], rows, vector, read=[2, 7, 4, 7, 3], of=12)
    texts = [text.get_text() for text in ax.texts]
    assert {"id 7", "4.0", "1.0", "−2.0", "… and 9 more rows", "1 of the 4 rows that are read"} <= set(texts)
    assert "id 8" not in texts
    assert texts.count("not in this text") == 2


def test_a_running_sum_ends_as_far_from_its_line_as_the_product_says() -> None:
    rows, vector = np.array([[1.0, 2.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, -3.0]]), np.array([2.0, 1.0, 1.0])
    products = [5.0, 1.0, -5.0]
    scores = np.array([products, [0.5, 0.0, -1.0], [0.9, 0.1, 0.0]]).T
    ax = figures.vector_to_word([1.0, 0.0, 0.0], vector, rows, ["she", "he", "key"], scores, of=12)
    texts = [text.get_text() for text in ax.texts]
    assert {"5.00", "+0.50", "5.50", "−5.00", "−6.00", "… and 9 more rows"} <= set(texts)
    ends = [line.get_ydata()[0] for line in ax.lines if line.get_marker() == "o"]
    axes = [line.get_ydata()[0] for line in ax.lines if line.get_linewidth() == 0.8]
    heights = np.subtract(ends, axes)
    np.testing.assert_allclose(heights / heights[0], np.array(products) / products[0])


def test_the_hollow_dots_are_the_log_of_the_frequency_shifted_by_one_number() -> None:
    count = np.array([0, 1, 4, 40, 400, 4_000])
    bias = np.array([-20.0, -9.0, -4.0, -1.5, -0.5, 0.0])
    ax = figures.bias_by_frequency(bias, count)
    (hollow,) = (line for line in ax.lines if line.get_markerfacecolor() == "none")
    step = np.log(10)
    np.testing.assert_allclose(hollow.get_xdata()[1:], [-1.5 - step, -1.5, -1.5 + step, -1.5 + 2 * step])
    np.testing.assert_allclose(hollow.get_xdata()[0], -1.5 - np.log(40))
    assert hollow.get_ydata().tolist() == [1, 2, 3, 4, 5]


def test_the_drawn_dictionary_ends_each_dashed_line_where_the_dot_product_says() -> None:
    words, rows, aim = ["she", "he", "apple"], np.array([[1, 1], [1, -1], [-1, 0]]), np.array([2.0, 1.0])
    ax = figures.small_dictionary(words, rows, aim, ["a person", "female"])
    assert {text.get_text() for text in ax.texts} >= {"she: 3", "he: 1", "apple: −2"}
    feet = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(np.array(feet) @ aim, rows @ aim)
    assert all(np.isclose(foot[0], 2 * foot[1]) for foot in feet)  # on the vector's own line


def test_a_lens_at_every_token_has_the_input_below_and_frames_what_it_is_told() -> None:
    words, shares = [["some", "any"], ["of", "she"], ["anna", "she"]], [[0.1, 0.9], [0.5, 0.6], [0.9, 1.0]]
    ax = boxes.lens_at_every_token(words, shares, ["anna", "[MASK]"], [(0, 0), (1, 0)])
    assert [text.get_text() for text in ax.texts] == ["some", "any", "of", "she", "anna", "she"]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["input", "0", "1"]
    below, above = ax.get_ylim()
    assert below < above
    middles = [np.round(frame.get_center(), 9).tolist() for frame in ax.patches]
    assert middles == [[0, 0], [0, 1]]
    np.testing.assert_allclose(ax.images[0].get_array(), shares)


def test_the_lens_at_the_mask_is_told_from_the_input_up() -> None:
    tokenizer, _ = pocket()
    ids = torch.tensor([tokenizer.convert_tokens_to_ids(row) for row in (["the", "he"], ["anna", "she"])])
    logits = 9.0 * torch.nn.functional.one_hot(ids, len(tokenizer))
    shown = pictures.lens_at_every_token(logits, ["anna", "[MASK]"], tokenizer)
    assert "from the input to the last layer: “he” → “she”." in shown.alt
    assert "After layer 0, none is framed" in shown.alt  # "the" at the input is


def test_gaps_that_are_filled_one_by_one_keep_the_words_before_them() -> None:
    ax = boxes.two_ways_to_fill(["she"], ["eats", "the"], ["eats", "bread"], ["."])
    texts = [text.get_text() for text in ax.texts if text.get_text()]
    assert texts[:2] == ["all at once: one pass", "one by one: 2 passes"]
    at_once = ["she", "[MASK]", "[MASK]", ".", "eats", "the"]
    passes = ["she", "eats", "[MASK]", ".", "pass 1", "she", "eats", "bread", ".", "pass 2"]
    assert texts[2:] == [*at_once, *passes]


def test_tied_and_untied_trainings_are_compared_by_the_mean_of_their_seeds() -> None:
    def seed(in_sight: int, hidden: int) -> dict[str, object]:
        return {"read": {"as it stands": {"right": [in_sight, 10]}, "masked": {"right": [hidden, 10]}}}

    variants = {
        "whole": {"seeds": [seed(9, 5), seed(8, 6)]},
        "untied": {"beside": "whole", "seeds": [seed(7, 5), seed(5, 5)]},
    }
    shown = pictures.tied_or_not(BySeed({"recipe": {}, "variants": variants}))
    assert "In plain sight, tied 0.85 right, not tied 0.60" in shown.alt


def test_a_kind_is_shown_beside_what_its_commonest_word_would_give() -> None:
    tokenizer, _ = pocket()
    ids = torch.tensor(tokenizer.convert_tokens_to_ids(["is", "key"]))
    hidden = {
        kind: hidden_words.Hidden(torch.zeros(4, 1, 2), ids[[number]])
        for number, kind in enumerate(("agreement", "mention"))
    }
    shares = {"agreement": [0.0, 0.1, 0.5, 1.0], "mention": [0.0, 0.0, 0.25, 0.75]}
    shown = pictures.kinds(shares, hidden, tokenizer)
    assert "After layer 1 agreement is right in 50%, a mention in 25%" in shown.alt


def test_a_lens_with_two_clues_says_from_which_layer_on_each_right_word_is_first() -> None:
    climbs = {
        "Anna": [("only", 0.9), ("she", 0.4), ("she", 0.9)],
        "Tom": [("only", 0.9), ("she", 0.4), ("he", 0.8)],
    }
    right = {"Anna": "she", "Tom": "he"}
    ax = boxes.lens_by_clue(climbs, right)
    assert [text.get_text() for text in ax.texts[:3]] == ["input", "after layer 0", "after layer 1"]
    colours = [patch.get_facecolor() for patch in ax.patches]
    assert colours[0] == colours[3]
    assert colours[1] == colours[2] == colours[4] != colours[5]  # a word has one colour in both rows
    shown = pictures.lens_by_clue(climbs, right)
    assert "Tom: “only” 0.90 → “she” 0.40 → “he” 0.80." in shown.alt


def test_a_head_that_reads_nothing_is_a_line_beside_the_bars() -> None:
    shares = {"the whole head": 0.8, "without GELU": 0.75, "without the linear map": 0.05, "always “.”": 0.1}
    alt = pictures.head_in_parts(shares).alt
    assert "dashed: always “.”, 0.10" in alt
    assert "Without GELU 0.75 are right, without the linear map 0.05" in alt


def test_right_and_nearly_right_guesses_are_added_up_on_their_bar() -> None:
    counts = {
        "verb forms, after layer 1": {"right": 1, "near": 2, "far": 3, "another word": 4},
        "verb forms, after layer 2": {"right": 5, "near": 4, "far": 1, "another word": 0},
    }
    near = {"verb forms, after layer 1": 3, "verb forms, after layer 2": 9}
    always = dict.fromkeys(counts, ("was", 4))
    ax = figures.near_misses(counts, near, always)
    assert [text.get_text() for text in ax.texts] == ["3", "always “was” 4", "9", "always “was” 4"]
    assert [set(line.get_xdata()) for line in ax.lines] == [{4}, {4}]
    assert [bar.get_width() for bar in ax.patches] == [1, 5, 2, 4, 3, 1, 4, 0]
    assert "verb forms, after layer 2: 9 of 10 (always “was”: 4)" in pictures.near_misses(counts, always).alt
