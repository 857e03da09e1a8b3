"""word2vec learns which words occur together; the LSTM reads in order; both are the same on every run."""

import math

import numpy as np
import pytest
import torch

from bertviz_lite import load, stories
from bertviz_lite.chapters.chapter_11 import bilstm, skip_gram
from bertviz_lite.chapters.chapter_11.bilstm import BiLSTM, Fitting, fit, predict
from bertviz_lite.chapters.chapter_11.skip_gram import SkipGram, SkipGrams, nearest, word2vec
from bertviz_lite.chapters.chapter_11.whole_words import PADDING, UNKNOWN, Vocabulary, words_of

# Cats and dogs have the same neighbours; so have boats and ships.
TEXTS = [
    f"the {animal} {does} at home . the {boat} {goes} on the lake ."
    for animal in ("cat", "dog")
    for does in ("eats", "sleeps", "barks")
    for boat in ("boat", "ship")
    for goes in ("sails", "sinks")
] * 4
HOW = SkipGrams(size=12, window=2, epochs=12, batch=256, frequent=1.0)


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.of(TEXTS, fewest=2)


@pytest.fixture(scope="module")
def vectors(vocabulary: Vocabulary) -> torch.Tensor:
    return word2vec(TEXTS, vocabulary, HOW, progress=False)[0]


def test_rare_words_get_the_number_of_the_unknown_word(vocabulary: Vocabulary) -> None:
    assert words_of("Anna's key, 3 of them.") == ["anna", "'", "s", "key", ",", "3", "of", "them", "."]
    assert vocabulary.words[:3] == ("[PAD]", "[UNK]", "the")
    numbers = vocabulary.ids("The elephant eats")
    assert [vocabulary.words[number] for number in numbers] == ["the", "[UNK]", "eats"]
    assert numbers[1] == UNKNOWN
    assert vocabulary.counts[2] == sum(text.split().count("the") for text in TEXTS)


def test_words_are_cut_as_bert_cuts_them() -> None:
    tokenizer, _ = load("pocket")
    for story in stories(seed=900_000_401, n=60):
        cut = tokenizer(str(story), add_special_tokens=False)
        assert len(words_of(str(story))) == max(cut.word_ids()) + 1


def test_the_loss_equals_the_formula_by_hand() -> None:
    torch.manual_seed(0)
    model = SkipGram(7, 3).double()
    centre, neighbour, drawn = (
        torch.tensor([1, 2]),
        torch.tensor([3, 4]),
        torch.tensor([[5, 6, 0], [1, 1, 2]]),
    )
    table, other = model.centre.weight.tolist(), model.neighbour.weight.tolist()

    def product(word: int, near: int) -> float:
        return math.fsum(a * b for a, b in zip(table[word], other[near], strict=True))

    expected = 0.0
    for c, n, false in zip(centre.tolist(), neighbour.tolist(), drawn.tolist(), strict=True):
        expected -= math.log(1 / (1 + math.exp(-product(c, n))))
        expected -= sum(math.log(1 / (1 + math.exp(product(c, drawn_word)))) for drawn_word in false)
    assert abs(model(centre, neighbour, drawn).item() - expected / 2) < 1e-12


def test_pairs_stay_within_a_text_and_the_window() -> None:
    rows = [np.arange(2, 12), np.arange(12, 15)]
    how = SkipGrams(window=3, frequent=1.0)
    pairs = skip_gram._pairs(rows, np.full(15, 1 / 15), how, np.random.default_rng(0))
    assert (abs(pairs[:, 0] - pairs[:, 1]) <= 3).all()
    assert ((pairs[:, 0] < 12) == (pairs[:, 1] < 12)).all()
    beside = {tuple(sorted(pair)) for pair in pairs.tolist() if abs(pair[0] - pair[1]) == 1}
    assert beside == {(n, n + 1) for n in range(2, 14) if n != 11}


def test_frequent_words_are_left_out_more_often() -> None:
    rows = [np.array([2, 3] * 500)]
    share = np.array([0.0, 0.0, 0.9, 1e-4]) + 1e-12
    how = SkipGrams(window=1, frequent=1e-2)
    pairs = skip_gram._pairs(rows, share, how, np.random.default_rng(0))
    often, seldom = ((pairs[:, 0] == number).sum() for number in (2, 3))
    assert often < 0.3 * seldom


def test_words_with_the_same_neighbours_get_similar_vectors(
    vocabulary: Vocabulary, vectors: torch.Tensor
) -> None:
    assert nearest(vectors, vocabulary, "cat", k=1)[0][0] == "dog"
    assert nearest(vectors, vocabulary, "boat", k=1)[0][0] == "ship"
    assert vectors.dtype == torch.float64
    assert vectors[PADDING].abs().max() == 0


def test_a_second_training_gives_the_same_vectors(vocabulary: Vocabulary, vectors: torch.Tensor) -> None:
    again, losses = word2vec(TEXTS, vocabulary, HOW, progress=False)
    assert torch.equal(again, vectors)
    assert losses[0] == pytest.approx(6 * math.log(2))  # all products are 0 at first
    assert losses[-1] < 0.8 * losses[0]


def test_an_interrupt_returns_what_is_learned_so_far(
    vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []

    def step(loss: torch.Tensor, _: torch.optim.Optimizer) -> float:
        steps.append(loss.item())
        if len(steps) == 3:
            raise KeyboardInterrupt
        return loss.item()

    monkeypatch.setattr(skip_gram, "do_step", step)
    monkeypatch.setattr(bilstm, "do_step", step)
    _, losses = word2vec(TEXTS, vocabulary, HOW, progress=False)
    assert len(losses) == 2
    steps.clear()
    model = BiLSTM(torch.zeros(len(vocabulary.words), 4, dtype=torch.float64), num_labels=2)
    assert len(fit(model, vocabulary, TEXTS, [0] * len(TEXTS), progress=False)) == 2
    assert not model.training


def test_the_lstm_reads_in_order_and_leaves_padding_out(
    vocabulary: Vocabulary, vectors: torch.Tensor
) -> None:
    torch.manual_seed(0)
    model = BiLSTM(vectors, num_labels=3, hidden_size=5).eval()
    rows = [vocabulary.ids("the cat eats at home"), vocabulary.ids("the boat")]
    together = model(*bilstm._padded(rows))
    alone = torch.cat([model(*bilstm._padded([row])) for row in rows])
    assert torch.allclose(together, alone, atol=1e-12)
    backwards = model(*bilstm._padded([rows[0][::-1]]))
    assert not torch.allclose(backwards, alone[:1], atol=1e-3)


def test_the_lstm_learns_what_no_bag_of_words_can(vocabulary: Vocabulary, vectors: torch.Tensor) -> None:
    first = [
        f"the {animal} eats . the {boat} sleeps" for animal in ("cat", "dog") for boat in ("boat", "ship")
    ]
    second = [
        f"the {animal} sleeps . the {boat} eats" for animal in ("cat", "dog") for boat in ("boat", "ship")
    ]
    texts, labels = (first + second) * 2, [0] * 4 + [1] * 4
    torch.manual_seed(0)
    model = BiLSTM(vectors, num_labels=2, hidden_size=16)
    before = vectors.clone()
    losses = fit(model, vocabulary, texts, labels * 2, Fitting(epochs=20, rate=0.05), progress=False)
    assert losses[-1] < 0.3 * losses[0]
    assert predict(model, vocabulary, texts, batch=5).tolist() == labels * 2
    assert torch.equal(vectors, before)  # the classifier trains its own copy
    assert predict(model, vocabulary, []).shape == (0,)


def test_errors_say_what_to_do(vocabulary: Vocabulary, vectors: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="no word occurs 9 times"):
        Vocabulary.of(["a b c"], fewest=9)
    with pytest.raises(ValueError, match="'zebra' is not among the"):
        nearest(vectors, vocabulary, "zebra")
    with pytest.raises(ValueError, match="2 texts and 1 labels"):
        fit(BiLSTM(vectors, 2), vocabulary, ["a", "b"], [0], progress=False)
