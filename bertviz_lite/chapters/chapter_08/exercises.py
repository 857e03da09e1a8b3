"""Exercises of chapter 08, the NSP head: its input, its pairs, its loss, what it goes by, and a variant.

`continues`, `pair_input`, `exchange`, `pretraining_loss`, `prefers_true`, `falls`, `swap_parts`.
"""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "Which of the two labels says that B continues A? See what the model gave to true pairs.",
        "Softmax over the two logits: exp(1.5) / (exp(1.5) + exp(-0.5)).",
    ),
    note="The same as 1 / (1 + exp(-2)), since 2 is the difference of the logits, the log-odds.",
)
def continues() -> float:
    """Give the probability that B continues A, where the head's logits are 1.5 and -0.5, in this order."""
    return math.exp(1.5) / (math.exp(1.5) + math.exp(-0.5))


continues.mistake(
    "That is the probability of label 1, which says that B is of another story.", 1 / (1 + math.exp(2.0))
)
continues.mistake(
    "That is the sigmoid of the first logit alone; softmax needs both.", 1 / (1 + math.exp(-1.5))
)
continues.mistake("That is the log-odds; asked is the probability.", 2.0)
continues.mistake("The logits are not probabilities: take exp() of both first.", 1.5 / (1.5 - 0.5))
continues.mistake("That is exp(1.5) alone: divide by the sum over both labels.", math.exp(1.5))
continues.mistake("That is a percentage; give a share of 1.", 100 / (1 + math.exp(-2.0)))
continues.mistake(
    "These are the probabilities of both labels; asked is the one of “B continues A”.",
    torch.tensor([1.5, -0.5], dtype=torch.float64).softmax(dim=0),
)


# Input and pairs


@exercise(
    cases=lambda: [
        Case([11, 12, 13], [21, 22], 2, 3),
        Case([5], [6, 7, 8, 9], 101, 102),
        Case([7, 7], [7], 1, 0),
    ],
    hints=(
        "The order is [CLS] A [SEP] B [SEP].",
        "The first [SEP] still belongs to segment 0, the last one to segment 1.",
    ),
    note="It is what tokenizer(a, b) makes of two texts.",
)
def pair_input(first: list[int], second: list[int], cls_id: int, sep_id: int) -> tuple[list[int], list[int]]:
    """Make (input_ids, token_type_ids) of the ids of A and those of B, as two lists."""
    input_ids = [cls_id, *first, sep_id, *second, sep_id]
    return input_ids, [0] * (len(first) + 2) + [1] * (len(second) + 1)


pair_input.mistake(
    "The first [SEP] is in segment 1; it closes A, so it belongs to segment 0.",
    lambda a, b, c, s: ([c, *a, s, *b, s], [0] * (len(a) + 1) + [1] * (len(b) + 2)),
)
pair_input.mistake(
    "The last [SEP] is in segment 0; it closes B, so it belongs to segment 1.",
    lambda a, b, c, s: ([c, *a, s, *b, s], [0] * (len(a) + 2) + [1] * len(b) + [0]),
)
pair_input.mistake(
    "All positions are in segment 0: that is one text, not a pair.",
    lambda a, b, c, s: ([c, *a, s, *b, s], [0] * (len(a) + len(b) + 3)),
)
pair_input.mistake(
    "The segments count 1 and 2; they are 0 and 1.",
    lambda a, b, c, s: ([c, *a, s, *b, s], [1] * (len(a) + 2) + [2] * (len(b) + 1)),
)
pair_input.mistake(
    "The segments are exchanged: A is 0, B is 1.",
    lambda a, b, c, s: ([c, *a, s, *b, s], [1] * (len(a) + 2) + [0] * (len(b) + 1)),
)
pair_input.mistake(
    "The [SEP] at the end is missing.",
    lambda a, b, c, s: ([c, *a, s, *b], [0] * (len(a) + 2) + [1] * len(b)),
)
pair_input.mistake(
    "The [SEP] between A and B is missing.",
    lambda a, b, c, s: ([c, *a, *b, s], [0] * (len(a) + 1) + [1] * (len(b) + 1)),
)
pair_input.mistake(
    "B has a [CLS] of its own; there is one [CLS], at the start.",
    lambda a, b, c, s: ([c, *a, s, c, *b, s], [0] * (len(a) + 2) + [1] * (len(b) + 2)),
)
pair_input.mistake(
    "The [CLS] at the start is missing.",
    lambda a, b, c, s: ([*a, s, *b, s], [0] * (len(a) + 1) + [1] * (len(b) + 1)),
)
pair_input.mistake(
    "The two lists are exchanged: input_ids come first.",
    lambda a, b, c, s: ([0] * (len(a) + 2) + [1] * (len(b) + 1), [c, *a, s, *b, s]),
)


@exercise(
    cases=lambda: [
        Case([30, 10, 21, 20]),
        Case([7, 40, 8, 39, 21, 22]),
        Case([5, 5]),
        Case([3, 1, 4, 1, 5, 9]),
    ],
    hints=(
        "sorted(range(n), key=lambda i: lengths[i]) lists the stories' numbers by the length of their B.",
        "Then the first and the second in that order exchange theirs, the third and the fourth, and so on.",
        "Put the result back into the order of the stories: source[one], source[other] = other, one.",
    ),
    note="Every B is used once, none stays, and the lengths stay nearly what they were.",
)
def exchange(lengths: list[int]) -> list[int]:
    """Say for each story of which story it gets the B, so that none keeps its own and lengths change little.

    `lengths` are those of the Bs, an even number of them. Sort the stories by them (of two alike, the earlier
    one first); then neighbours exchange.
    """
    order = sorted(range(len(lengths)), key=lambda index: lengths[index])
    source = [0] * len(lengths)
    for one, other in zip(order[::2], order[1::2], strict=True):
        source[one], source[other] = other, one
    return source


def _by_length(lengths: list[int]) -> list[int]:
    return sorted(range(len(lengths)), key=lengths.__getitem__)


def _exchange(order: list[int]) -> list[int]:
    """Let neighbours in `order` exchange."""
    source = [0] * len(order)
    for one, other in zip(order[::2], order[1::2], strict=True):
        source[one], source[other] = other, one
    return source


def _ends_first(lengths: list[int]) -> list[int]:
    """List the shortest, the longest, the second shortest, and so on."""
    order = _by_length(lengths)
    return [order[index // 2] if index % 2 == 0 else order[-1 - index // 2] for index in range(len(order))]


exchange.mistake(
    "Neighbours in the list exchange; sort the stories by length first.",
    lambda lengths: _exchange([*range(len(lengths))]),
)
exchange.mistake("Every story keeps its own B: all pairs stay true.", lambda lengths: [*range(len(lengths))])
exchange.mistake(
    "The Bs move on by one in the list, whatever their length: sort, then let neighbours exchange.",
    lambda lengths: [(index + 1) % len(lengths) for index in range(len(lengths))],
)
exchange.mistake(
    "These are the stories sorted by length; now neighbours exchange, and each gets its place back.",
    _by_length,
)
exchange.mistake(
    "The partners are right, but in the order of length: put each at the place of its story.",
    lambda lengths: [_exchange(_by_length(lengths))[index] for index in _by_length(lengths)],
)
exchange.mistake(
    "The shortest exchanges with the longest: the lengths then give the answer away.",
    lambda lengths: _exchange(_ends_first(lengths)),
)
exchange.mistake(
    "These are lengths; asked are the numbers of the stories, from 0.",
    lambda lengths: [lengths[index] for index in _exchange(_by_length(lengths))],
)
exchange.mistake(
    "These are the lengths, sorted; asked are the numbers of the stories, from 0.",
    sorted,
)
exchange.mistake(
    "This says which place each story has by length; now neighbours in that order exchange.",
    lambda lengths: [_by_length(lengths).index(story) for story in range(len(lengths))],
)


# The loss


def _random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _loss_cases() -> Iterator[Case]:
    pairs = torch.tensor([[2.0, 0.0], [0.0, 1.0]], dtype=torch.float64)
    words = torch.tensor([[1, -100, -100], [-100, 2, 0]])
    yield Case(
        _random(2, 3, 4),
        words,
        pairs,
        torch.tensor([0, 1]),
        label="2 pairs of 3 tokens, 3 of 6 tokens masked",
    )
    words = torch.full((3, 5), -100)
    words[0, 1], words[2, 3], words[2, 4] = 6, 0, 2
    yield Case(
        _random(3, 5, 7, seed=1), words, _random(3, 2, seed=2), torch.tensor([1, 0, 0]),
        label="3 pairs of 5 tokens, none masked in the second",
    )  # fmt: skip


@exercise(
    cases=_loss_cases,
    hints=(
        "Two means, added: one over the masked tokens of the whole batch, one over the pairs.",
        "prediction_logits.log_softmax(-1)[labels != -100] has a row for each masked token.",
        "torch.nn.functional.cross_entropy leaves out −100 by itself; it wants (rows, classes) and (rows,).",
    ),
    note="The two are added as they are: no weight between them.",
)
def pretraining_loss(
    prediction_logits: Tensor, labels: Tensor, seq_relationship_logits: Tensor, next_sentence_label: Tensor
) -> Tensor:
    """Add up BERT's two losses of pre-training, and give one number.

    `prediction_logits` is (batch, seq_len, vocab_size), `labels` (batch, seq_len) with −100 where nothing is
    asked; `seq_relationship_logits` is (batch, 2), `next_sentence_label` (batch,).
    """
    words = cross_entropy(prediction_logits.flatten(0, 1), labels.flatten())
    pairs = cross_entropy(seq_relationship_logits, next_sentence_label)
    return words + pairs


def _words(prediction_logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    return cross_entropy(prediction_logits.flatten(0, 1), labels.flatten(), reduction=reduction)


pretraining_loss.mistake(
    "This is the loss of the masked words; that of the pairs is missing.", lambda p, y, *_: _words(p, y)
)
pretraining_loss.mistake(
    "This is the loss of the pairs; that of the masked words is missing.",
    lambda _p, _y, logits, label: cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "This is the mean of the two losses; BERT adds them.",
    lambda p, y, logits, label: (_words(p, y) + cross_entropy(logits, label)) / 2,
)
pretraining_loss.mistake(
    "The labels of the pairs are exchanged: column 0 belongs to label 0.",
    lambda p, y, logits, label: _words(p, y) + cross_entropy(logits, 1 - label),
)
pretraining_loss.mistake(
    "The loss of the words is summed; it is the mean over the masked tokens.",
    lambda p, y, logits, label: _words(p, y, "sum") + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "The loss of the words is divided by all tokens; only the masked ones count.",
    lambda p, y, logits, label: _words(p, y, "sum") / y.numel() + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "Both losses are summed; each is a mean.",
    lambda p, y, logits, label: _words(p, y, "sum") + cross_entropy(logits, label, reduction="sum"),
)
pretraining_loss.mistake(
    "The loss of the pairs is summed; it is the mean over the pairs.",
    lambda p, y, logits, label: _words(p, y) + cross_entropy(logits, label, reduction="sum"),
)
pretraining_loss.mistake(
    "The sign is wrong: a loss is −ln p.",
    lambda p, y, logits, label: -_words(p, y) - cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "Tokens labelled −100 are scored, as if −100 were an id counted from the end or 0: leave them out.",
    lambda p, y, logits, label: _words(p, y.clamp(min=0)) + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "cross_entropy wants the classes on axis 1: flatten to (batch · seq_len, vocab_size), labels alike.",
    lambda p, y, logits, label: cross_entropy(p, y) + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "These are the two losses, one beside the other; BERT adds them.",
    lambda p, y, logits, label: (_words(p, y), cross_entropy(logits, label)),
)
pretraining_loss.mistake(
    "The loss of the words is left as it is for each token; it is the mean over the masked ones.",
    lambda p, y, logits, label: _words(p, y, "none") + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "cross_entropy takes logits: it does the softmax itself, and here it is done twice.",
    lambda p, y, logits, label: _words(p.softmax(-1), y) + cross_entropy(logits.softmax(-1), label),
)
pretraining_loss.mistake(
    "The softmax of the pairs runs over the pairs, axis 0; it runs over the two labels, axis 1.",
    lambda p, y, logits, label: _words(p, y) - logits.log_softmax(dim=0).gather(1, label[:, None]).mean(),
)


# What it goes by


def _preference_cases() -> Iterator[Case]:
    yield Case(
        torch.tensor([3.0, 1.0, -2.0, 4.0], dtype=torch.float64),
        torch.tensor([1.0, 2.0, -5.0, -1.0], dtype=torch.float64),
    )
    yield Case(torch.tensor([1.0, 2.0]).double(), torch.tensor([1.0, 3.0]).double())
    yield Case(_random(40, seed=3) + 1, _random(40, seed=4), label="40 pairs of log-odds")
    yield Case(_random(50, seed=5), 0.5 * _random(50, seed=6) - 1, label="50 pairs of log-odds, most below 0")


@exercise(
    cases=_preference_cases,
    hints=(
        "For each A compare two numbers: true[i] and false[i].",
        "Comparisons give True and False; their mean, as numbers, is the share.",
        "A tie is worth half, as guessing is: (true > false) plus half of (true == false).",
    ),
    note="It needs no threshold: a head that says yes to everything can still prefer the true B.",
)
def prefers_true(true: Tensor, false: Tensor) -> Tensor:
    """Give the share of As for which the true B gets more log-odds than the false one; a tie counts half.

    Both are (pairs,): the log-odds with the true B and with the false B of the same A.
    """
    return (true > false).double().mean() + (true == false).double().mean() / 2


prefers_true.mistake("A tie counts half; here it counts nothing.", lambda t, f: (t > f).double().mean())
prefers_true.mistake("A tie counts half; here it counts in full.", lambda t, f: (t >= f).double().mean())
prefers_true.mistake(
    "This is the share for which the false B gets more.",
    lambda t, f: (f > t).double().mean() + (t == f).double().mean() / 2,
)
prefers_true.mistake(
    "This is the share right with 0 as a threshold; asked is which of the two gets more.",
    lambda t, f: ((t > 0).double().mean() + (f <= 0).double().mean()) / 2,
)
prefers_true.mistake(
    "This is the share of true pairs above 0; compare them with the false ones.",
    lambda t, _: (t > 0).double().mean(),
)
prefers_true.mistake(
    "Every true pair is compared with every false one; compare those of the same A.",
    lambda t, f: (t[:, None] > f[None]).double().mean() + (t[:, None] == f[None]).double().mean() / 2,
)
prefers_true.mistake("This is a mean difference; asked is a share.", lambda t, f: (t - f).mean())
prefers_true.mistake(
    "This is a count; divide by the number of As.",
    lambda t, f: (t > f).double().sum() + (t == f).double().sum() / 2,
)
prefers_true.mistake("This says it for each A; asked is the share of them, one number.", lambda t, f: t > f)
prefers_true.mistake(
    "True and False have no mean: make numbers of them first, with .double().", lambda t, f: (t > f).mean()
)


def _score(kind: int) -> Callable[[Tensor], Tensor]:
    """Make something that gives a log-odds for each row of input_ids, (n, seq_len) -> (n,)."""

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
    yield Case(_score(1), ids, [(1, 4), (5, 6)], 7, label="seven ids, a word of three pieces, mask_id = 7")


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
    """Hide one word after the other, and say how far the log-odds fall each time: (words,).

    `score` gives log-odds for a batch of ids, (n, seq_len) -> (n,); `input_ids` is (seq_len,); a span (start,
    stop) says that the pieces of a word stand at start … stop - 1.
    """
    given = score(input_ids[None])[0]
    hidden = []
    for start, stop in spans:
        row = input_ids.clone()
        row[start:stop] = mask_id
        hidden.append(row)
    return given - score(torch.stack(hidden))


_Score = Callable[[Tensor], Tensor]
_Spans = list[tuple[int, int]]


def _occlude(
    score: _Score, input_ids: Tensor, spans: _Spans, mask_id: int, *, grow: bool = False, first: bool = False
) -> tuple[Tensor, Tensor]:
    """Score as given and with words hidden: all before it too (`grow`), or only its first piece (`first`)."""
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
    _wrong_falls(lambda given, hidden: hidden - given),
)
falls.mistake(
    "These are the log-odds with each word hidden; asked is how far they fall.",
    _wrong_falls(lambda _, hidden: hidden),
)
falls.mistake(
    "Words stay hidden while the next one is asked: start from a fresh copy each time.",
    _wrong_falls(torch.sub, grow=True),
)
falls.mistake(
    "Only the first piece of each word is hidden; the others give it away.",
    _wrong_falls(torch.sub, first=True),
)
falls.mistake(
    "The sign is lost: a word can also speak against, and then its fall is negative.",
    _wrong_falls(lambda given, hidden: (given - hidden).abs()),
)
falls.mistake(
    "The last piece is left: stop - 1 still belongs to the word.",
    lambda score, ids, spans, mask_id: _wrong_falls(torch.sub)(
        score, ids, [(start, stop - 1) for start, stop in spans], mask_id
    ),
)
falls.mistake(
    "The falls are divided by the log-odds as given; asked are the falls themselves.",
    _wrong_falls(lambda given, hidden: (given - hidden) / given),
)
falls.mistake(
    "score() takes a batch, (n, seq_len): a single row is input_ids[None].",
    lambda score, ids, _spans, _mask_id: score(ids),
)
falls.mistake(
    "stop is hidden too; a word's pieces end at stop - 1.",
    lambda score, ids, spans, mask_id: _wrong_falls(torch.sub)(
        score, ids, [(start, stop + 1) for start, stop in spans], mask_id
    ),
)
falls.mistake(
    "The word is cut out, so that all after it move up; put mask_id in its place.",
    lambda score, ids, spans, _mask_id: torch.stack(
        [(score(ids[None]) - score(torch.cat([ids[:start], ids[stop:]])[None]))[0] for start, stop in spans]
    ),
)
falls.mistake(
    "input_ids itself was changed, so that the log-odds as given are no longer those of the whole pair: "
    "hide words in a copy, input_ids.clone().",
    _wrong_falls(lambda _, hidden: hidden[-1] - hidden, grow=True),
)


# The variant


def _swap_cases() -> Iterator[Case]:
    yield Case(torch.tensor([2, 11, 12, 13, 3, 21, 22, 3]), torch.tensor([0, 0, 0, 0, 0, 1, 1, 1]))
    yield Case(torch.tensor([101, 7, 102, 8, 9, 10, 102]), torch.tensor([0, 0, 0, 1, 1, 1, 1]))
    yield Case(torch.tensor([2, 5, 3, 6, 3]), torch.tensor([0, 0, 0, 1, 1]))


@exercise(
    cases=_swap_cases,
    hints=(
        "The part A with its [SEP] is input_ids[1:n], where n positions are in segment 0.",
        "[CLS] stays; then comes B with its [SEP], then A with its [SEP].",
        "Segment 0 now is as long as [CLS] and B with its [SEP].",
    ),
    note="With label 1 for such a pair, this is the task that ALBERT is trained on in place of NSP.",
)
def swap_parts(input_ids: Tensor, token_type_ids: Tensor) -> tuple[Tensor, Tensor]:
    """Build the variant: turn [CLS] A [SEP] B [SEP] into [CLS] B [SEP] A [SEP], with the segments that fit.

    Both are (seq_len,), without padding; the result is (input_ids, token_type_ids).
    """
    first = int((token_type_ids == 0).sum())
    swapped = torch.cat([input_ids[:1], input_ids[first:], input_ids[1:first]])
    segments = torch.zeros_like(token_type_ids)
    segments[len(input_ids) - first + 1 :] = 1
    return swapped, segments


def _swapped(ids: Tensor, first: int) -> Tensor:
    return torch.cat([ids[:1], ids[first:], ids[1:first]])


swap_parts.mistake(
    "The segments are those from before: segment 0 must now be as long as [CLS] and B with its [SEP].",
    lambda ids, types: (_swapped(ids, int((types == 0).sum())), types),
)
swap_parts.mistake(
    "The segments went along with their texts: now B is in segment 1 and comes first. Segment 0 is what "
    "comes first.",
    lambda ids, types: (_swapped(ids, int((types == 0).sum())), _swapped(types, int((types == 0).sum()))),
)
swap_parts.mistake(
    "[CLS] went along with A; it stays at the start.",
    lambda ids, types: (
        torch.cat([ids[types == 1], ids[types == 0]]),
        torch.cat([types[types == 1] * 0, types[types == 0] * 0 + 1]),
    ),
)
swap_parts.mistake(
    "All tokens are reversed; the parts change places, the words in them stay as they are.",
    lambda ids, types: (
        torch.cat([ids[:1], ids[1:].flip(0)]),
        (torch.arange(len(ids)) > len(ids) - int((types == 0).sum())).long(),
    ),
)
swap_parts.mistake("Nothing has changed places.", lambda ids, types: (ids, types))
swap_parts.mistake(
    "Only the segments are exchanged; the texts must change places too.", lambda ids, types: (ids, 1 - types)
)
swap_parts.mistake(
    "The texts are right; the segments are 1 - token_type_ids. What comes first is segment 0, and it is as "
    "long as [CLS] and B with its [SEP].",
    lambda ids, types: (_swapped(ids, int((types == 0).sum())), 1 - types),
)
swap_parts.mistake(
    "[CLS] went along with A, and the segments with their texts: [CLS] stays at the start, and what comes "
    "first is segment 0.",
    lambda ids, types: (
        torch.cat([ids[types == 1], ids[types == 0]]), torch.cat([types[types == 1], types[types == 0]])
    ),
)  # fmt: skip
swap_parts.mistake(
    "Segment 0 is one too short: [CLS] belongs to it as well.",
    lambda ids, types: (
        _swapped(ids, int((types == 0).sum())),
        (torch.arange(len(ids)) >= int((types == 1).sum())).long(),
    ),
)
