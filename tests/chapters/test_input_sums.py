"""Chapter 02's measurements: what is read back from a sum; what segments and letters have to do with it."""

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForMaskedLM, BertForPreTraining
from transformers.models.bert.modeling_bert import BertEmbeddings

from bertviz_lite import ModelError, input_parts, load
from bertviz_lite.chapters.chapter_02.analogies import FAMILY, analogies, nearest_to_sum
from bertviz_lite.chapters.chapter_02.commoner import commoner_meaning
from bertviz_lite.chapters.chapter_02.figures.one_sum import ends
from bertviz_lite.chapters.chapter_02.figures.right_angles import draw_cosines
from bertviz_lite.chapters.chapter_02.figures.same_sum import draw_shadows, draw_sums
from bertviz_lite.chapters.chapter_02.figures.shares import draw_shares, shadow
from bertviz_lite.chapters.chapter_02.figures.short_rows import draw_lengths
from bertviz_lite.chapters.chapter_02.found_again import found_again
from bertviz_lite.chapters.chapter_02.judged_pairs import judged_pairs
from bertviz_lite.chapters.chapter_02.read_back import read_back
from bertviz_lite.chapters.chapter_02.two_errors import around
from bertviz_lite.chapters.chapter_02.vowels import share_of_vowels, singular_nouns
from bertviz_lite.evaluation.embeddings import InputParts

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


def test_shuffled_labels_are_read_by_chance() -> None:
    right = read_back(*random_tables(64), shuffled=True)
    assert right["word"] < 5 / 100
    assert right["position"] < 5 / 60
    assert 0.4 < right["segment"] < 0.6


def test_a_probe_reads_what_the_vectors_have_passed() -> None:
    words, positions, segments = random_tables(64)
    without_words = read_back(words, positions, segments, through=lambda sums: 0 * sums)
    assert without_words["word"] < 5 / 100
    negated = read_back(words, positions, segments, through=lambda sums: torch.tensor(-sums))
    assert negated == read_back(words, positions, segments)


def test_too_few_combinations_are_refused() -> None:
    rows = np.eye(8)
    with pytest.raises(
        ValueError, match=r"\(8, 8, 2\) rows make 128 combinations: 10,000 or more are needed"
    ):
        read_back(rows, rows, rows[:2])


def test_nouns_are_words_that_stories_use_as_nouns() -> None:
    nouns = singular_nouns({"apple", "key", "red", "keys", "the", "finds", "orange"}, n=600)
    assert {"apple", "key"} <= set(nouns) <= {"apple", "key", "orange"}


def test_neighbours_with_a_vowel_are_counted() -> None:
    nouns = ["apple", "owl", "key", "bell"]
    rows = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    assert share_of_vowels(nouns, rows, k=1) == {True: (2, 2), False: (0, 2)}
    assert share_of_vowels(nouns, rows[[0, 2, 1, 3]], k=1) == {True: (0, 2), False: (2, 2)}


@pytest.mark.thorough
def test_segments_left_out_cost_the_pocket_model_much() -> None:
    tokenizer, model = load("pocket")
    assert isinstance(model, BertForPreTraining)
    right = {name: np.mean(answers) for name, answers in judged_pairs(tokenizer, model, n=32).items()}
    assert right["given"] > 0.85
    assert right["given"] > 0.1 + right["left out"]


def test_sums_of_a_made_up_family_land_where_they_should() -> None:
    """Axes: queen and woman, king and man, royal; the stone points away from all of them."""
    rows_of = {"man": 0, "woman": 1, "king": 2, "queen": 3, "stone": 4}
    table = torch.tensor([[0.0, 1, 0], [1, 0, 0], [0, 0.8, 0.6], [0.8, 0, 0.6], [0, 0, -1]]).double()
    # king - man + woman = (1, -0.2, 0.6): 1.16 along the queen, 1 along the woman, 0.2 along the king
    assert nearest_to_sum(table, rows_of, "king", "man", "woman") == [
        "queen",
        "woman",
        "king",
        "man",
        "stone",
    ]
    counts, tries = analogies(table, rows_of, [("man", "woman"), ("king", "queen")])
    assert tries == 4
    # man - king + queen = (0.8, 0.2, 0) is nearest to the woman; of each sum only the stone is left besides
    assert counts == {"the three words left out": 4, "none left out": 4, "the first word alone": 4}
    table[rows_of["stone"]] = table[rows_of["king"]]  # the king alone now lies nearest to the stone
    assert analogies(table, rows_of, [("man", "woman"), ("king", "queen")])[0]["the first word alone"] < 4


def test_the_commoner_meaning_is_chosen_on_the_one_half_and_scored_on_the_other() -> None:
    learned = ["bank.river"] * 3 + ["bank.money"] + ["bat.game"] + ["bat.animal"] * 2
    found = ["bank.river"] + ["bank.money"] * 3 + ["bat.animal"] * 2 + ["bat.game"] * 2 + ["ring.sound"]
    commoner = commoner_meaning(learned, found, ["bank", "bat"])
    assert commoner.places == pytest.approx(3 / 8)
    assert commoner.balanced == 0.5


def test_padding_idx_alone_does_not_hold_a_row_that_is_tied_to_the_head() -> None:
    """The head's path has a gradient for every row, so the chapter says what else keeps the row at zero."""
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=20,
        pad_token_id=0,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    model = BertForMaskedLM(config)
    table = model.get_input_embeddings()
    assert isinstance(table, torch.nn.Embedding)
    assert table.padding_idx == 0
    assert not table.weight[0].any()
    ids = torch.tensor([[2, 5, 7, 3]])
    with torch.enable_grad():
        model(ids, labels=ids).loss.backward()
    assert table.weight.grad is not None
    assert table.weight.grad[0].norm() > 1e-4


def test_what_the_chapter_says_of_the_king_and_other_pairs_is_so() -> None:
    tokenizer, model = load("pocket")
    embeddings = model.base_model.embeddings
    assert isinstance(embeddings, BertEmbeddings)
    rows = embeddings.word_embeddings.weight.detach().double()
    table = torch.nan_to_num(rows / rows.norm(dim=-1, keepdim=True))
    vocabulary = tokenizer.get_vocab()
    assert nearest_to_sum(table, vocabulary, "king", "man", "woman")[:3] == ["queen", "king", "princess"]
    counts, tries = analogies(table, vocabulary, FAMILY)
    assert tries == 2 * len(FAMILY) * (len(FAMILY) - 1)
    assert counts["the three words left out"] > 0.85 * tries
    assert counts["the three words left out"] > 1.9 * counts["none left out"]
    assert counts["the three words left out"] > 1.2 * counts["the first word alone"]


def test_what_the_chapter_says_of_minilm_is_so() -> None:
    try:
        tokenizer, model = load("minilm")
    except ModelError as error:
        pytest.skip(str(error))
    parts = input_parts(model.double(), tokenizer, "Anna lost her key.", "She looked for the key.")
    shares = {name: round(100 * float(rows.mean())) for name, rows in parts.shares.items()}
    assert shares == {"token": 86, "position": 16, "segment": 3, "bias": -4}
    assert parts.word_table is not None
    near = [word for word, _ in parts.word_table.nearest("key", 6)]
    assert near == ["keys", "##key", "keyboard", "crucial", "important", "lock"]
    embeddings = model.base_model.embeddings
    assert isinstance(embeddings, BertEmbeddings)
    words = embeddings.word_embeddings.weight.detach()
    table = torch.nan_to_num(words / words.norm(dim=-1, keepdim=True))
    landed = nearest_to_sum(table, tokenizer.get_vocab(), "king", "man", "woman")
    assert landed[:2] == ["king", "queen"]
    places = embeddings.position_embeddings.weight.detach()
    places = places / places.norm(dim=-1, keepdim=True)
    filled = words[words.any(dim=-1)]
    assert float(filled.mean(dim=0).norm() / filled.norm(dim=-1).mean()) < 0.2, "its rows share little"
    typical = float((table[table.any(dim=-1)] @ places.T).square().mean() ** 0.5)
    assert typical == pytest.approx(table.shape[1] ** -0.5, rel=0.02)  # chance
    with torch.no_grad():
        first = embeddings.position_embeddings.weight[:64]
        unit = first / first.norm(dim=-1, keepdim=True)
        cosines = unit @ unit.T
    assert all(torch.diagonal(cosines, apart).mean() > -0.01 for apart in range(1, 41))


def test_two_ways_to_one_sum_end_at_one_dot() -> None:
    words, places = {"a": (2.0, 0.0), "b": (1.0, 1.0)}, {"p": (0.0, 1.0), "q": (1.0, 0.0)}
    ax = draw_sums(words, places, title="One sum")
    (dot,) = ax.lines
    assert [list(dot.get_xdata()), list(dot.get_ydata())] == [[2.0], [1.0]]
    names = {text.get_text() for text in ax.texts} - {""}
    assert names == {"a (2, 0)", "b (1, 1)", "+ p (0, 1)", "+ q (1, 0)", "sum (2, 1)"}


def test_different_sums_get_a_dot_each() -> None:
    ax = draw_sums({"a": (1.0, 0.0), "b": (0.5, 1.0)}, {"p": (0.0, 1.0), "q": (1.0, 0.0)}, title="Two sums")
    assert sorted(float(line.get_xdata()[0]) for line in ax.lines) == [1.0, 1.5]


def test_lines_from_a_sum_reach_each_axis_where_its_row_ends() -> None:
    ax = draw_shadows(("a", 3.0), ("p", 2.0), title="Two axes")
    dashed = [line.get_xydata().tolist() for line in ax.lines if line.get_linestyle() == "--"]
    assert dashed == [[[3.0, 2.0], [3.0, 0.0]], [[3.0, 2.0], [0.0, 2.0]]]
    bands = [line.get_xydata().tolist() for line in ax.lines if line.get_linewidth() > 10]
    assert bands == [[[0.0, 0.0], [3.0, 0.0]], [[0.0, 0.0], [0.0, 2.0]]]
    names = {text.get_text() for text in ax.texts} - {""}
    assert names == {"a", "p", "sum: a + p", "how much a", "how much\np"}


def test_cosines_are_drawn_by_size_from_opposite_to_the_same_direction() -> None:
    axes = draw_cosines({2: [[-1.0, 1.0], [1.0, 1.0]], 3: [0.0, 0.01]}, title="Two sizes")
    assert [ax.get_title(loc="center") for ax in axes] == ["2 numbers", "3 numbers"]
    two, three = (np.asarray(ax.patches[0].get_data().values) for ax in axes)  # type: ignore[attr-defined]
    assert [two[0], two[-1], two.sum()] == pytest.approx([0.25, 0.75, 1.0])
    assert three[20] == 1.0, "the bin above zero"
    (ax,) = draw_cosines({2: [1.0]}, title="One size", outlined=("ours", [-1.0, 0.01]))
    assert [text.get_text() for text in ax.texts] == ["ours"]
    outline = np.asarray(ax.patches[1].get_data().values)  # type: ignore[attr-defined]
    assert outline[[0, 20]].tolist() == [0.5, 0.5]


def test_a_word_is_lost_where_a_position_pushes_another_one_ahead() -> None:
    words, positions = torch.eye(2).double(), torch.tensor([[0.0, 0.0], [0.0, 5.0]]).double()
    found = found_again(words, positions, torch.zeros(1, 2).double())
    # At place 1 the sums are (1, 5) and (0, 6): both lie nearest to the second word.
    assert found.tolist() == [[[True, True]], [[False, True]]]


def test_lost_rows_are_counted_on_both_sides_of_a_length() -> None:
    axes, finding = draw_lengths([1.0, 1.2, 1.4, 2.0, 3.0], [True, True, False, False, True])
    assert finding == "Lost: 2 of 3 rows shorter than 1.5, but 1 of 2 others"
    assert [ax.get_title(loc="left") for ax in axes] == ["never lost: 2 rows", "sometimes lost: 3 rows"]
    heights = [np.asarray(ax.patches[0].get_data().values).sum() for ax in axes]  # type: ignore[attr-defined]
    assert heights == [2, 3]
    assert draw_lengths([1.0, 2.0], [False, False])[1].endswith("but 0 of 1 others")


def test_a_vocabulary_without_pieces_has_no_end_of_them() -> None:
    assert ends(["[PAD]", "a", "key", "##s", "lo", "##ck", "##ed"]) == ((0, 2), (7, 7))
    assert ends(["key", "lock"]) == ((0, 0), (2, 2))


def test_chance_moves_a_share_by_two_standard_errors_either_way() -> None:
    assert around(0.9, 9) == pytest.approx((0.7, 1.0))


def test_a_share_is_the_shadow_of_a_part_on_the_result() -> None:
    """The token (3, 1) becomes (1, -1), by the gain (2, -2), and with the bias the result is (2, -1)."""
    nothing, number = np.zeros((1, 2)), np.zeros(1, dtype=int)
    parts = InputParts(
        ("key",), number, number, number, np.array([[3.0, 1.0]]), nothing, nothing,
        gain=np.array([2.0, 2.0]), bias=np.array([0.0, 1.0]), eps=0.0,
    )  # fmt: skip
    root = 5**0.5
    assert shadow(parts, "token", 0) == pytest.approx((6 / root, (4 / 5) ** 0.5, root))
    assert shadow(parts, "bias", 0) == pytest.approx((-1 / root, (4 / 5) ** 0.5, root))
    axes, finding = draw_shares(parts, [("token", 0), ("bias", 0)])
    assert finding == "Shares are shadows: 120% and −20% of the result"
    assert [ax.get_title(loc="left") for ax in axes] == ["“key”: its token", "“key”: LayerNorm’s bias"]
