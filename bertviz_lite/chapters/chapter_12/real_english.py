"""Two small sets of everyday English with known answers, written by hand, and how vectors are scored on them.

``BANK`` holds 56 sentences with the word *bank*, by its sense: 16 matched pairs, in which it stands at the
same place in a sentence of each sense, and 24 crossed ones, in which a word of the *other* sense stands near.
``PAIRS`` holds 20 sentences, each with a second one in each of four known relations to it.

The sets are small and by one author: read the intervals. ``python -m experiments.real_english`` scores
all-MiniLM-L6-v2 on them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bertviz_lite.evaluation.poolings import poolings
from bertviz_lite.evaluation.similarity import chosen

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = [
    "BANK",
    "PAIRS",
    "RELATIONS",
    "SENSES",
    "Occurrence",
    "Occurrences",
    "nearer",
    "occurrences",
    "pair_cosines",
    "sense_hits",
    "sentence_vectors",
]

Floats = NDArray[np.float64]

RELATIONS = ("same meaning", "denied", "same topic", "unrelated")
"""What a pair's second sentence is to the first; "unrelated" is the next pair's first sentence."""


class Occurrence(NamedTuple):
    """A sentence in which the word *bank* stands once."""

    text: str
    sense: str
    """"river" or "money"."""
    crossed: bool
    """Whether a word that belongs to the other sense stands in it too."""


_MATCHED = """
We had lunch on the bank of the river. | We went straight to the bank for a loan.
The bank was covered with reeds. | The bank was robbed by two masked men.
Grass grows along the muddy bank. | She works for a large bank as a cashier.
He swam across to the far bank. | He borrowed it all from the bank.
An angler sat on the bank all morning. | The cheque came from a bank in London.
The stream washed away the bank. | I changed dollars at the bank this morning.
The bank slopes gently down to the water. | The bank raised its interest rates again.
The left bank of the canal has a path. | The central bank printed more notes.
The flood rose until it covered the bank. | Her savings are safe with a large bank abroad.
Two frogs slid down the bank into the water. | They all asked the same bank for a mortgage.
She skipped stones from the bank of the lake. | He signed papers at the bank to get the loan.
This bank is steep and the water is deep. | This bank charges a fee for every transfer.
A canoe drifted towards the bank. | A clerk stole from the bank and was fired.
On the bank the cows came down to drink. | At the bank the interest on loans went up.
They camped on a sandy bank by the stream. | We paid interest to the bank for years.
The ferry takes you to the opposite bank. | You need two signatures to open a bank account.
"""
_CROSSED = """
The rich lender fished from the bank at dawn. | The bank beside the river was closed on Saturday.
She counted her money on the grassy bank. | The angler took his savings to the bank.
A wallet full of notes lay in the mud of the bank. | The stream of customers at the bank never stops.
The accountant moored his boat at the bank. | Water from the flood ruined the safe of the bank.
He paid the fee and stepped onto the bank. | She walked along the canal to ask the bank for credit.
The price of land along the bank has risen. | The bank lent him enough for a new canoe.
The robber hid in the reeds on the bank. | A bank that is drowning in debt gets no deposits.
They sold the meadow that slopes down to the bank. | The clerk swam before work and was at the bank by nine.
The cashier lay in the sun on the bank by the water. | The man who builds boats owes the bank a great deal.
Her purse fell from the bank into the current. | The captain asked the bank to finance his ship.
The investors walked along the bank of the Thames. | The bank sponsors a rowing race on the Thames.
The treasure was buried in the bank under a willow. | The ferry stops opposite the bank where I cash cheques.
"""

SENSES = ("river", "money")

BANK = tuple(
    Occurrence(text.strip(), sense, crossed)
    for block, crossed in ((_MATCHED, False), (_CROSSED, True))
    for line in block.strip().splitlines()
    for text, sense in zip(line.split("|"), SENSES, strict=True)
)
"""32 sentences in matched pairs, river before money; then 24 crossed ones, in turn."""

_PAIRS = """
The children are playing outside. | Kids are having fun in the open air.
    | The children are not playing outside. | The children have a new school.
He bought a second-hand car. | He got himself a used automobile.
    | He did not buy a second-hand car. | His car needs new tyres.
She speaks three languages. | She is fluent in a trio of tongues.
    | She does not speak three languages. | She teaches languages at a school.
The meeting was put off until Friday. | They moved the conference to the end of the week.
    | The meeting was not put off until Friday. | The meeting took place on the second floor.
It has been raining since noon. | Wet weather set in at midday and has stayed.
    | It has not been raining since noon. | Rain is good for the garden.
My brother is taller than I am. | I am shorter than my sibling.
    | My brother is not taller than I am. | My brother lives in the north.
The soup is too salty. | There is an excess of salt in the broth.
    | The soup is not too salty. | The soup was made with carrots.
They got married last summer. | Their wedding was in July of the previous year.
    | They did not get married last summer. | They invited eighty guests to their wedding.
The shop opens at nine. | You can start buying things there from nine o'clock.
    | The shop does not open at nine. | The shop sells paper and pens.
I lost my keys again. | Once more I cannot find what I need to unlock my door.
    | I did not lose my keys again. | My keys are made of brass.
The patient is recovering quickly. | The sick man is getting well fast.
    | The patient is not recovering quickly. | The patient shares a room with two others.
We ran out of petrol. | There was no fuel left in our tank.
    | We did not run out of petrol. | Petrol is sold at the corner.
The judge believed the witness. | The court trusted the person who testified.
    | The judge did not believe the witness. | The judge wore a black robe.
The lake is frozen. | Ice covers the water.
    | The lake is not frozen. | The lake is deep in the middle.
He apologised for being late. | He said sorry that he had not come on time.
    | He did not apologise for being late. | He was late because of the traffic.
The novel is based on a true story. | The book tells of things that really happened.
    | The novel is not based on a true story. | The novel has thirty chapters.
Smoking is forbidden here. | You must not light a cigarette in this place.
    | Smoking is not forbidden here. | Smoking costs a lot of money.
The plane landed safely. | The aircraft came down without harm.
    | The plane did not land safely. | The plane carries two hundred people.
Our neighbours have moved away. | The people next door no longer live there.
    | Our neighbours have not moved away. | Our neighbours have a large dog.
The exam was harder than I thought. | I had expected an easier test.
    | The exam was not harder than I thought. | The exam lasts for three hours.
"""

PAIRS = tuple(
    tuple(text.strip() for text in entry.split("|")) for entry in re.split(r"\n(?=\S)", _PAIRS.strip())
)
"""20 times (sentence, same meaning in other words, denied, another statement on the same topic)."""


class Occurrences(NamedTuple):
    """Vectors of ``BANK``'s occurrences, float64; n sentences."""

    layers: Floats
    """The word *bank* after the embeddings and after every layer, (layers + 1, n, hidden_size)."""
    others: Floats
    """What the sentence says without it: the mean word embedding of its other tokens, (n, hidden_size)."""


def occurrences(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> Occurrences:
    """Run a BERT over ``BANK``.

    A word that the tokenizer cuts up is the mean of its pieces. [CLS], [SEP] and padding are no "others".
    """
    import torch

    base: Any = model.base_model
    batch = tokenizer([one.text for one in BANK], padding=True, return_tensors="pt")
    place = torch.zeros(batch["input_ids"].shape)
    for row, one in enumerate(BANK):
        start = re.search(r"\bbank\b", one.text)
        assert start is not None
        for place_in_row, token in enumerate(batch.token_to_chars(row, k) for k in range(place.shape[1])):
            if token is not None and start.start() <= token.start < start.end():
                place[row, place_in_row] = 1
    others = torch.tensor([[s is not None for s in batch.sequence_ids(row)] for row in range(len(BANK))]) * (
        1 - place
    )
    with torch.no_grad():
        states = base(**batch, output_hidden_states=True).hidden_states
        static = base.get_input_embeddings()(batch["input_ids"])
    layers = np.stack([_mean(one, place) for one in states])
    return Occurrences(layers, _mean(static, others))


def _mean(states: Any, weights: Any) -> Floats:  # noqa: ANN401 - tensors
    """Average over the tokens with weight 1: (n, seq_len, size) -> (n, size)."""
    weights = weights[..., None].to(states.dtype)
    mean: Floats = ((states * weights).sum(1) / weights.sum(1)).double().cpu().numpy()
    return mean


def sense_hits(vectors: ArrayLike) -> Floats:
    """Tell the two senses in ``BANK`` apart by the nearest centroid (Euclidean).

    The centroids are those of the matched pairs. A sentence of a pair is compared with centroids that its
    pair had no part in, a crossed one with those of all pairs.

    Parameters
    ----------
    vectors
        Shape (56, size): one for each sentence of ``BANK``.

    Returns
    -------
    ndarray
        Shape (56,): 1 where the nearest centroid is that of the true sense, 0 where it is the other, 0.5
        where both are equally near. A vector that knows the word and its place only gets 0.5: each place
        stands once in either centroid.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2 or len(rows) != len(BANK):
        raise ValueError(f"vectors is {rows.shape}: a row for each of the {len(BANK)} sentences is needed.")
    matched = sum(not one.crossed for one in BANK)
    pairs = rows[:matched].reshape(-1, 2, rows.shape[1])
    total = pairs.sum(0)
    left_out = np.repeat((total - pairs) / (len(pairs) - 1), 2, axis=0)
    every = np.broadcast_to(total / len(pairs), (len(rows) - matched, *total.shape))
    distances = np.linalg.norm(rows[:, None] - np.concatenate([left_out, every]), axis=-1)
    own = np.array([SENSES.index(one.sense) for one in BANK])
    hits: Floats = chosen(-distances)[np.arange(len(rows)), own]
    return hits


def sentence_vectors(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]
) -> dict[str, Floats]:
    """Make one vector of each text in chapter 06's ways: by name, (texts, hidden_size), float64."""
    import torch

    bert: Any = model.base_model
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    with torch.no_grad():
        states = bert(**batch).last_hidden_state
        return {
            name: pool(bert, states, batch["attention_mask"]).double().cpu().numpy()
            for name, pool in poolings().items()
            if name != "pooler" or bert.pooler is not None
        }


def pair_cosines(vectors: ArrayLike) -> Floats:
    """Compare each sentence of ``PAIRS`` with its four partners by the cosine.

    Parameters
    ----------
    vectors
        Shape (80, size): of all texts of ``PAIRS`` in order.

    Returns
    -------
    ndarray
        Shape (20, 4), columns in the order of ``RELATIONS``.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2 or len(rows) != 4 * len(PAIRS):
        raise ValueError(f"vectors is {rows.shape}: a row for each of the {4 * len(PAIRS)} texts is needed.")
    unit = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).reshape(len(PAIRS), 4, -1)
    partners = np.concatenate([unit[:, 1:], np.roll(unit[:, :1], -1, axis=0)], axis=1)
    found: Floats = (unit[:, :1] * partners).sum(-1)
    return found


def nearer(cosines: Floats) -> dict[str, Floats]:
    """Say for each sentence whether the same meaning is nearer than each other relation: 1 or 0, (20,)."""
    return {
        relation: (cosines[:, 0] > cosines[:, column]).astype(np.float64)
        for column, relation in enumerate(RELATIONS)
        if column
    }
