"""Chapter 01 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from torch.nn.utils.rnn import pad_sequence
from transformers import BertForMaskedLM, FillMaskPipeline

from bertviz_lite import load
from bertviz_lite.chapters.chapter_01 import exercises as chapter_01
from bertviz_lite.chapters.chapter_01.accidents import Accident, draw_accidents
from bertviz_lite.chapters.chapter_01.batch_rectangle import draw_batch
from bertviz_lite.chapters.chapter_01.broken_words import draw_broken
from bertviz_lite.chapters.chapter_01.figures.merges import draw_merges
from bertviz_lite.chapters.chapter_01.figures.three_ways import draw_ways
from bertviz_lite.chapters.chapter_01.hidden_word import hidden_word
from bertviz_lite.chapters.chapter_01.many_words import many_words, steady_characters, with_errors
from bertviz_lite.chapters.chapter_01.search_steps import draw_search, looks
from bertviz_lite.data.wordpiece import search
from bertviz_lite.models.loading import folder_of


def test_padding_may_be_done_by_torch() -> None:
    def by_torch(rows: list[list[int]], pad_id: int) -> tuple[torch.Tensor, torch.Tensor]:
        ids = pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=pad_id)
        mask = pad_sequence([torch.ones(len(row)) for row in rows], batch_first=True)
        return ids, mask.long()

    assert chapter_01.pad.check(by_torch)
    assert chapter_01.pad.check(
        lambda rows, pad_id: [np.array(part.tolist()) for part in by_torch(rows, pad_id)]
    )
    text = chapter_01.pad.check(lambda rows, pad_id: (by_torch(rows, pad_id)[0], None)).text
    assert "Result 1 (from 0): It should be an array of shape (2, 4)" in text
    text = chapter_01.pad.check(lambda rows, pad_id: by_torch(rows, pad_id)[::-1]).text
    assert "input_ids come first, then attention_mask" in text


def test_the_search_from_the_end_may_be_recursive() -> None:
    def recursive(word: str, vocabulary: dict[str, int]) -> list[str]:
        if not word:
            return []
        starts = (n for n in range(len(word)) if ("##" if n else "") + word[n:] in vocabulary)
        if (start := next(starts, None)) is None:
            return ["[UNK]"]
        before = recursive(word[:start], vocabulary)
        return before if before == ["[UNK]"] else [*before, ("##" if start else "") + word[start:]]

    assert chapter_01.from_the_end.check(recursive)
    text = chapter_01.from_the_end.check(lambda word, vocabulary: search(word, vocabulary).tokens).text
    assert "This cuts from the start" in text
    text = chapter_01.from_the_end.check(lambda word, vocabulary: word + " ".join(vocabulary)).text
    assert "It should be a list of strings, not a str." in text
    text = chapter_01.from_the_end.check(lambda word, vocabulary: vocabulary[word]).text
    assert "Your code raised KeyError: 'unties'" in text


def test_the_fewest_tokens_may_be_found_by_trying_every_way() -> None:
    def ways(word: str, vocabulary: dict[str, int], inside: bool = False) -> float:
        if not word:
            return 0
        begin = "##" if inside else ""
        fits = (stop for stop in range(1, len(word) + 1) if begin + word[:stop] in vocabulary)
        return min((1 + ways(word[stop:], vocabulary, True) for stop in fits), default=float("inf"))

    def answer(word: str, vocabulary: dict[str, int]) -> float:
        fewest = ways(word, vocabulary)
        return fewest if fewest < float("inf") else 1

    assert chapter_01.fewest.check(answer)
    assert (
        "infinite" in chapter_01.fewest.check(ways).text or "should be" in chapter_01.fewest.check(ways).text
    )


def test_segments_may_be_a_tensor() -> None:
    assert chapter_01.segments.check(lambda a, b: torch.tensor([0] * (a + 2) + [1] * (b + 1)))
    assert "not yet" in chapter_01.segments.check(lambda a, b: (a + 2, b + 1)).text


def test_a_text_that_is_not_split_is_refused() -> None:
    text = chapter_01.plain_words.check(lambda text: text.lower()).text
    assert "It should be a list of strings, not a str." in text


def test_two_spaces_in_a_row_make_no_empty_word() -> None:
    def by_one_space(text: str) -> list[str]:
        apart = unicodedata.normalize("NFD", text)
        return "".join(sign for sign in apart if not unicodedata.combining(sign)).lower().split(" ")

    text = chapter_01.plain_words.check(by_one_space).text
    assert "not yet" in text
    assert "split() does not" in text


def test_a_word_of_which_a_letter_is_left_over_is_unknown_as_a_whole() -> None:
    assert chapter_01.on_paper.check(["[UNK]"])
    assert "a longer entry than `ca`" in chapter_01.on_paper.check(["ca", "##tnap"]).text
    assert "the *whole* word is one [UNK]" in chapter_01.on_paper.check(["cat", "##na", "[UNK]"]).text


def test_an_order_that_no_mistake_explains_is_only_wrong() -> None:
    assert chapter_01.fewest_first.check(list("DCAB"))
    assert "single token" in chapter_01.fewest_first.check(list("CABD")).text
    assert "Capitals cost nothing" in chapter_01.fewest_first.check(list("DABC")).text
    assert not chapter_01.fewest_first.check(list("ABCD"))


def test_in_every_row_of_the_figure_a_word_takes_the_same_room() -> None:
    words = ["a", "robots", "!"]
    ways = {
        "letters": [list(word) for word in words],
        "pieces": [["a"], ["robot", "##s"], ["!"]],
        "words": [["a"], ["[UNK]"], ["!"]],
    }
    ax = draw_ways(words, ways, title="Three ways")
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert len(boxes) == 8 + 4 + 3
    dark = to_hex(boxes[0].get_edgecolor())
    orange = [to_hex(box.get_edgecolor()) != dark for box in boxes]
    assert orange == [False] * 10 + [True] + [False] * 4, "of letters and words, none continues another"
    rows: dict[float, list[Rectangle]] = {round(box.get_y(), 6): [] for box in boxes}
    for box in boxes:
        rows[round(box.get_y(), 6)].append(box)
    left, right = ([row[at].get_x() for row in rows.values()] for at in (1, -1))
    assert left == pytest.approx([left[0]] * 3)
    assert right == pytest.approx([right[0]] * 3)
    assert [text.get_text() for text in ax.texts][8:13] == ["a", "robot", "s", "##", "!"]
    # robots takes 6 letters and a ##, which adds 0.8: the letters of the first row are stretched to 6.8
    assert boxes[1].get_width() == pytest.approx(6.8 / 6 - 0.12)
    assert boxes[10].get_width() == pytest.approx(1.8 - 0.12)
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        *("letters:\n8 tokens", "pieces:\n4 tokens", "words:\n3 tokens")
    ]


def test_the_looks_of_a_search_are_those_of_longest_first() -> None:
    vocabulary = {"s", "sing", "##ing", "##in", "##g"}
    assert [piece for _, piece, _ in looks("singing", vocabulary)] == [
        *("singing", "singin", "singi", "sing", "##ing")
    ]
    assert [piece for _, piece, taken in looks("sings", vocabulary) if taken] == ["sing"]
    assert looks("sings", vocabulary)[-1] == (4, "##s", False)


def test_a_search_is_drawn_a_row_a_look_and_the_other_way_below_it() -> None:
    ax = draw_search("bcd", {"b", "bc", "##d", "##cd"}, ["b", "##cd"], title="Two ways")
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert [round(box.get_width()) for box in boxes] == [3, 2, 1, 1, 2]
    assert [round(box.get_x()) for box in boxes] == [0, 0, 2, 0, 1]
    written = [text.get_text() for text in ax.texts]
    assert written.count("no such entry") == 1
    assert written.count("yes: taken") == 2
    assert {"bcd", "bc", "##d", "b", "##cd", "2 tokens"} < set(written)
    colours = [to_hex(box.get_edgecolor()) for box in boxes]
    assert colours[1] == colours[3] != colours[2] == colours[4], "the third and the fifth continue"


def test_an_accident_without_an_error_says_so_in_another_colour() -> None:
    accidents = [
        Accident("a letter", "b$nk$", "[UNK]"),
        Accident("too long", "182 ids", "stops", "IndexError"),
    ]
    ax = draw_accidents(accidents, title="One of two")
    written = {text.get_text(): text for text in ax.texts}
    assert {"a letter", "b$nk$", "[UNK]", "too long", "182 ids", "stops"} < written.keys()
    assert written["no error"].get_color() != written["IndexError"].get_color()
    assert written["no error"].get_position()[1] == written["b$nk$"].get_position()[1]


def test_a_letter_that_looks_like_another_has_another_colour() -> None:
    look_alike = "\u0430"  # Cyrillic
    accident = Accident("a letter", f"b{look_alike}nk", "[UNK]", odd=look_alike)
    written = {text.get_text(): text.get_color() for text in draw_accidents([accident], title="Odd").texts}
    assert "bank" not in written
    assert written["b"] == written["nk"] != written[look_alike]


def test_an_accident_that_only_sometimes_stops_says_when_in_two_lines() -> None:
    ids = Accident("foreign ids", "a key", "an end", "IndexError", "only if an id\nis too large")
    written = [text.get_text() for text in draw_accidents([ids], title="Sometimes").texts]
    assert "only if an id\nis too large" in written
    assert "IndexError" not in written


def test_texts_are_drawn_as_far_as_they_fit_and_with_the_rate_of_the_whole() -> None:
    short, long = [("robots", ["robot", "##s"]), ("ß", ["[UNK]"])], [("abcdefghi", ["abcdefghi"])] * 9
    ax = draw_broken(["short", "long"], [short, long], [1.5, 1.0], title="Two texts")
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    written = [text.get_text() for text in ax.texts]
    assert len(boxes) == 3 + 3, "three words of nine letters and their gaps have room, four do not"
    assert to_hex(boxes[1].get_edgecolor()) != to_hex(boxes[0].get_edgecolor())
    assert written.count("…") == 1, "only the long one goes on"
    assert {"robot", "##", "s", "[UNK]", "1.50", "1.00"} < set(written)


def test_a_batch_is_three_rectangles_whose_padding_is_grey() -> None:
    batch = {
        "input_ids": torch.tensor([[2, 7, 3, 8, 3], [2, 9, 3, 0, 0]]),
        "token_type_ids": torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]),
        "attention_mask": torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]),
    }
    tokens = [["[CLS]", "a", "[SEP]", "b", "[SEP]"], ["[CLS]", "c", "[SEP]", "[PAD]", "[PAD]"]]
    ax = draw_batch(tokens, batch, title="Two rows of five")
    faces = [to_hex(patch.get_facecolor()) for patch in ax.patches]
    written = [text.get_text() for text in ax.texts]
    ids, segments, mask = faces[:10], faces[10:20], faces[20:]
    first, second, padding = ids[0], ids[3], ids[8]
    assert len({first, second, padding}) == 3
    assert ids == segments == [first] * 3 + [second] * 2 + [first] * 3 + [padding] * 2
    assert mask == ["#ffffff"] * 8 + [padding] * 2
    assert written[:10:2] == tokens[0]
    assert written[1:10:2] == ["2", "7", "3", "8", "3"]
    assert written[30:] == ["1"] * 8 + ["0"] * 2


def test_the_hidden_word_is_what_the_library_s_pipeline_says() -> None:
    tokenizer: Any
    tokenizer, model = load("pocket")
    text = "Tom is hungry, so [MASK] eats an apple."
    filled = BertForMaskedLM.from_pretrained(folder_of("pocket"))
    pipeline = FillMaskPipeline(filled.float().eval(), tokenizer)
    expected = "  ".join(f"{found['token_str']} {found['score']:.2f}" for found in pipeline(text, top_k=3))
    with torch.no_grad():
        answer = hidden_word(model, tokenizer, tokenizer(text, return_tensors="pt"))
        other = hidden_word(model, tokenizer, tokenizer(text.replace("Tom", "Anna"), return_tensors="pt"))
    assert answer.text == expected
    assert answer.off(answer) == 0
    assert other.off(answer) == pytest.approx(
        float(torch.dist(other.state, answer.state) / answer.state.norm())
    )


def test_an_error_swaps_two_neighbours_of_a_longer_word() -> None:
    assert with_errors("The kitten ate two Cakes.") == "the kitten ate two ckaes ."
    assert with_errors("kitchen gardens") == "kicthen gadrens"


def test_there_are_as_many_words_to_try_as_are_wanted() -> None:
    words = many_words(10_000)
    assert len(words) == 10_000
    assert len(set(words)) > 9_000
    assert sum(not word.isascii() for word in words) > 100


def test_letters_fuse_step_by_step_and_what_is_new_is_filled() -> None:
    # a b: 3 + 2 times, b c: 2 times. Then (ab, c) twice, and nothing else is left.
    ax = draw_merges({"ab": 3, "abc": 2}, 2, title="Two steps")
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    faces = [to_hex(box.get_facecolor()) for box in boxes]
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["letters", "5 times\na ##b", "2 times\nab ##c"]
    assert [face == "#ffffff" for face in faces] == [True] * 5 + [False, False, True] + [True, False]
    assert {"ab, 3 times", "abc, 2 times"} < {text.get_text() for text in ax.texts}


def test_steady_characters_are_old_and_assigned() -> None:
    found = set(steady_characters())
    assert {"a", "é", "北", "\u0301", "\U0001d11e"} <= found
    assert not {"🙂", "\ud800", "\u0378"} & found  # of 2010; a surrogate; never assigned
