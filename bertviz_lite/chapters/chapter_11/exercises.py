"""Exercises of chapter 11, the whole BERT, and the capstone: six patients, each with one sick part.

`head_parameters`, `standard_name`, `first_wrong`; `part_1` to `part_6` name the sick parts, `repair_1` to
`repair_6` mend them. What the parts do is in `bertviz_lite.chapters.chapter_11.patients`.
"""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from bertviz_lite.chapters.chapter_11.treatment import treatment
from bertviz_lite.exercises import Case, Exercise, exercise, question


@question(
    hints=(
        "The LM head: a linear map, a LayerNorm, the decoder, a bias for each word. Which of them is new?",
        "The decoder is the token table, which is counted already. The NSP head has two rows and two biases.",
    ),
    note="110,106,428 with the heads, 109,482,240 without: this is what lies between.",
    rtol=1e-9,
)
def head_parameters() -> int:
    """Say how many parameters the two heads of pre-training add to BERT-Base.

    hidden_size is 768, vocab_size 30,522; the decoder is tied; the pooler is no part of the heads.
    """
    hidden_size, vocab_size = 768, 30_522
    transform = hidden_size * hidden_size + hidden_size + 2 * hidden_size
    return transform + vocab_size + 2 * hidden_size + 2


_H, _V = 768, 30_522
_TABLE, _ALL = _V * _H, 624_188
head_parameters.mistake(
    "The decoder is counted; it is the token table, which is there already.", _ALL + _TABLE
)
head_parameters.mistake("The pooler is counted; it belongs to the model without heads.", _ALL + _H * _H + _H)
head_parameters.mistake("The LM head has a bias for each word.", _ALL - _V)
head_parameters.mistake("The LayerNorm of the transform is missing.", _ALL - 2 * _H)
head_parameters.mistake("768 are missing: the bias of the linear map, or half of the LayerNorm.", _ALL - _H)
head_parameters.mistake("The NSP head is missing.", _ALL - 2 * _H - 2)
head_parameters.mistake("The two biases of the NSP head are missing.", _ALL - 2)
head_parameters.mistake("That is the NSP head alone.", 2 * _H + 2)


def _name_cases() -> Iterator[Case]:
    yield Case("bert.encoder.layer.0.output.LayerNorm.gamma")
    yield Case("bert.embeddings.LayerNorm.beta")
    yield Case("encoder.layer.3.attention.self.query.weight")
    yield Case("cls.predictions.transform.LayerNorm.gamma")
    yield Case("embeddings.LayerNorm.beta")
    yield Case("bert.pooler.dense.bias")


@exercise(
    cases=_name_cases,
    hints=(
        "Two things can be wrong with a name: how it begins, and how it ends. Some names need nothing.",
        "Look at the last part, after the last dot; then ask whether the name starts with bert. or cls.",
    ),
    note="With it the page reads old files too: from_weights(config, {standard_name(k): v for k, v in …}).",
)
def standard_name(name: str) -> str:
    """Give the page's name for a weight.

    Old files call the gain of a LayerNorm "gamma" and its bias "beta"; the page calls them "weight" and
    "bias". Files of a model without heads leave out "bert." at the beginning; names of heads begin with
    "cls." in all files.
    """
    *path, last = name.split(".")
    path.append({"gamma": "weight", "beta": "bias"}.get(last, last))
    return ".".join(path if path[0] in ("bert", "cls") else ["bert", *path])


_NEW = {"gamma": "weight", "beta": "bias"}


def _renamed(name: str, new: Mapping[str, str] = _NEW) -> str:
    for old, now in new.items():
        name = name.removesuffix(old) + now * name.endswith(old)
    return name


def _prefixed(name: str, but: tuple[str, ...] = ("bert.", "cls.")) -> str:
    return name if name.startswith(but) else f"bert.{name}"


standard_name.mistake('"bert." is missing where the file leaves it out.', _renamed)
standard_name.mistake("gamma and beta keep their old names.", _prefixed)
standard_name.mistake(
    'Names of heads, with "cls.", get no "bert.".', lambda name: _prefixed(_renamed(name), ("bert.",))
)
standard_name.mistake(
    '"bert." is put before names that have it.', lambda name: _prefixed(_renamed(name), ("cls.",))
)
standard_name.mistake('"bert." is put before every name.', lambda name: f"bert.{_renamed(name)}")
standard_name.mistake(
    "The two have changed places: gamma is the gain, which is called weight.",
    lambda name: _prefixed(_renamed(name, {"gamma": "bias", "beta": "weight"})),
)
standard_name.mistake("beta keeps its old name.", lambda name: _prefixed(_renamed(name, {"gamma": "weight"})))
standard_name.mistake("gamma keeps its old name.", lambda name: _prefixed(_renamed(name, {"beta": "bias"})))


def _runs() -> Iterator[Case]:
    def numbers(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    same = [numbers(1, 2), numbers(3, 4), numbers(5, 6)]
    yield Case(same, [numbers(1, 2), numbers(3, 4.5), numbers(7, 6)], 0.1, label="tensor 1 is off by 0.5")
    yield Case(
        same, [numbers(1, 2), numbers(2, 4), numbers(5, 6)], 0.1, label="tensor 1 is off by 1, downwards"
    )
    yield Case(
        same, [numbers(1, 2.01), numbers(3, 4), numbers(5, 6)], 0.1, label="off by 0.01, tolerance 0.1"
    )
    yield Case(
        [*same, numbers(*[0] * 9, 1)], [*same, numbers(*[0] * 10)], 0.5, label="one of ten numbers off by 1"
    )
    nan = [numbers(1, 2), numbers(float("nan"), 4), numbers(5, 6)]
    yield Case(nan, same, 0.1, label="tensor 1 holds a NaN")


@exercise(
    cases=_runs,
    hints=(
        "Go through both lists together. Of two tensors, the largest absolute difference counts.",
        "NaN is not above any number, and not below: ask `not largest <= tolerance`.",
    ),
    note="This is what `compare` does, with names.",
)
def first_wrong(ours: list[Tensor], theirs: list[Tensor], tolerance: float) -> int:
    """Say at which place (from 0) two lists of tensors first differ by more than `tolerance`; -1 if nowhere.

    A tensor with NaN in it differs from anything.
    """
    for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        largest = (one - other).abs().max()
        if not largest <= tolerance:
            return place
    return -1


def _first(
    ours: list[Tensor],
    theirs: list[Tensor],
    tolerance: float,
    *,
    differ: Callable[[Tensor, float], object] = lambda gap, tolerance: not gap.abs().max() <= tolerance,
    places: slice = slice(None),
) -> int:
    gaps = [one - other for one, other in zip(ours, theirs, strict=True)]
    wrong = [place for place, gap in enumerate(gaps) if differ(gap, tolerance)]
    return wrong[places][0] if wrong else -1


first_wrong.mistake(
    "NaN is taken for equal: it is not above the tolerance, but not below either.",
    partial(_first, differ=lambda gap, tolerance: gap.abs().max() > tolerance),
)
first_wrong.mistake(
    "Differences downwards are not seen: take the absolute value.",
    partial(_first, differ=lambda gap, tolerance: not gap.max() <= tolerance),
)
first_wrong.mistake(
    "Differences of one sign are not seen: take the absolute value.",
    partial(_first, differ=lambda gap, tolerance: gap.max() > tolerance),
)
first_wrong.mistake(
    "It takes the mean difference, in which one wrong number among many is lost: take the largest.",
    partial(_first, differ=lambda gap, tolerance: not gap.abs().mean() <= tolerance),
)
first_wrong.mistake("That is the last place; asked is the first.", partial(_first, places=slice(-1, None)))
first_wrong.mistake(
    "The tolerance is not used: any difference counts.",
    partial(_first, differ=lambda gap, _: gap.abs().max() != 0),
)
first_wrong.mistake("Places are counted from 1; count from 0.", lambda *given: _first(*given) + 1)


# The capstone: name the part

_INSIDE = {
    "WholeBert": "Bert Encoder Layer Embeddings SelfAttention AddAndNorm Attention Intermediate Pooler Heads "
    "LMHead Transform",
    "Bert": "Encoder Layer Embeddings SelfAttention AddAndNorm Attention Intermediate Pooler",
    "Encoder": "Layer SelfAttention AddAndNorm Attention Intermediate",
    "Layer": "SelfAttention AddAndNorm Attention Intermediate",
    "Attention": "SelfAttention",
    "Heads": "LMHead Transform",
    "LMHead": "Transform",
}
_CLASSES = (*_INSIDE, "Embeddings", "SelfAttention", "AddAndNorm", "Intermediate", "Pooler", "Transform")


def _name_the_others(*parts: Exercise) -> None:
    """Add what to say of every other class of the page."""
    for part in parts:
        sick = str(part.reference())
        for name in _CLASSES:
            if sick in _INSIDE.get(name, "").split():
                part.mistake(
                    f"It is inside {name}: name the class of the innermost module that is sick.", name
                )
            elif name != sick:
                part.mistake(
                    f"{name} is well: given the right numbers, it gives the right ones. Which tensor differs "
                    "first, and which module makes it?",
                    name,
                )


_NUMBERS_HINT = (
    "Run compare(patient(n)(**batch), library) on the batch with pairs and padding: which tensor is the "
    "first to differ?"
)
_TRACE_HINT = "Then steps(patient(n)), as in the notebook: what vanishes, what appears, and where?"


@question(hints=(_NUMBERS_HINT, _TRACE_HINT, "A step has vanished after the linear map at [CLS]."))
def part_1() -> str:
    """Name the class of the page whose module is sick in patient 1."""
    return "Pooler"


@question(hints=(_NUMBERS_HINT, _TRACE_HINT, "It shows only where there is a second text."))
def part_2() -> str:
    """Name the class of the page whose module is sick in patient 2."""
    return "Embeddings"


@question(hints=(_NUMBERS_HINT, _TRACE_HINT, "The same steps, in another order, in layer 2."))
def part_3() -> str:
    """Name the class of the page whose module is sick in patient 3."""
    return "AddAndNorm"


@question(
    hints=(_NUMBERS_HINT, _TRACE_HINT, "No step differs. Read the line of the diff with numbers in it.")
)
def part_4() -> str:
    """Name the class of the page whose module is sick in patient 4."""
    return "LMHead"


@question(
    hints=(_NUMBERS_HINT, _TRACE_HINT, "It shows only where there is padding. What do the rows sum to?")
)
def part_5() -> str:
    """Name the class of the page whose module is sick in patient 5."""
    return "SelfAttention"


@question(
    hints=(
        _NUMBERS_HINT,
        _TRACE_HINT,
        "Follow the pooled vector, here and in `whole`: trace(patient(6), **batch).path('bert.pooler').",
    )
)
def part_6() -> str:
    """Name the class of the page whose module is sick in patient 6."""
    return "Heads"


_name_the_others(part_1, part_2, part_3, part_4, part_5, part_6)


# The capstone: repair it

_Repair = Callable[[Any], Any]

_FORWARD_HINT = (
    "Write the part's forward anew, as on the page but without self, and set it: part.forward = my_forward. "
    "Then return the patient."
)


@treatment(
    1,
    hints=(_FORWARD_HINT, "The pooler: patient.bert.pooler. Chapter 06: three steps, the last one bends."),
    note="Without tanh the numbers are not held between -1 and 1, and the NSP head was trained on those.",
)
def repair_1(patient: Any) -> Any:
    """Mend patient 1, and return it."""
    pooler = patient.bert.pooler
    pooler.forward = lambda last_hidden_state: pooler.dense(last_hidden_state[:, 0]).tanh()
    return patient


def _pooled(forward: Callable[[Any, Tensor], Tensor]) -> _Repair:
    def repair(patient: Any) -> Any:
        patient.bert.pooler.forward = partial(forward, patient.bert.pooler.dense)
        return patient

    return repair


repair_1.mistake(
    "tanh comes before the linear map; it comes after.", _pooled(lambda dense, x: dense(x[:, 0].tanh()))
)
repair_1.mistake(
    "The pooler takes the mean of all tokens; it takes the first.",
    _pooled(lambda dense, x: dense(x.mean(1)).tanh()),
)
repair_1.mistake(
    "The bend is a sigmoid; the pooler's is tanh.", _pooled(lambda dense, x: dense(x[:, 0]).sigmoid())
)
repair_1.mistake("The bend is GELU; the pooler's is tanh.", _pooled(lambda dense, x: gelu(dense(x[:, 0]))))
repair_1.mistake(
    "The pooler takes the last place; it takes the first.", _pooled(lambda dense, x: dense(x[:, -1]).tanh())
)
repair_1.mistake("All tokens are pooled: take the first, [:, 0].", _pooled(lambda dense, x: dense(x).tanh()))
repair_1.mistake("The linear map is missing.", _pooled(lambda _, x: x[:, 0].tanh()))


@treatment(
    2,
    hints=(
        _FORWARD_HINT,
        "patient.bert.embeddings is called with (input_ids, token_type_ids): each token has its own segment.",
    ),
    note="One text alone is all segment 0: a test without pairs would never have found it.",
)
def repair_2(patient: Any) -> Any:
    """Mend patient 2, and return it."""
    part = patient.bert.embeddings

    def forward(input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
        position = part.position_embeddings(torch.arange(input_ids.shape[1]))
        total = part.word_embeddings(input_ids) + part.token_type_embeddings(token_type_ids) + position
        normalised: Tensor = part.LayerNorm(total)
        return normalised

    part.forward = forward
    return patient


def _embedded(
    join: Callable[[nn.Module, Tensor, Tensor, Tensor], Tensor],
    segments: Callable[[Tensor], Tensor] = lambda ids: ids,
) -> _Repair:
    def repair(patient: Any) -> Any:
        part = patient.bert.embeddings

        def forward(input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
            position = part.position_embeddings(torch.arange(input_ids.shape[1]))
            segment = part.token_type_embeddings(segments(token_type_ids))
            return join(part.LayerNorm, part.word_embeddings(input_ids), segment, position)

        part.forward = forward
        return patient

    return repair


repair_2.mistake(
    "LayerNorm is missing.", _embedded(lambda _, token, segment, position: token + segment + position)
)
repair_2.mistake(
    "The segments are exchanged: 0 is the first text.",
    _embedded(lambda norm, token, segment, position: norm(token + segment + position), lambda ids: 1 - ids),
)
repair_2.mistake(
    "The segment is added after LayerNorm; all three are added before it.",
    _embedded(lambda norm, token, segment, position: norm(token + position) + segment),
)
repair_2.mistake(
    "Each part is normalised by itself; LayerNorm comes once, after the sum.",
    _embedded(lambda norm, token, segment, position: norm(token) + norm(segment) + norm(position)),
)
repair_2.mistake("The position is missing.", _embedded(lambda norm, token, segment, _: norm(token + segment)))
repair_2.mistake(
    "The segment is missing.", _embedded(lambda norm, token, _, position: norm(token + position))
)


@treatment(
    3,
    hints=(
        _FORWARD_HINT,
        "It is one module only: patient.bert.encoder.layer[2].output, called with (inside, around).",
        "Chapter 04: add, then normalise. LayerNorm comes last.",
    ),
    note="Where LayerNorm stands belongs to the weights: these were trained with it after the sum.",
)
def repair_3(patient: Any) -> Any:
    """Mend patient 3, and return it."""
    part = patient.bert.encoder.layer[2].output
    part.forward = lambda inside, around: part.LayerNorm(part.dense(inside) + around)
    return patient


def _added(forward: Callable[[Any, Tensor, Tensor], Tensor]) -> _Repair:
    def repair(patient: Any) -> Any:
        part = patient.bert.encoder.layer[2].output
        part.forward = partial(forward, part)
        return patient

    return repair


repair_3.mistake(
    "The residual is missing.", _added(lambda part, inside, _: part.LayerNorm(part.dense(inside)))
)
repair_3.mistake("LayerNorm is missing.", _added(lambda part, inside, around: part.dense(inside) + around))
repair_3.mistake(
    "LayerNorm is applied to what goes around; it belongs on the sum.",
    _added(lambda part, inside, around: part.dense(inside) + part.LayerNorm(around)),
)
repair_3.mistake(
    "Both are normalised, then added; it is one LayerNorm, on the sum.",
    _added(lambda part, inside, around: part.LayerNorm(part.dense(inside)) + part.LayerNorm(around)),
)


@treatment(
    4,
    hints=(
        "No code is wrong here, but a tensor. patient.parameters are 256,000 too many: which table is that?",
        "Chapter 07: one tensor with two names, bert.embeddings.word_embeddings.weight and …",
        "Set patient.cls.predictions.decoder.weight to the token table itself, not to a copy.",
    ),
    note="A file stores the table once. Whoever loads it without tying is left with random numbers.",
)
def repair_4(patient: Any) -> Any:
    """Mend patient 4, and return it."""
    patient.cls.predictions.decoder.weight = patient.bert.embeddings.word_embeddings.weight
    return patient


@repair_4.mistake("The decoder holds a copy: the first step of training would part the two. Tie them.")
def _copied_table(patient: Any) -> Any:
    table = patient.bert.embeddings.word_embeddings.weight
    patient.cls.predictions.decoder.weight = nn.Parameter(table.detach().clone())
    return patient


@repair_4.mistake(
    "Tied, but the wrong way round: the table that was trained is lost, the random one is kept."
)
def _tied_to_random(patient: Any) -> Any:
    patient.bert.embeddings.word_embeddings.weight = patient.cls.predictions.decoder.weight
    return patient


def _decoded(forward: Callable[[Any, Tensor, Tensor], Tensor]) -> _Repair:
    def repair(patient: Any) -> Any:
        head, table = patient.cls.predictions, patient.bert.embeddings.word_embeddings
        head.forward = lambda hidden_states: forward(head, hidden_states, table.weight)
        return patient

    return repair


repair_4.mistake(
    "The bias of the words is missing.", _decoded(lambda head, x, table: head.transform(x) @ table.T)
)
repair_4.mistake("The transform is missing.", _decoded(lambda head, x, table: x @ table.T + head.bias))


@treatment(
    5,
    hints=(
        _FORWARD_HINT,
        "It is one module only, patient.bert.encoder.layer[1].attention.self, given (hidden_states, bias).",
        "Chapter 03: `bias` is added to the scores before the softmax. Return two things: context, weights.",
    ),
    note="Weights set to 0 after the softmax leave rows that sum to less than 1; only padding shows it.",
)
def repair_5(patient: Any) -> Any:
    """Mend patient 5, and return it."""
    part = patient.bert.encoder.layer[1].attention.self

    def forward(hidden_states: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        query, key, value = (part.split(one(hidden_states)) for one in (part.query, part.key, part.value))
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        weights = (scores + bias).softmax(dim=-1)
        return (weights @ value).transpose(1, 2).flatten(2), weights

    part.forward = forward
    return patient


def _attended(
    weigh: Callable[[Tensor, Tensor], Tensor],
    *,
    divide: Callable[[int, int], float] = lambda size, _: size**0.5,
    result: Callable[[Tensor, Tensor], object] = lambda context, weights: (context, weights),
) -> _Repair:
    def repair(patient: Any) -> Any:
        part = patient.bert.encoder.layer[1].attention.self

        def forward(hidden_states: Tensor, bias: Tensor) -> object:
            query, key, value = (part.split(one(hidden_states)) for one in (part.query, part.key, part.value))
            scores = query @ key.transpose(-1, -2) / divide(query.shape[-1], hidden_states.shape[-1])
            weights = weigh(scores, bias)
            return result((weights @ value).transpose(1, 2).flatten(2), weights)

        part.forward = forward
        return patient

    return repair


def _masked(scores: Tensor, bias: Tensor) -> Tensor:
    return (scores + bias).softmax(dim=-1)


repair_5.mistake(
    "The bias is not used: padding is read like words.", _attended(lambda scores, _: scores.softmax(dim=-1))
)
repair_5.mistake("The scores are not divided.", _attended(_masked, divide=lambda *_: 1.0))
repair_5.mistake(
    "The scores are divided by the root of hidden_size; it is that of head_size.",
    _attended(_masked, divide=lambda _, size: size**0.5),
)
repair_5.mistake(
    "The softmax runs along the queries; the weights of one query add up to 1.",
    _attended(lambda scores, bias: (scores + bias).softmax(dim=-2)),
)
repair_5.mistake(
    "The bias is added after the softmax; it belongs to the scores.",
    _attended(lambda scores, bias: scores.softmax(dim=-1) + bias),
)
repair_5.mistake(
    "It gives one thing; SelfAttention gives two: what the heads have read, and their weights.",
    _attended(_masked, result=lambda context, _: context),
)


@treatment(
    6,
    hints=(
        _FORWARD_HINT,
        "patient.cls is called with (last_hidden_state, pooler_output), and gives (LM logits, NSP logits).",
        "Each head has its own input: words come from every token's vector, pairs from one vector a text.",
    ),
    note="Both vectors are (batch, hidden_size), so no shape gives it away: chapter 06's two names.",
)
def repair_6(patient: Any) -> Any:
    """Mend patient 6, and return it."""
    heads = patient.cls
    heads.forward = lambda states, pooled: (heads.predictions(states), heads.seq_relationship(pooled))
    return patient


def _headed(forward: Callable[[Any, Tensor, Tensor], object]) -> _Repair:
    def repair(patient: Any) -> Any:
        patient.cls.forward = partial(forward, patient.cls)
        return patient

    return repair


repair_6.mistake(
    "The NSP head reads the mean of the hidden states; it reads the pooled vector.",
    _headed(lambda heads, states, _: (heads.predictions(states), heads.seq_relationship(states.mean(dim=1)))),
)
repair_6.mistake(
    "The NSP head reads the hidden states of all tokens; it reads the pooled vector.",
    _headed(lambda heads, states, _: (heads.predictions(states), heads.seq_relationship(states))),
)
repair_6.mistake(
    "tanh is done twice: what is handed to the heads is pooled already.",
    _headed(lambda heads, states, pooled: (heads.predictions(states), heads.seq_relationship(pooled.tanh()))),
)
repair_6.mistake(
    "The tanh of the vector at [CLS] is not the pooled vector: the pooler's linear map is missing.",
    _headed(
        lambda heads, states, _: (heads.predictions(states), heads.seq_relationship(states[:, 0].tanh()))
    ),
)
repair_6.mistake(
    "The two logits of the NSP head have changed places: 0 is “B continues A”.",
    _headed(
        lambda heads, states, pooled: (heads.predictions(states), heads.seq_relationship(pooled).flip(-1))
    ),
)
repair_6.mistake(
    "The two results have changed places: first the LM logits, then the NSP logits.",
    _headed(lambda heads, states, pooled: (heads.seq_relationship(pooled), heads.predictions(states))),
)
