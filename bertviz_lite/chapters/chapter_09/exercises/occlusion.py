"""Exercises of chapter 09, the NSP head: what each word contributes."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


def _score(kind: int) -> Callable[[Tensor], Tensor]:
    """Make a function that returns a log-odds for each row of input_ids, (n, seq_len) -> (n,)."""

    def score(input_ids: Tensor) -> Tensor:
        places = torch.arange(1, input_ids.shape[1] + 1, dtype=torch.float64)
        own = (input_ids * places).sin().sum(-1)
        return own if kind == 0 else own + (input_ids[:, 1:] * input_ids[:, :-1]).double().cos().sum(-1)

    return score


def _fall_cases() -> Iterator[Case]:
    ids = torch.tensor([2, 17, 31, 3, 40, 41, 42, 3])
    yield Case(
        _score(0), ids, [(1, 2), (2, 3), (4, 5), (5, 7)], 4,
        label="input_ids = [2, 17, 31, 3, 40, 41, 42, 3], spans (1, 2), (2, 3), (4, 5), (5, 7), mask_id = 4",
    )  # fmt: skip
    ids = torch.tensor([9, 25, 26, 27, 8, 51, 8])
    yield Case(_score(1), ids, [(1, 4), (5, 6)], 7, label="seven ids, a word of three tokens, mask_id = 7")


@exercise(
    cases=_fall_cases,
    hints=(
        "For every word start from a fresh copy, input_ids.clone(), and put mask_id into start … stop - 1.",
        "score() takes a batch: input_ids[None] is a batch of one.",
        "A fall is what the log-odds were, minus what they are with the word hidden.",
    ),
    note="All copies could also be stacked and scored in one pass, as evaluation.pair_probes does.",
)
def falls(
    score: Callable[[Tensor], Tensor], input_ids: Tensor, spans: list[tuple[int, int]], mask_id: int
) -> Tensor:
    """Hide one word after the other, and measure how far the log-odds fall each time: (words,).

    `score` returns log-odds for a batch of ids, (n, seq_len) -> (n,); `input_ids` is (seq_len,). A span is
    (start, stop): the tokens of a word are at start … stop - 1.
    """
    whole = score(input_ids[None])[0]
    hidden = []
    for start, stop in spans:
        row = input_ids.clone()
        row[start:stop] = mask_id
        hidden.append(row)
    return whole - score(torch.stack(hidden))


_Score = Callable[[Tensor], Tensor]
_Spans = list[tuple[int, int]]


def _occlude(
    score: _Score, input_ids: Tensor, spans: _Spans, mask_id: int, *, grow: bool = False, first: bool = False
) -> tuple[Tensor, Tensor]:
    """Score the input whole and with words hidden: all before too (`grow`), or first tokens only."""
    rows, row = [], input_ids.clone()
    for start, stop in spans:
        row = row.clone() if grow else input_ids.clone()
        row[start : start + 1 if first else stop] = mask_id
        rows.append(row)
    return score(input_ids[None])[0], score(torch.stack(rows))


def _wrong_falls(change: Callable[[Tensor, Tensor], Tensor], **options: bool) -> Callable[..., Tensor]:
    def answer(score: _Score, input_ids: Tensor, spans: _Spans, mask_id: int) -> Tensor:
        return change(*_occlude(score, input_ids, spans, mask_id, **options))

    return answer


falls.mistake(
    "The sign is wrong: a fall is positive where the log-odds get smaller.",
    _wrong_falls(lambda whole, hidden: hidden - whole),
)
falls.mistake(
    "These are the log-odds with each word hidden; give how far they fall.",
    _wrong_falls(lambda _, hidden: hidden),
)
falls.mistake(
    "Words stay hidden while the next one is hidden: start from a fresh copy each time.",
    _wrong_falls(torch.sub, grow=True),
)
falls.mistake(
    "Only the first token of each word is hidden; the others give it away.",
    _wrong_falls(torch.sub, first=True),
)
falls.mistake(
    "The sign is lost: a word can also speak against, and then its fall is negative.",
    _wrong_falls(lambda whole, hidden: (whole - hidden).abs()),
)
falls.mistake(
    "The last token is left: stop - 1 still belongs to the word.",
    lambda score, ids, spans, mask_id: _wrong_falls(torch.sub)(
        score, ids, [(start, stop - 1) for start, stop in spans], mask_id
    ),
)
falls.mistake(
    "score() takes a batch, (n, seq_len): a single row is input_ids[None].",
    lambda score, ids, _spans, _mask_id: score(ids),
)
falls.mistake(
    "The word is cut out, so that all after it move up; put mask_id in its place.",
    lambda score, ids, spans, _mask_id: torch.stack(
        [(score(ids[None]) - score(torch.cat([ids[:start], ids[stop:]])[None]))[0] for start, stop in spans]
    ),
)
falls.mistake(
    "input_ids itself was changed, so that the first log-odds are no longer those of the whole pair: "
    "hide words in a copy, input_ids.clone().",
    _wrong_falls(lambda _, hidden: hidden[-1] - hidden, grow=True),
)
