"""Exercises of chapter 10, fine-tuning: the head's size, its labels, its answers, scores, weights, a variant.

`new_parameters`, `word_labels`, `best_answer`, `names_f1`, `label_weights`, `last_four`, `trained_names`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, question

# The head


@question(
    hints=(
        "The pooler comes with the pre-trained body; only the head is new.",
        "A linear map from 768 numbers to 3 has 3 rows of 768 weights, and 3 biases.",
    ),
    note="Of BERT-Base's 109 million, that is one in 47,000. All the others are trained before.",
)
def new_parameters() -> int:
    """Say how many parameters are new when BERT-Base (hidden_size 768) gets a head for 3 labels of texts."""
    return 3 * 768 + 3


new_parameters.mistake("The biases are missing: one for each label.", 3 * 768)
new_parameters.mistake("That is the head for 2 labels.", 2 * 768 + 2)
new_parameters.mistake(
    "The pooler is counted too; but it has been pre-trained, it is not new.", 768**2 + 768 + 3 * 768 + 3
)
new_parameters.mistake("That is the pooler; it has been pre-trained. Count the map behind it.", 768**2 + 768)
new_parameters.mistake("That is one bias for each of the 768 numbers; there is one a label.", 3 * 768 + 768)
new_parameters.mistake("That is the head for the pocket model, of hidden_size 128.", 3 * 128 + 3)
new_parameters.mistake("The whole body is counted too; it has been pre-trained.", 109_482_240 + 3 * 768 + 3)
new_parameters.mistake("That is a head with one number for all; each label has its own.", 768 + 1)


# Labels of words


@exercise(
    cases=lambda: [
        Case([0, 1, 2], [None, 0, 1, 1, 2, None]),
        Case([3, 4, 0, 5], [None, 0, 0, 0, 1, 2, 3, 3, None]),
        Case([2, 2], [None, 0, 1, None, None, None]),
        Case([6, 1, 1], [None, 0, 1, 1, None]),
    ],
    hints=(
        "word_ids has an entry for each piece: the number of its word, None for [CLS], [SEP] and padding.",
        "A piece is the first of its word where its entry differs from the entry before it.",
        "Every other piece, and every None, gets -100: the loss leaves it out.",
    ),
    note="The collators of transformers fill up with -100 too, for the same reason.",
)
def word_labels(tags: list[int], word_ids: list[int | None]) -> list[int]:
    """Give a label for each piece: its word's tag where the piece is the word's first, -100 everywhere else.

    `tags` has a number for each word, `word_ids` the number of each piece's word, or None.
    """
    labels, before = [], None
    for word in word_ids:
        labels.append(-100 if word is None or word == before else tags[word])
        before = word
    return labels


def _labels(
    tags: list[int], word_ids: list[int | None], *, later: int | None = -100, outside: int = -100
) -> list[int]:
    """Label pieces with other fillers: `later` for the pieces that go on (None: the word's own tag)."""
    labels, before = [], None
    for word in word_ids:
        if word is None:
            labels.append(outside)
        elif word == before:
            labels.append(tags[word] if later is None else later)
        else:
            labels.append(tags[word])
        before = word
    return labels


def _last_pieces(tags: list[int], word_ids: list[int | None]) -> list[int]:
    return _labels(tags, word_ids[::-1])[::-1]


word_labels.mistake(
    "All pieces of a word have its tag: a name of three pieces would begin three times.",
    partial(_labels, later=None),
)
word_labels.mistake(
    "The later pieces have tag 0: the loss would teach the model that names end in no name.",
    partial(_labels, later=0),
)
word_labels.mistake(
    "Word 0 counts as no word here: in an `if`, the number 0 is false, as None is. Ask `is None`.",
    lambda tags, word_ids: [
        -100 if word == 0 else label for word, label in zip(word_ids, _labels(tags, word_ids), strict=True)
    ],
)
word_labels.mistake(
    "All pieces of a word have its tag; and word 0 counts as no word: in an `if`, 0 is false, as None is.",
    lambda tags, word_ids: [tags[word] if word else -100 for word in word_ids],
)
word_labels.mistake(
    "[CLS] and [SEP] have tag 0; they are no words, so they get -100.", partial(_labels, outside=0)
)
word_labels.mistake("The tag stands at the last piece of each word; it belongs to the first.", _last_pieces)
word_labels.mistake(
    "All pieces have their word's tag, and [CLS] and [SEP] tag 0: nothing is left out of the loss.",
    partial(_labels, later=None, outside=0),
)
word_labels.mistake(
    "The tags are laid down one after the other, whatever the pieces: use word_ids.",
    lambda tags, word_ids: [-100, *tags, *[-100] * (len(word_ids) - len(tags) - 1)],
)
word_labels.mistake(
    "Where a piece goes on, nothing is written: the list must have an entry for each piece.",
    lambda tags, word_ids: [label for label in _labels(tags, word_ids, later=-1) if label != -1],
)
word_labels.mistake(
    "-100 became None; the loss knows -100 only.",
    lambda tags, word_ids: [None if label == -100 else label for label in _labels(tags, word_ids)],
)


# Answers


def _logit_cases() -> Iterator[Case]:
    yield Case(_row([0.0, 1.0, 5.0, 2.0, 0.0]), _row([0.0, 3.0, 1.0, 4.0, 2.0]), 3)
    yield Case(_row([0.0, 1.0, 2.0, 6.0, 0.0]), _row([0.0, 5.0, 3.0, 1.0, 0.0]), 3)  # the best end is first
    yield Case(_row([4.0, 1.0, 3.0, 2.0]), _row([5.0, 2.0, 3.0, 1.0]), 2)  # no answer
    yield Case(_row([0.0, 7.0, 1.0, 1.0, 4.0, 1.0]), _row([0.0, 1.0, 2.0, 1.0, 3.0, 7.0]), 3)  # too far apart
    yield Case(_row([0.0, 1.0, 6.0, 0.0, 1.0, 0.0]), _row([0.0, 1.0, 0.0, 1.5, 3.0, 6.0]), 3)  # by one piece
    yield Case(_row([0.0, 2.0, 0.0, 0.0, 3.0, 0.0]), _row([6.0, 0.0, 4.0, 0.0, 1.0, 0.0]), 3)
    yield Case(_row([6.0, 1.0, 3.0, 1.0]), _row([0.0, 1.0, 2.0, 2.0]), 2)  # [CLS] wins, by its start alone


def _row(numbers: list[float]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def _two_places(answer: Callable[..., object], *arguments: object) -> object:
    """Take a tensor of two places for what it says: (start, end)."""
    result = answer(*arguments)
    return tuple(result.tolist()) if isinstance(result, Tensor) and result.shape == (2,) else result


@exercise(
    cases=_logit_cases,
    call=_two_places,
    hints=(
        "Score every pair of a start and an end by the sum of its two logits.",
        "Allowed are start <= end < start + longest, both from 1 on: place 0 is [CLS].",
        "Compare the best of them with start_logits[0] + end_logits[0], the score of (0, 0).",
    ),
    note="A sum of logits ranks as the product of the two probabilities does.",
)
def best_answer(start_logits: Tensor, end_logits: Tensor, longest: int) -> tuple[int, int]:
    """Give (start, end) of the best answer, at most `longest` pieces, or (0, 0) if “no answer” scores higher.

    Both logits are (seq_len,); place 0 is [CLS], which stands for “the text does not say”.
    """
    best, found = start_logits[0] + end_logits[0], (0, 0)
    for start in range(1, len(start_logits)):
        for end in range(start, min(start + longest, len(end_logits))):
            if start_logits[start] + end_logits[end] > best:
                best, found = start_logits[start] + end_logits[end], (start, end)
    return found


def _best_of(places: Iterable[tuple[int, int]], starts: Tensor, ends: Tensor) -> tuple[int, int]:
    return max(places, key=lambda place: (starts[place[0]] + ends[place[1]]).item())


def _spans(length: int, longest: int, first: int = 1) -> list[tuple[int, int]]:
    return [(i, j) for i in range(first, length) for j in range(i, min(i + longest, length))]


best_answer.mistake(
    "Start and end are chosen one without the other: so the end can come before the start.",
    lambda starts, ends, _: (int(starts.argmax()), int(ends.argmax())),
)
best_answer.mistake(
    "An answer is always given: compare it with the score of [CLS], (0, 0).",
    lambda starts, ends, longest: _best_of(_spans(len(starts), longest), starts, ends),
)
best_answer.mistake(
    "The answers may be of any length: the end lies before start + longest.",
    lambda starts, ends, longest: _best_of([(0, 0), *_spans(len(starts), len(starts))], starts, ends),
)
best_answer.mistake(
    "An answer may be one piece longer here: the end lies before start + longest.",
    lambda starts, ends, longest: _best_of([(0, 0), *_spans(len(starts), longest + 1)], starts, ends),
)
best_answer.mistake(
    "An answer may be one piece shorter here: `longest` pieces are allowed.",
    lambda starts, ends, longest: _best_of([(0, 0), *_spans(len(starts), longest - 1)], starts, ends),
)
best_answer.mistake(
    "The end may come before the start here: start <= end.",
    lambda starts, ends, longest: _best_of(
        [(0, 0), *((i, j) for i in range(1, len(starts)) for j in range(1, len(ends)) if j < i + longest)],
        starts,
        ends,
    ),
)
best_answer.mistake(
    "An answer begins or ends at [CLS] here: it is 0 in both places, or in none.",
    lambda starts, ends, longest: _best_of(_spans(len(starts), longest, first=0), starts, ends),
)
best_answer.mistake(
    "The best start is chosen first, and then the best end for it: another pair can have a larger sum.",
    lambda starts, ends, longest: _greedy(starts, ends, longest, first=0),
)
best_answer.mistake(
    "The best start is chosen first, then the best end for it, and never [CLS]: compare the sums of all.",
    lambda starts, ends, longest: _greedy(starts, ends, longest, first=1),
)
best_answer.mistake(
    "“No answer” is decided by the start alone: compare the sum of both logits of [CLS] with the best sum.",
    lambda starts, ends, longest: (
        _best_of(_spans(len(starts), longest), starts, ends) if starts.argmax() > 0 else (0, 0)
    ),
)
best_answer.mistake(
    "end is one too far: give the last piece of the answer itself.",
    lambda starts, ends, longest: _one_further(best_answer.reference(starts, ends, longest)),
)


def _greedy(starts: Tensor, ends: Tensor, longest: int, *, first: int) -> tuple[int, int]:
    start = first + int(starts[first:].argmax())
    return start, start + int(ends[start : start + longest].argmax())


def _one_further(place: object) -> tuple[int, int]:
    assert isinstance(place, tuple)
    start, end = map(int, place)
    return start, end + 1


# Scores

Names = set[tuple[int, int, str]]


def _name_case(true: list[Names], said: list[Names]) -> Case:
    shown = (
        "[" + ", ".join(f"{{{', '.join(map(str, sorted(one)))}}}" for one in names) + "]"
        for names in (true, said)
    )
    return Case(true, said, label="true = {},\n           said = {}".format(*shown))


def _name_cases() -> Iterator[Case]:
    true: list[Names] = [{(0, 2, "person"), (5, 6, "pet")}, {(3, 4, "person")}]
    yield _name_case(true, [{(0, 2, "person"), (5, 6, "person")}, {(3, 4, "person"), (7, 8, "place")}])
    yield _name_case(true, [{(0, 1, "person")}, {(3, 4, "person")}])
    yield _name_case(
        [{(1, 2, "person")}, {(0, 1, "pet"), (2, 4, "place"), (6, 7, "person")}, set()],
        [{(1, 2, "person")}, {(0, 1, "pet"), (2, 3, "place")}, {(4, 5, "person")}],
    )
    yield _name_case([{(0, 1, "pet")}, {(0, 1, "pet")}], [{(0, 1, "pet")}, set()])  # alike, in two texts


@exercise(
    cases=_name_cases,
    hints=(
        "A name is found where its three entries are the same: (first word, the one after the last, kind).",
        "Count over all texts together: names found, true names, names said.",
        "F1 is 2 · found / (true + said).",
    ),
    note="It is the harmonic mean of found / said, the precision, and found / true, the recall.",
)
def names_f1(true: list[set[tuple[int, int, str]]], said: list[set[tuple[int, int, str]]]) -> float:
    """Give the F1 of whole names: 2 · found / (true names + said names), all counted over all texts.

    Each text has a set of its true names and one of those that the model says, as (first, stop, kind).
    """
    found = sum(len(one & other) for one, other in zip(true, said, strict=True))
    return 2 * found / (sum(map(len, true)) + sum(map(len, said)))


def _counted(true: list[Names], said: list[Names]) -> tuple[int, int, int]:
    found = sum(len(one & other) for one, other in zip(true, said, strict=True))
    return found, sum(map(len, true)), sum(map(len, said))


def _with(change: Callable[[tuple[int, int, str]], object]) -> Callable[[list[Names], list[Names]], float]:
    def answer(true: list[Names], said: list[Names]) -> float:
        ours, theirs = ([{change(name) for name in one} for one in names] for names in (true, said))
        found = sum(len(one & other) for one, other in zip(ours, theirs, strict=True))
        return 2 * found / (sum(map(len, true)) + sum(map(len, said)))

    return answer


def _mean_of_texts(true: list[Names], said: list[Names]) -> float:
    each = [
        2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0
        for one, other in zip(true, said, strict=True)
    ]
    return sum(each) / len(each)


names_f1.mistake(
    "This is the recall, found / true: it does not mind names that are none.",
    lambda true, said: _counted(true, said)[0] / _counted(true, said)[1],
)
names_f1.mistake(
    "This is the precision, found / said: it does not mind names that are missed.",
    lambda true, said: _counted(true, said)[0] / _counted(true, said)[2],
)
names_f1.mistake(
    "The factor 2 is missing.",
    lambda true, said: _counted(true, said)[0] / sum(_counted(true, said)[1:]),
)
names_f1.mistake(
    "This is the mean of precision and recall; F1 is their harmonic mean.",
    lambda true, said: (
        (
            _counted(true, said)[0] / _counted(true, said)[1]
            + _counted(true, said)[0] / _counted(true, said)[2]
        )
        / 2
    ),
)
names_f1.mistake(
    "This is the mean of each text's F1; count over all texts first.",
    _mean_of_texts,
)
names_f1.mistake(
    "A name counts here even if its kind is wrong: all three entries must be the same.",
    _with(lambda name: name[:2]),
)
names_f1.mistake(
    "A name counts here if it begins at the right word; its end must be right too.",
    _with(lambda name: (name[0], name[2])),
)
names_f1.mistake(
    "Found names are counted once in true + said: divide by the sum of both counts, found ones in each.",
    lambda true, said: (
        2 * _counted(true, said)[0] / (sum(_counted(true, said)[1:]) - _counted(true, said)[0])
    ),
)
names_f1.mistake(
    "Found names are counted once in true + said, and the 2 is missing: that is found / all different names.",
    lambda true, said: _counted(true, said)[0] / (sum(_counted(true, said)[1:]) - _counted(true, said)[0]),
)
names_f1.mistake(
    "The texts are thrown together: the same name at the same place of two texts is two names.",
    lambda true, said: (
        _counted([set().union(*true)], [set().union(*said)])[0]
        * 2
        / sum(_counted([set().union(*true)], [set().union(*said)])[1:])
    ),
)
names_f1.mistake(
    "This is the root of precision times recall; F1 is their harmonic mean.",
    lambda true, said: _counted(true, said)[0] / (_counted(true, said)[1] * _counted(true, said)[2]) ** 0.5,
)
names_f1.mistake("That is a percentage; give a share of 1.", lambda t, s: 100 * names_f1.reference(t, s))  # type: ignore[operator]


# Rare labels


@exercise(
    cases=lambda: [
        Case([0, 0, 0, 0, 0, 0, 1, 1, 2], 3),
        Case([1, 1, 1, 0], 2),
        Case([2, 0, 0, 1, 1, 2, 2, 0, 0, 0], 3),
        Case([0, 3, 1, 2, 0, 0, 1], 4),
    ],
    hints=(
        "torch.bincount(torch.tensor(labels), minlength=num_labels) counts how often each label comes.",
        "A label twice as rare weighs twice as much: 1 / count.",
        "Divide by the mean of these, so that the mean weight is 1 and the loss keeps its size.",
    ),
    note="cross_entropy(logits, labels, weights) multiplies each example's loss by its label's weight.",
)
def label_weights(labels: list[int], num_labels: int) -> Tensor:
    """Give each label a weight proportional to 1 / (how often it comes), with a mean over the labels of 1.

    Every label comes at least once. The result is (num_labels,), float64.
    """
    weights = 1 / torch.bincount(torch.tensor(labels), minlength=num_labels).double()
    return weights / weights.mean()


def _inverse(labels: list[int], num_labels: int) -> Tensor:
    return 1 / torch.bincount(torch.tensor(labels), minlength=num_labels).double()


label_weights.mistake(
    "Frequent labels weigh more here; the rare ones should.",
    lambda labels, n: 1 / _inverse(labels, n) / (1 / _inverse(labels, n)).mean(),
)
label_weights.mistake("The mean weight is not 1: divide by the mean.", _inverse)
label_weights.mistake(
    "These are 1 / share, whose mean is not 1: divide by the mean.",
    lambda labels, n: len(labels) * _inverse(labels, n),
)
label_weights.mistake(
    "The weights have the sum 1; they should have the mean 1.",
    lambda labels, n: _inverse(labels, n) / _inverse(labels, n).sum(),
)
label_weights.mistake(
    "These are the shares themselves: the frequent labels weigh more, and the rare ones should.",
    lambda labels, n: 1 / _inverse(labels, n) / len(labels),
)
label_weights.mistake(
    "The smallest weight is 1; the mean should be.",
    lambda labels, n: _inverse(labels, n) / _inverse(labels, n).min(),
)
label_weights.mistake(
    "The largest weight is 1; the mean should be.",
    lambda labels, n: _inverse(labels, n) / _inverse(labels, n).max(),
)
label_weights.mistake(
    "These have a mean of 1 over the examples, 1 / (share · num_labels); asked is one over the labels.",
    lambda labels, n: len(labels) * _inverse(labels, n) / n,
)
label_weights.mistake(
    "This has a weight for each example; asked is one for each label.",
    lambda labels, n: (_inverse(labels, n) / _inverse(labels, n).mean())[torch.tensor(labels)],
)


def _by_frequency(labels: list[int], _: int) -> Tensor:
    counts = torch.tensor([count for _, count in Counter(labels).most_common()], dtype=torch.float64)
    return (1 / counts) / (1 / counts).mean()


label_weights.mistake(
    "The weights stand in the order of how often the labels come; entry k belongs to label k.", _by_frequency
)


# Features


def _layer_cases() -> Iterator[Case]:
    for layers, seed in ((7, 0), (5, 1)):
        generator = torch.Generator().manual_seed(seed)
        states = tuple(torch.randn(2, 3, 4, generator=generator, dtype=torch.float64) for _ in range(layers))
        yield Case(states, label=f"hidden_states of {layers} tensors, each (2, 3, 4)")


@exercise(
    cases=_layer_cases,
    hints=(
        "hidden_states[-4:] are the last four of the tuple.",
        "torch.cat(…, dim=-1) puts vectors end to end; the last layer's part comes last.",
    ),
    note="For a linear probe, adding the four is a special case of it: equal weights on the four parts.",
)
def last_four(hidden_states: tuple[Tensor, ...]) -> Tensor:
    """Put the vectors of the last four layers end to end, the lowest of them first.

    Each of `hidden_states` is (batch, seq_len, hidden_size); the result is (batch, seq_len, 4 · hidden_size).
    """
    return torch.cat(hidden_states[-4:], dim=-1)


last_four.mistake("This is the sum of the four; put them end to end.", lambda states: sum(states[-4:]))
last_four.mistake(
    "The order is the opposite: the lowest of the four comes first.",
    lambda states: torch.cat(states[-4:][::-1], dim=-1),
)
last_four.mistake(
    "These are the first four, embeddings included; asked are the last.",
    lambda states: torch.cat(states[:4], dim=-1),
)
last_four.mistake(
    "The four are laid along the tokens, axis 1; put the vectors end to end, axis -1.",
    lambda states: torch.cat(states[-4:], dim=1),
)
last_four.mistake(
    "The four are laid along the batch, axis 0; put the vectors end to end, axis -1.",
    lambda states: torch.cat(states[-4:]),
)
last_four.mistake(
    "The four are stacked along a new axis; put them end to end along the last.",
    lambda states: torch.stack(states[-4:], dim=-1),
)
last_four.mistake(
    "The last layer is left out: states[-4:] goes to the end, states[-4:-1] does not.",
    lambda states: torch.cat(states[-4:-1], dim=-1),
)
last_four.mistake(
    "These are the four layers above the embeddings; asked are the last four.",
    lambda states: torch.cat(states[1:5], dim=-1),
)
last_four.mistake(
    "These end one layer too early: states[-4:] goes to the end, states[-5:-1] does not.",
    lambda states: torch.cat(states[-5:-1], dim=-1),
)
last_four.mistake("This is the last layer alone; put the last four end to end.", lambda states: states[-1])
last_four.mistake(
    "The four are still apart; put them end to end with torch.cat.", lambda states: torch.stack(states[-4:])
)
last_four.mistake(
    "All layers are taken, embeddings included; asked are the last four.",
    lambda states: torch.cat(states, dim=-1),
)
last_four.mistake(
    "This is the mean of the four; put them end to end.", lambda states: torch.stack(states[-4:]).mean(dim=0)
)


# The variant

_PARTS = ("attention.self.query.weight", "output.dense.bias")
_NAMES = [
    "bert.embeddings.word_embeddings.weight",
    "bert.embeddings.LayerNorm.bias",
    *(f"bert.encoder.layer.{layer}.{part}" for layer in range(12) for part in _PARTS),
    "bert.pooler.dense.weight",
    "bert.pooler.dense.bias",
    "classifier.weight",
    "classifier.bias",
]
_SHORT = [name for name in _NAMES if ".layer." not in name or name.split(".")[3] in "0123"]


@exercise(
    cases=lambda: [
        Case(_SHORT, 2, label="the names of a model with 4 layers, frozen = 2"),
        Case(_NAMES, 1, label="the names of a model with 12 layers, frozen = 1"),
        Case(_NAMES, 10, label="the names of a model with 12 layers, frozen = 10"),
    ],
    hints=(
        'name.startswith("bert.embeddings.") says that a parameter belongs to the embeddings.',
        'For those of the layers, "bert.encoder.layer.7.output.dense.bias".split(".")[3] is "7".',
        "Compare the layers as numbers: int(…) < frozen is frozen.",
    ),
    note="To freeze in torch: parameter.requires_grad_(name in trained), for every named parameter.",
)
def trained_names(names: list[str], frozen: int) -> list[str]:
    """Build the variant: of a model's parameters, list those still trained when its bottom is frozen.

    Frozen are the embeddings and the lowest `frozen` layers; the layers above, the pooler and the head are
    trained. Keep the order of `names`.
    """

    def is_trained(name: str) -> bool:
        if name.startswith("bert.embeddings."):
            return False
        return not name.startswith("bert.encoder.layer.") or int(name.split(".")[3]) >= frozen

    return [name for name in names if is_trained(name)]


def _layer_of(name: str) -> int | None:
    return int(name.split(".")[3]) if ".layer." in name else None


def _kept(names: list[str], is_frozen: Callable[[int], bool], *, embeddings: bool = False) -> list[str]:
    """Leave out the layers that are frozen, and the embeddings unless told to keep them."""
    return [
        name
        for name in names
        if not ((layer := _layer_of(name)) is not None and is_frozen(layer))
        and (embeddings or "embeddings" not in name)
    ]


trained_names.mistake(
    "The embeddings are still trained; they are below the lowest layer, so they are frozen with it.",
    lambda names, frozen: _kept(names, lambda layer: layer < frozen, embeddings=True),
)
trained_names.mistake(
    "One layer too many is frozen: they are counted from 0, so the lowest `frozen` are 0 … frozen - 1.",
    lambda names, frozen: _kept(names, lambda layer: layer <= frozen),
)
trained_names.mistake(
    "The top is frozen, and the bottom is trained: it is the other way round.",
    lambda names, frozen: _kept(names, lambda layer: layer >= frozen),
)
trained_names.mistake(
    "Only layer number `frozen` is frozen; all layers below it are.",
    lambda names, frozen: _kept(names, lambda layer: layer == frozen),
)
trained_names.mistake(
    "These are the frozen ones; asked are those that are trained.",
    lambda names, frozen: [name for name in names if name not in trained_names.reference(names, frozen)],  # type: ignore[operator]
)
trained_names.mistake(
    "The layers are compared as text, so that “10” comes before “2”: make numbers of them.",
    lambda names, frozen: [
        name
        for name in names
        if "embeddings" not in name and (".layer." not in name or name.split(".")[3] >= str(frozen))
    ],
)
trained_names.mistake(
    "“layer.1” is also how “layer.10” and “layer.11” begin: compare the whole number.",
    lambda names, frozen: [
        name
        for name in names
        if "embeddings" not in name and not any(f"layer.{number}" in name for number in range(frozen))
    ],
)
trained_names.mistake(
    "Only layers are listed; the pooler and the head lie above them, and are trained.",
    lambda names, frozen: [
        name for name in _kept(names, lambda layer: layer < frozen) if _layer_of(name) is not None
    ],
)
trained_names.mistake(
    "Only the head is trained here; so are the pooler and the layers from number `frozen` on.",
    lambda names, _frozen: [name for name in names if "classifier" in name],
)
trained_names.mistake(
    "All layers are frozen; only the lowest `frozen` are.",
    lambda names, _frozen: [name for name in names if "embeddings" not in name and ".layer." not in name],
)
trained_names.mistake(
    "The pooler is left out; it lies above the layers, and is trained.",
    lambda names, frozen: [
        name for name in _kept(names, lambda layer: layer < frozen) if "pooler" not in name
    ],
)
trained_names.mistake(
    "The head is left out; it is new, so it must be trained.",
    lambda names, frozen: [
        name for name in _kept(names, lambda layer: layer < frozen) if "classifier" not in name
    ],
)
