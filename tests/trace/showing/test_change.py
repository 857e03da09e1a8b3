"""What a step did to the axes of a tensor, in one sentence."""

from __future__ import annotations

import pytest

from bertviz_lite.trace.showing.change import change
from tests.trace.hand_traces import BSH, HEADS, Maker


def sentence_of(
    name: str, before: str, after: str, others: tuple[str, ...] = (), kind: str = "operation"
) -> str:
    maker = Maker()
    given, made = maker.value(before), maker.value(after)
    index = maker._begin(kind, "", name, [given, *map(maker.value, others)], 0)
    maker.change(index, outputs=(made,))
    return change(maker.steps[index], given, made)


@pytest.mark.parametrize(
    ("name", "before", "after", "sentence"),
    [
        (
            "view(2, 7, 4, 32)",
            BSH,
            "batch seq_len num_heads head_size",
            "hidden_size=128 is split into num_heads=4 × head_size=32.",
        ),
        (
            "reshape(2, 7, 128)",
            "batch seq_len num_heads head_size",
            BSH,
            "num_heads=4 × head_size=32 are joined into hidden_size=128.",
        ),
        (
            "transpose(1, 2)",
            "batch seq_len num_heads head_size",
            HEADS,
            "seq_len=7 and num_heads=4 change places.",
        ),
        (
            "permute(2, 0, 1)",
            "batch seq_len 5",
            "5 batch seq_len",
            "The axes change their order: 5, batch=2, seq_len=7.",
        ),
        (
            "matmul",
            HEADS,
            "batch num_heads seq_len seq_len",
            "head_size=32 is summed away, seq_len=7 takes its place.",
        ),
        (
            "linear",
            BSH,
            "batch seq_len intermediate_size",
            "hidden_size=128 is summed away, intermediate_size=512 takes its place.",
        ),
        (
            "embedding",
            "batch seq_len",
            BSH,
            "Each id is replaced by a row of the table: hidden_size=128 is new.",
        ),
        ("[:, 0]", BSH, "batch hidden_size", "seq_len=7 is gone: one place of it is kept."),
        ("mean(dim=1)", BSH, "batch hidden_size", "seq_len=7 is averaged away."),
        ("sum(1)", BSH, "batch hidden_size", "seq_len=7 is summed away."),
        ("squeeze(1)", "batch 1 seq_len", "batch seq_len", "An axis of size 1 is left out."),
        ("unsqueeze(1)", "batch seq_len", "batch 1 seq_len", "An axis of size 1 is put in."),
        ("[:, None, None, :]", "batch seq_len", "batch 1 1 seq_len", "2 axes of size 1 are put in."),
        ("expand(2, 7)", "1 seq_len", "batch seq_len", "The axis of size 1 is repeated: batch=2."),
        ("[:, :3]", "batch 7", "batch 3", "Of 7 only 3 are kept: 3."),
        ("softmax(dim=-1)", HEADS, HEADS, "The shape stays: along head_size=32 the numbers now add up to 1."),
        ("softmax(1)", HEADS, HEADS, "The shape stays: along num_heads=4 the numbers now add up to 1."),
        ("tanh", BSH, BSH, "The shape stays."),
        (
            "linear",
            BSH,
            BSH,
            "The shape stays: hidden_size=128 is summed away, a new axis as long takes its place.",
        ),
        ("cross_entropy", "5 vocab_size", "", "5 and vocab_size=2000 are gone."),
    ],
)
def test_the_change_of_a_step_is_one_sentence(name: str, before: str, after: str, sentence: str) -> None:
    assert sentence_of(name, before, after) == sentence


@pytest.mark.parametrize(
    ("other", "end"),
    [
        ("1 seq_len hidden_size", "[1, seq_len=7, hidden_size=128] is repeated along batch=2."),
        ("hidden_size", "[hidden_size=128] is repeated along batch=2 and seq_len=7."),
        ("", "one number meets every other."),
        (BSH, "two tensors of it are combined number by number."),
    ],
)
def test_a_sum_says_what_is_repeated(other: str, end: str) -> None:
    assert sentence_of("+", BSH, BSH, (other,)) == f"The shape stays: {end}"
