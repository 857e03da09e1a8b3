"""Exercises of chapter 07, the LM head: from one multiplication to the gradient of a tied table.

`saved_in_large`, `lm_head`, `is_tied`, `numbers_on_disk`, `table_gradient`, `retie`, `settled_layer`.
"""

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm
from transformers import BertConfig, BertForMaskedLM

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "The two tables that become one have a row for each word of the vocabulary.",
        "A row has hidden_size numbers. The bias is not part of the table.",
    ),
    note="That is 9 % of the 336 million that Large has with its pre-training heads.",
    rtol=1e-9,
)
def saved_in_large() -> int:
    """Say how many parameters tying the two word tables saves in BERT-Large.

    Its vocabulary has 30,522 words, its hidden_size is 1,024, and it has 24 layers.
    """
    vocab_size, hidden_size = 30_522, 1_024
    return vocab_size * hidden_size


saved_in_large.mistake("That is Base's number: Large has a hidden_size of 1,024.", 30_522 * 768)
saved_in_large.mistake(
    "That is a table and a bias; there is one bias for each word, tied or not.", 30_522 * 1_025
)
saved_in_large.mistake("That is both tables; one of them is still needed.", 2 * 30_522 * 1_024)
saved_in_large.mistake("The head is there once, not in every layer.", 24 * 30_522 * 1_024)
saved_in_large.mistake("That is the dense map of the transform, which is not shared.", 1_024 * 1_024)


def _random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _head_cases() -> Iterator[Case]:
    dense = torch.tensor([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0], [-1.0, 0.0, 1.0]], dtype=torch.float64)
    table = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [2.0, 0.0, 1.0]]).double()
    vectors = [[0.5, 0.0, -1.0], [1.0, 2.0, 0.5], [0.0, 0.1, -0.2], [0.3, -0.3, 0.0, 1.0]]
    dense_bias, gain, shift, bias = (torch.tensor(numbers, dtype=torch.float64) for numbers in vectors)
    own = dense, dense_bias, gain, shift, table, bias
    yield Case(torch.tensor([[1.0, 2.0, 0.0]], dtype=torch.float64), *own)
    yield Case(_random(2, 7, 3), *own, label="hidden_states of shape (2, 7, 3), the same head")
    sizes = (5, 5), (5,), (5,), (5,), (11, 5), (11,)
    random = [_random(*size, seed=seed) for seed, size in enumerate(sizes, start=1)]
    yield Case(_random(2, 3, 5), *random, label="hidden_states of shape (2, 3, 5), random weights, 11 words")


@exercise(
    cases=_head_cases,
    hints=(
        "Three steps make the transform: a linear map, GELU, LayerNorm. Then one more linear map.",
        "A linear map keeps its matrix as (numbers out, numbers in): multiply by its transpose, `.T`.",
        "layer_norm(x, x.shape[-1:], gain, shift, 1e-12) is in torch.nn.functional, and so is gelu.",
    ),
    note="In a tied model `table` is the one that the model reads its words from.",
)
def lm_head(
    hidden_states: Tensor,
    dense: Tensor,
    dense_bias: Tensor,
    gain: Tensor,
    shift: Tensor,
    table: Tensor,
    bias: Tensor,
) -> Tensor:
    """Run the LM head: (..., hidden_size) -> (..., vocab_size).

    `dense` is (hidden_size, hidden_size) and `dense_bias` belongs to it; `gain` and `shift` are LayerNorm's
    weight and bias, its eps is 1e-12; `table` is (vocab_size, hidden_size), `bias` (vocab_size,).
    """
    x = gelu(hidden_states @ dense.T + dense_bias)
    x = layer_norm(x, x.shape[-1:], gain, shift, 1e-12)
    return x @ table.T + bias


_Act = Callable[[Tensor], Tensor]
_Head = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


def _transformed(x: Tensor, head: _Head, act: _Act = gelu) -> Tensor:
    x = act(x @ head[0].T + head[1])
    return layer_norm(x, x.shape[-1:], head[2], head[3], 1e-12)


def _decoded(x: Tensor, head: _Head) -> Tensor:
    return x @ head[4].T + head[5]


def _normed_by_hand(
    x: Tensor, head: _Head, *, dim: int = -1, correction: int = 0, centre: float = 1
) -> Tensor:
    """Run the head with a LayerNorm in which one thing is wrong."""
    bent = gelu(x @ head[0].T + head[1])
    variance = bent.var(dim=dim, correction=correction, keepdim=True) + 1e-12
    normed = (bent - centre * bent.mean(dim=dim, keepdim=True)) / variance.sqrt()
    return _decoded(head[2] * normed + head[3], head)


lm_head.mistake("The whole transform is missing.", lambda x, *head: _decoded(x, head))
lm_head.mistake(
    "GELU is missing.", lambda x, *head: _decoded(_transformed(x, head, act=lambda inner: inner), head)
)
lm_head.mistake(
    "The activation is ReLU; the head's is GELU.",
    lambda x, *head: _decoded(_transformed(x, head, act=torch.relu), head),
)
lm_head.mistake(
    "The activation is GELU's approximation by tanh; the head's is the exact one.",
    lambda x, *head: _decoded(_transformed(x, head, act=partial(gelu, approximate="tanh")), head),
)
lm_head.mistake("LayerNorm is missing.", lambda x, *head: _decoded(gelu(x @ head[0].T + head[1]), head))
lm_head.mistake(
    "LayerNorm comes before GELU; it belongs after it.",
    lambda x, *head: _decoded(gelu(_transformed(x, head, act=lambda inner: inner)), head),
)
lm_head.mistake(
    "The dense map is missing.",
    lambda x, *head: _decoded(layer_norm(gelu(x), x.shape[-1:], head[2], head[3], 1e-12), head),
)
lm_head.mistake("The bias of the words is missing.", lambda x, *head: _transformed(x, head) @ head[4].T)
lm_head.mistake(
    "The bias of the dense map is missing.",
    lambda x, dense, _, *rest: lm_head.reference(x, dense, torch.zeros_like(_), *rest),
)
lm_head.mistake(
    "`dense` is multiplied as it is; it is kept as (numbers out, numbers in), so take `dense.T`.",
    lambda x, dense, *rest: lm_head.reference(x, dense.T, *rest),
)
lm_head.mistake(
    "LayerNorm's own weight and bias, `gain` and `shift`, are missing.",
    lambda x, dense, dense_bias, gain, shift, *rest: lm_head.reference(
        x, dense, dense_bias, torch.ones_like(gain), torch.zeros_like(shift), *rest
    ),
)
lm_head.mistake("LayerNorm's mean is not subtracted.", lambda x, *head: _normed_by_hand(x, head, centre=0))
lm_head.mistake(
    "LayerNorm divides the sum of squares by the number of entries, not by one less: correction=0.",
    lambda x, *head: _normed_by_hand(x, head, correction=1),
)
lm_head.mistake(
    "LayerNorm's mean and variance go over the numbers of one vector, the last axis: dim=-1.",
    lambda x, *head: _normed_by_hand(x, head, dim=-2),
)
lm_head.mistake(
    "The hidden states are added to the transform: a residual, which the head does not have.",
    lambda x, *head: _decoded(x + _transformed(x, head), head),
)
lm_head.mistake(
    "These are probabilities; asked are the logits before softmax.",
    lambda x, *head: _decoded(_transformed(x, head), head).softmax(dim=-1),
)
lm_head.mistake(
    "These are logarithms of probabilities; asked are the logits.",
    lambda x, *head: _decoded(_transformed(x, head), head).log_softmax(dim=-1),
)


def _model(*, tie: bool = True) -> BertForMaskedLM:
    """Make a tiny BERT with an LM head, the same each time."""
    config = BertConfig(
        vocab_size=9,
        hidden_size=4,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=6,
        max_position_embeddings=5,
        tie_word_embeddings=tie,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = BertForMaskedLM(config)
    model.train(mode=False)
    return model


def _apart(*, moved: float = 0.0) -> BertForMaskedLM:
    """Make a model whose head was copied alone: the decoder has its numbers in a tensor of its own."""
    model = _model()
    model.cls = copy.deepcopy(model.cls)
    with torch.no_grad():
        model.cls.predictions.decoder.weight += moved
    return model


def _new_decoder() -> BertForMaskedLM:
    model = _model()
    model.cls.predictions.decoder = nn.Linear(4, 9)
    return model


def _tied_by_hand() -> BertForMaskedLM:
    model = _model(tie=False)
    model.cls.predictions.decoder.weight = model.bert.embeddings.word_embeddings.weight
    return model


def _tie_cases() -> Iterator[Case]:
    yield Case(_model(), label="a model as it is made")
    yield Case(copy.deepcopy(_model()), label="a copy of a whole model")
    yield Case(_apart(), label="a model whose head was copied alone: equal numbers, two tensors")
    yield Case(_new_decoder(), label="a model with a new nn.Linear as its decoder")
    yield Case(_model(tie=False), label="a model made with tie_word_embeddings=False")
    yield Case(_tied_by_hand(), label="made with tie_word_embeddings=False, then tied by hand")


@exercise(
    cases=_tie_cases,
    hints=(
        "model.get_input_embeddings() and model.get_output_embeddings() give the two modules.",
        "Equal numbers are not enough: after one step of training they may differ. One tensor, two names?",
    ),
    note="One line in a test of your own, and a tie is not lost unseen.",
)
def is_tied(model: BertForMaskedLM) -> bool:
    """Say whether a model's word embeddings and its decoder use one and the same tensor."""
    return model.get_input_embeddings().weight is model.get_output_embeddings().weight


is_tied.mistake(
    "Equal numbers can lie in two tensors: they part with the first step of training.",
    lambda model: torch.equal(model.get_input_embeddings().weight, model.get_output_embeddings().weight),
)
is_tied.mistake(
    "`==` compares number by number; asked is one answer, whether the two are the same tensor.",
    lambda model: model.get_input_embeddings().weight == model.get_output_embeddings().weight,
)
is_tied.mistake(
    "The config says what was wished for, not what is.", lambda model: model.config.tie_word_embeddings
)
is_tied.mistake(
    "It is True for every model: two equal shapes, or both keys in state_dict(), are no tie.",
    lambda model: model.get_input_embeddings().weight.shape == model.get_output_embeddings().weight.shape,
)
is_tied.mistake(
    "It is False for every model: the modules (as the objects in state_dict()) are two in any case.",
    lambda model: model.get_input_embeddings() is model.get_output_embeddings(),
)
is_tied.mistake(
    "These are the two names of the bias; asked is the tie of the tables.",
    lambda model: model.cls.predictions.bias is model.cls.predictions.decoder.bias,
)
is_tied.mistake(
    "The other way round: it says True where there is no tie.",
    lambda model: model.get_input_embeddings().weight is not model.get_output_embeddings().weight,
)


def _state_cases() -> Iterator[Case]:
    one, other = torch.zeros(3, 2), torch.ones(4)
    yield Case({"a": one, "b": other, "c": one}, label='{"a": one, "b": other, "c": one}: (3, 2), (4,)')
    yield Case(
        {"a": one, "b": other, "c": one.detach()},
        label='{"a": one, "b": other, "c": one.detach()}, one of shape (3, 2), other (4,)',
    )
    yield Case(
        {"a": one, "b": one.clone(), "c": one.clone()},
        label='{"a": one, "b": one.clone(), "c": one.clone()}, one of shape (3, 2)',
    )
    yield Case(_model().state_dict(), label="the state_dict() of a tied model")
    yield Case(_model(tie=False).state_dict(), label="the state_dict() of a model that is not tied")


@exercise(
    cases=_state_cases,
    hints=(
        "`.data_ptr()` says where in memory a tensor's numbers begin.",
        "Collect in a dictionary from data_ptr() to the tensor; what is there twice is kept once.",
    ),
    note="So a file of safetensors is as large as the model, and not larger by a table.",
)
def numbers_on_disk(state_dict: dict[str, Tensor]) -> int:
    """Count the numbers in a state_dict, what several names share once.

    Tensors share their numbers if they begin at the same place in memory.
    """
    once = {tensor.data_ptr(): tensor for tensor in state_dict.values()}
    return sum(tensor.numel() for tensor in once.values())


numbers_on_disk.mistake(
    "What two names share is counted twice.",
    lambda state_dict: sum(tensor.numel() for tensor in state_dict.values()),
)
numbers_on_disk.mistake(
    "Tensor objects are counted once, but two objects can share their numbers, as after detach().",
    lambda state_dict: sum(one.numel() for one in {id(one): one for one in state_dict.values()}.values()),
)
numbers_on_disk.mistake("That is how many names there are; count numbers.", len)
numbers_on_disk.mistake(
    "These are bytes; count numbers.", lambda state_dict: 4 * cast(int, numbers_on_disk.reference(state_dict))
)
numbers_on_disk.mistake(
    "That is how many tensors there are; count their numbers.",
    lambda state_dict: len({tensor.data_ptr() for tensor in state_dict.values()}),
)


@numbers_on_disk.mistake("Equal numbers are taken for shared ones: a clone has memory of its own.")
def _equal_once(state_dict: dict[str, Tensor]) -> int:
    kept: list[Tensor] = []
    for tensor in state_dict.values():
        if not any(tensor.shape == one.shape and torch.equal(tensor, one) for one in kept):
            kept.append(tensor)
    return sum(one.numel() for one in kept)


def _gradient_cases() -> Iterator[Case]:
    looked_up = torch.tensor([[1.0, 0.0], [0.5, -1.0], [2.0, 3.0]], dtype=torch.float64)
    vectors = torch.tensor([[1.0, 1.0], [0.0, 2.0], [1.0, 0.0]], dtype=torch.float64)
    logits = torch.tensor([[0.0, 0.1, -0.1, 0.0], [0.0, 0.0, 0.0, 0.0], [0.2, 0.0, 0.3, -0.5]]).double()
    yield Case(torch.tensor([2, 1, 3]), looked_up, vectors, logits)
    yield Case(torch.tensor([2, 1, 2]), looked_up, vectors, logits)
    shown = "7 tokens, some of them twice; hidden_size 5, vocab_size 4"
    ids = torch.tensor([0, 3, 3, 1, 0, 3, 2])
    yield Case(ids, _random(7, 5), _random(7, 5, seed=1), _random(7, 4, seed=2), label=shown)


@exercise(
    cases=_gradient_cases,
    hints=(
        "Output: logit w of token i is vectors[i] · table[w], so row w gets grad_logits[i, w] · vectors[i].",
        "Summed over the tokens that is grad_logits.T @ vectors.",
        "Input: row input_ids[i] gets grad_inputs[i]. index_add_(0, …) adds also where an id comes twice.",
    ),
    note="What autograd finds in `.grad` of a tied table.",
)
def table_gradient(input_ids: Tensor, grad_inputs: Tensor, vectors: Tensor, grad_logits: Tensor) -> Tensor:
    """Put together the gradient of a tied table, (vocab_size, hidden_size), for one text.

    `input_ids` is (seq_len,), `grad_inputs` (seq_len, hidden_size) the loss's gradient at the rows that were
    looked up. `vectors`, (seq_len, hidden_size), is what the decoder multiplied the table with, and
    `grad_logits`, (seq_len, vocab_size), the loss's gradient at the logits.
    """
    output_part = grad_logits.T @ vectors
    return output_part.index_add(0, input_ids, grad_inputs)


def _input_part(input_ids: Tensor, grad_inputs: Tensor, grad_logits: Tensor) -> Tensor:
    table = torch.zeros(grad_logits.shape[1], grad_inputs.shape[1], dtype=grad_inputs.dtype)
    return table.index_add(0, input_ids, grad_inputs)


table_gradient.mistake(
    "That is the output's part alone; the input's is missing.",
    lambda _ids, _grad, vectors, grad_logits: grad_logits.T @ vectors,
)
table_gradient.mistake(
    "That is the input's part alone; the output's is missing.",
    lambda ids, grad, _, grad_logits: _input_part(ids, grad, grad_logits),
)
table_gradient.mistake(
    "That is the mean of the two parts; gradients of one tensor add up.",
    lambda ids, grad, vectors, logits: (logits.T @ vectors + _input_part(ids, grad, logits)) / 2,
)


table_gradient.mistake(
    "That is the output's mean over the tokens; sum over them.",
    lambda ids, grad, vectors, logits: logits.T @ vectors / len(ids) + _input_part(ids, grad, logits),
)
table_gradient.mistake(
    "`vectors` and `grad_inputs` have changed places: `grad_logits` belongs to `vectors`.",
    lambda ids, grad, vectors, logits: logits.T @ grad + _input_part(ids, vectors, logits),
)


@table_gradient.mistake(
    "Where an id comes twice, only one of its gradients arrives: `table[ids] += …` adds once for each row."
)
def _added_once(ids: Tensor, grad: Tensor, vectors: Tensor, grad_logits: Tensor) -> Tensor:
    table = grad_logits.T @ vectors
    table[ids] += grad
    return table


@table_gradient.mistake("The input's part replaces the output's in its rows; it has to be added.")
def _replaced(ids: Tensor, grad: Tensor, vectors: Tensor, grad_logits: Tensor) -> Tensor:
    table = grad_logits.T @ vectors
    table[ids] = _input_part(ids, grad, grad_logits)[ids]
    return table


def _retie_cases() -> Iterator[Case]:
    yield Case(_apart(), label="a model whose head was copied alone")
    yield Case(_apart(moved=0.1), label="the same, after training has moved the decoder by 0.1")


def _after(answer: Callable[[BertForMaskedLM], object], model: BertForMaskedLM) -> object:
    """Run an answer on a copy, and say what has become of the two tables."""
    given = answer(copy.deepcopy(model))
    if given is None or given is ...:
        return given
    if not isinstance(given, BertForMaskedLM):
        raise TypeError(f"{type(given).__name__} was returned: it should be the model")
    # The modules themselves: a `get_output_embeddings` that an answer has put in place ties nothing.
    tables = (one.bert.embeddings.word_embeddings for one in (model, given))
    modules = *tables, given.cls.predictions.decoder
    was, table, decoder = (cast(Tensor, module.weight) for module in modules)
    return {
        "one tensor": table is decoder,
        "the words' table as it was": torch.equal(table, was),
        "the decoder's numbers as the table's": torch.equal(decoder, table),
    }


@exercise(
    cases=_retie_cases,
    call=_after,
    hints=(
        "A module's parameter can be replaced: module.weight = another_parameter.",
        "The table stays; the decoder takes it: model.get_output_embeddings().weight = …",
    ),
    note="model.tie_weights() does the same, as long as the config says that the model is tied.",
)
def retie(model: BertForMaskedLM) -> BertForMaskedLM:
    """Tie a model's decoder to its word embeddings again, keep the embeddings' numbers, return the model."""
    model.get_output_embeddings().weight = model.get_input_embeddings().weight
    return model


@retie.mistake("The numbers were copied: they are equal now, but two tensors still, and training parts them.")
def _copied(model: BertForMaskedLM) -> BertForMaskedLM:
    model.get_output_embeddings().weight.data.copy_(model.get_input_embeddings().weight.data)
    return model


@retie.mistake("Tied, but the wrong way round: the words' table has taken the decoder's numbers.")
def _wrong_way(model: BertForMaskedLM) -> BertForMaskedLM:
    model.get_input_embeddings().weight = model.get_output_embeddings().weight
    return model


@retie.mistake(
    "The decoder has a tensor of its own still: neither the config nor a method put in its place moves one."
)
def _config_only(model: BertForMaskedLM) -> BertForMaskedLM:
    model.config.tie_word_embeddings = True
    return model


def _settled_cases() -> Iterator[Case]:
    one, other = [1.0, 0.0, 0.0], [0.0, 1.0, 2.0]
    yield Case(torch.tensor([[other], [other], [one], [one]]), 0, 0)
    yield Case(torch.tensor([[one], [other], [one], [one]]), 0, 0)
    yield Case(torch.tensor([[one], [one], [one], [other]]), 0, 0)
    yield Case(torch.tensor([[one], [one], [one]]), 0, 0)
    logits = _random(6, 4, 5)
    logits[3:, 2, 4] = 9
    logits[4, 2, 4] = 12
    logits[1, 2, 4] = 9
    logits[2, 2, 0] = 9
    yield Case(logits, 2, 4, label="logits of shape (6, 4, 5); from row 3 on word 4 is first at position 2")


@exercise(
    cases=_settled_cases,
    hints=(
        "logits[:, position].argmax(-1) is the first word at every layer.",
        "Go from the last layer down, as long as the answer is first.",
    ),
    note="Counted as the lens counts: 0 is the input embeddings.",
)
def settled_layer(logits: Tensor, position: int, answer: int) -> int:
    """Find the row of a lens from which on one word stays first, up to the last row.

    `logits` is (layers + 1, seq_len, vocab_size), `answer` the id of the word. -1 if it is not first in the
    last row.
    """
    first = logits[:, position].argmax(-1) == answer
    row = len(first)
    while row > 0 and first[row - 1]:
        row -= 1
    return row if row < len(first) else -1


def _firsts(logits: Tensor, position: int, answer: int) -> list[bool]:
    return [bool(one) for one in logits[:, position].argmax(-1) == answer]


@settled_layer.mistake("The word is first there, but it does not stay first up to the last row.")
def _first_time(logits: Tensor, position: int, answer: int) -> int:
    firsts = _firsts(logits, position, answer)
    return firsts.index(True) if True in firsts else -1


@settled_layer.mistake("The rows are counted from 1; the input embeddings are row 0.")
def _from_one(logits: Tensor, position: int, answer: int) -> int:
    found = settled_layer.reference(logits, position, answer)
    assert isinstance(found, int)
    return found + 1 if found >= 0 else -1


@settled_layer.mistake("That is how many rows have the word first; asked is the row where that begins.")
def _how_many(logits: Tensor, position: int, answer: int) -> int:
    return sum(_firsts(logits, position, answer))


@settled_layer.mistake(
    "That is the row where the word's logit is largest; asked is where it is first to stay."
)
def _largest(logits: Tensor, position: int, answer: int) -> int:
    return int(logits[:, position, answer].argmax())


@settled_layer.mistake("That is the number of the layer; asked is the row, and row 0 is the input.")
def _layer_number(logits: Tensor, position: int, answer: int) -> int:
    found = settled_layer.reference(logits, position, answer)
    assert isinstance(found, int)
    return found - 1 if found >= 0 else -1


@settled_layer.mistake("If the word is not first in the last row, the answer is -1.")
def _never(logits: Tensor, position: int, answer: int) -> int:
    found = settled_layer.reference(logits, position, answer)
    assert isinstance(found, int)
    return found if found >= 0 else len(logits)
