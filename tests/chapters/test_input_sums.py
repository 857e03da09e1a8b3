"""Chapter 02's measurements: what is read back from a sum; what segments and letters have to do with it."""

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining
from transformers.models.bert.modeling_bert import BertEmbeddings

from bertviz_lite import ModelError, input_parts, load
from bertviz_lite.chapters.chapter_02.judged_pairs import judged_pairs
from bertviz_lite.chapters.chapter_02.read_back import narrowed, read_back
from bertviz_lite.chapters.chapter_02.vowels import share_of_vowels, singular_nouns

DRAW = np.random.default_rng(5)


def random_tables(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw tables of 100 words, 60 positions and 2 segments."""
    words, positions, segments = (DRAW.normal(size=(rows, size)) for rows in (100, 60, 2))
    return words, positions, segments


def test_rows_at_right_angles_are_all_read_from_their_sum() -> None:
    axes = np.eye(162)
    assert read_back(axes[:100], axes[100:160], axes[160:]) == {"word": 1.0, "position": 1.0, "segment": 1.0}


def test_what_is_not_in_the_sum_is_not_read() -> None:
    words, positions, segments = random_tables(64)
    right = read_back(words, 0 * positions, segments)
    assert right["word"] > 0.95
    assert right["segment"] > 0.95
    assert right["position"] < 5 / 60


def test_two_tables_in_one_ink_are_read_half_the_time() -> None:
    """The sum of two rows of one table has no order; only a row added to itself is certain."""
    axes = np.eye(102)
    right = read_back(axes[:100], axes[:100], axes[100:])
    assert 0.4 < right["word"] < 0.6
    assert 0.4 < right["position"] < 0.6
    assert right["segment"] == 1.0
    apart = read_back(axes[:100], axes[:100], axes[100:], end_to_end=True)
    assert min(apart.values()) == 1.0


def test_shuffled_labels_are_read_by_chance() -> None:
    right = read_back(*random_tables(64), shuffled=True)
    assert right["word"] < 5 / 100
    assert right["position"] < 5 / 60
    assert 0.4 < right["segment"] < 0.6


def test_too_few_combinations_are_refused() -> None:
    rows = np.eye(8)
    with pytest.raises(
        ValueError, match=r"\(8, 8, 2\) rows make 128 combinations: 10,000 or more are needed"
    ):
        read_back(rows, rows, rows[:2])


@pytest.mark.parametrize("size", [4, 9, 32])
def test_squeezed_tables_have_the_same_size_in_all_either_way(size: int) -> None:
    tables = random_tables(64)
    assert {table.shape[1] for table in narrowed(tables, size, end_to_end=False)} == {size}
    assert sum(table.shape[1] for table in narrowed(tables, size, end_to_end=True)) == size


def test_nouns_are_words_that_stories_use_as_nouns() -> None:
    nouns = singular_nouns({"apple", "key", "red", "keys", "the", "finds", "orange"}, n=300)
    assert {"apple", "key"} <= set(nouns) <= {"apple", "key", "orange"}


def test_neighbours_with_a_vowel_are_counted() -> None:
    nouns = ["apple", "owl", "key", "bell"]
    rows = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    assert share_of_vowels(nouns, rows, k=1) == {True: (2, 2), False: (0, 2)}
    assert share_of_vowels(nouns, rows[[0, 2, 1, 3]], k=1) == {True: (0, 2), False: (2, 2)}


def test_exchanged_segments_cost_the_pocket_model_more_than_none() -> None:
    tokenizer, model = load("pocket")
    assert isinstance(model, BertForPreTraining)
    right = judged_pairs(tokenizer, model, n=32)
    assert right["given"] > max(0.85, right["exchanged"] + 0.1)
    assert right["given"] >= right["left out"]


def test_what_the_chapter_says_of_minilm_is_so() -> None:
    try:
        tokenizer, model = load("minilm")
    except ModelError as error:
        pytest.skip(str(error))
    parts = input_parts(model.double(), tokenizer, "Anna lost her key.", "She looked for the key.")
    shares = {name: round(100 * float(rows.mean())) for name, rows in parts.shares.items()}
    assert (shares["token"], shares["position"], shares["segment"]) == (86, 16, 3)
    assert parts.word_table is not None
    assert {"iphone", "fruit"} <= {word for word, _ in parts.word_table.nearest("apple")}
    embeddings = model.base_model.embeddings
    assert isinstance(embeddings, BertEmbeddings)
    with torch.no_grad():
        first = embeddings.position_embeddings.weight[:64]
        unit = first / first.norm(dim=-1, keepdim=True)
        cosines = unit @ unit.T
    assert all(torch.diagonal(cosines, apart).mean() > -0.01 for apart in range(1, 41))
