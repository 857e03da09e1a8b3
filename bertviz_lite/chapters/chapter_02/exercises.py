"""Exercises of chapter 02, input embeddings: from changing one number to building the layer.

`which_part_changes`, `lengths`, `add_by_hand`, `layer_norm`, `nearest`, `sinusoidal`, `embedding_layer`.
"""

import copy
import math
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any, cast

import torch
from torch import Tensor, nn
from transformers import BertConfig, PreTrainedTokenizerBase
from transformers.models.bert.modeling_bert import BertEmbeddings

from bertviz_lite.exercises import Case, exercise, loaded, question


@question(
    hints=(
        "Each part is a row of a table. What is the number of the row for each of the three?",
        "The id of the word is the same, and so is its side of [SEP].",
    ),
    note="The other two are looked up by the word's id and by its side of [SEP]; neither has moved.",
)
def which_part_changes() -> str:
    """Say which part of a word's input vector changes when the word moves one place to the right.

    "token", "position", "segment" or "all".
    """
    return "position"


which_part_changes.mistake(
    "The token row is looked up by the id of the word: the same word, the same row.", "token"
)
which_part_changes.mistake(
    "The segment row says on which side of [SEP] a word stands; it stays there.", "segment"
)
which_part_changes.mistake("Not all three: ask of each table what its rows are numbered by.", "all")


def _own() -> BertEmbeddings:
    """Give the embedding layer of the model that the chapters load."""
    return cast(BertEmbeddings, loaded()[1].base_model.embeddings)


def _rows(table: nn.Embedding, which: slice = slice(None)) -> Tensor:
    return table.weight.detach()[which].double()


def _tokens() -> tuple[str, ...]:
    return _tokens_of(loaded()[0])


@lru_cache(maxsize=2)
def _tokens_of(tokenizer: PreTrainedTokenizerBase) -> tuple[str, ...]:
    return tuple(cast(list[str], tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))))


def _lengths_cases() -> Iterator[Case]:
    yield Case(torch.tensor([[3.0, 4.0, 0.0], [0.0, -2.0, 0.0]], dtype=torch.float64))
    yield Case(torch.tensor([[1.0, 2.0, 2.0], [2.0, 3.0, 6.0], [0.5, 0.0, 0.0]], dtype=torch.float64))
    table = _rows(_own().position_embeddings, slice(20))
    yield Case(table, label="the first 20 rows of the model's position table")


@exercise(
    cases=_lengths_cases,
    hints=(
        "Length (Euclidean norm): square every entry, add them up along the row, take the root.",
        "`dim` names the axis that disappears. A row runs along the last axis, which is 1 or -1.",
    ),
)
def lengths(table: Tensor) -> Tensor:
    """Give the length of every row of a table: (rows, hidden_size) -> (rows,)."""
    return (table**2).sum(dim=1) ** 0.5


lengths.mistake(
    "These are the lengths of the columns: `dim` names the axis that disappears.",
    lambda table: (table**2).sum(dim=0) ** 0.5,
)
lengths.mistake("These are squared lengths: the root is missing.", lambda table: (table**2).sum(dim=1))
lengths.mistake(
    "These are sums of absolute values; a length squares first.", lambda table: table.abs().sum(dim=1)
)
lengths.mistake(
    "These are roots of the *mean* square: a length adds up, it does not average.",
    lambda table: (table**2).mean(dim=1) ** 0.5,
)
lengths.mistake("This is one length for the whole table.", lambda table: (table**2).sum() ** 0.5)


def _small_tables() -> tuple[Tensor, Tensor, Tensor]:
    words = torch.tensor([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0], [5.0, 8.0]], dtype=torch.float64)
    positions = torch.tensor([[0.1, 0.2], [0.3, 0.5], [0.7, 0.4], [0.9, 0.6]], dtype=torch.float64)
    segments = torch.tensor([[10.0, 20.0], [30.0, 50.0]], dtype=torch.float64)
    return words, positions, segments


def _add_cases() -> Iterator[Case]:
    yield Case(torch.tensor([2, 3]), torch.tensor([0, 1]), *_small_tables())
    yield Case(torch.tensor([3, 1, 1]), torch.tensor([0, 0, 1]), *_small_tables())
    own, batch = _own(), _real_batch()
    ids = batch["input_ids"][0]
    yield Case(
        ids,
        batch["token_type_ids"][0],
        # No more of a large vocabulary than is looked up: every wrong answer is tried on a copy.
        _rows(own.word_embeddings, slice(int(ids.max()) + 1)),
        *(_rows(one) for one in (own.position_embeddings, own.token_type_embeddings)),
        label="a pair of texts, the model's tables",
    )


@exercise(
    cases=_add_cases,
    hints=(
        "A table indexed by a tensor of ids gives one row for each id: words[input_ids].",
        "Positions are 0, 1, 2, …, as many as there are ids: positions[: len(input_ids)].",
    ),
    note="The sum forgets its parts: nothing after it is told which number came from where.",
)
def add_by_hand(
    input_ids: Tensor, token_type_ids: Tensor, words: Tensor, positions: Tensor, segments: Tensor
) -> Tensor:
    """Add up the three parts of every token: (seq_len,) ids and three tables -> (seq_len, hidden_size)."""
    return words[input_ids] + positions[: len(input_ids)] + segments[token_type_ids]


add_by_hand.mistake("The segment part is missing.", lambda ids, types, w, p, s: w[ids] + p[: len(ids)])
add_by_hand.mistake(
    "Segment 0 is added everywhere: look the row up by token_type_ids.",
    lambda ids, types, w, p, s: w[ids] + p[: len(ids)] + s[0],
)
add_by_hand.mistake("The position part is missing.", lambda ids, types, w, p, s: w[ids] + s[types])
add_by_hand.mistake(
    "The positions start at 1: the first token has position 0.",
    lambda ids, types, w, p, s: w[ids] + p[1 : len(ids) + 1] + s[types],
)
add_by_hand.mistake(
    "The position table is looked up by the ids of the words; it wants 0, 1, 2, …",
    lambda ids, types, w, p, s: w[ids] + p[ids] + s[types],
)
add_by_hand.mistake(
    "The parts are averaged; BERT adds them up.",
    lambda ids, types, w, p, s: (w[ids] + p[: len(ids)] + s[types]) / 3,
)
add_by_hand.mistake(
    "The parts are put end to end; BERT adds them up, so hidden_size stays the same.",
    lambda ids, types, w, p, s: torch.cat([w[ids], p[: len(ids)], s[types]], dim=-1),
)


def _layer_norm_cases() -> Iterator[Case]:
    row = torch.tensor([[1.0, 2.0, 4.0, 5.0]], dtype=torch.float64)
    one, zero = torch.ones(4, dtype=torch.float64), torch.zeros(4, dtype=torch.float64)
    yield Case(row, one, zero, 0.0)
    yield Case(row, torch.tensor([1.0, 2.0, 0.5, 3.0]).double(), zero, 0.0)
    yield Case(row, one, torch.tensor([1.0, -1.0, 0.5, 0.0]).double(), 0.0)
    yield Case(row, one, zero, 2.0)
    batch = torch.arange(30, dtype=torch.float64).reshape(2, 3, 5).sin() * 3 + 1
    yield Case(batch, torch.arange(1, 6).double(), torch.arange(5).double(), 1e-6)
    own = _own()
    x = _rows(own.word_embeddings, slice(5, 12))
    norm = own.LayerNorm
    gain, bias = norm.weight.detach().double(), norm.bias.detach().double()
    yield Case(
        x, gain, bias, norm.eps, label="seven rows of the model's token table, and its own gain and bias"
    )


@exercise(
    cases=_layer_norm_cases,
    hints=(
        "Mean and variance run along the last axis, one of each for a row; keepdim=True keeps that axis.",
        "The variance is the mean of the squared distances from the mean: divide by n, not by n - 1.",
        "eps is added to the variance, under the root; gain and bias come last.",
    ),
    note="The same numbers as torch.nn.LayerNorm gives.",
)
def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
    """Give every row mean 0 and variance 1, then multiply by gain and add bias: the shape stays the same.

    Ba, Kiros and Hinton, 2016, "Layer Normalization", with eps added to the variance.
    """
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return gain * (x - mean) / (variance + eps).sqrt() + bias


def _variance(x: Tensor, dim: int | tuple[int, ...] = -1, correction: int = 0) -> Tensor:
    return x.var(dim=dim, keepdim=True, correction=correction)


def _centred(x: Tensor) -> Tensor:
    return x - x.mean(dim=-1, keepdim=True)


layer_norm.mistake(
    "The variance divides by n - 1, as Tensor.var() and .std() do unless told; LayerNorm divides by n.",
    lambda x, gain, bias, eps: gain * _centred(x) / (_variance(x, correction=1) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "eps stands outside the root; LayerNorm adds it to the variance, under the root.",
    lambda x, gain, bias, eps: gain * _centred(x) / (_variance(x).sqrt() + eps) + bias,
)
layer_norm.mistake(
    "eps is not used: a row whose entries are all the same would divide zero by zero.",
    lambda x, gain, bias, eps: gain * _centred(x) / _variance(x).sqrt() + bias,
)
layer_norm.mistake(
    "gain is not used.", lambda x, gain, bias, eps: _centred(x) / (_variance(x) + eps).sqrt() + bias
)
layer_norm.mistake(
    "bias is not used.", lambda x, gain, bias, eps: gain * _centred(x) / (_variance(x) + eps).sqrt()
)
layer_norm.mistake(
    "gain multiplies the bias too: multiply first, then add.",
    lambda x, gain, bias, eps: gain * (_centred(x) / (_variance(x) + eps).sqrt() + bias),
)
layer_norm.mistake(
    "Mean and variance run along the wrong axis: across the tokens. Each token is normalised by itself.",
    lambda x, gain, bias, eps: gain * (x - x.mean(-2, keepdim=True)) / (_variance(x, -2) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "Mean and variance are those of the whole tensor; each row has its own.",
    lambda x, gain, bias, eps: gain * (x - x.mean()) / (x.var(correction=0) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "The root is missing: divide by the square root of the variance.",
    lambda x, gain, bias, eps: gain * _centred(x) / (_variance(x) + eps) + bias,
)
layer_norm.mistake(
    "The mean is not subtracted (that would be RMSNorm).",
    lambda x, gain, bias, eps: gain * x / ((x**2).mean(-1, keepdim=True) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "The mean is not subtracted before dividing.",
    lambda x, gain, bias, eps: gain * x / (_variance(x) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "The mean has lost its axis: with keepdim=True it lines up with the rows again.",
    lambda x, gain, bias, eps: gain * (x - x.mean(-1)) / (x.var(-1, correction=0) + eps).sqrt() + bias,
)


def _nearest_cases() -> Iterator[Case]:
    tokens = ["[PAD]", "[CLS]", "cat", "dog", "fish", "whale", "boat"]
    table = torch.tensor(
        [[0.0, 0.0], [1.0, 0.01], [1.0, 0.0], [2.0, 0.3], [0.5, 0.2], [9.0, 5.0], [0.1, 3.0]],
        dtype=torch.float64,
    )
    seen = "the table of seven rows: [PAD], [CLS], cat (1, 0), dog (2, 0.3), fish (0.5, 0.2), whale (9, 5), …"
    yield Case("cat", 2, tokens, table, label=f"word = 'cat', k = 2, {seen}")
    yield Case("whale", 3, tokens, table, label=f"word = 'whale', k = 3, {seen}")
    # Of a large vocabulary a part, spread over all of it: every wrong answer is tried on a copy.
    every = max(1, len(_tokens()) // 2_000)
    tokens = list(_tokens()[::every])
    table = _rows(_own().word_embeddings, slice(0, len(_tokens()), every))
    word = next(token for token in tokens[len(tokens) // 3 :] if token.isalpha())
    part = f"one in {every} of " if every > 1 else ""
    yield Case(word, 5, tokens, table, label=f"word = {word!r}, k = 5, {part}the model's own tokens and rows")


def _is_special(token: str) -> bool:
    return len(token) > 2 and token[0] == "[" and token[-1] == "]"


@exercise(
    cases=_nearest_cases,
    hints=(
        "Cosine: the dot product of two rows, divided by both their lengths.",
        "Sort by cosine, the largest first, and leave out what does not count before you take k.",
        "A token is special if it stands in brackets, as [PAD]. Its row may be all zeros: 0 / 0 is NaN.",
    ),
)
def nearest(word: str, k: int, tokens: list[str], table: Tensor) -> list[str]:
    """Give the k tokens whose rows are most similar to a word's by cosine, the most similar first.

    `tokens` is the list of the vocabulary in the order of its ids, `table` (vocab_size, hidden_size) has one
    row for each. The word itself and special tokens (in brackets, as [PAD]) are left out.
    """
    row = table[tokens.index(word)]
    cosines = (table @ row) / (table.norm(dim=-1) * row.norm())
    keep = [
        i
        for i, token in enumerate(tokens)
        if token != word and not (token.startswith("[") and token.endswith("]") and len(token) > 2)
    ]
    best = sorted(keep, key=lambda i: float(cosines[i]), reverse=True)
    return [tokens[i] for i in best[:k]]


def _cosines(row: Tensor, table: Tensor) -> Tensor:
    cosines: Tensor = (table @ row) / (table.norm(dim=-1).clamp(min=1e-12) * row.norm())
    return cosines


def _ranked(
    word: str,
    k: int,
    tokens: list[str],
    table: Tensor,
    *,
    score: Callable[[Tensor, Tensor], Tensor] = _cosines,
    itself: bool = False,
    special: bool = False,
    first: int = 0,
) -> list[str]:
    scores: list[float] = score(table[tokens.index(word)], table).tolist()
    keep = [
        i
        for i, token in enumerate(tokens)
        if (itself or token != word) and (special or not _is_special(token))
    ]
    best = sorted(keep, key=scores.__getitem__, reverse=True)
    return [tokens[i] for i in best[first : first + k]]


def _cut_first(word: str, k: int, tokens: list[str], table: Tensor) -> list[str]:
    best = _ranked(word, k, tokens, table, itself=True, special=True)
    return [token for token in best if token != word and not _is_special(token)]


nearest.mistake(
    "The word itself is in the list: it is always nearest to itself.", partial(_ranked, itself=True)
)
nearest.mistake("Special tokens, as [CLS], are in the list: leave them out.", partial(_ranked, special=True))
nearest.mistake(
    "The word itself and special tokens are in the list: leave both out.",
    partial(_ranked, itself=True, special=True),
)
nearest.mistake("The list is cut to k first and then cleaned, so it gets too short: clean first.", _cut_first)
nearest.mistake("The nearest one is skipped: was the word itself taken out twice?", partial(_ranked, first=1))
nearest.mistake(
    "This ranks by dot product, which favours long rows: divide by the lengths.",
    partial(_ranked, score=lambda row, table: table @ row),
)
nearest.mistake(
    "This ranks by distance; two rows can point the same way and lie far apart. Use the cosine.",
    partial(_ranked, score=lambda row, table: -(table - row).norm(dim=-1)),
)
nearest.mistake(
    "These are the least similar: sort the other way round.",
    partial(_ranked, score=lambda row, table: -_cosines(row, table)),
)


@nearest.mistake("These are ids: turn each into its token.")
def _ids(word: str, k: int, tokens: list[str], table: Tensor) -> list[int]:
    return [tokens.index(token) for token in _ranked(word, k, tokens, table)]


@exercise(
    cases=lambda: [Case(2, 4), Case(3, 4), Case(7, 6), Case(60, 16)],
    hints=(
        "Make a column of positions, (seq_len, 1), and a row of exponents 0, 2, 4, …, (1, hidden_size / 2).",
        "The angles are positions / 10000 ** (exponents / hidden_size).",
        "table[:, 0::2] are the even columns, for the sines; table[:, 1::2] the odd ones, for the cosines.",
    ),
    note="No row of it is learned, and it does not end: any position has a vector. BERT's own table ends.",
)
def sinusoidal(seq_len: int, hidden_size: int) -> Tensor:
    """Build the fixed position table of the first Transformer: (seq_len, hidden_size), hidden_size even.

    Column 2i of row p is sin(p / 10000^(2i / hidden_size)), column 2i + 1 the cosine of the same angle.
    Vaswani et al., 2017, "Attention Is All You Need", section 3.5.
    """
    positions = torch.arange(seq_len).double()[:, None]
    angles = positions / 10_000 ** (torch.arange(0, hidden_size, 2).double() / hidden_size)
    table = torch.empty(seq_len, hidden_size, dtype=torch.float64)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


def _waves(
    seq_len: int, hidden_size: int, *, first: int = 0, step: float = 2.0, sign: int = 1, swap: bool = False
) -> Tensor:
    pairs = torch.arange(hidden_size // 2).double()
    angles = torch.arange(first, seq_len + first).double()[:, None] * 10_000 ** (
        -sign * step * pairs / hidden_size
    )
    waves = [angles.cos(), angles.sin()] if swap else [angles.sin(), angles.cos()]
    return torch.stack(waves, dim=-1).flatten(1)


sinusoidal.mistake(
    "All sines come first, then all cosines; in the paper they take turns: sin, cos, sin, cos, …",
    lambda seq_len, hidden_size: torch.cat([_waves(seq_len, hidden_size)[:, i::2] for i in (0, 1)], dim=1),
)
sinusoidal.mistake("Sine and cosine have changed places: column 0 is a sine.", partial(_waves, swap=True))
sinusoidal.mistake("The positions start at 1: the first row is position 0.", partial(_waves, first=1))
sinusoidal.mistake(
    "The exponent grows half as fast as it should: it is 2i / hidden_size, not i / hidden_size.",
    partial(_waves, step=1.0),
)
sinusoidal.mistake(
    "The exponent grows twice as fast as it should: the even numbers 0, 2, 4, … are 2i already.",
    partial(_waves, step=4.0),
)
sinusoidal.mistake("The angles are multiplied by the power of 10000; divide.", partial(_waves, sign=-1))


@sinusoidal.mistake("A cosine has an angle of its own here; it shares that of the sine to its left.")
def _own_angles(seq_len: int, hidden_size: int) -> Tensor:
    columns = torch.arange(hidden_size).double()
    angles = torch.arange(seq_len).double()[:, None] / 10_000 ** (columns / hidden_size)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


@sinusoidal.mistake("Every column is a sine; the odd ones should be cosines.")
def _only_sines(seq_len: int, hidden_size: int) -> Tensor:
    return _waves(seq_len, hidden_size)[:, 0::2].repeat_interleave(2, dim=1)


class EmbeddingLayer(nn.Module):
    """Build BERT's embedding layer from its tables: ids in, normalised sums out, as `BertEmbeddings` does.

    `EmbeddingLayer(embeddings)` takes the tables and the LayerNorm from a model's own embeddings. Called with
    `input_ids`, `token_type_ids` and `position_ids`, all (batch, seq_len), the last two optional, it gives
    (batch, seq_len, hidden_size), the same as the model's own; in training mode it drops numbers too.
    """

    def __init__(self, embeddings: BertEmbeddings) -> None:
        super().__init__()
        self.words = embeddings.word_embeddings
        self.positions = embeddings.position_embeddings
        self.segments = embeddings.token_type_embeddings
        self.norm = embeddings.LayerNorm
        self.dropout = nn.Dropout(embeddings.dropout.p)

    def forward(
        self, input_ids: Tensor, token_type_ids: Tensor | None = None, position_ids: Tensor | None = None
    ) -> Tensor:
        """Look up, add, normalise, drop out."""
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        if position_ids is None:
            position_ids = torch.arange(input_ids.shape[1]).expand_as(input_ids)
        total = self.words(input_ids) + self.positions(position_ids) + self.segments(token_type_ids)
        normalised: Tensor = self.dropout(self.norm(total))
        return normalised


def _words() -> list[str]:
    """List whole words from the middle of the vocabulary, whatever its language."""
    words = [token for token in _tokens() if token.isalpha()]
    return words[len(words) // 3 :]


def _real_batch() -> Any:  # noqa: ANN401 - BatchEncoding, which is not typed
    """Make a batch of two pairs of texts, the second padded."""
    tokenizer, _ = loaded()
    words = _words()
    first, second = [" ".join(words[:3]), words[3]], [" ".join(words[4:6]), words[6]]
    return tokenizer(first, second, padding=True, return_tensors="pt")


def _layer_cases() -> Iterator[Case]:
    config = BertConfig(
        vocab_size=6,
        hidden_size=2,
        num_attention_heads=1,
        max_position_embeddings=5,
        layer_norm_eps=1.0,
        hidden_dropout_prob=0.25,
    )
    small = BertEmbeddings(config).double().eval()
    words, positions, segments = _small_tables()
    with torch.no_grad():
        small.word_embeddings.weight[:4] = words
        small.position_embeddings.weight[:4] = positions
        small.token_type_embeddings.weight.copy_(segments / 10)
        small.LayerNorm.weight.copy_(torch.tensor([2.0, 3.0]))
        small.LayerNorm.bias.copy_(torch.tensor([0.5, -0.5]))
    ids = torch.tensor([[2, 3, 1]])
    yield Case(small, ids, label="input_ids = [[2, 3, 1]] and no more, a layer of hidden_size 2")
    yield Case(
        small, ids, torch.tensor([[0, 0, 1]]), label="input_ids = [[2, 3, 1]], token_type_ids = [[0, 0, 1]]"
    )
    yield Case(
        small,
        ids,
        torch.tensor([[0, 1, 1]]),
        torch.tensor([[3, 1, 2]]),
        label="input_ids = [[2, 3, 1]], token_type_ids = [[0, 1, 1]], position_ids = [[3, 1, 2]]",
    )
    yield Case(
        small, torch.tensor([[2, 3, 1], [3, 0, 0]]), label="input_ids = [[2, 3, 1], [3, 0, 0]], 0 is padding"
    )
    batch, own = _real_batch(), _own()
    ids, types = batch["input_ids"], batch["token_type_ids"]
    yield Case(own, ids, types, label="two pairs of texts, the second padded, in the model's own layer")
    positions = torch.arange(ids.shape[1]).flip(0).expand_as(ids)
    yield Case(own, ids, types, positions, label="the same with position_ids that count backwards")
    many = torch.tensor([[2, 3, 1]]).repeat(4000, 1)
    seen = "in training mode: the share of zeros, and by what the other numbers have grown (p = 0.25)"
    yield Case(copy.deepcopy(small).train(), many, label=seen)


def _run_layer(
    answer: Callable[[BertEmbeddings], Any], embeddings: BertEmbeddings, *inputs: Tensor
) -> object:
    """Run a layer in evaluation mode; if the embeddings come in training mode, sum up what dropout does."""
    training, layer = embeddings.training, answer(embeddings)
    modules = [one for one in (embeddings, layer) if isinstance(one, nn.Module)]
    try:
        for module in modules:
            module.eval()
        result = layer(*inputs)
        if not training:
            return result
        for module in modules:
            module.train()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            dropped = layer(*inputs)
    finally:
        embeddings.train(training)
    zero = dropped == 0
    share = (zero.double().mean() * 20).round() / 20  # whichever numbers fall
    return torch.stack([share, (dropped / result)[~zero].mean()])


embedding_layer = exercise(
    name="embedding_layer",
    cases=_layer_cases,
    call=_run_layer,
    hints=(
        "In __init__, keep the four modules of `embeddings`, LayerNorm too: new ones have random weights.",
        "What is not given has a default: segment 0 everywhere, positions 0, 1, 2, …, padding or not.",
        "Add the three, then LayerNorm, then dropout (as a module, so that .eval() turns it off).",
    ),
    note="This is the whole input side of BERT.",
)(EmbeddingLayer)


@embedding_layer.mistake(
    "The tables are modules here, not tensors: call it, as in `self.words(input_ids)`, or take its `.weight`."
)
class _Subscripted(nn.Module):
    def __init__(self, embeddings: BertEmbeddings) -> None:
        super().__init__()
        self.words: Any = embeddings.word_embeddings

    def forward(self, input_ids: Tensor, *_: Tensor) -> Tensor:
        result: Tensor = self.words[input_ids]
        return result


_Combine = Callable[[BertEmbeddings, Tensor, Tensor | None, Tensor | None], Tensor]


def _layer(combine: _Combine) -> Callable[[BertEmbeddings], Callable[..., Tensor]]:
    """Make a wrong answer from the one line in which it is wrong."""

    def build(embeddings: BertEmbeddings) -> Callable[..., Tensor]:
        def forward(ids: Tensor, types: Tensor | None = None, at: Tensor | None = None) -> Tensor:
            return combine(embeddings, ids, types, at)

        return forward

    return build


def _parts(
    own: BertEmbeddings, ids: Tensor, types: Tensor | None, at: Tensor | None, first: int = 0
) -> tuple[Tensor, Tensor, Tensor]:
    types = torch.zeros_like(ids) if types is None else types
    at = torch.arange(first, ids.shape[1] + first).expand_as(ids) if at is None else at
    return own.word_embeddings(ids), own.position_embeddings(at), own.token_type_embeddings(types)


def _restarted(own: BertEmbeddings, ids: Tensor, types: Tensor | None, at: Tensor | None) -> Tensor:
    if at is None and types is not None:
        count = torch.arange(ids.shape[1]).expand_as(ids)
        at = torch.where(types == 1, count - (types == 0).int().argmin(dim=1, keepdim=True), count)
    result: Tensor = own.LayerNorm(sum(_parts(own, ids, types, at)))
    return result


_LAYER_MISTAKES: tuple[tuple[str, _Combine], ...] = (
    (
        "Right in evaluation mode; in training mode BERT's layer also drops numbers: where is the dropout?",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, types, at))),
    ),
    (
        "Right in evaluation mode; in training mode the dropout comes too early: it is after the LayerNorm.",
        lambda own, ids, types, at: own.LayerNorm(own.dropout(sum(_parts(own, ids, types, at)))),
    ),
    (
        "Right in evaluation mode; in training mode half is dropped: give nn.Dropout the model's own p.",
        lambda own, ids, types, at: nn.functional.dropout(
            own.LayerNorm(sum(_parts(own, ids, types, at))), 0.5, own.training
        ),
    ),
    (
        "Right in evaluation mode; in training mode p is always 0.1: take it from embeddings.dropout.",
        lambda own, ids, types, at: nn.functional.dropout(
            own.LayerNorm(sum(_parts(own, ids, types, at))), 0.1, own.training
        ),
    ),
    (
        "LayerNorm is missing: the three parts are added, and then?",
        lambda own, ids, types, at: sum(_parts(own, ids, types, at), torch.zeros(())),
    ),
    (
        "Each part is normalised by itself; BERT normalises their sum, once.",
        lambda own, ids, types, at: sum(map(own.LayerNorm, _parts(own, ids, types, at)), torch.zeros(())),
    ),
    (
        "token_type_ids are not used: the second text gets segment 0 too.",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, None, at))),
    ),
    (
        "The segment part is missing: without token_type_ids it is row 0, not nothing.",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, types, at)[:2])),
    ),
    (
        "position_ids are not used when they are given.",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, types, None))),
    ),
    (
        "The positions start at 1: the first token has position 0.",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, types, at, first=1))),
    ),
    ("The positions start again in the second text; in BERT they count on.", _restarted),
    (
        "Gain and bias of the LayerNorm are not those of the model: a new LayerNorm has gain 1 and bias 0.",
        lambda own, ids, types, at: nn.functional.layer_norm(
            sum(_parts(own, ids, types, at), torch.zeros(())),
            own.LayerNorm.normalized_shape,
            eps=own.LayerNorm.eps,
        ),
    ),
    (
        "The eps of the LayerNorm is not the model's (torch's own default is another).",
        lambda own, ids, types, at: nn.functional.layer_norm(
            sum(_parts(own, ids, types, at), torch.zeros(())),
            own.LayerNorm.normalized_shape,
            own.LayerNorm.weight,
            own.LayerNorm.bias,
        ),
    ),
    (
        "Padding is set to zero; BERT embeds it like any token, and the attention mask hides it later.",
        lambda own, ids, types, at: (
            own(ids, types, at) * ids.ne(own.word_embeddings.padding_idx or 0)[..., None]
        ),
    ),
    (
        "The result is multiplied by the root of hidden_size, as in the first Transformer; BERT does not.",
        lambda own, ids, types, at: own(ids, types, at) * math.sqrt(own.LayerNorm.normalized_shape[0]),
    ),
)
for _feedback, _combine in _LAYER_MISTAKES:
    embedding_layer.mistake(_feedback, _layer(_combine))
