"""Exercises of chapter 05, masking: counting what is hidden, masking a batch, whole words, a fixed count.

`masks_read`, `make_labels`, `replace_chosen`, `masked_loss`, `whole_words`, `capped_choice`.
"""

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "[CLS] and both [SEP] are never chosen. How many tokens are left?",
        "Of those, 15 % are chosen; of the chosen, 80 % become [MASK].",
    ),
    note="The model guesses at 18.75 places, on average, and at 3.75 of these it reads no [MASK].",
    rtol=1e-9,
)
def masks_read() -> float:
    """Say how many [MASK] the model reads on average in a pair of texts of 128 tokens.

    Special tokens are counted in the 128: one [CLS] and two [SEP]; there is no padding. Rate 15 %, 80/10/10.
    """
    return (128 - 3) * 0.15 * 0.8


masks_read.mistake("The three special tokens are never chosen: take them off first.", 128 * 0.15 * 0.8)
masks_read.mistake("That is how many are chosen; only 80 % of these become [MASK].", 125 * 0.15)
masks_read.mistake("That is 80 % of all tokens; only 15 % are chosen in the first place.", 125 * 0.8)
masks_read.mistake("There are three special tokens: the second text ends in a [SEP] too.", 126 * 0.15 * 0.8)
masks_read.mistake(
    "Of the chosen, 80 % become [MASK]; 90 % is what becomes something else.", 125 * 0.15 * 0.9
)
masks_read.mistake(
    "That is 15 % of all 128: take the special tokens off, and of the chosen only 80 % become [MASK].",
    128 * 0.15,
)
masks_read.mistake("So many are chosen and are not [MASK]: these are the other 20 %.", 125 * 0.15 * 0.2)


def _random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(*shape, generator=generator, dtype=torch.float64)


def _batch() -> Tensor:
    """Give the ids of two texts, [CLS] … [SEP], the second with two paddings; 0 to 4 are special."""
    return torch.tensor([[2, 17, 8, 30, 9, 11, 3], [2, 8, 21, 40, 3, 0, 0]])


def _label_cases() -> Iterator[Case]:
    ids = torch.tensor([[2, 7, 8, 9, 3]])
    yield Case(ids, torch.tensor([[False, True, False, True, False]]))
    yield Case(_batch(), (_random(2, 7) < 0.4) & (_batch() > 4), label="a batch of shape (2, 7)")
    yield Case(ids, torch.zeros(1, 5, dtype=torch.bool), label="nothing is chosen")


@exercise(
    cases=_label_cases,
    hints=(
        "A label is the id that stood there. Where nothing was asked it is -100.",
        "torch.where(condition, one, other) takes from `one` where the condition holds.",
    ),
    note="-100 is what torch.nn.functional.cross_entropy leaves out, unless told otherwise.",
)
def make_labels(input_ids: Tensor, chosen: Tensor) -> Tensor:
    """Give the labels: the original id where a token was chosen, -100 elsewhere.

    `input_ids` and `chosen` are (batch, seq_len); `chosen` is True where the model is asked.
    """
    return torch.where(chosen, input_ids, -100)


make_labels.mistake(
    "It is the wrong way round: the ids that were not chosen are the labels.",
    lambda input_ids, chosen: torch.where(chosen, -100, input_ids),
)
make_labels.mistake(
    "Elsewhere it is 0. That is the id of a token, [PAD]: the model would be asked for it.",
    lambda input_ids, chosen: input_ids * chosen,
)
make_labels.mistake(
    "These are all ids: every token would be asked.", lambda input_ids, chosen: input_ids.clone()
)
make_labels.mistake(
    "Elsewhere it is -1; what is left out is -100.",
    lambda input_ids, chosen: torch.where(chosen, input_ids, -1),
)
make_labels.mistake(
    "These are the labels of the chosen ones alone: keep the shape (batch, seq_len).",
    lambda input_ids, chosen: input_ids[chosen],
)
make_labels.mistake(
    "It only says where; a label is the id that stood there.",
    lambda input_ids, chosen: torch.where(chosen, 1, -100),
)


def _replace_cases() -> Iterator[Case]:
    ids = torch.tensor([[2, 7, 8, 9, 10, 11, 3]])
    chosen = torch.tensor([[False, True, True, True, True, False, False]])
    toss = torch.tensor([[0.5, 0.3, 0.85, 0.95, 0.79, 0.1, 0.9]], dtype=torch.float64)
    drawn = torch.tensor([[20, 21, 22, 23, 24, 25, 26]])
    yield Case(ids, chosen, toss, drawn, 4)
    many = 10 + torch.arange(600).reshape(3, 200)
    others = 1000 + torch.arange(600).reshape(3, 200)
    yield Case(
        many, _random(3, 200, seed=1) < 0.5, _random(3, 200, seed=2), others, 4, label="shape (3, 200)"
    )


@exercise(
    cases=_replace_cases,
    hints=(
        "Start from the ids, then put [MASK] where `chosen` and the toss is below 0.8.",
        "A random id goes where `chosen` and the toss is from 0.8 up to 0.9. The rest needs nothing.",
    ),
    note="One number from 0 to 1 for each token decides between all three.",
)
def replace_chosen(input_ids: Tensor, chosen: Tensor, toss: Tensor, drawn: Tensor, mask_id: int) -> Tensor:
    """Give what the model reads: 80/10/10, decided by the numbers in `toss`.

    All tensors are (batch, seq_len). Where a token is chosen: below 0.8 it becomes `mask_id`, from 0.8 and
    below 0.9 the id in `drawn`, and from 0.9 it stays.
    """
    masked = torch.where(chosen & (toss < 0.8), mask_id, input_ids)
    return torch.where(chosen & (toss >= 0.8) & (toss < 0.9), drawn, masked)


def _by_shares(mask: float, random: float) -> object:
    """Give a wrong answer that divides the toss at other places."""

    def wrong(input_ids: Tensor, chosen: Tensor, toss: Tensor, drawn: Tensor, mask_id: int) -> Tensor:
        masked = torch.where(chosen & (toss < mask), mask_id, input_ids)
        return torch.where(chosen & (toss >= mask) & (toss < mask + random), drawn, masked)

    return wrong


replace_chosen.mistake("Every chosen token becomes [MASK]: that is 100/0/0.", _by_shares(1.0, 0.0))
replace_chosen.mistake("From 0.9 on it should stay; here it is replaced too: 80/20/0.", _by_shares(0.8, 0.2))
replace_chosen.mistake(
    "No random token comes: 80/0/20. Where a toss is not below 0.8, it is not below 0.5 or 0.1 either.",
    _by_shares(0.8, 0.0),
)
replace_chosen.mistake("Below 0.9 it is always [MASK]: that is 90/10/0.", _by_shares(0.9, 0.1))


replace_chosen.mistake(
    "& comes before <: without parentheses `chosen & toss` is computed first. chosen & (toss < 0.8)",
    lambda _ids, chosen, toss, _drawn, _mask_id: chosen & toss < 0.8,
)
replace_chosen.mistake(
    "`and`, `or`, `not` and `if` ask one truth value, and here is one for each token: use &, |, ~ "
    "and torch.where.",
    lambda _ids, chosen, _toss, _drawn, _mask_id: bool(chosen),
)


@replace_chosen.mistake("It replaces tokens that were not chosen.")
def _replace_everywhere(
    input_ids: Tensor, _chosen: Tensor, toss: Tensor, drawn: Tensor, mask_id: int
) -> Tensor:
    masked = torch.where(toss < 0.8, mask_id, input_ids)
    return torch.where((toss >= 0.8) & (toss < 0.9), drawn, masked)


@replace_chosen.mistake(
    "The random ids overwrite the masks: below 0.9 everything becomes random. It should be from 0.8 on."
)
def _replace_over(input_ids: Tensor, chosen: Tensor, toss: Tensor, drawn: Tensor, mask_id: int) -> Tensor:
    masked = torch.where(chosen & (toss < 0.8), mask_id, input_ids)
    return torch.where(chosen & (toss < 0.9), drawn, masked)


@replace_chosen.mistake("Random and kept are exchanged: from 0.8 to 0.9 it should be random, above it stays.")
def _replace_exchanged(
    input_ids: Tensor, chosen: Tensor, toss: Tensor, drawn: Tensor, mask_id: int
) -> Tensor:
    masked = torch.where(chosen & (toss < 0.8), mask_id, input_ids)
    return torch.where(chosen & (toss >= 0.9), drawn, masked)


def _loss_cases() -> Iterator[Case]:
    logits = torch.tensor([[[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [1.0, 1.0, 4.0]]], dtype=torch.float64)
    yield Case(logits, torch.tensor([[0, -100, 1]]))
    labels = torch.where(_random(2, 7, seed=3) < 0.4, torch.arange(14).reshape(2, 7) % 5, -100)
    yield Case(4 * _random(2, 7, 5), labels, label="logits (2, 7, 5), labels (2, 7)")


@exercise(
    cases=_loss_cases,
    hints=(
        "Take the rows of `logits` where the label is not -100: logits[labels != -100].",
        "log_softmax over the last axis; of each row the entry at its label; minus their mean.",
    ),
    note="The same as torch.nn.functional.cross_entropy on what is not -100.",
)
def masked_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Give the loss: the mean of -ln p(label) over the tokens that were asked.

    `logits` is (batch, seq_len, vocab_size), `labels` (batch, seq_len) with -100 where nothing is asked.
    """
    asked = labels != -100
    log_probabilities = logits[asked].log_softmax(dim=-1)
    return -log_probabilities[torch.arange(len(log_probabilities)), labels[asked]].mean()


def _each(logits: Tensor, labels: Tensor) -> Tensor:
    """Give -ln p(label) at every token, 0 where nothing is asked."""
    found = logits.log_softmax(dim=-1).gather(-1, labels.clamp(min=0)[..., None])[..., 0]
    return -found * (labels != -100)


masked_loss.mistake(
    "That is the sum: divide by the number of tokens that were asked.",
    lambda logits, labels: _each(logits, labels).sum(),
)
masked_loss.mistake(
    "It is divided by the number of all tokens, not of those that were asked.",
    lambda logits, labels: _each(logits, labels).mean(),
)
masked_loss.mistake(
    "Tokens that were not asked count too, as if their label were 0: -100 means that they are left out.",
    lambda logits, labels: _each(logits, labels.clamp(min=0)).mean(),
)
masked_loss.mistake(
    "cross_entropy takes axis 1 for the vocabulary: join batch and seq_len to one axis before.",
    cross_entropy,
)
masked_loss.mistake("The sign is missing: a loss is -ln p.", lambda *given: -masked_loss.reference(*given))  # type: ignore[operator]
masked_loss.mistake(
    "The softmax is missing: logits are not yet logarithms of probabilities.",
    lambda logits, labels: -logits[labels != -100].gather(-1, labels[labels != -100][:, None]).mean(),
)
masked_loss.mistake(
    "The softmax goes along another axis: over the vocabulary it is the last one.",
    lambda logits, labels: (
        -logits[labels != -100].log_softmax(dim=0).gather(-1, labels[labels != -100][:, None]).mean()
    ),
)
masked_loss.mistake(
    "The logarithm is missing: that is the mean of -p, not of -ln p.",
    lambda logits, labels: -torch.exp(-_each(logits, labels)[labels != -100]).mean(),
)
masked_loss.mistake(
    "It is the logarithm to the base 2; ln is the natural one, torch.log.",
    lambda logits, labels: _each(logits, labels)[labels != -100].mean() / torch.log(torch.tensor(2.0)),
)
masked_loss.mistake(
    "Every asked token is paired with every label. Take from each row one entry: "
    "rows[torch.arange(len(rows)), answers].",
    lambda logits, labels: -logits[labels != -100].log_softmax(dim=-1)[:, labels[labels != -100]].mean(),
)
masked_loss.mistake(
    "It is the mean of the rows' means, so a token in a row with few questions counts more: "
    "take one mean over all tokens that were asked.",
    lambda logits, labels: (_each(logits, labels).sum(dim=1) / (labels != -100).sum(dim=1)).mean(),
)
masked_loss.mistake(
    "-100 is no id, so nothing can be looked up with it: leave these tokens out first.",
    lambda logits, labels: -logits.log_softmax(dim=-1).gather(-1, labels[..., None]).mean(),
)
masked_loss.mistake(
    "That is one number for each token that was asked: give their mean.",
    lambda logits, labels: _each(logits, labels)[labels != -100],
)


def _word_cases() -> Iterator[Case]:
    continues = torch.tensor([[False, False, True, True, False, False, True, False]])
    luck = torch.tensor([[0.0, 0.1, 0.9, 0.9, 0.5, 0.9, 0.1, 0.0]], dtype=torch.float64)
    ordinary = torch.tensor([[False, True, True, True, True, True, True, False]])
    yield Case(luck, continues, ordinary, 0.15)
    many = _random(4, 60, seed=5) < 0.3
    edges = torch.ones(4, 60, dtype=torch.bool)
    edges[:, [0, -1]] = False
    yield Case(_random(4, 60, seed=4), many & edges, edges, 0.4, label="shape (4, 60), rate 0.4")


@exercise(
    cases=_word_cases,
    hints=(
        "Every piece takes the luck of its word's first piece. Which position is that?",
        "Number the positions, put 0 where a piece continues a word, and take the running maximum: cummax.",
        "luck.gather(1, first) takes from each row the entries at the positions in `first`.",
    ),
    note="What becomes of each chosen piece is still tossed piece by piece.",
)
def whole_words(luck: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    """Say which pieces are chosen if words are chosen whole.

    All tensors are (batch, seq_len). A word is chosen if the luck of its first piece is below `rate`, and
    then all of its pieces are. `continues` is True for the pieces that start with ##; only `ordinary` tokens
    may be chosen.
    """
    positions = torch.arange(luck.shape[1]).expand(luck.shape)
    first = torch.where(continues, 0, positions).cummax(dim=1).values
    return ordinary & (luck.gather(1, first) < rate)


whole_words.mistake(
    "Each piece is chosen on its own: the luck of its word's first piece should decide.",
    lambda luck, continues, ordinary, rate: ordinary & (luck < rate),
)
whole_words.mistake(
    "Only first pieces are chosen: the rest of their words should follow.",
    lambda luck, continues, ordinary, rate: ordinary & (luck < rate) & ~continues,
)


@whole_words.mistake("A word is chosen if any of its pieces is lucky: long words then come more often.")
def _any_piece(luck: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    chosen = torch.zeros_like(ordinary)
    for row, marks in enumerate(continues.tolist()):
        starts = [place for place, mark in enumerate(marks) if not mark]
        for start, stop in zip(starts, [*starts[1:], len(marks)], strict=True):
            chosen[row, start:stop] = bool((luck[row, start:stop] < rate).any())
    return ordinary & chosen


def _by_first(
    luck: Tensor, continues: Tensor, ordinary: Tensor, rate: float, *, mixed: bool, dim: int
) -> Tensor:
    """Give a wrong answer with another first piece: the wrong ones are set to 0, or along the wrong axis."""
    positions = torch.arange(luck.shape[1]).expand(luck.shape)
    first = torch.where(continues ^ mixed, 0, positions).cummax(dim=dim).values
    return ordinary & (luck.gather(1, first) < rate)


whole_words.mistake(
    "The running maximum goes down the batch: it should go along the row, dim=1.",
    partial(_by_first, mixed=False, dim=0),
)
whole_words.mistake(
    "The positions of the pieces that continue a word are kept, and the others are 0: exchange them.",
    partial(_by_first, mixed=True, dim=1),
)
whole_words.mistake(
    "luck[first] takes whole rows of `luck`; luck.gather(1, first) takes one entry for each position.",
    lambda luck, continues, _ordinary, _rate: luck[
        torch.where(continues, 0, torch.arange(luck.shape[1]).expand(luck.shape)).cummax(dim=1).values
    ],
)
whole_words.mistake(
    "cummax gives two things, the maxima and where they stand: take .values.",
    lambda luck, _continues, _ordinary, _rate: luck.gather(1, luck.cummax(dim=1)),
)
whole_words.mistake(
    "& comes before <: without parentheses `ordinary & luck` is computed first. ordinary & (luck < rate)",
    lambda luck, _continues, ordinary, rate: ordinary & luck < rate,
)


@whole_words.mistake("Special tokens are chosen too: keep to `ordinary`.")
def _special_too(luck: Tensor, continues: Tensor, _ordinary: Tensor, rate: float) -> Tensor:
    positions = torch.arange(luck.shape[1]).expand(luck.shape)
    first = torch.where(continues, 0, positions).cummax(dim=1).values
    return luck.gather(1, first) < rate


@whole_words.mistake("Only the second piece of a word follows the first; the third and later ones do too.")
def _one_further(luck: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    before = torch.roll(luck, 1, dims=1)
    return ordinary & (torch.where(continues, before, luck) < rate)


def _capped_cases() -> Iterator[Case]:
    luck = torch.tensor([[0.0, 0.7, 0.2, 0.9, 0.4, 0.6, 0.3, 0.1]], dtype=torch.float64)
    ordinary = torch.tensor([[False, True, True, True, True, True, True, False]])
    yield Case(luck, ordinary, 0.5, 20)
    rows = torch.ones(3, 80, dtype=torch.bool)
    rows[:, [0, -1]], rows[1, 30:], rows[2, 5:] = False, False, False
    for rate in (0.1, 0.4):
        label = f"78, 29 and 4 ordinary tokens, rate {rate}, at most 20"
        yield Case(_random(3, 80, seed=6), rows, rate, 20, label=label)


@exercise(
    cases=_capped_cases,
    hints=(
        "For each row: how many ordinary tokens has it, and so how many are to be chosen?",
        "The count is round(rate * ordinary), at least 1 and at most `most`.",
        "Take as many with the lowest luck: set the others' luck to 2, then topk(…, largest=False).",
    ),
    note="So a sequence always has a question, and never more than `most`: shapes stay the same.",
)
def capped_choice(luck: Tensor, ordinary: Tensor, rate: float, most: int) -> Tensor:
    """Choose a fixed count in each row, nearly as the BERT paper's code does: those with the lowest luck.

    `luck` and `ordinary` are (batch, seq_len). The count is `rate` times the ordinary tokens of the row,
    rounded, at least 1 and at most `most`; the paper's code counts [CLS] and [SEP] too. Every row has an
    ordinary token.
    """
    chosen = torch.zeros_like(ordinary)
    for row, allowed in enumerate(ordinary):
        count = min(most, max(1, round(rate * int(allowed.sum()))))
        places = torch.where(allowed, luck[row], 2.0).topk(count, largest=False).indices
        chosen[row, places] = True
    return chosen


def _counted(luck: Tensor, ordinary: Tensor, counts: list[int], *, lowest: bool = True) -> Tensor:
    chosen = torch.zeros_like(ordinary)
    for row, (allowed, count) in enumerate(zip(ordinary, counts, strict=True)):
        places = torch.where(allowed, luck[row], 2.0 if lowest else -1.0).topk(count, largest=not lowest)
        chosen[row, places.indices] = True
    return chosen


def _sizes(ordinary: Tensor) -> list[int]:
    return [int(size) for size in ordinary.sum(dim=1)]


capped_choice.mistake(
    "Each token is tossed for on its own, so the count varies: it should be the same every time.",
    lambda luck, ordinary, rate, most: ordinary & (luck < rate),
)
capped_choice.mistake(
    "The cap is missing: at most `most` in a row.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [max(1, round(rate * size)) for size in _sizes(ordinary)]
    ),
)
capped_choice.mistake(
    "A short row has no question at all: at least one token is to be chosen.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, round(rate * size)) for size in _sizes(ordinary)]
    ),
)
capped_choice.mistake(
    "The count is taken of the whole row, special tokens and padding included.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, max(1, round(rate * luck.shape[1]))) for _ in luck]
    ),
)
capped_choice.mistake(
    "The count is cut off, not rounded: int(0.9) is 0, round(0.9) is 1.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, max(1, int(rate * size))) for size in _sizes(ordinary)]
    ),
)
capped_choice.mistake(
    "Every row gets the count of the whole batch: each row has its own number of ordinary tokens.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, max(1, round(rate * sum(_sizes(ordinary))))) for _ in luck]
    ),
)
capped_choice.mistake(
    "These are the first ordinary tokens of the row, not those with the lowest luck.",
    lambda luck, ordinary, rate, most: _counted(
        torch.arange(luck.shape[1]).double().expand(luck.shape) / luck.shape[1],
        ordinary,
        [min(most, max(1, round(rate * size))) for size in _sizes(ordinary)],
    ),
)
capped_choice.mistake(
    "A sum of a tensor is a tensor, and round wants a number: round(rate * int(…)).",
    lambda _luck, ordinary, rate, _most: round(rate * ordinary.sum()),
)
capped_choice.mistake(
    "These are the tokens with the highest luck, not the lowest.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, max(1, round(rate * size))) for size in _sizes(ordinary)], lowest=False
    ),
)
capped_choice.mistake(
    "Special tokens are chosen too: only `ordinary` tokens may be.",
    lambda luck, ordinary, rate, most: _counted(
        luck,
        torch.ones_like(ordinary),
        [min(most, max(1, round(rate * size))) for size in _sizes(ordinary)],
    ),
)
