"""What does one decision of the recipe bring? Small BERTs trained from nothing, each with one thing changed.

``python -m experiments.ablations --bf16`` trains the variants of ``VARIANTS`` one after the other, on the
same number of inputs, asks each of them the same questions about stories that none has read, and writes
``ablations.json`` beside this file. The chapters on masking, the two heads and pre-training read it: the
training takes too long for a notebook.

A variant that is finished is not trained again; ``--only`` names the ones to be trained. Two of them differ
in the seed alone: what lies between those two is luck, and a difference as small says nothing.

Left out: more than two seeds, and the full length of training. What helps early need not help in the end.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import BertForPreTraining, set_seed

from bertviz_lite.basics.files import write_text
from bertviz_lite.basics.threads import threads
from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.masking import Masking
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.evaluation.probes import linear_probe, score_tags, word_vectors
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.evaluation.scores import EVALUATION_SEED, EvaluationSet, score
from bertviz_lite.models import POCKET
from bertviz_lite.models.loading import load
from bertviz_lite.training.pretraining.checkpoints import last_checkpoint
from bertviz_lite.training.pretraining.model import PretrainingModel
from bertviz_lite.training.pretraining.recipe import Recipe, pocket_config
from bertviz_lite.training.pretraining.run import Run
from bertviz_lite.training.pretraining.trainer import (
    PretrainingTrainer,
    fastest_attention,
    training_arguments,
)
from bertviz_lite.training.pretraining.vocabulary import make_masking
from bertviz_lite.world import stories

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.world import Story, Word

FILE = file_of("ablations")
BASE = "80/10/10"
BUDGET = Recipe(steps=2_400, stories=50_000)
BANDS = {"the 100 most frequent": (0, 100), "the next 400": (100, 500), "all others": (500, None)}


@dataclass(frozen=True)
class Variant:
    """What a variant changes.

    Attributes
    ----------
    what
        The change in words.
    recipe
        Fields of ``Recipe`` that differ from ``BUDGET``.
    masking
        Fields of ``Masking`` that differ.
    tied
        Whether the LM head uses the word embedding.
    pairs
        What the second head learns: "other story" (NSP), "swapped order", or "nothing".
    """

    what: str
    recipe: tuple[tuple[str, Any], ...] = ()
    masking: tuple[tuple[str, Any], ...] = ()
    tied: bool = True
    pairs: str = "other story"


VARIANTS = {
    BASE: Variant("the recipe of the pocket model"),
    "100/0/0": Variant(
        "every chosen piece becomes [MASK]", masking=(("mask_share", 1.0), ("random_share", 0.0))
    ),
    "untied": Variant("the LM head has a matrix of its own", tied=False),
    "sentence order": Variant(
        "the second head tells the right order of two parts from the wrong", pairs="swapped order"
    ),
    "another seed": Variant("nothing but the seed", recipe=(("seed", 1),)),
    "no NSP": Variant("the masked words alone are learned; the second part is always true", pairs="nothing"),
    "40 % masked": Variant(
        "40 % of the words are chosen to be guessed, not 15 %", recipe=(("mask_rate", 0.4),)
    ),
    "half the stories": Variant(
        "25,000 stories; the same number of inputs, each story cut more often", recipe=(("stories", 25_000),)
    ),
}


# Training


class OrderInputs(TrainingInputs):
    """Pairs whose second part is the story's own; in half of them the parts change places (label 1)."""

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return input ``index``; the coin depends on the seed and the index alone."""
        item = super().__getitem__(index)
        if item["next_sentence_label"] == 0 and np.random.default_rng([self.seed, index, 2]).random() < 0.5:
            item |= swapped(item["input_ids"], item["first_length"])
            item["next_sentence_label"] = 1
        return item


class TrueInputs(TrainingInputs):
    """Pairs whose second part is the story's own, with no label: nothing but masked words is learned."""

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return input ``index``."""
        return super().__getitem__(index) | {"next_sentence_label": -100}


def swapped(input_ids: NDArray[np.int64], first_length: int) -> dict[str, Any]:
    """Exchange the two parts of ``[CLS] A [SEP] B [SEP]``; ``first_length`` counts [CLS], A and [SEP]."""
    first, second = input_ids[1:first_length], input_ids[first_length:]
    return {
        "input_ids": np.concatenate([input_ids[:1], second, first]),
        "first_length": 1 + len(second),
    }


_INPUTS = {"other story": TrainingInputs, "swapped order": OrderInputs, "nothing": TrueInputs}
PAIRS = {
    # what is asked: the inputs that hold it, and which of them
    "other story": (TrainingInputs, Mix(0, 0, 0, fewest=2)),
    "swapped order": (OrderInputs, Mix(0, 0, 0, fewest=2, other=0.0)),
    "other story, short": (TrainingInputs, Mix(0, 1, 0)),
    "swapped order, short": (OrderInputs, Mix(0, 1, 0, other=0.0)),
}


def train(variant: Variant, recipe: Recipe, run: Run, told: Path) -> tuple[PretrainingModel, list[Any]]:
    """Train a variant, or go on with it; return the model and what the Trainer logged."""
    tokenizer: Any = load("pocket")[0]
    recipe = replace(recipe, **dict(variant.recipe))
    corpus = Corpus.prepare(told, POCKET, 0, BUDGET.stories, os.cpu_count() or 1, run.progress)
    inputs = _INPUTS[variant.pairs](
        corpus.first(recipe.stories),
        recipe.steps * recipe.batch_size,
        recipe.batch_size,
        recipe.seed,
        tokenizer.cls_token_id,
        tokenizer.sep_token_id,
        Mix() if variant.pairs == "other story" else Mix(other=0.0),
    )
    set_seed(recipe.seed)
    config = pocket_config(recipe, len(tokenizer), dropout=0.0)
    config.tie_word_embeddings = variant.tied
    model = PretrainingModel(config)
    model.set_attn_implementation(fastest_attention(recipe.bf16))
    masking: Masking = replace(make_masking(tokenizer, recipe), **dict(variant.masking))
    trainer = PretrainingTrainer(
        model=model,
        args=training_arguments(recipe, run),
        train_dataset=inputs,
        data_collator=Collator(masking, recipe.seed),
    )
    checkpoint = last_checkpoint(run.output / "checkpoints")
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    model.train(mode=False)
    return model, trainer.state.log_history


# Asking


@dataclass(frozen=True)
class Asked:
    """The questions, written and encoded once for all variants.

    Attributes
    ----------
    questions
        Those of the pocket model's own scores.
    fitting, test
        Stories that fit the linear probes, and stories that score them.
    ranks
        Shape (vocab_size,): 0 for the most frequent piece of the training stories.
    """

    questions: EvaluationSet
    fitting: list[EncodedStory]
    test: list[EncodedStory]
    ranks: NDArray[np.int64]

    @classmethod
    def make(cls, tokenizer: PreTrainedTokenizerFast, corpus: Corpus, count: int = 3_000) -> Asked:
        """Write the stories."""
        counts = np.bincount(corpus.ids, minlength=len(tokenizer))
        return cls(
            EvaluationSet.make(tokenizer),
            encode_stories(stories(EVALUATION_SEED + 11, count), tokenizer),
            encode_stories(stories(EVALUATION_SEED + 12, count), tokenizer),
            np.argsort(np.argsort(-counts, kind="stable"), kind="stable"),
        )


def measure(model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, asked: Asked) -> dict[str, Any]:
    """Ask one model everything: see ``ablations.json``'s "notes" for what the names mean."""
    scores = score(model, tokenizer, asked.questions)
    senses = scores["senses"].details
    return {
        "scores": {name: [one.value, one.n] for name, one in scores.items() if not name.startswith("head")},
        "senses by layer": [
            senses.get(f"layer {layer}") for layer in range(model.config.num_hidden_layers + 1)
        ],
        "tags by layer": tags(model, asked),
        "read": read(model, tokenizer, asked),
        "pairs": pairs(model, tokenizer, asked),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
    }


def tags(model: BertForPreTraining, asked: Asked) -> dict[str, list[float]]:
    """Read two gold tags off the vectors of unmasked words, layer by layer, by a linear probe."""

    def person(word: Word, story: Story) -> str | None:
        same = (one.text for one in story.words if one.entity == word.entity and one.name == "person")
        return next(same, None) if word.pos == "PRON" and word.entity is not None else None

    def part_of_speech(word: Word, _story: Story) -> str | None:
        return word.pos

    known, other = (
        word_vectors(model, some[:1_000], lambda word: word.pos != "PUNCT")
        for some in (asked.fitting, asked.test)
    )
    return {
        "part of speech": list(score_tags(known, other, part_of_speech).by_layer),
        "who is meant": list(score_tags(known, other, person).by_layer),
    }


def read(model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, asked: Asked) -> dict[str, Any]:
    """Ask the LM head about the same pieces three times: masked, as they stand, replaced by a random piece.

    Everything around them is visible. For each: the share whose true piece comes first, and the mean of
    -ln p(true piece).
    """
    rng = np.random.default_rng(3)
    ordinary = np.setdiff1d(np.arange(len(tokenizer)), tokenizer.all_special_ids)
    rows, chosen = [story.input_ids for story in asked.test[:1_000]], []
    for row in rows:
        inner = np.flatnonzero(np.isin(row, ordinary))
        chosen.append(rng.permutation(inner)[: max(1, round(0.1 * len(inner)))])
    shown = {
        "masked": [np.full(len(places), tokenizer.mask_token_id) for places in chosen],
        "as it stands": [row[places] for row, places in zip(rows, chosen, strict=True)],
        "replaced": [rng.choice(ordinary, len(places)) for places in chosen],
    }
    answers = np.concatenate([row[places] for row, places in zip(rows, chosen, strict=True)])
    result: dict[str, Any] = {"pieces": len(answers)}
    for name, stands in shown.items():
        changed = []
        for row, places, ids in zip(rows, chosen, stands, strict=True):
            changed.append(row.copy())
            changed[-1][places] = ids
        found = _log_probabilities(model, changed, chosen)
        right = (found.argmax(-1).numpy() == answers).astype(np.float64)
        surprise = -found[torch.arange(len(answers)), torch.from_numpy(answers)].mean()
        result[name] = {"right": right.mean(), "-ln p": surprise.item()}
        if name == "masked":
            ranks = asked.ranks[answers]
            for band, (start, stop) in BANDS.items():
                inside = (ranks >= start) & (ranks < (stop or len(tokenizer)))
                result[name][band] = right[inside].mean()
                result[name][f"{band}, pieces"] = int(inside.sum())
    return result


def _log_probabilities(
    model: BertForPreTraining, rows: list[NDArray[np.int64]], chosen: list[NDArray[np.int64]]
) -> Tensor:
    """Return log-probabilities at the chosen places, (places, vocab_size), in the rows' order."""
    found: dict[int, Tensor] = {}
    with ready(model):
        for batch in batches([len(row) for row in rows]):
            input_ids, attention_mask = pad([rows[index] for index in batch], model.device)
            states = model.bert(input_ids, attention_mask=attention_mask).last_hidden_state
            for place, index in enumerate(batch):
                logits = model.cls.predictions(states[place, torch.from_numpy(chosen[index])])
                found[int(index)] = logits.double().log_softmax(-1).float()
    return torch.cat([found[index] for index in range(len(rows))])


def pairs(model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, asked: Asked) -> dict[str, Any]:
    """Ask for each kind of false pair: by the model's own second head, and by a linear probe on its vectors.

    Whole stories, cut in two, and short pairs: two to four neighbouring sentences from anywhere in a story.
    Half of the pairs are true (label 0). The probe, fitted on other stories, reads the mean of the last
    layer's vectors in the first and in the second part, end to end, and the pooled vector. Beside it a probe
    that reads the means of the word embeddings in either part: what the bare words say, in any order.
    """
    fit, test = (_corpus_of(some, tokenizer) for some in (asked.fitting, asked.test))
    result: dict[str, Any] = {}
    for kind in PAIRS:
        known, other = (_pair_vectors(model, tokenizer, *one) for one in ((fit, kind, 4), (test, kind, 5)))
        labels = other.labels.astype(str)
        result[kind] = {"head": float((other.answers == other.labels).mean()), "pairs": len(labels)}
        for name in ("vectors", "words"):
            probed = linear_probe(getattr(known, name), known.labels.astype(str), getattr(other, name))
            result[kind][f"probe of {name}"] = float((probed == labels).mean())
    return result


def _corpus_of(encoded: Sequence[EncodedStory], tokenizer: PreTrainedTokenizerFast) -> Corpus:
    sentences = [[str(sentence) for sentence in one.story.sentences] for one in encoded]
    return Corpus([Shard.of(sentences, tokenizer.backend_tokenizer)])


@dataclass(frozen=True)
class PairVectors:
    """Pairs as a probe takes them.

    Attributes
    ----------
    vectors, words
        Shapes (pairs, 3 · hidden_size) and (pairs, 2 · hidden_size).
    labels, answers
        Shape (pairs,): what is true, and what the model's own head says.
    """

    vectors: NDArray[np.float64]
    words: NDArray[np.float64]
    labels: NDArray[np.int64]
    answers: NDArray[np.int64]


def _pair_vectors(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, corpus: Corpus, kind: str, seed: int
) -> PairVectors:
    special = tokenizer.cls_token_id, tokenizer.sep_token_id
    of_kind, mix = PAIRS[kind]
    inputs = of_kind(corpus, len(corpus), len(corpus), seed, *special, mix)
    every = (inputs[index] for index in range(len(corpus)))
    items = [item for item in every if item["next_sentence_label"] >= 0]
    vectors = np.zeros((len(items), 3 * model.config.hidden_size))
    words = np.zeros((len(items), 2 * model.config.hidden_size))
    answers = np.zeros(len(items), np.int64)
    table = model.bert.embeddings.word_embeddings
    with ready(model):
        for batch in batches([len(item["input_ids"]) for item in items]):
            input_ids, attention_mask = pad([items[index]["input_ids"] for index in batch], model.device)
            firsts = torch.tensor([items[index]["first_length"] for index in batch])[:, None]
            second = (torch.arange(input_ids.shape[1]) >= firsts).long() * attention_mask
            outputs = model.bert(input_ids, attention_mask=attention_mask, token_type_ids=second)
            means = _means(outputs.last_hidden_state, attention_mask - second, second)
            vectors[batch] = torch.cat([means, outputs.pooler_output], dim=-1).double().numpy()
            words[batch] = _means(table(input_ids), attention_mask - second, second).double().numpy()
            answers[batch] = model.cls.seq_relationship(outputs.pooler_output).argmax(-1).numpy()
    return PairVectors(vectors, words, np.array([item["next_sentence_label"] for item in items]), answers)


def _means(states: Tensor, *parts: Tensor) -> Tensor:
    """Return the mean vector of each part, end to end: (batch, parts · hidden_size)."""
    return torch.cat(
        [(states * part[..., None]).sum(1) / part.sum(1, keepdim=True) for part in parts], dim=-1
    )


# A run

NOTES = {
    "scores": "[value, items]: as in the pocket model's scores.json (bertviz_lite.evaluation.scores)",
    "senses by layer": "share of two-sense words told apart on unmasked text, embeddings first",
    "tags by layer": "share of gold tags that a linear probe reads off the vectors of unmasked words",
    "read": "the LM head on the same pieces masked, as they stand, and replaced by a random piece",
    "pairs": "share right, half true: the model's second head; linear probes on its vectors, on the words",
    "losses": "[step, loss of masked words, loss of pairs], means since the line before",
}


def _rounded(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return round(float(value), 4) if isinstance(value, (float, np.floating)) else value


def folder_of(name: str) -> str:
    """Return the name of a variant's folder."""
    return name.replace("/", "-").replace(" ", "-").replace("%", "percent")


def losses(logged: Sequence[dict[str, Any]]) -> list[list[float]]:
    """Pick the two losses out of what a Trainer logged."""
    return [[one["step"], one["mlm_loss"], one["nsp_loss"]] for one in logged if "mlm_loss" in one]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the variants that are missing, ask all that were trained, write the file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.ablations", description=main.__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=VARIANTS, default=list(VARIANTS), help="variants to train"
    )
    parser.add_argument(
        "--steps", type=int, default=BUDGET.steps, help="optimizer steps (default: %(default)s)"
    )
    parser.add_argument("--runs", type=Path, default=Path("runs/ablations"), help="folder for what lasts")
    parser.add_argument("--bf16", action="store_true", help="matrix products in bfloat16")
    parser.add_argument("--threads", type=int, default=1, help="threads (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write")
    options = parser.parse_args(arguments)
    recipe = replace(BUDGET, steps=options.steps, bf16=options.bf16)
    with threads(options.threads):
        _train_and_ask(options.only, recipe, options.runs)
    gather(options.runs, recipe, options.output)


def _train_and_ask(names: Sequence[str], recipe: Recipe, runs: Path) -> None:
    tokenizer: Any = load("pocket")[0]
    asked: Asked | None = None
    for name in names:
        folder = runs / folder_of(name)
        done = folder / "result.json"
        if done.exists():
            continue
        start = time.monotonic()
        model, logged = train(VARIANTS[name], recipe, Run(folder), runs / "stories")
        seconds = time.monotonic() - start
        if asked is None:
            corpus = Corpus.prepare(runs / "stories", POCKET, 0, BUDGET.stories, 1, progress=False)
            asked = Asked.make(tokenizer, corpus)
        result = {"what": VARIANTS[name].what, **measure(model, tokenizer, asked), "losses": losses(logged)}
        write_text(done, json.dumps(_rounded(result)) + "\n")
        sys.stdout.write(f"{name}: {seconds:.0f} s of training\n")
        sys.stdout.flush()


def gather(runs: Path, recipe: Recipe, output: Path) -> None:
    """Put the results of all finished variants into one file."""
    found = {}
    for name in VARIANTS:
        path = runs / folder_of(name) / "result.json"
        if path.exists():
            found[name] = json.loads(path.read_text(encoding="utf-8"))
    described = {"recipe": asdict(recipe), "notes": NOTES, "variants": found}
    write_text(output, _lines(described) + "\n")


def _lines(value: Any, indent: str = "") -> str:  # noqa: ANN401 - JSON
    """Write JSON with one line for each list of numbers."""
    if not isinstance(value, dict):
        return json.dumps(value)
    inner = indent + " "
    entries = [f"{inner}{json.dumps(name)}: {_lines(one, inner)}" for name, one in value.items()]
    return "{\n" + ",\n".join(entries) + f"\n{indent}}}"


if __name__ == "__main__":
    main()
