"""Train a model so that vectors of texts with the same meaning lie close together."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bertviz_lite.chapters.chapter_07.same_event import CHANGES
from bertviz_lite.evaluation.poolings import Pool
from bertviz_lite.evaluation.similarity import SimilarityQuestion

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BertModel, PreTrainedModel, PreTrainedTokenizerBase


_TEMPERATURE = 0.05

Loss = Callable[["Tensor", "Tensor", float], "Tensor"]
"""``loss(queries, candidates, temperature)``: (batch, size), (batch, how many, size), the partner first."""


def states(
    bert: BertModel,
    tokenizer: PreTrainedTokenizerBase,
    questions: Sequence[SimilarityQuestion],
    layer: int = -1,
) -> tuple[Tensor, Tensor]:
    """Run a model over all texts of some questions, all padded to the longest.

    Returns
    -------
    tuple
        ``hidden_states[layer]``, (texts, seq_len, hidden_size), and the attention mask, (texts, seq_len).
    """
    import torch

    texts = [text for question in questions for text in question.texts]
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    input_ids, attention_mask = batch["input_ids"], batch["attention_mask"]
    lower: Any = copy.copy(bert)  # the same modules, without what would be computed for nothing
    stop = range(bert.config.num_hidden_layers + 1)[layer]
    lower._modules = {**bert._modules, "encoder": _some_layers(bert, 0, stop), "pooler": None}
    states: list[Tensor] = []
    with torch.no_grad():
        for rows, real in zip(input_ids.split(256), attention_mask.split(256), strict=True):
            states.append(lower(rows, attention_mask=real).last_hidden_state)
    return torch.cat(states), attention_mask


def _some_layers(bert: BertModel, start: int, stop: int) -> Any:  # noqa: ANN401 - transformers' BertEncoder
    """Return an encoder of some of a model's layers: the very same modules."""
    some: Any = copy.copy(bert.encoder)
    some._modules = {**bert.encoder._modules, "layer": bert.encoder.layer[start:stop]}
    return some


def finish(bert: BertModel, inputs: tuple[Tensor, Tensor], layers: int = 1) -> Tensor:
    """Run the upper layers of a model on the hidden states of the layers below.

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
    last: Tensor = upper(hidden, attention_mask=bias.expand(-1, -1, hidden.shape[1], -1)).last_hidden_state
    return last


@dataclass(frozen=True)
class Schedule:
    """Which layers ``tune`` trains, for how long, and by which loss.

    Attributes
    ----------
    layers
        How many layers are trained, from the top; and the pooler, where the pooling uses it. The embeddings
        and the layers below stay as they are.
    steps
        Number of steps.
    batch_size
        Questions a step.
    learning_rate
        The highest of AdamW: it rises during a tenth of the steps and then falls to 0.
    seed
        Fixes which questions are drawn in which step.
    loss
        Another loss than that of ``tune``.
    """

    layers: int = 1
    steps: int = 30
    batch_size: int = 12
    learning_rate: float = 4e-3
    seed: int = 0
    loss: Loss | None = None


class TunedEncoder(NamedTuple):
    """What ``tune`` returns."""

    model: BertModel
    """A copy; the model that was given stays as it is."""
    losses: list[float]
    """The loss of every step."""


def tune(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    questions: Sequence[SimilarityQuestion],
    pool: Pool,
    schedule: Schedule | None = None,
    *,
    inputs: tuple[Tensor, Tensor] | None = None,
    watch: Callable[[int, BertModel], None] | None = None,
) -> TunedEncoder:
    """Train a model so that the right candidate comes nearest to its query, and nothing else does.

    In every step `schedule.batch_size` questions are drawn. Each query must find its own right candidate
    among the candidates of all of them: cross-entropy over cosines, divided by a temperature of 0.05.

    Source: Gao et al., 2021, "SimCSE: simple contrastive learning of sentence embeddings" (with candidates
    that are wrong on purpose, its equation 5).

    Parameters
    ----------
    model, tokenizer
        A BERT; its ``base_model`` is copied. It computes in the model's dtype, without dropout.
    questions
        Questions, other ones than those to be scored.
    pool
        Makes one vector of each text.
    schedule
        Which layers are trained, and for how long; None for one layer and 30 steps.
    inputs
        The input of the trained layers, if it has been computed already: ``states(model.base_model,
        tokenizer, questions, layer=-1 - schedule.layers)``.
    watch
        Called with the number of steps done, from 0, and the model as it is then.

    Raises
    ------
    ValueError
        If the model has fewer layers, or there are fewer questions than a step needs.
    """
    import torch

    schedule = schedule or Schedule()
    layers, steps, batch = schedule.layers, schedule.steps, schedule.batch_size
    bert: Any = copy.deepcopy(model.base_model).eval().requires_grad_(False)
    below = bert.config.num_hidden_layers - layers
    if below < 0 or layers < 1:
        raise ValueError(f"layers={layers}: the model has {bert.config.num_hidden_layers}; train 1 or more.")
    if len(questions) < batch:
        raise ValueError(f"{len(questions)} questions are fewer than the {batch} of one step: give more.")
    hidden, real = inputs or states(bert, tokenizer, questions, layer=below)
    upper = bert.encoder.layer[below:]
    trained = [*upper.parameters(), *(bert.pooler.parameters() if bert.pooler is not None else ())]
    optimizer = torch.optim.AdamW(
        [weight.requires_grad_(True) for weight in trained], lr=schedule.learning_rate
    )
    losses, contrast = [], schedule.loss or _contrast
    with torch.enable_grad():
        draws = _draws(len(questions), len(questions[0].texts), schedule)
        for step, rows in enumerate(draws):
            if watch is not None:
                watch(step, bert)
            longest = int(real[rows].sum(dim=1).max())
            real_here = real[rows, :longest]
            after = finish(bert, (hidden[rows, :longest], real_here), layers)
            vectors = pool(bert, after, real_here).unflatten(0, (batch, -1))
            lost = contrast(vectors[:, 0], vectors[:, 1:], _TEMPERATURE)
            optimizer.param_groups[0]["lr"] = schedule.learning_rate * min(
                10 * (step + 1) / steps, 1 - step / steps
            )
            optimizer.zero_grad()
            lost.backward()
            optimizer.step()
            losses.append(lost.item())
    if watch is not None:
        watch(steps, bert)
    return TunedEncoder(bert.requires_grad_(False), losses)


def _draws(count: int, per: int, schedule: Schedule) -> Iterator[Tensor]:
    """Yield the rows of each step's texts, `per` to a question; none twice before all were drawn."""
    import torch

    rng, order = np.random.default_rng(schedule.seed), np.zeros(0, np.int64)
    for _ in range(schedule.steps):
        if len(order) < schedule.batch_size:
            order = rng.permutation(count)
        picked, order = order[: schedule.batch_size], order[schedule.batch_size :]
        yield torch.from_numpy((picked[:, None] * per + np.arange(per)).ravel())


def _contrast(queries: Tensor, candidates: Tensor, temperature: float) -> Tensor:
    """Return the loss of `tune` for queries, (batch, size), and candidates, (batch, how many, size)."""
    import torch
    from torch.nn.functional import cross_entropy, normalize

    with torch.autocast("cpu", enabled=False):  # bfloat16 can't tell 0.99 from 0.992
        precise = torch.promote_types(queries.dtype, torch.float32)
        query, every = (normalize(each.to(precise), dim=-1) for each in (queries, candidates.flatten(0, 1)))
        partners = torch.arange(len(queries)) * candidates.shape[1]
        return cross_entropy(query @ every.T / temperature, partners)


class Lesson:
    """Trains copies of a model's top layer on some questions, and reads other questions with them.

    What the layers below give never changes, so it is computed once.

    Parameters
    ----------
    model, tokenizer
        A BERT.
    training
        Questions of ``same_event`` to train on.
    test
        Questions to read.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        training: Sequence[SimilarityQuestion],
        test: Sequence[SimilarityQuestion],
    ) -> None:
        self._model, self._tokenizer, self._training = model, tokenizer, training
        bert: Any = model.base_model
        self._learning = states(bert, tokenizer, training, layer=-2)
        self._below = states(bert, tokenizer, test, layer=-2)

    def last_states(self, bert: BertModel) -> tuple[Tensor, Tensor]:
        """Read both with a BERT that differs from the lesson's in its top layer alone.

        Returns
        -------
        tuple
            The last hidden states of the training's texts, and of the test's.
        """
        import torch

        with torch.no_grad():
            return finish(bert, self._learning), finish(bert, self._below)

    def train(
        self,
        pool: Pool,
        *,
        start: PreTrainedModel | None = None,
        without: Sequence[str] = (),
        loss: Loss | None = None,
        order: int = 0,
    ) -> tuple[BertModel, Tensor]:
        """Take 30 steps; return the trained BERT, and its last hidden states of the test's texts.

        Parameters
        ----------
        pool
            Makes one vector of each text.
        start
            A model to start from, with the same layers as the lesson's but another pooler, say.
        without
            Which of ``same_event.CHANGES`` no question has among its candidates.
        loss
            Another loss than that of `tune`.
        order
            Another number draws the questions in another order.
        """
        import torch

        kept = [place for place, change in enumerate(CHANGES) if change not in without]
        questions = [
            SimilarityQuestion(question.query, tuple(question.candidates[place] for place in kept))
            for question in self._training
        ]
        of_one = torch.tensor([0, *(place + 1 for place in kept)])
        rows = (torch.arange(len(questions))[:, None] * (len(CHANGES) + 1) + of_one).flatten()
        hidden, real = self._learning
        tuned, _ = tune(
            start or self._model,
            self._tokenizer,
            questions,
            pool,
            Schedule(loss=loss, seed=order),
            inputs=(hidden[rows], real[rows]),
        )
        with torch.no_grad():
            return tuned, finish(tuned, self._below)
