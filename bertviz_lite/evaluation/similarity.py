"""A test for vectors of whole texts whose truth the town knows: which text tells the same event.

An event is told twice, in different words. Beside its second telling stand four texts about other events,
each changed in a known way: who does it, with what, what is done, or two of these. Vectors are good at this
if the two tellings of one event lie closer together than the first telling and any of the four.

``tune`` trains a model to that end; ``python -m bertviz_lite.evaluation.similarity`` trains all of its
layers, which takes too long for a chapter. Left out on purpose: texts of several sentences.

>>> asked = questions(seed=1, n=3)[2]
>>> print(asked.query)
Zoe handed the painting to Peter.
>>> for change, text in zip(CHANGES, asked.candidates):
...     print(f"{change}: {text}")
same event: Zoe passed the painting to Peter.
other person: Little Anna handed the painting to Peter.
other thing: Zoe gave the iron saw to Peter.
other deed: It took Zoe an hour to mend the painting.
two changes: A painting was passed to Zoe by Peter.
"""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bertviz_lite.world.english import Teller
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Event, Referent, Scene, Setting
from bertviz_lite.world.events.town import PEOPLE, places

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BertModel, PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.world import Sentence

__all__ = [
    "ALL_LAYERS",
    "CHANGES",
    "ENGLISH_CHANGES",
    "MINILM",
    "TEST_SEED",
    "TRAINING_SEED",
    "Question",
    "Tuned",
    "chosen",
    "cosines",
    "english_questions",
    "english_scores",
    "finish",
    "interval",
    "poolings",
    "questions",
    "states",
    "tune",
    "word_overlap",
]

Floats = NDArray[np.float64]
Pool = Callable[[Any, "Tensor", "Tensor"], "Tensor"]
"""``pool(bert, last_hidden_state, attention_mask)`` gives (texts, size): one vector for each text."""

CHANGES = ("same event", "other person", "other thing", "other deed", "two changes")
"""What is different in each of a question's five candidates; only the first is right."""

ENGLISH_CHANGES = ("same meaning", "same topic", "like words")
"""The same for the three candidates of ``english_questions``."""

# Kinds of events in which A does something with T, and those in which T passes from A to B.
_DEEDS = ("break", "buy", "find", "lose", "mend", "put")
_TRANSFERS = ("give", "give_back", "give_present", "sell")
_THINGS = ("toy", "clothes", "small", "music", "paper", "tool")
_TOOLS = ("a hammer", "a needle", "glue", "string", "wire")
TRAINING_SEED, TEST_SEED = 7, 900_000_061
"""Seeds of the questions that chapter 06 trains on, and of those it scores."""

ALL_LAYERS = {"[CLS]": 0.980, "pooler": 0.600, "mean": 1.000, "max": 1.000, "no tanh": 0.940}
"""Shares of right answers after training all layers of the pocket model, as ``main`` finds them.

One run each, on 200 questions. *No tanh* is the pooler without its tanh.
"""

MINILM = {
    "shared words": (0.1458, 0.0),
    "[CLS]": (0.7083, 0.0417),
    "pooler": (0.7083, 0.0417),
    "mean": (0.8333, 0.0417),
    "max": (0.75, 0.0417),
}
"""What ``english_scores`` finds, to four digits, for who has not installed all-MiniLM-L6-v2."""

_TEMPERATURE = 0.05
_LONGEST = 11  # words and marks of a text: short ones are quick to train on
_TRIES = 100  # tellings of an event until one names everybody and everything in it


@dataclass(frozen=True)
class Question:
    """A text, and candidates of which the first means the same.

    Attributes
    ----------
    query
        One telling of an event.
    candidates
        In the order of ``CHANGES`` (or ``ENGLISH_CHANGES``).
    """

    query: str
    candidates: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The query and its candidates."""
        return (self.query, *self.candidates)


# ------------------------------------------------------------------------------------------ making questions


def questions(seed: int, n: int) -> list[Question]:
    """Return ``n`` questions; question k does not depend on ``n``.

    Half of the events are transfers, in which somebody gives, gives back, sells or presents a thing to
    somebody; there *two changes* means that giver and taker change places. In the others it means another
    person and another thing. All texts are in the past tense, each in a wording drawn at random; the two
    tellings of the event never have all their verbs in common.

    Raises
    ------
    ValueError
        Where ``n`` is negative.

    Examples
    --------
    >>> [len(asked.texts) for asked in questions(seed=1, n=2)]
    [6, 6]
    """
    if n < 0:
        raise ValueError(f"n={n}: ask for 0 or more questions")
    return [_question(seed, index) for index in range(n)]


def _question(seed: int, index: int) -> Question:
    for attempt in count():
        dice = Dice(f"similarity/{seed}/{index}/{attempt}")
        stage = _Stage(dice)
        transfer = dice.chance(0.5)
        kind = dice.pick(_TRANSFERS if transfer else _DEEDS)
        told = stage.tell(kind)
        if told is None:
            continue
        candidates = (
            stage.tell(kind, unlike=told),
            stage.tell(kind, A="N"),
            stage.tell(kind, T="U"),
            stage.tell(dice.pick([deed for deed in _DEEDS if deed != kind])),
            stage.tell(kind, A="B", B="A") if transfer else stage.tell(kind, A="N", T="U"),
        )
        finished = tuple(str(candidate) for candidate in candidates if candidate is not None)
        if len(finished) == len(candidates):
            return Question(str(told), finished)
    raise AssertionError


class _Stage:
    """Three people, two things, a spot and a place, for a few tellings out of any story."""

    def __init__(self, dice: Dice) -> None:
        one, other, another = dice.sample(PEOPLE, 3)
        scene = Scene(dice, Setting.drawn(dice), one, other)
        self.dice, self.scene = dice, scene
        self.facts = {"time": scene.setting.time, "tool": dice.pick(_TOOLS)}
        self.roles: dict[str, Referent] = {
            "A": scene.hero,
            "B": scene.other,
            "N": scene.person(another),
            "T": scene.thing(*_THINGS),
            "U": scene.thing(*_THINGS),
            "C": scene.spot(),
            "P": scene.place(dice.pick(places("shop", "open"))),
        }

    def tell(self, kind: str, unlike: Sentence | None = None, **instead: str) -> Sentence | None:
        """Tell an event with some roles played by others, naming all of them; None where none does."""
        roles = self.roles | {role: self.roles[other] for role, other in instead.items()}
        needed = {roles[role].chain for role in ("ABT" if kind in _TRANSFERS else "AT")}
        for _ in range(_TRIES):
            teller = Teller(self.dice, present=False, referents=self.scene.referents)
            (sentence,) = teller.tell([Event(kind, roles, self.facts)])
            named = {word.entity for word in sentence.words}
            if len(sentence.words) > _LONGEST:
                continue
            if needed <= named and (unlike is None or _verbs(sentence) != _verbs(unlike)):
                return sentence
        return None


def _verbs(sentence: Sentence) -> set[str]:
    return {word.lemma for word in sentence.words if word.pos == "VERB"}


_ENGLISH = """
The doctor told him to stop smoking. | His physician advised him to give up cigarettes.
    | He told the doctor to stop smoking. | The doctor wrote down how much he weighed.
The company fired two hundred workers. | Two hundred employees lost their jobs at the firm.
    | The company hired two hundred workers. | The company moved to a larger office.
She missed the last bus home. | The final bus had left before she got there.
    | She took the last bus home. | The bus ride home takes an hour.
The film was far too long for me. | I thought the movie should have been shorter.
    | The film was not too long for me. | The film was made in Italy.
Prices have gone up sharply this year. | Things have become much more expensive lately.
    | Prices have gone down sharply this year. | The shop shows its prices in the window.
A storm knocked out the power in the village. | The village lost electricity in bad weather.
    | A storm knocked down the tower in the village. | The village gets its power from the river.
The boy cannot swim. | The child never learned to stay afloat in water.
    | The boy can swim. | The boy likes the beach.
My neighbour's dog barks all night. | The pet next door keeps me awake with its noise.
    | My dog barks at my neighbour. | My neighbour walks his dog every morning.
The teacher praised the pupil. | The student was commended by the instructor.
    | The pupil praised the teacher. | The teacher opened the classroom window.
He paid for the meal with a credit card. | He used plastic to settle the restaurant bill.
    | He paid for the credit card with a meal. | The meal began with a soup.
The bridge is closed for repairs. | You cannot cross the river here while they mend it.
    | The bridge is open after repairs. | The bridge was built a century ago.
I would rather stay at home tonight. | This evening I prefer not to go out.
    | I would rather not stay at home tonight. | My home is near the station.
The train was delayed by heavy snow. | Bad winter weather made the railway late.
    | The heavy train was delayed by a cow. | The train has a dining car.
The cat chased the mouse. | The rodent was pursued by the feline.
    | The mouse chased the cat. | The cat slept on the warm stove.
She forgot to lock the door. | She left the house without turning the key.
    | She did not forget to lock the door. | She painted the door green.
The old man fell asleep in his chair. | Grandfather dozed off in the armchair.
    | The old chair fell apart under the man. | The old man bought a new chair.
They could not agree on a price. | Their bargaining came to nothing.
    | They could agree on a price. | They asked what the price was.
The river flooded the fields. | The farmland was under water.
    | The fields lay along the river. | The river is full of fish.
He has been out of work since May. | For months he has had no job.
    | He has been at work since May. | His work is near the harbour.
The baby woke up and started to cry. | The infant stopped sleeping and burst into tears.
    | The baby stopped crying and fell asleep. | The baby has blue eyes.
The thief got away through the window. | The burglar escaped by climbing out.
    | The thief got in through the window. | The thief was seen on a camera.
Nobody came to her party. | All of her guests stayed away.
    | Everybody came to her party. | Her party was on a Saturday.
The plants died because nobody watered them. | Without anyone to give them a drink, the flowers withered.
    | The plants died because somebody watered them. | The plants stand on the balcony.
Our team beat theirs. | Their side was defeated by us.
    | Their team beat ours. | Our team trains on Mondays.
"""


def english_questions() -> list[Question]:
    """Return 24 questions in everyday English, written by hand for this course.

    Each has three candidates: the same meaning in other words; another statement on the same topic; nearly
    the same words with another meaning. They are few, by one author, and made to mislead who counts words:
    enough to tell good vectors from bad ones, not good ones from each other.
    """
    entries = re.split(r"\n(?=\S)", _ENGLISH.strip())
    parts = [[text.strip() for text in entry.split("|")] for entry in entries]
    return [Question(query, (same, topic, alike)) for query, same, alike, topic in parts]


# ------------------------------------------------------------------------------------------------- scoring


def word_overlap(asked: Sequence[Question]) -> Floats:
    """Compare query and candidates by their words alone: shared words over all words (Jaccard, 1901).

    Returns
    -------
    ndarray
        float64, shape (questions, candidates).
    """

    def words(text: str) -> set[str]:
        return set(re.findall(r"[a-z]+", text.lower()))

    def shared(one: set[str], other: set[str]) -> float:
        return len(one & other) / len(one | other)

    return np.array([[shared(words(q.query), words(text)) for text in q.candidates] for q in asked])


def cosines(vectors: ArrayLike, asked: Sequence[Question]) -> Floats:
    """Compare query and candidates by the cosine of their vectors.

    Parameters
    ----------
    vectors
        Shape (texts, size), or (texts, …), which is flattened: all texts of all questions in order, each
        query before its candidates.
    asked
        The questions, all with equally many candidates.

    Returns
    -------
    ndarray
        float64, shape (questions, candidates).

    Raises
    ------
    ValueError
        If there is not one vector for each text.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    texts = sum(len(question.texts) for question in asked)
    if rows.ndim < 2 or len(rows) != texts:
        raise ValueError(
            f"vectors is {rows.shape} but the questions have {texts} texts: one row for each text is needed."
        )
    rows = rows.reshape(texts, -1)
    unit = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).reshape(len(asked), -1, rows.shape[1])
    found: Floats = (unit[:, :1] * unit[:, 1:]).sum(axis=-1)
    return found


def chosen(similarities: ArrayLike) -> Floats:
    """Say which candidate is nearest to its query.

    Parameters
    ----------
    similarities
        Shape (questions, candidates).

    Returns
    -------
    ndarray
        float64, the same shape: 1 for the nearest candidate, 0 for the others; those that are equally near
        share the 1. Column 0 is the share that is right.

    Examples
    --------
    >>> chosen([[0.9, 0.5, 0.1], [0.5, 0.5, 0.1]]).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    """
    values = np.asarray(similarities, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError(f"similarities is {values.shape}: (questions, candidates) is needed.")
    nearest = values >= values.max(axis=1, keepdims=True) - 1e-9  # rounding must not break a tie
    shares: Floats = nearest / nearest.sum(axis=1, keepdims=True)
    return shares


def interval(hits: ArrayLike, rounds: int = 2_000) -> tuple[float, float]:
    """Return where the mean of ``hits`` lies in 95 of 100 bootstrap samples.

    Each sample draws as many questions as there are, with replacement: as if the test were set anew. Give the
    difference of two methods' hits to compare these on the same questions.

    Source: Efron, 1979, "Bootstrap methods: another look at the jackknife" (percentile interval).

    Examples
    --------
    >>> interval([1, 0, 1, 1] * 50)
    (0.69, 0.81)
    """
    values = np.asarray(hits, dtype=np.float64)
    draws = np.random.default_rng(0).integers(0, len(values), (rounds, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


# ----------------------------------------------------------------------------------------- running a model


def states(
    bert: BertModel, tokenizer: PreTrainedTokenizerBase, asked: Sequence[Question], layer: int = -1
) -> tuple[Tensor, Tensor]:
    """Run a model over all texts of some questions, all padded to the longest.

    Returns
    -------
    tuple
        ``hidden_states[layer]``, (texts, seq_len, hidden_size), and the attention mask, (texts, seq_len).
    """
    import torch

    texts = [text for question in asked for text in question.texts]
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    input_ids, attention_mask = batch["input_ids"], batch["attention_mask"]
    lower: Any = copy.copy(bert)  # the same modules, without what would be computed for nothing
    stop = range(bert.config.num_hidden_layers + 1)[layer]
    lower._modules = {**bert._modules, "encoder": _some_layers(bert, 0, stop), "pooler": None}
    found: list[Tensor] = []
    with torch.no_grad():
        for rows, real in zip(input_ids.split(256), attention_mask.split(256), strict=True):
            found.append(lower(rows, attention_mask=real).last_hidden_state)
    return torch.cat(found), attention_mask


def _some_layers(bert: BertModel, start: int, stop: int) -> Any:  # noqa: ANN401 - transformers' BertEncoder
    """Return an encoder of some of a model's layers: the very same modules."""
    some: Any = copy.copy(bert.encoder)
    some._modules = {**bert.encoder._modules, "layer": bert.encoder.layer[start:stop]}
    return some


def finish(bert: BertModel, inputs: tuple[Tensor, Tensor], layers: int = 1) -> Tensor:
    """Run the upper layers of a model on what the layers below have given.

    Parameters
    ----------
    bert
        A BERT.
    inputs
        Hidden states, (texts, seq_len, hidden_size), and the attention mask: what ``states`` returns with
        ``layer=-1 - layers``.
    layers
        How many, from the top.

    Returns
    -------
    Tensor
        The last hidden states, of the same shape.
    """
    import torch

    hidden, real = inputs
    count = bert.config.num_hidden_layers
    upper = _some_layers(bert, count - layers, count)
    bias = (real[:, None, None] == 0).to(hidden.dtype) * torch.finfo(hidden.dtype).min
    found: Tensor = upper(hidden, attention_mask=bias.expand(-1, -1, hidden.shape[1], -1)).last_hidden_state
    return found


class Tuned(NamedTuple):
    """What ``tune`` returns."""

    model: BertModel
    """A model of its own; the one that was given is as before."""
    losses: list[float]
    """The loss of every step."""


def tune(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    asked: Sequence[Question],
    pool: Pool,
    *,
    layers: int = 1,
    steps: int = 30,
    batch: int = 12,
    rate: float = 4e-3,
    inputs: tuple[Tensor, Tensor] | None = None,
) -> Tuned:
    """Train a model so that the right candidate comes nearest to its query, and nothing else does.

    In every step `batch` questions are drawn. Each query must find its own right candidate among all
    candidates of all of them: cross-entropy over cosines, divided by a temperature of 0.05.

    Source: Gao et al., 2021, "SimCSE: simple contrastive learning of sentence embeddings" (with candidates
    that are wrong on purpose, its equation 5).

    Parameters
    ----------
    model, tokenizer
        A BERT; its ``base_model`` is copied. It computes in the model's dtype, without dropout.
    asked
        Questions, other ones than those to be scored.
    pool
        Makes one vector of each text.
    layers
        How many layers are trained, from the top; and the pooler, where `pool` uses it. The embeddings and
        the layers below stay as they are.
    steps, batch, rate
        Number of steps; questions a step; the highest learning rate of AdamW, which rises to it during a
        tenth of the steps and then falls to 0.
    inputs
        What the trained layers read, where it is at hand: ``states(model.base_model, tokenizer, asked,
        layer=-1 - layers)``. It is computed otherwise.

    Raises
    ------
    ValueError
        If the model has fewer layers, or there are fewer questions than a step needs.
    """
    import torch

    bert: Any = copy.deepcopy(model.base_model).eval().requires_grad_(False)
    below = bert.config.num_hidden_layers - layers
    if below < 0 or layers < 1:
        raise ValueError(f"layers={layers}: the model has {bert.config.num_hidden_layers}; train 1 or more.")
    if len(asked) < batch:
        raise ValueError(f"{len(asked)} questions are fewer than the {batch} of one step: give more.")
    hidden, real = inputs or states(bert, tokenizer, asked, layer=below)
    upper = bert.encoder.layer[below:]
    trained = [*upper.parameters(), *(bert.pooler.parameters() if bert.pooler is not None else ())]
    optimizer = torch.optim.AdamW([one.requires_grad_(True) for one in trained], lr=rate)
    losses = []
    with torch.enable_grad():
        for step, rows in enumerate(_draws(len(asked), len(asked[0].texts), batch, steps)):
            longest = int(real[rows].sum(dim=1).max())
            real_here = real[rows, :longest]
            after = finish(bert, (hidden[rows, :longest], real_here), layers)
            loss = _contrast(pool(bert, after, real_here), batch)
            optimizer.param_groups[0]["lr"] = rate * min(10 * (step + 1) / steps, 1 - step / steps)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return Tuned(bert.requires_grad_(False), losses)


def _draws(count: int, per: int, batch: int, steps: int) -> Iterator[Tensor]:
    """Yield the rows of the texts of `batch` questions, `steps` times; none twice before all were drawn."""
    import torch

    rng, order = np.random.default_rng(0), np.zeros(0, np.int64)
    for _ in range(steps):
        if len(order) < batch:
            order = rng.permutation(count)
        picked, order = order[:batch], order[batch:]
        yield torch.from_numpy((picked[:, None] * per + np.arange(per)).ravel())


def _contrast(vectors: Tensor, batch: int) -> Tensor:
    """Return the loss of `tune` for the vectors of all texts of `batch` questions, (texts, size)."""
    import torch
    from torch.nn.functional import cross_entropy, normalize

    unit = normalize(vectors, dim=-1).unflatten(0, (batch, -1))
    near = unit[:, 0] @ unit[:, 1:].flatten(0, 1).T / _TEMPERATURE
    return cross_entropy(near, torch.arange(batch) * (unit.shape[1] - 1))


# -------------------------------------------------------------------------- what takes too long for a chapter


def poolings() -> dict[str, Pool]:
    """Return the four ways of chapter 06 to make one vector of a text's last hidden states, by name."""
    import torch

    def mean(_: BertModel, hidden: Tensor, real: Tensor) -> Tensor:
        weights = real[..., None].to(hidden.dtype)
        return (hidden * weights).sum(dim=1) / weights.sum(dim=1)

    return {
        "[CLS]": lambda _bert, hidden, _real: hidden[:, 0],
        "pooler": lambda bert, hidden, _real: bert.pooler(hidden),
        "mean": mean,
        "max": lambda _bert, hidden, real: hidden.masked_fill(real[..., None] == 0, -torch.inf).amax(dim=1),
    }


def english_scores(pools: Mapping[str, Pool]) -> dict[str, tuple[float, float]]:
    """Score shared words and poolings of all-MiniLM-L6-v2 on the English questions.

    Where the model is not installed (the extra ``real``), the kept scores are returned, for the names known.

    Returns
    -------
    dict
        By name, the share of questions in which the same meaning is nearest, of two candidates (the other is
        of the same topic) and of three (the last has nearly the same words).
    """
    from bertviz_lite.models.loading import ModelError, load

    try:
        tokenizer, model = load("minilm")
    except ModelError:
        return {name: scores for name, scores in MINILM.items() if name in ("shared words", *pools)}
    asked = english_questions()
    bert: Any = model
    hidden, real = states(bert, tokenizer, asked)
    found = {"shared words": word_overlap(asked)}
    found |= {name: cosines(pool(bert, hidden, real).detach(), asked) for name, pool in pools.items()}

    def right(similarities: Floats) -> float:
        return round(float(chosen(similarities)[:, 0].mean()), 4)

    return {name: (right(values[:, :2]), right(values)) for name, values in found.items()}


def main() -> int:
    """Train every layer for each pooling, and print the shares of right answers beside ``ALL_LAYERS``."""
    import torch

    from bertviz_lite.models.loading import load

    torch.set_grad_enabled(False)
    tokenizer, model = load("pocket")
    model = model.double()
    bert: Any = model.base_model
    known, asked = questions(TRAINING_SEED, 400), questions(TEST_SEED, 200)
    layers = model.config.num_hidden_layers
    inputs = states(bert, tokenizer, known, layer=0)
    ways: dict[str, Pool] = poolings() | {
        "no tanh": lambda bert, hidden, _real: bert.pooler.dense(hidden[:, 0]),
    }
    for name, pool in ways.items():
        tuned = tune(
            model, tokenizer, known, pool, layers=layers, steps=100, batch=16, rate=1e-3, inputs=inputs
        )
        hidden, real = states(tuned.model, tokenizer, asked)
        share = chosen(cosines(pool(tuned.model, hidden, real), asked))[:, 0].mean()
        sys.stdout.write(f"{name:10} {share:.3f} (kept: {ALL_LAYERS[name]:.3f})\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
