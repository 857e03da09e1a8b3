"""Exercises of chapter 12, real weights and BERT's relatives: from a count to positions that rotate.

`factorised`, `sentence_vector`, `nearest`, `leave_one_out`, `roberta_positions`, `near_enough`, `rotate`.
"""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn.functional import normalize

from bertviz_lite.exercises import Case, exercise


def _random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


@exercise(
    cases=lambda: [Case(10, 2, 5), Case(30_000, 128, 768), Case(30_522, 64, 1024)],
    hints=(
        "First the table: a row of embedding_size numbers for each piece of the vocabulary.",
        "A linear map from a to b numbers has a · b weights and b biases.",
    ),
    note="For ALBERT's sizes, under 4 million; one table of 30,000 rows of 768 has 23 million.",
)
def factorised(vocab_size: int, embedding_size: int, hidden_size: int) -> int:
    """Count ALBERT's word embedding: a table of narrow rows, and a linear map with bias to `hidden_size`."""
    return vocab_size * embedding_size + embedding_size * hidden_size + hidden_size


factorised.mistake("That is BERT's table; ALBERT's rows are embedding_size long.", lambda v, e, h: v * h)
factorised.mistake("The bias of the linear map is missing.", lambda v, e, h: v * e + e * h)
factorised.mistake("That is the table alone; the linear map follows.", lambda v, e, h: v * e)
factorised.mistake("That is the linear map alone; the table comes first.", lambda v, e, h: e * h + h)
factorised.mistake(
    "The bias has one number for each that comes out, and hidden_size come out.",
    lambda v, e, h: v * e + e * h + e,
)
factorised.mistake(
    "That is one bias for each piece of the vocabulary; the table has none.",
    lambda v, e, h: v * e + v + e * h + h,
)
factorised.mistake("Add the two counts, do not multiply them.", lambda v, e, h: v * e * (e * h + h))


def _masked_cases() -> Iterator[Case]:
    states = torch.tensor([[[3.0, 0.0], [3.0, 8.0], [9.0, 9.0]], [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]])
    yield Case(states.double(), torch.tensor([[1, 1, 0], [1, 1, 1]]))
    mask = torch.tensor([[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0]])
    yield Case(_random(2, 7, 4) - 1, mask, label="states of shape (2, 7, 4), the second text padded by 4")


@exercise(
    cases=_masked_cases,
    hints=(
        "Chapter 06's mean first: padding times 0, divided by the number of real tokens.",
        "The length of each vector: vectors.norm(dim=-1, keepdim=True). Divide by it.",
    ),
    note="With such vectors the cosine is the dot product, so that a whole library is compared by one `@`.",
)
def sentence_vector(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Average the real tokens' vectors, then bring each to length 1: -> (batch, hidden_size).

    `states` is (batch, seq_len, hidden_size); `attention_mask`, (batch, seq_len), is 1 for tokens, 0 for
    padding.
    """
    weights = attention_mask[..., None].to(states.dtype)
    return normalize((states * weights).sum(dim=1) / weights.sum(dim=1), dim=-1)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask[..., None].to(states.dtype)
    return (states * weights).sum(dim=1) / weights.sum(dim=1)


sentence_vector.mistake("The vectors are not brought to length 1.", _mean)
sentence_vector.mistake(
    "Padding is in the average: use the mask.", lambda states, mask: normalize(states.mean(dim=1), dim=-1)
)
sentence_vector.mistake("That is the plain mean, padding and all.", lambda states, mask: states.mean(dim=1))
sentence_vector.mistake("That is [CLS].", lambda states, mask: states[:, 0])
sentence_vector.mistake(
    "That is [CLS], brought to length 1; average the tokens.",
    lambda states, mask: normalize(states[:, 0], dim=-1),
)
sentence_vector.mistake(
    "Each token is brought to length 1 before the average; do it after.",
    lambda states, mask: _mean(normalize(states, dim=-1), mask),
)
sentence_vector.mistake(
    "The numbers add up to 1 now; the *length*, the root of the sum of squares, is to be 1.",
    lambda states, mask: _mean(states, mask) / _mean(states, mask).sum(dim=-1, keepdim=True),
)
sentence_vector.mistake(
    "The length is taken over the batch (dim=0); each text has its own.",
    lambda states, mask: normalize(_mean(states, mask), dim=0),
)
sentence_vector.mistake(
    "The counts lie along the numbers of a vector; each text has its own: keep them a column (keepdim=True).",
    lambda states, mask: normalize((states * mask[..., None]).sum(dim=1) / mask.sum(dim=1), dim=-1),
)
sentence_vector.mistake(
    "That has the square of the length below the line: a root is missing.",
    lambda states, mask: _mean(states, mask) / (_mean(states, mask) ** 2).sum(dim=-1, keepdim=True),
)


def _table_cases() -> Iterator[Case]:
    yield Case(torch.tensor([[1.0, 0.0], [9.0, 9.0], [2.0, 0.5], [-1.0, 0.0]]).double(), 0, 2)
    yield Case(_random(30, 5), 7, 4, label="a table of 30 rows of 5, row 7, 4 neighbours")
    yield Case(_random(12, 3, seed=2) + 1, 11, 3, label="a table of 12 rows of 3, the last row, 3 neighbours")


@exercise(
    cases=_table_cases,
    hints=(
        "Bring all rows to length 1; then table @ table[row] is the cosine of every row with that one.",
        "A row is its own nearest: set its cosine to -inf before topk(count).indices.",
    ),
)
def nearest(table: Tensor, row: int, count: int) -> Tensor:
    """Find the `count` rows of a table with the largest cosine to row number `row`, itself left out.

    `table` is (vocab_size, hidden_size). Give their numbers, the nearest first.
    """
    unit = normalize(table, dim=-1)
    cosines = unit @ unit[row]
    cosines[row] = -torch.inf
    return cosines.topk(count).indices


@nearest.mistake("Each row is its own nearest neighbour: leave it out.")
def _itself(table: Tensor, row: int, count: int) -> Tensor:
    unit = normalize(table, dim=-1)
    return (unit @ unit[row]).topk(count).indices


@nearest.mistake("Those are the largest dot products: long rows win. Bring the rows to length 1 first.")
def _dots(table: Tensor, row: int, count: int) -> Tensor:
    dots = table @ table[row]
    dots[row] = -torch.inf
    return dots.topk(count).indices


@nearest.mistake("Those are the smallest distances; the largest cosines are asked for.")
def _distances(table: Tensor, row: int, count: int) -> Tensor:
    apart = (table - table[row]).norm(dim=-1)
    apart[row] = torch.inf
    smallest: Tensor = apart.topk(count, largest=False).indices
    return smallest


@nearest.mistake("Those are the farthest: the smallest cosines.")
def _farthest(table: Tensor, row: int, count: int) -> Tensor:
    unit = normalize(table, dim=-1)
    return (unit @ unit[row]).topk(count, largest=False).indices


@nearest.mistake("Those are the cosines; give the numbers of the rows (`.indices`).")
def _values(table: Tensor, row: int, count: int) -> Tensor:
    unit = normalize(table, dim=-1)
    cosines = unit @ unit[row]
    cosines[row] = -torch.inf
    return cosines.topk(count).values


@nearest.mistake("The farthest of them comes first; the nearest is to come first.")
def _backwards(table: Tensor, row: int, count: int) -> Tensor:
    unit = normalize(table, dim=-1)
    cosines = unit @ unit[row]
    cosines[row] = -torch.inf
    return cosines.topk(count).indices.flip(0)


def _senses_cases() -> Iterator[Case]:
    vectors = torch.tensor([[0.0], [1.0], [4.0], [4.5], [5.0], [1.4]]).double()
    yield Case(vectors, torch.tensor([0, 0, 1, 1, 1, 1]))
    labels = torch.arange(12) % 2
    yield Case(_random(12, 3) + 0.6 * labels[:, None], labels, label="12 vectors of 3, two senses in turn")
    labels = torch.tensor([0, 1, 1, 0, 1, 1, 1, 0])
    yield Case(_random(8, 5, seed=4), labels, label="8 vectors of 5 at random, two senses, 3 and 5 of them")


@exercise(
    cases=_senses_cases,
    hints=(
        "For vector i, average the others of either label: keep = torch.arange(len(labels)) != i.",
        "(vectors[i] - centroid).norm() for both centroids; right where its own label's is smaller.",
    ),
    note="With few vectors the one that is left out matters much.",
)
def leave_one_out(vectors: Tensor, labels: Tensor) -> Tensor:
    """Say for which share of the vectors the nearest centroid is that of their own label.

    `vectors` is (n, size), `labels` (n,) of 0 and 1. The centroid of a label is the mean of its vectors,
    *without* the one that is asked about. Near is the Euclidean distance.
    """
    hits = []
    for i, label in enumerate(labels):
        others = torch.arange(len(labels)) != i
        means = torch.stack([vectors[others & (labels == one)].mean(dim=0) for one in (0, 1)])
        hits.append((vectors[i] - means).norm(dim=-1).argmin() == label)
    return torch.stack(hits).double().mean()


def _own_in(vectors: Tensor, labels: Tensor) -> Tensor:
    means = torch.stack([vectors[labels == one].mean(dim=0) for one in (0, 1)])
    return (torch.cdist(vectors, means).argmin(dim=1) == labels).double()


leave_one_out.mistake(
    "Each vector is part of the centroid that it is compared with: leave it out.",
    lambda vectors, labels: _own_in(vectors, labels).mean(),
)
leave_one_out.mistake(
    "That is how many, with each vector part of its own centroid; a share is asked for, without it.",
    lambda vectors, labels: _own_in(vectors, labels).sum(),
)


@leave_one_out.mistake("That is the number of right ones; divide it by how many vectors there are.")
def _number(vectors: Tensor, labels: Tensor) -> Tensor:
    share = leave_one_out.reference(vectors, labels)
    assert isinstance(share, Tensor)
    return share * len(labels)


@leave_one_out.mistake("That is the share of wrong ones.")
def _wrong(vectors: Tensor, labels: Tensor) -> Tensor:
    share = leave_one_out.reference(vectors, labels)
    assert isinstance(share, Tensor)
    return 1 - share


@leave_one_out.mistake("That asks for the nearest single vector; a label's vectors are to be averaged first.")
def _neighbour(vectors: Tensor, labels: Tensor) -> Tensor:
    apart = torch.cdist(vectors, vectors).fill_diagonal_(torch.inf)
    return (labels[apart.argmin(dim=1)] == labels).double().mean()


def _position_cases() -> Iterator[Case]:
    yield Case(torch.tensor([[0, 7, 8, 2], [0, 9, 2, 1]]), 1)
    yield Case(torch.tensor([[5, 6, 7, 0, 0], [5, 6, 7, 8, 9], [5, 0, 0, 0, 0]]), 0)
    yield Case(torch.tensor([[4, 3, 9, 9, 5, 3, 3]]), 3)


@exercise(
    cases=_position_cases,
    hints=(
        "Which tokens are real? (input_ids != padding_id), as 1 and 0.",
        "cumsum(dim=1) counts the real ones; times the same 1 and 0, padding gets 0. Then add padding_id.",
    ),
    note="That is why RoBERTa's table has 514 rows for 512 places: rows 0 and 1 are never a token's place.",
)
def roberta_positions(input_ids: Tensor, padding_id: int) -> Tensor:
    """Give every token its position as RoBERTa does.

    Real tokens are padding_id + 1, padding_id + 2, … in each row; padding is padding_id itself.
    `input_ids` is (batch, seq_len), and so is the result.
    """
    real = (input_ids != padding_id).long()
    return real.cumsum(dim=1) * real + padding_id


roberta_positions.mistake(
    "That is BERT's way: 0, 1, 2, … in every row.",
    lambda ids, padding: torch.arange(ids.shape[1]).expand(ids.shape),
)
roberta_positions.mistake(
    "Padding goes on counting; it gets padding_id itself.",
    lambda ids, padding: torch.arange(ids.shape[1]).expand(ids.shape) + padding + 1,
)
roberta_positions.mistake(
    "Padding keeps the last number; it gets padding_id.",
    lambda ids, padding: (ids != padding).long().cumsum(dim=1) + padding,
)
roberta_positions.mistake(
    "padding_id is not added.",
    lambda ids, padding: (ids != padding).long().cumsum(dim=1) * (ids != padding),
)
roberta_positions.mistake(
    "The first real token gets padding_id + 1, not padding_id.",
    lambda ids, padding: ((ids != padding).long().cumsum(dim=1) - 1) * (ids != padding) + padding,
)
roberta_positions.mistake(
    "That is one too many: the first real token gets padding_id + 1.",
    lambda ids, padding: ((ids != padding).long().cumsum(dim=1) + 1) * (ids != padding) + padding,
)
roberta_positions.mistake(
    "The count runs down the batch (dim=0); it is to run along each row.",
    lambda ids, padding: (ids != padding).long().cumsum(dim=0) * (ids != padding) + padding,
)
roberta_positions.mistake(
    "Padding gets 0; it gets padding_id.",
    lambda ids, padding: ((ids != padding).long().cumsum(dim=1) + padding) * (ids != padding),
)


@exercise(
    cases=lambda: [Case(5, 1), Case(7, 2), Case(4, 0), Case(3, 9)],
    hints=(
        "places = torch.arange(seq_len); places[:, None] - places[None] is every query minus every key.",
        "Its absolute value, .abs(), is the distance: True where it is at most `half`.",
    ),
    note="ModernBERT does so in two layers of three, 64 places to either side; in the third all is seen.",
)
def near_enough(seq_len: int, half: int) -> Tensor:
    """Say which keys each query may see if it sees `half` places to either side, and itself.

    True and False, of shape (seq_len, seq_len): a row for each query.
    """
    places = torch.arange(seq_len)
    return (places[:, None] - places[None]).abs() <= half


def _apart(seq_len: int) -> Tensor:
    places = torch.arange(seq_len)
    return places[:, None] - places[None]


near_enough.mistake(
    "The places at a distance of exactly `half` are missing.", lambda n, half: _apart(n).abs() < half
)
near_enough.mistake(
    "Later places are all seen: the distance has no sign here, use .abs().",
    lambda n, half: _apart(n) <= half,
)
near_enough.mistake(
    "Only earlier places are seen; later ones are, too.",
    lambda n, half: (_apart(n) >= 0) & (_apart(n) <= half),
)
near_enough.mistake(
    "`half` is for either side; that gives half of it to each.", lambda n, half: _apart(n).abs() <= half // 2
)
near_enough.mistake("That says what is *not* seen.", lambda n, half: _apart(n).abs() > half)
near_enough.mistake("A query sees itself, too.", lambda n, half: (_apart(n).abs() <= half) & (_apart(n) != 0))
near_enough.mistake(
    "Those are distances; compare them with `half`.", lambda n, half: _apart(n).abs().double()
)


def _rotary_cases() -> Iterator[Case]:
    yield Case(torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]]).double(), torch.tensor([0, 1, 2]))
    yield Case(_random(2, 3, 4), torch.tensor([3, 4, 9]), label="vectors of shape (2, 3, 4), places 3, 4, 9")
    yield Case(_random(5, 6, seed=1), torch.arange(5), label="vectors of shape (5, 6), places 0 to 4")


@exercise(
    cases=_rotary_cases,
    hints=(
        "angles = positions[:, None] * 10_000 ** (-torch.arange(half) / half), of shape (seq_len, half).",
        "a, b = vectors[..., :half], vectors[..., half:]; (a, b) becomes (a cos - b sin, b cos + a sin).",
        "Put both halves side by side again: torch.cat([…, …], dim=-1).",
    ),
    note="Rotated so, the dot product of query and key depends on their distance only.",
)
def rotate(vectors: Tensor, positions: Tensor) -> Tensor:
    """Rotate queries or keys by their place, as ModernBERT does: (…, seq_len, head_size), the shape stays.

    With half = head_size / 2, component i and component i + half are a pair (a, b). At place p it is turned
    by the angle p · 10000 ** (-i / half). `positions` is (seq_len,). Source: Su et al., 2021,
    "RoFormer: enhanced transformer with rotary position embedding", section 3.2.2.
    """
    half = vectors.shape[-1] // 2
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(half, dtype=vectors.dtype) / half)
    a, b = vectors[..., :half], vectors[..., half:]
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


def _turn(
    vectors: Tensor, positions: Tensor, sign: int = 1, power: int = 1, base: float = 10_000.0
) -> Tensor:
    half = vectors.shape[-1] // 2
    angles = positions[:, None] * base ** (-power * torch.arange(half, dtype=vectors.dtype) / half)
    a, b = vectors[..., :half], vectors[..., half:]
    cos, sin = angles.cos(), sign * angles.sin()
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


rotate.mistake("It turns the other way round: the signs of sin are exchanged.", lambda v, p: _turn(v, p, -1))
rotate.mistake(
    "Every pair turns by the same angle; pair i turns by p · 10000 ** (-i / half).",
    lambda v, p: _turn(v, p, power=0),
)
rotate.mistake(
    "The angles fall too slowly: divide i by half, not by head_size.",
    lambda v, p: _turn(v, p, base=100.0),
)
rotate.mistake(
    "The exponent has the wrong sign: later pairs turn slowly.", lambda v, p: _turn(v, p, power=-1)
)
rotate.mistake("The places are counted from 1; use those in `positions`.", lambda v, p: _turn(v, p + 1))


@rotate.mistake("`positions` is not used: the places are not always 0, 1, 2, …")
def _from_zero(vectors: Tensor, positions: Tensor) -> Tensor:
    return _turn(vectors, torch.arange(len(positions)))


@rotate.mistake("A minus is missing: (a, b) becomes (a cos - b sin, b cos + a sin).")
def _no_minus(vectors: Tensor, positions: Tensor) -> Tensor:
    half = vectors.shape[-1] // 2
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(half, dtype=vectors.dtype) / half)
    a, b = vectors[..., :half], vectors[..., half:]
    return torch.cat([a * angles.cos() + b * angles.sin(), b * angles.cos() + a * angles.sin()], dim=-1)


@rotate.mistake("Neighbouring components are paired (0 with 1); pair component i with i + half.")
def _interleaved(vectors: Tensor, positions: Tensor) -> Tensor:
    half = vectors.shape[-1] // 2
    apart = torch.cat([vectors[..., 0::2], vectors[..., 1::2]], dim=-1)
    turned = _turn(apart, positions)
    return torch.stack([turned[..., :half], turned[..., half:]], dim=-1).flatten(-2)
