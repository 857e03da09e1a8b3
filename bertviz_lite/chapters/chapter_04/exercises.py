"""Exercises of chapter 04, the encoder: from changing one number to building the layer, and a variant of it.

`wider`, `exact_gelu`, `feed_forward`, `count_parameters`, `crossover`, `pre_norm_layer`, `encoder_layer`.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm, linear
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

from bertviz_lite.exercises import Case, exercise, loaded, question


@question(
    hints=(
        "Only two matrices and one bias of each layer have an axis of this size. Which?",
        "One more number in between costs a column of the second matrix, a row of the first, and one bias.",
    ),
    note="Two matrices and the first bias, in each of the 12 layers.",
    rtol=1e-9,
)
def wider() -> int:
    """Say how many parameters BERT-Base gains if its intermediate_size is 4,096 rather than 3,072.

    hidden_size is 768, and there are 12 layers.
    """
    more, hidden_size, layers = 4096 - 3072, 768, 12
    return layers * more * (2 * hidden_size + 1)


wider.mistake("That is one layer; there are 12.", 1024 * (2 * 768 + 1))
wider.mistake("That is the two matrices of one layer; there are 12, and a bias grows too.", 1024 * 2 * 768)
wider.mistake("The bias of the first linear map grows too.", 12 * 1024 * 2 * 768)
wider.mistake(
    "Both biases are counted; only the first has intermediate_size numbers.", 12 * 1024 * (2 * 768 + 2)
)
wider.mistake(
    "The second bias is counted as gained; it has hidden_size numbers before and after.",
    12 * (1024 * (2 * 768 + 1) + 768),
)
wider.mistake(
    "That is one of the two matrices: one leads up to the intermediate size, one down again.",
    12 * 1024 * 768,
)
wider.mistake("That is the first linear map alone; the second has a matrix that grows too.", 12 * 1024 * 769)
wider.mistake(
    "That is all of the two matrices and the bias; asked is what they gain.", 12 * 4096 * (2 * 768 + 1)
)


def _gelu_cases() -> Iterator[Case]:
    yield Case(torch.tensor([-2.0, -0.5, 0.0, 1.0, 3.0], dtype=torch.float64))
    yield Case(torch.linspace(-4, 4, 21, dtype=torch.float64).reshape(3, 7), label="(3, 7) numbers, -4 to 4")


@exercise(
    cases=_gelu_cases,
    hints=(
        "It is x times the share of a standard normal distribution that lies below x.",
        "That share is (1 + erf(x / √2)) / 2; torch.erf works on tensors.",
    ),
    note="The same numbers as torch.nn.functional.gelu gives.",
)
def exact_gelu(x: Tensor) -> Tensor:
    """GELU in its exact form, for every number of a tensor of any shape.

    Hendrycks and Gimpel, 2016, "Gaussian Error Linear Units".
    """
    return x * (1 + torch.erf(x / math.sqrt(2))) / 2


exact_gelu.mistake(
    "This is the approximation by tanh: close, but not the exact form.", partial(gelu, approximate="tanh")
)
exact_gelu.mistake(
    "This is the approximation x · sigmoid(1.702 x), not the exact form.",
    lambda x: x * torch.sigmoid(1.702 * x),
)
exact_gelu.mistake("This is ReLU.", torch.relu)
exact_gelu.mistake(
    "This is the share alone, between 0 and 1: multiply it by x.",
    lambda x: (1 + torch.erf(x / math.sqrt(2))) / 2,
)
exact_gelu.mistake("erf is given x itself: divide by √2 first.", lambda x: x * (1 + torch.erf(x)) / 2)
exact_gelu.mistake("erf is given x / 2: divide by √2.", lambda x: x * (1 + torch.erf(x / 2)) / 2)
exact_gelu.mistake("It is twice as large: divide by 2.", lambda x: x * (1 + torch.erf(x / math.sqrt(2))))
exact_gelu.mistake(
    "The 1 is missing: erf runs from -1 to 1, a share from 0 to 1.",
    lambda x: x * torch.erf(x / math.sqrt(2)) / 2,
)


def _random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _blocks() -> list[BertLayer]:
    """List the layers of the model that the chapters load."""
    return list(cast(Any, loaded()[1].base_model.encoder).layer)


def _maps(block: BertLayer) -> tuple[Tensor, ...]:
    """Give the weights and biases of a layer's FFN."""
    maps = (block.intermediate.dense, block.output.dense)
    return tuple(one.detach().double() for both in maps for one in (both.weight, both.bias))


def _feed_forward_cases() -> Iterator[Case]:
    up = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]], dtype=torch.float64)
    down = torch.tensor([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]], dtype=torch.float64)
    biases = torch.tensor([0.5, 0.0, -1.0], dtype=torch.float64), torch.tensor([0.1, -0.2]).double()
    yield Case(torch.tensor([[1.0, 2.0]], dtype=torch.float64), up, biases[0], down, biases[1])
    yield Case(_random(2, 7, 2), up, biases[0], down, biases[1], label="x of shape (2, 7, 2), the same FFN")
    own = _maps(_blocks()[0])
    x = _random(2, 5, own[0].shape[1])
    yield Case(x, *own, label="x of shape (2, 5, hidden_size), the FFN of the model's layer 0")


@exercise(
    cases=_feed_forward_cases,
    hints=(
        "A linear map keeps its matrix as (numbers out, numbers in): multiply by its transpose, `.T`.",
        "Up, GELU, down. Neither the residual nor LayerNorm belongs to it.",
    ),
    note="Nothing in it looks at another token.",
)
def feed_forward(x: Tensor, up: Tensor, up_bias: Tensor, down: Tensor, down_bias: Tensor) -> Tensor:
    """Run the feed-forward network: (..., hidden_size) -> (..., hidden_size), with exact GELU.

    `up` is (intermediate_size, hidden_size), `down` (hidden_size, intermediate_size).
    """
    return gelu(x @ up.T + up_bias) @ down.T + down_bias


_Act = Callable[[Tensor], Tensor]


def _ffn(x: Tensor, *maps: Tensor, act: _Act = gelu) -> Tensor:
    up, up_bias, down, down_bias = maps
    return linear(act(linear(x, up, up_bias)), down, down_bias)


feed_forward.mistake(
    "There is no activation: two linear maps in a row are one linear map.", partial(_ffn, act=lambda x: x)
)
feed_forward.mistake("The activation is ReLU; BERT's is GELU.", partial(_ffn, act=torch.relu))
feed_forward.mistake(
    "The activation is GELU's approximation by tanh; BERT's is the exact one.",
    partial(_ffn, act=partial(gelu, approximate="tanh")),
)
feed_forward.mistake(
    "GELU stands at the end too; it belongs between the two maps.", lambda *given: gelu(_ffn(*given))
)
feed_forward.mistake(
    "GELU stands at the end; it belongs between the two maps.",
    lambda *given: gelu(_ffn(*given, act=lambda x: x)),
)
feed_forward.mistake(
    "The residual is added: right for the layer, but the FFN is only what is added to x.",
    lambda x, *maps: x + _ffn(x, *maps),
)
feed_forward.mistake(
    "The first bias is missing.", lambda x, up, b, down, c: _ffn(x, up, torch.zeros_like(b), down, c)
)
feed_forward.mistake(
    "The second bias is missing.", lambda x, up, b, down, c: _ffn(x, up, b, down, torch.zeros_like(c))
)
feed_forward.mistake(
    "Both biases are missing.",
    lambda x, up, b, down, c: _ffn(x, up, torch.zeros_like(b), down, torch.zeros_like(c)),
)
feed_forward.mistake(
    "The first bias is added after GELU; it belongs to the map before it.",
    lambda x, up, b, down, c: linear(gelu(linear(x, up)) + b, down, c),
)


_BASE, _LARGE = (30_522, 768, 12, 3_072, 512), (30_522, 1_024, 24, 4_096, 512)


@exercise(
    cases=lambda: [Case(10, 4, 2, 6, 5), Case(20, 6, 3, 7, 8), Case(*_BASE), Case(*_LARGE)],
    hints=(
        "A linear map from a to b numbers has a · b weights and b biases. LayerNorm has a gain and a bias.",
        "Attention has four maps, all from hidden_size to hidden_size: query, key, value, output.",
        "There are two LayerNorms in a layer, and one after the embeddings. The pooler is a linear map.",
    ),
    note="The number of heads is not needed: it says how hidden_size is split, and adds nothing.",
    rtol=1e-9,
)
def count_parameters(
    vocab_size: int, hidden_size: int, layers: int, intermediate_size: int, positions: int
) -> int:
    """Count the parameters of a `BertModel`: three tables (two segments), the layers, the pooler."""
    norm = 2 * hidden_size
    attention = 4 * (hidden_size * hidden_size + hidden_size)
    ffn = 2 * hidden_size * intermediate_size + intermediate_size + hidden_size
    embeddings = (vocab_size + positions + 2) * hidden_size + norm
    pooler = hidden_size * hidden_size + hidden_size
    return embeddings + layers * (attention + ffn + 2 * norm) + pooler


def _counted(
    v: int, h: int, layers: int, i: int, p: int, *, maps: int = 4, bias: int = 1, norms: int = 2, **less: int
) -> int:
    """Count as `count_parameters` does, with something wrong."""
    layer = maps * (h * h + bias * h) + 2 * h * i + bias * (i + h) + norms * 2 * h
    rest = (v + p + 2) * h + less.get("norm", 2) * h
    return layers * layer + rest + less.get("pooler", 1) * (h * h + bias * h)


count_parameters.mistake("The pooler is missing.", partial(_counted, pooler=0))
count_parameters.mistake("The biases of the linear maps are missing.", partial(_counted, bias=0))
count_parameters.mistake(
    "2 · hidden_size are missing: the segment table, or the LayerNorm after the embeddings.",
    partial(_counted, norm=0),
)
count_parameters.mistake(
    "hidden_size is missing: there are two segments, and LayerNorm has a gain and a bias.",
    partial(_counted, norm=1),
)
count_parameters.mistake(
    "4 · hidden_size are missing: the segment table, and the LayerNorm after the embeddings.",
    partial(_counted, norm=-2),
)
count_parameters.mistake(
    "The biases of the linear maps in the layers are missing.",
    lambda v, h, layers, i, p: _counted(v, h, layers, i, p, bias=0) + h,
)
count_parameters.mistake(
    "The position table is missing.", lambda v, h, layers, i, p: _counted(v, h, layers, i, 0)
)
count_parameters.mistake("Each layer has two LayerNorms: one was counted.", partial(_counted, norms=1))
count_parameters.mistake("The LayerNorms in the layers are missing.", partial(_counted, norms=0))
count_parameters.mistake(
    "Attention has four linear maps: the one for its output is missing.", partial(_counted, maps=3)
)
count_parameters.mistake(
    "The layers are counted once: multiply by how many there are.",
    lambda v, h, layers, i, p: _counted(v, h, 1, i, p),
)
count_parameters.mistake(
    "The table of tokens is missing.", lambda v, h, layers, i, p: _counted(0, h, layers, i, p)
)


@exercise(
    cases=lambda: [Case(10, 30), Case(128, 512), Case(768, 3072), Case(1024, 4096)],
    hints=(
        "For each token, the linear maps cost 8 h² in attention and 4 h i in the FFN, whatever n is.",
        "For each token, scores and weighted sum cost 4 n h. Set the two equal and solve for n.",
    ),
    note="Below it, the linear maps are most of the work; above it, the square.",
)
def crossover(hidden_size: int, intermediate_size: int) -> float:
    """Find the seq_len at which the part with the square is half of a layer's operations.

    The layer: four linear maps of attention, scores, weighted sum, and the two maps of the FFN.
    """
    return 2 * hidden_size + intermediate_size


crossover.mistake(
    "This takes intermediate_size for 4 · hidden_size; it need not be.",
    lambda hidden_size, _: 6 * hidden_size,
)
crossover.mistake(
    "The FFN is missing: this is where the square equals attention's own linear maps.",
    lambda hidden_size, _: 2 * hidden_size,
)
crossover.mistake("Attention's four linear maps are missing.", lambda _, intermediate_size: intermediate_size)
crossover.mistake(
    "There are two products with the square: the scores, and the weighted sum.",
    lambda hidden_size, intermediate_size: 2 * (2 * hidden_size + intermediate_size),
)
crossover.mistake(
    "Attention has four linear maps: the one for its output is missing.",
    lambda hidden_size, intermediate_size: 1.5 * hidden_size + intermediate_size,
)
crossover.mistake(
    "The FFN has two linear maps: one is missing.",
    lambda hidden_size, intermediate_size: 2 * hidden_size + intermediate_size / 2,
)

_Part = Callable[[Tensor], Tensor]


def _pre_norm_cases() -> Iterator[Case]:
    mix = torch.tensor([[0.0, 1.0, 0.5], [1.0, 0.0, -1.0], [0.5, 2.0, 1.0]], dtype=torch.float64)
    x = torch.tensor([[1.0, 2.0, 4.0], [0.0, 1.0, 5.0]], dtype=torch.float64)
    norms = [
        partial(layer_norm, normalized_shape=(3,), weight=torch.tensor(gain).double())
        for gain in ([1.0, 2.0, 3.0], [0.5, 1.0, -1.0])
    ]
    seen = "x = [[1, 2, 4], [0, 1, 5]], two small functions, two LayerNorms with gains of their own"
    yield Case(x, lambda y: y.flip(0) @ mix, lambda y: gelu(y) @ mix.T, *norms, label=seen)
    block = _blocks()[0]
    own = block.attention.output.LayerNorm, block.output.LayerNorm
    x = _random(2, 5, own[0].normalized_shape[0]).float()
    attention, ffn = partial(_attention, block, bias=torch.zeros(())), partial(_feed, block)
    yield Case(x, attention, ffn, *own, label="the parts of the model's layer 0")


@exercise(
    cases=_pre_norm_cases,
    hints=(
        "What attention reads is normalised; what its result is added to is not.",
        "In both halves: x = x + part(norm(x)).",
    ),
    note="Nothing but sums stands between the first x and the last: that is why deep models are built so.",
)
def pre_norm_layer(
    x: Tensor, attention: _Part, feed_forward: _Part, first_norm: _Part, second_norm: _Part
) -> Tensor:
    """Run a layer with LayerNorm *before* each part, as GPT-2 and most later models have it.

    The four are functions: each takes a tensor and gives one of the same shape. The residuals are added to
    what has not been normalised.
    """
    x = x + attention(first_norm(x))
    return x + feed_forward(second_norm(x))


def _before_parts(x: Tensor, attention: _Part, feed: _Part, first: _Part, second: _Part) -> Tensor:
    x = x + attention(first(x))
    return x + feed(second(x))


def _two_halves(half: Callable[[Tensor, _Part, _Part], Tensor]) -> Callable[..., Tensor]:
    """Make a layer of two halves, each from what it reads, its part and its LayerNorm."""

    def layer(x: Tensor, attention: _Part, feed: _Part, first: _Part, second: _Part) -> Tensor:
        return half(half(x, attention, first), feed, second)

    return layer


pre_norm_layer.mistake(
    "This is BERT's own order: each LayerNorm comes after its residual.",
    _two_halves(lambda x, part, norm: norm(x + part(x))),
)
pre_norm_layer.mistake(
    "The residuals carry the normalised vectors: add to x as it was before LayerNorm.",
    _two_halves(lambda x, part, norm: norm(x) + part(norm(x))),
)
pre_norm_layer.mistake(
    "LayerNorm is applied to what each part gives; it belongs on what the part reads.",
    _two_halves(lambda x, part, norm: x + norm(part(x))),
)
pre_norm_layer.mistake("The residuals are missing.", _two_halves(lambda x, part, norm: part(norm(x))))
pre_norm_layer.mistake("There is no LayerNorm.", _two_halves(lambda x, part, _: x + part(x)))
pre_norm_layer.mistake(
    "Both parts read the first x: the FFN should read the sum that attention has added to.",
    lambda x, attention, feed, first, second: x + attention(first(x)) + feed(second(x)),
)
pre_norm_layer.mistake(
    "The two LayerNorms have changed places.",
    lambda x, attention, feed, first, second: _before_parts(x, attention, feed, second, first),
)
pre_norm_layer.mistake(
    "The FFN reads the sum as it is; give it the second LayerNorm of it.",
    lambda x, attention, feed, first, _: _before_parts(x, attention, feed, first, lambda y: y),
)
pre_norm_layer.mistake(
    "The residual around the FFN is missing.",
    lambda x, attention, feed, first, second: feed(second(x + attention(first(x)))),
)
pre_norm_layer.mistake(
    "The FFN is missing.", lambda x, attention, _feed, first, _second: x + attention(first(x))
)


@pre_norm_layer.mistake("One LayerNorm is used for both parts; the second part has its own.")
def _one_norm(x: Tensor, attention: _Part, feed: _Part, first: _Part, _: _Part) -> Tensor:
    return _before_parts(x, attention, feed, first, first)


class EncoderLayer(nn.Module):
    """Build one layer of BERT from a model's own `BertLayer`, without dropout.

    `EncoderLayer(block)` keeps the modules of the layer. Called with x, (batch, seq_len, hidden_size), and
    `bias`, which is added to the scores of attention (0 for what may be seen, very negative for padding), it
    gives a tensor of the shape of x.
    """

    def __init__(self, block: BertLayer) -> None:
        super().__init__()
        self.query, self.key, self.value = (
            getattr(block.attention.self, name) for name in ("query", "key", "value")
        )
        self.num_heads = block.attention.self.num_attention_heads
        self.output, self.first_norm = block.attention.output.dense, block.attention.output.LayerNorm
        self.up, self.down, self.second_norm = (
            block.intermediate.dense, block.output.dense, block.output.LayerNorm
        )  # fmt: skip

    def attend(self, x: Tensor, bias: Tensor) -> Tensor:
        """Run all heads side by side, as in chapter 03."""
        query, key, value = (
            part(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5 + bias
        heads: Tensor = scores.softmax(dim=-1) @ value
        attended: Tensor = self.output(heads.transpose(1, 2).flatten(2))
        return attended

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """Attend, add, normalise; feed forward, add, normalise."""
        x = self.first_norm(x + self.attend(x, bias))
        fed = self.down(gelu(self.up(x)))
        result: Tensor = self.second_norm(x + fed)
        return result


_LOW = torch.finfo(torch.float32).min


def _layer_cases() -> Iterator[Case]:
    config = BertConfig(
        hidden_size=4,
        num_attention_heads=2,
        intermediate_size=6,
        layer_norm_eps=0.5,
    )
    small = BertLayer(config).double().eval()
    with torch.no_grad():
        for number, (name, parameter) in enumerate(small.named_parameters()):
            parameter.copy_(_random(*parameter.shape, seed=number) + float("LayerNorm.weight" in name))
    x, seen = _random(1, 3, 4, seed=99), torch.zeros(1, 1, 1, 3, dtype=torch.float64)
    label = "a layer of hidden_size 4 with 2 heads, x of shape (1, 3, 4), bias all 0"
    yield Case(small, x, seen, label=label)
    hidden = torch.tensor([0.0, 0.0, _LOW], dtype=torch.float64)[None, None, None]
    yield Case(small, x, hidden, label="the same layer and x, the third token hidden by the bias")
    tokenizer, model = loaded()
    words = [token for token in tokenizer.get_vocab() if token.isalpha()][:5]
    batch = tokenizer([" ".join(words), words[0]], padding=True, return_tensors="pt")
    rows = cast(Any, model.base_model.embeddings)(batch["input_ids"]).detach()
    hidden = (1 - batch["attention_mask"][:, None, None, :].float()) * _LOW
    yield Case(_blocks()[-1], rows, hidden, label="two texts, the second padded, in the model's last layer")


def _run_layer(answer: Callable[[BertLayer], Any], block: BertLayer, x: Tensor, bias: Tensor) -> object:
    """Make a layer and run it in evaluation mode, without gradients."""
    layer = answer(block)
    if isinstance(layer, nn.Module):
        layer.eval()
    with torch.no_grad():
        return layer(x, bias)


encoder_layer = exercise(
    name="encoder_layer",
    cases=_layer_cases,
    call=_run_layer,
    hints=(
        "Attention first, as in chapter 03: split into heads, scores, bias, softmax, weighted sum, output.",
        "Add x to what attention gives, then the first LayerNorm (block.attention.output.LayerNorm).",
        "Feed that forward, add it to what the FFN has read, then the second LayerNorm.",
    ),
    note="Put as many of these one after the other as the model has, and you have its encoder.",
)(EncoderLayer)


def _attention(
    block: BertLayer,
    x: Tensor,
    bias: Tensor,
    *,
    scale: Callable[[int, int], float] = lambda size, _: size**-0.5,
    hide: Callable[[Tensor, Tensor], Tensor] = lambda scores, bias: scores + bias,
    heads: int | None = None,
    mixed: bool = False,
    torn: bool = False,
    dim: int = -1,
    output: bool = True,
) -> Tensor:
    """Attend as the layer does, or with a mistake."""
    own = block.attention.self
    count = own.num_attention_heads if heads is None else heads
    parts = [part(x) for part in (own.query, own.key, own.value)]
    if mixed:  # the axes of heads and tokens get their sizes without changing places
        query, key, value = (part.reshape(len(x), count, x.shape[1], -1) for part in parts)
    else:
        query, key, value = (part.unflatten(-1, (count, -1)).transpose(1, 2) for part in parts)
    scores = query @ key.transpose(-1, -2) * scale(query.shape[-1], x.shape[-1])
    weighted: Tensor = hide(scores, bias).softmax(dim=dim) @ value
    joined = weighted.reshape(x.shape) if mixed or torn else weighted.transpose(1, 2).flatten(2)
    result: Tensor = block.attention.output.dense(joined) if output else joined
    return result


def _feed(block: BertLayer, x: Tensor, act: _Act = gelu) -> Tensor:
    result: Tensor = block.output.dense(act(block.intermediate.dense(x)))
    return result


def _norms(block: BertLayer) -> tuple[_Part, _Part]:
    return block.attention.output.LayerNorm, block.output.LayerNorm


_Step = Callable[[BertLayer, Tensor, Tensor], Tensor]


def _with(attend: _Step = _attention, feed: Callable[[BertLayer, Tensor], Tensor] = _feed) -> _Step:
    """Make BERT's own layer from one part that is wrong."""

    def step(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
        first, second = _norms(block)
        x = first(x + attend(block, x, bias))
        return second(x + feed(block, x))

    return step


def _without_residual(block: BertLayer, x: Tensor, bias: Tensor, *, attention: bool, feed: bool) -> Tensor:
    first, second = _norms(block)
    x = first(attention * x + _attention(block, x, bias))
    return second(feed * x + _feed(block, x))


def _one_norm_missing(block: BertLayer, x: Tensor, bias: Tensor, *, first: bool) -> Tensor:
    norms = _norms(block)
    x = x + _attention(block, x, bias)
    x = x if first else norms[0](x)
    x = x + _feed(block, x)
    return norms[1](x) if first else x


def _without_norm(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
    x = x + _attention(block, x, bias)
    return x + _feed(block, x)


def _before(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
    first, second = _norms(block)
    x = x + _attention(block, first(x), bias)
    return x + _feed(block, second(x))


def _old_residual(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
    first, second = _norms(block)
    return second(x + _feed(block, first(x + _attention(block, x, bias))))


def _norm_of(order: tuple[int, int]) -> _Step:
    def step(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
        norms = _norms(block)
        x = norms[order[0]](x + _attention(block, x, bias))
        return norms[order[1]](x + _feed(block, x))

    return step


def _new_norms(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
    norm = partial(layer_norm, normalized_shape=x.shape[-1:], eps=block.output.LayerNorm.eps)
    x = norm(x + _attention(block, x, bias))
    return norm(x + _feed(block, x))


_LAYER_MISTAKES: tuple[tuple[str, _Step], ...] = (
    ("The residual around attention is missing.", partial(_without_residual, attention=False, feed=True)),
    ("The residual around the FFN is missing.", partial(_without_residual, attention=True, feed=False)),
    ("Both residuals are missing.", partial(_without_residual, attention=False, feed=False)),
    ("LayerNorm is missing, twice.", _without_norm),
    ("The LayerNorm after attention is missing.", partial(_one_norm_missing, first=True)),
    ("The LayerNorm after the FFN is missing.", partial(_one_norm_missing, first=False)),
    ("LayerNorm comes before attention and FFN; BERT has it after each residual.", _before),
    ("The second residual adds the layer's input; it adds what the FFN has read.", _old_residual),
    ("The two LayerNorms have changed places.", _norm_of((1, 0))),
    ("The first LayerNorm is used twice; the FFN has its own.", _norm_of((0, 0))),
    ("The LayerNorms are new: gain 1 and bias 0. Take those of the layer.", _new_norms),
    ("The activation is ReLU; BERT's is GELU.", _with(feed=partial(_feed, act=torch.relu))),
    ("There is no activation in the FFN.", _with(feed=partial(_feed, act=lambda x: x))),
    (
        "The activation is GELU's approximation by tanh; BERT's is the exact one.",
        _with(feed=partial(_feed, act=partial(gelu, approximate="tanh"))),
    ),
    (
        "The scores are not divided by the square root of head_size.",
        _with(partial(_attention, scale=lambda *_: 1.0)),
    ),
    (
        "The scores are divided by the root of hidden_size; it is that of head_size.",
        _with(partial(_attention, scale=lambda _, size: size**-0.5)),
    ),
    ("The bias is not added to the scores.", _with(partial(_attention, hide=lambda scores, _: scores))),
    (
        "There is one large head: split query, key and value into heads first.",
        _with(partial(_attention, heads=1)),
    ),
    (
        "Heads and tokens are mixed up: split the last axis, then let the two axes change places.",
        _with(partial(_attention, mixed=True)),
    ),
    (
        "The heads are joined in a wrong order: let their axis and that of the tokens change back first.",
        _with(partial(_attention, torn=True)),
    ),
    (
        "The softmax runs along the queries; the weights of one query add up to 1.",
        _with(partial(_attention, dim=-2)),
    ),
    (
        "The linear map after the heads is missing (block.attention.output.dense).",
        _with(partial(_attention, output=False)),
    ),
)


def _layer(step: _Step) -> Callable[[BertLayer], Callable[[Tensor, Tensor], Tensor]]:
    return lambda block: partial(step, block)


for _feedback, _step in _LAYER_MISTAKES:
    encoder_layer.mistake(_feedback, _layer(_step))
