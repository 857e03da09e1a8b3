"""Make the pocket model from nothing: ``python -m bertviz_lite.training.pretraining``.

The steps: write stories, learn a vocabulary from them, cut them into pairs, hide pieces, and train a
``BertForPreTraining`` to guess the pieces and to tell true pairs from false ones. ``transformers``' Trainer
runs the loop, so ``accelerate launch -m bertviz_lite.training.pretraining …`` takes the same file to several
processes, GPUs and hosts (``--batch-size`` is per process; the global batch is that times the number of
processes).

A run that was killed goes on from its last checkpoint when the same command is given again, and ends with the
weights that it would have had.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shlex
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import SequentialSampler
from transformers import (
    AutoTokenizer,
    BertConfig,
    BertForPreTraining,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)

from bertviz_lite.basics.files import replace_folder, write_text
from bertviz_lite.basics.threads import threads
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.masking import Masking
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.shards import SHARD_STORIES, story_seeds
from bertviz_lite.data.vocabulary import MAX_LENGTH, continuation_tokens, train_tokenizer
from bertviz_lite.evaluation import scores as evaluation
from bertviz_lite.models import POCKET
from bertviz_lite.models.pins import write_pin
from bertviz_lite.training.card import Making, model_card
from bertviz_lite.training.history import History
from bertviz_lite.world import stories

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast, TrainerControl, TrainerState

MAX_SEED = 8_999  # the seeds from 9,000 × 100,000 on are kept for evaluation


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what the weights will be.

    Attributes
    ----------
    steps
        Optimizer steps.
    batch_size
        Inputs per step and process.
    learning_rate
        The highest; it rises over the first ``warmup`` of the steps and falls to 0 along a cosine.
    stories
        Different stories that are written; with more inputs than stories each is cut anew several times.
    seed
        For the stories, the pairs, the masks and the first weights.
    mask_rate
        Share of the words that have to be guessed.
    whole_words
        Choose whole words rather than single pieces.
    vocab_size, hidden_size, num_layers, num_heads, intermediate_size
        The model.
    tokenizer_stories
        Stories from which the vocabulary is learned.
    initializer_range
        Standard deviation of the first weights. BERT's 0.02 suits 768 components; at 128 the first layers say
        next to nothing with it, and a high learning rate then ends on the word frequencies for good.
    warmup, weight_decay, adam_beta2, max_grad_norm
        As in ``transformers.TrainingArguments``.
    bf16
        Whether matrix products are made with 8-bit mantissas: about 1.7 times as fast where the processor has
        instructions for it, and the reason why such weights cannot be repeated to the bit elsewhere.
    """

    steps: int = 13_500
    batch_size: int = 64
    learning_rate: float = 1.5e-3
    stories: int = 200_000
    seed: int = 0
    mask_rate: float = 0.15
    whole_words: bool = True
    vocab_size: int = 2_000
    hidden_size: int = 128
    num_layers: int = 4
    num_heads: int = 4
    intermediate_size: int = 512
    tokenizer_stories: int = 10_000
    warmup: float = 0.05
    initializer_range: float = 0.05
    weight_decay: float = 0.01
    adam_beta2: float = 0.98
    max_grad_norm: float = 1.0
    bf16: bool = False

    def __post_init__(self) -> None:
        for name in ("steps", "batch_size", "stories", "tokenizer_stories"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: at least 1 is needed")
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(
                f"seed={self.seed}: 0 to {MAX_SEED:,} (the others write the stories for evaluation)"
            )
        if not 0 < self.mask_rate < 1:
            raise ValueError(f"mask_rate={self.mask_rate}: a share above 0 and below 1 is needed")


def pocket_config(recipe: Recipe, vocab_size: int, dropout: float = 0.1) -> BertConfig:
    """Return the configuration of the model that a recipe trains.

    Training runs without dropout, no input being seen twice; the shipped model has BERT's own 0.1, which
    shows as soon as somebody calls ``model.train()``.
    """
    return BertConfig(
        vocab_size=vocab_size,
        hidden_size=recipe.hidden_size,
        num_hidden_layers=recipe.num_layers,
        num_attention_heads=recipe.num_heads,
        intermediate_size=recipe.intermediate_size,
        max_position_embeddings=MAX_LENGTH,
        type_vocab_size=2,
        hidden_act="gelu",
        initializer_range=recipe.initializer_range,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        pad_token_id=0,
    )


class PretrainingModel(BertForPreTraining):
    """``BertForPreTraining`` with the loss computed at the chosen positions only, which is a quarter faster.

    The loss is the same. The padding row of the tied embedding, zero at the start, is kept at zero: as an
    input it never gets a gradient, but as the output weight of [PAD] it would.
    """

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.bert.embeddings.word_embeddings.weight.register_hook(_without_padding_row)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        labels: Tensor | None = None,
        next_sentence_label: Tensor | None = None,
    ) -> Any:  # noqa: ANN401 - as transformers: an output with named parts
        """Return the losses of a batch (with labels), or what ``BertForPreTraining`` returns (without).

        Parameters
        ----------
        input_ids, attention_mask, token_type_ids, labels
            Shape (batch, seq_len); labels are -100 where nothing is to be guessed.
        next_sentence_label
            Shape (batch,): 0 true, 1 false, -100 not a pair.
        """
        if labels is None or next_sentence_label is None:
            return super().forward(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        outputs = self.bert(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        chosen = (labels != IGNORED).flatten().nonzero().flatten()
        hidden_states = outputs.last_hidden_state.flatten(0, 1)[chosen]
        masked = _mean_loss(self.cls.predictions(hidden_states), labels.flatten()[chosen])
        next_part = _mean_loss(self.cls.seq_relationship(outputs.pooler_output), next_sentence_label)
        return {"loss": masked + next_part, "mlm_loss": masked.detach(), "nsp_loss": next_part.detach()}


def _mean_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean cross-entropy over the labels that are not -100; 0 where there is none."""
    summed = nn.functional.cross_entropy(logits.float(), labels, ignore_index=IGNORED, reduction="sum")
    return summed / (labels != IGNORED).sum().clamp(min=1)


def _without_padding_row(gradient: Tensor) -> Tensor:
    gradient = gradient.clone()
    gradient[0] = 0
    return gradient


class PretrainingTrainer(Trainer):
    """A Trainer that takes the inputs in their order and logs the two losses apart."""

    def _get_train_sampler(self, train_dataset: Any = None) -> SequentialSampler:  # noqa: ANN401 - a data set
        inputs: Any = self.train_dataset if train_dataset is None else train_dataset
        return SequentialSampler(inputs)

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,  # noqa: ARG002 - the Trainer passes it
    ) -> Any:  # noqa: ANN401 - as the Trainer
        """Return the sum of the two losses."""
        outputs = model(**inputs)
        self._parts = [*getattr(self, "_parts", []), (outputs["mlm_loss"], outputs["nsp_loss"])]
        return (outputs["loss"], outputs) if return_outputs else outputs["loss"]

    def log(self, logs: dict[str, float], *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as the Trainer
        """Add the mean of each loss since the last time."""
        parts = getattr(self, "_parts", [])
        if parts and "loss" in logs:
            logs["mlm_loss"] = float(torch.stack([masked for masked, _ in parts]).mean())
            logs["nsp_loss"] = float(torch.stack([next_part for _, next_part in parts]).mean())
            self._parts = []
        super().log(logs, *args, **kwargs)


class StopAfter(TrainerCallback):
    """Save and stop after some minutes; the same command goes on later."""

    def __init__(self, minutes: float) -> None:
        self.end = time.monotonic() + 60 * minutes

    def on_step_end(self, args: Any, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        """Look at the clock after every step."""
        if time.monotonic() > self.end and state.global_step < state.max_steps:
            control.should_save = control.should_training_stop = True


# A run


def fast_bf16() -> bool:
    """Say whether this machine has instructions for bfloat16 (and may use them)."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    if os.environ.get("ONEDNN_MAX_CPU_ISA") or os.environ.get("ATEN_CPU_CAPABILITY"):
        return False
    probes = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, probe, bool)() for probe in probes)


def fastest_attention(bf16: bool) -> str:
    """Return the kind of attention that trains fastest: the plain one on CPUs with bfloat16."""
    return "eager" if bf16 and not torch.cuda.is_available() else "sdpa"


def last_checkpoint(folder: Path) -> Path | None:
    """Return the newest whole checkpoint; one that a kill left without its state is passed over."""
    found = sorted(
        folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True
    )
    for path in found:
        try:
            json.loads((path / "trainer_state.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return path
    return None


def load_or_train_tokenizer(folder: Path, recipe: Recipe) -> PreTrainedTokenizerFast:
    """Return the run's tokenizer, learned from its first stories and saved on the first call."""
    if not (folder / "vocab.txt").exists():
        texts: list[str] = []
        for shard, start in enumerate(range(0, recipe.tokenizer_stories, SHARD_STORIES)):
            count = min(SHARD_STORIES, recipe.tokenizer_stories - start)
            texts += [str(story) for story in stories(story_seeds(recipe.seed, shard), count)]
        save_tokenizer(train_tokenizer(texts, recipe.vocab_size), folder)
    tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(folder)  # type: ignore[assignment]
    return tokenizer


def save_tokenizer(tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """Save a tokenizer in the standard form, with ``vocab.txt`` (one piece a line) written last."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    (folder / "vocab.txt").write_text(
        "".join(f"{piece}\n" for piece in pieces), encoding="utf-8", newline="\n"
    )


def make_masking(tokenizer: PreTrainedTokenizerFast, recipe: Recipe) -> Masking:
    """Return the masking rules of a recipe."""
    return Masking(
        vocab_size=len(tokenizer),
        special_ids=tuple(tokenizer.all_special_ids),
        mask_id=tokenizer.mask_token_id,
        continuation=torch.from_numpy(continuation_tokens(tokenizer)) if recipe.whole_words else None,
        rate=recipe.mask_rate,
    )


def keep_recipe(recipe: Recipe, processes: int, output: Path) -> None:
    """Write the recipe into the output folder; where there is another one already, say what differs.

    Raises
    ------
    ValueError
        Where the folder holds a run of another recipe.
    """
    path = output / "recipe.json"
    settings = {**asdict(recipe), "processes": processes}
    if path.exists():
        old = json.loads(path.read_text(encoding="utf-8"))
        changed = [
            f"{name} {old.get(name)} -> {settings[name]}"
            for name in settings
            if old.get(name) != settings[name]
        ]
        if changed:
            raise ValueError(
                f"{output} holds a run with other settings ({', '.join(changed)}): give another --output"
            )
    write_text(path, json.dumps(settings, indent=1) + "\n")


@dataclass(frozen=True)
class Run:
    """Where and how a recipe is run; none of it changes the weights but ``threads`` (in the last bits).

    Attributes
    ----------
    output
        Folder for everything: stories, checkpoints, history and, at the end, the model in ``pocket``.
    resume
        Go on from the last checkpoint, if there is one; False removes an earlier run's checkpoints.
    threads
        Threads per process; None for all cores, shared among the processes.
    save_every
        Steps between checkpoints.
    max_minutes
        Save and stop after this time; None for no limit.
    evaluate
        Score the model at the moments of the history and at the end.
    quick
        Ask the finished model no more than at the moments of the history.
    progress
        Show progress bars.
    """

    output: Path
    resume: bool = True
    threads: int | None = None
    save_every: int = 500
    max_minutes: float | None = None
    evaluate: bool = True
    quick: bool = False
    progress: bool = True


def training_arguments(recipe: Recipe, run: Run) -> TrainingArguments:
    """Translate a recipe for the Trainer."""
    return TrainingArguments(
        output_dir=str(run.output / "checkpoints"),
        max_steps=recipe.steps,
        per_device_train_batch_size=recipe.batch_size,
        learning_rate=recipe.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=round(recipe.warmup * recipe.steps),
        weight_decay=recipe.weight_decay,
        adam_beta2=recipe.adam_beta2,
        max_grad_norm=recipe.max_grad_norm,
        bf16=recipe.bf16,
        use_cpu=not torch.cuda.is_available(),
        seed=recipe.seed,
        save_steps=run.save_every,
        save_total_limit=2,
        logging_steps=min(100, max(1, recipe.steps // 100)),
        dataloader_pin_memory=False,
        remove_unused_columns=False,
        report_to=[],
        disable_tqdm=not run.progress,
    )


def pretrain(recipe: Recipe, run: Run) -> Path | None:
    """Run a recipe, or what is left of it.

    Returns
    -------
    Path or None
        The folder of the finished model; None in processes other than the first, and where the time was up.

    Raises
    ------
    ValueError
        Where the output folder holds a run with other settings, or the stories are fewer than the inputs of a
        step.
    """
    arguments = training_arguments(recipe, run)
    with threads(run.threads or max(1, (os.cpu_count() or 1) // arguments.world_size)):
        return _pretrain(recipe, run, arguments)


def _pretrain(recipe: Recipe, run: Run, arguments: TrainingArguments) -> Path | None:
    if arguments.process_index == 0:
        open_output(recipe, arguments.world_size, run)
    with arguments.main_process_first(desc="writing the stories"):
        tokenizer = load_or_train_tokenizer(run.output / "tokenizer", recipe)
        corpus = Corpus.prepare(
            run.output / "stories",
            run.output / "tokenizer",
            seed=recipe.seed,
            count=recipe.stories,
            processes=os.cpu_count() or 1,
            progress=run.progress,
        )
    batch = recipe.batch_size * arguments.world_size
    special = tokenizer.cls_token_id, tokenizer.sep_token_id
    inputs = TrainingInputs(corpus, recipe.steps * batch, batch, recipe.seed, *special)
    set_seed(recipe.seed)
    model = PretrainingModel(pocket_config(recipe, len(tokenizer), dropout=0.0))
    model.set_attn_implementation(fastest_attention(recipe.bf16))
    reporter = Reporter(recipe, run, tokenizer, inputs) if arguments.process_index == 0 else None
    trainer = PretrainingTrainer(
        model=model,
        args=arguments,
        train_dataset=inputs,
        data_collator=Collator(make_masking(tokenizer, recipe), recipe.seed),
    )
    if reporter is not None and run.evaluate:
        trainer.add_callback(reporter.watch(model))
    if run.max_minutes is not None:
        trainer.add_callback(StopAfter(run.max_minutes))
    checkpoint = last_checkpoint(run.output / "checkpoints")
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    folder = None
    if reporter is not None and trainer.state.global_step >= recipe.steps:
        finished = bare_model(model, pocket_config(recipe, len(tokenizer)))
        folder = reporter.write(finished, trainer.state.log_history)
    del trainer  # its wrapped model holds the connection
    leave_together()
    return folder


def leave_together() -> None:
    """Wait for the other processes of the run, if there are any, and take the connection down.

    Gloo's threads may still hold tensors when a process ends: letting go of them while Python shuts down
    aborts it now and then (https://github.com/pytorch/pytorch/pull/179291).
    """
    from torch import distributed

    if distributed.is_available() and distributed.is_initialized():
        distributed.barrier()
        distributed.destroy_process_group()
        gc.collect()


class Reporter:
    """Writes the finished model's folder: weights, tokenizer, scores, history and card.

    Parameters
    ----------
    recipe, run
        What is run, and how.
    tokenizer
        The run's tokenizer.
    inputs
        All inputs of the run.
    """

    def __init__(
        self, recipe: Recipe, run: Run, tokenizer: PreTrainedTokenizerFast, inputs: TrainingInputs
    ) -> None:
        self.recipe, self.run, self.tokenizer, self.inputs = recipe, run, tokenizer, inputs
        self.history: History | None = None

    @cached_property
    def quick_questions(self) -> evaluation.EvaluationSet:
        """What the model is asked at the moments of the history."""
        return self._questions(evaluation.QUICK)

    def _questions(self, size: evaluation.Size) -> evaluation.EvaluationSet:
        return evaluation.EvaluationSet.make(self.tokenizer, size, training_seed=self.recipe.seed)

    def watch(self, model: BertForPreTraining) -> History:
        """Return the callback that keeps the history of ``model``."""
        questions = self.quick_questions
        self.history = History(
            self.run.output / "history",
            model,
            self.tokenizer,
            self.recipe.steps,
            measure=lambda model: evaluation.score(model, self.tokenizer, questions),
            tokens=lambda step: self.inputs.tokens(step * self.inputs.group),
        )
        return self.history

    def write(self, model: BertForPreTraining, log: Sequence[dict[str, float]]) -> Path:
        """Write everything beside the final place, then move it there; return the place."""
        target = self.run.output / "pocket"
        with tempfile.TemporaryDirectory(dir=self.run.output) as temporary:
            folder = Path(temporary) / "pocket"
            model.save_pretrained(folder)
            save_tokenizer(self.tokenizer, folder)
            digest = write_pin(folder)
            if self.history is not None:
                self.history.write(folder, log)
                questions = self.quick_questions if self.run.quick else self._questions(evaluation.FULL)
                scores = evaluation.score(model, self.tokenizer, questions)
                write_text(folder / "scores.json", scores.to_json())
                write_text(folder / "README.md", model_card(self._making(model, questions), scores, digest))
            replace_folder(folder, target)
        return target

    def _making(self, model: BertForPreTraining, questions: evaluation.EvaluationSet) -> Making:
        assert self.history is not None
        processes = self.inputs.group // self.recipe.batch_size
        if torch.cuda.is_available():
            device = torch.cuda.get_device_name()
        else:
            device = f"{processes} × {torch.get_num_threads()} CPU threads"
        known = self.inputs.corpus.fingerprints
        asked = np.array(sorted(questions.fingerprints()), dtype=np.uint64)
        return Making(
            command=command_of(self.recipe, processes),
            parameters=model.num_parameters(),
            stories=len(self.inputs.corpus),
            steps=self.recipe.steps,
            batch=self.inputs.group,
            tokens=self.inputs.tokens(len(self.inputs)),
            seed=self.recipe.seed,
            minutes=self.history.seconds / 60,
            device=device + (" (bfloat16)" if self.recipe.bf16 else ""),
            shared_stories=int(np.isin(asked, known).sum()),
            fitting=questions.fitting,
            quick=self.run.quick,
        )


def open_output(recipe: Recipe, processes: int, run: Run) -> None:
    """Make the output folder, clear it of an earlier run if so wished, and note the recipe."""
    run.output.mkdir(parents=True, exist_ok=True)
    if not run.resume:
        for name in ("checkpoints", "history", "recipe.json"):
            remove(run.output / name)
    keep_recipe(recipe, processes, run.output)


def command_of(recipe: Recipe, processes: int) -> str:
    """Return the command that runs a recipe: only what differs from the defaults is named."""
    words = ["python", "-m", "bertviz_lite.training.pretraining"]
    if processes > 1:
        words = ["accelerate", "launch", "--num_processes", str(processes), *words[1:]]
    for entry in fields(recipe):
        value = getattr(recipe, entry.name)
        option = entry.name.replace("_", "-")
        if entry.name == "bf16" or (isinstance(value, bool) and value != entry.default):
            words.append(f"--{option}" if value else f"--no-{option}")
        elif value != entry.default:
            words += [f"--{option}", str(value)]
    return shlex.join(words)


def bare_model(model: PretrainingModel, config: BertConfig) -> BertForPreTraining:
    """Copy the weights into a plain ``BertForPreTraining``, in evaluation mode on the CPU."""
    finished: BertForPreTraining = BertForPreTraining(config)
    finished.load_state_dict({name: tensor.cpu() for name, tensor in model.state_dict().items()})
    if finished.bert.embeddings.word_embeddings.weight[0].any():
        raise RuntimeError("the padding row of the embedding is not zero")
    finished.eval()
    return finished


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def install(folder: Path, target: Path = POCKET) -> None:
    """Copy a finished model to the place from which the package ships it, and pin its weights.

    Raises
    ------
    ValueError
        Where the folder holds no finished model.
    """
    if not (folder / "model.safetensors").is_file():
        raise ValueError(f"{folder} holds no finished model")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".incoming-") as temporary:
        copy = Path(temporary) / target.name
        shutil.copytree(folder, copy)
        write_pin(copy)
        replace_folder(copy, target)


def processes_not_started() -> int:
    """Return how many processes were asked for where ``accelerate launch --cpu`` started only one, else 0.

    On CPUs that launcher needs ``mpirun`` for more than one process; without, it starts one and says nothing.
    It leaves its mark (an address, and no rank), but not the number, which its command line has.
    """
    known = {"RANK", "LOCAL_RANK", "WORLD_SIZE", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE"}
    if os.environ.get("ACCELERATE_USE_CPU", "").lower() not in {"1", "true"} or known & os.environ.keys():
        return 0
    if "MASTER_ADDR" not in os.environ:
        return 0
    import psutil

    parent = psutil.Process().parent()
    words = [] if parent is None else parent.cmdline()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, _, value = word.partition("=")
        if name in {"--num_processes", "--num-processes"}:
            return int(value or following)
    return 0


def start_processes(count: int, arguments: Sequence[str]) -> int:
    """Run the same command in several processes on this machine; return 0 where all of them end well."""
    from torch.multiprocessing.spawn import ProcessException, start_processes as start

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # What is imported here need not be imported again, where a process may be a copy of this one.
    method = "fork" if sys.platform == "linux" else "spawn"
    try:
        start(_run_as, (count, port, list(arguments)), count, start_method=method)
    except ProcessException as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _run_as(rank: int, count: int, port: int, arguments: list[str]) -> None:
    """Be one of the processes: with the marks that torch's own launcher, ``torchrun``, gives them."""
    marks = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": count, "LOCAL_WORLD_SIZE": count}
    address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    os.environ.update({name: str(value) for name, value in marks.items()} | address)
    sys.exit(main(arguments))


def parse(arguments: Sequence[str] | None) -> tuple[Recipe, Run, bool]:
    """Read the command line: a recipe, how to run it, and whether to install the result."""
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.training.pretraining",
        description="Train the pocket model from nothing; the same command goes on after a kill.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for entry in fields(Recipe):
        option = f"--{entry.name.replace('_', '-')}"
        if isinstance(entry.default, bool):
            default = None if entry.name == "bf16" else entry.default
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=default)
        else:
            parser.add_argument(option, type=type(entry.default), default=entry.default)
    parser.add_argument(
        "--output", type=Path, default=Path("build/pretraining"), help="folder for everything"
    )
    parser.add_argument("--resume", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--threads", type=int, help="per process; all cores when not given")
    parser.add_argument("--save-every", type=int, default=500, help="steps between checkpoints")
    parser.add_argument("--max-minutes", type=float, help="save and stop after this time")
    parser.add_argument("--evaluate", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--quick", action="store_true", help="ask the finished model less")
    parser.add_argument("--progress", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--install", action="store_true", help="ship the finished model with the package")
    options = vars(parser.parse_args(arguments))
    if options["bf16"] is None:
        options["bf16"] = fast_bf16()
    installs = options.pop("install")
    if installs and options["quick"]:
        parser.error("what is shipped is asked everything: leave out --quick, or --install")
    recipe = Recipe(**{entry.name: options.pop(entry.name) for entry in fields(Recipe)})
    return recipe, Run(**options), installs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 1 where the time was up or the settings are wrong."""
    count = processes_not_started()
    if count > 1:
        return start_processes(count, sys.argv[1:] if arguments is None else arguments)
    try:
        recipe, run, installs = parse(arguments)
        folder = pretrain(recipe, run)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if int(os.environ.get("RANK", "0")) != 0:
        return 0
    if folder is None:
        print("stopped and saved: give the same command again to go on", flush=True)
        return 1
    print(f"the model is in {folder}")
    if (folder / "scores.json").exists():
        scores = evaluation.Scores.from_json((folder / "scores.json").read_text(encoding="utf-8"))
        print(scores.table())
        if scores.missed:
            print(f"below what is needed: {', '.join(scores.missed)}")
    if installs:
        install(folder)
        print("installed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
