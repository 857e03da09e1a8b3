"""Where and how a recipe is run: its folder, its time, its stages, what is scored."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

from bertviz_lite.basics.files import write_text
from bertviz_lite.data.pretraining.by_hand import SHARE, ByHand
from bertviz_lite.data.pretraining.forbidden import Forbidden
from bertviz_lite.data.pretraining.shards import town_fingerprint
from bertviz_lite.evaluation.scores.own_words import forbidden_sentences
from bertviz_lite.training.pretraining.checkpoints import last_checkpoint
from bertviz_lite.training.pretraining.recipe import Recipe

STAGES_FILE = "stages.json"
MAY_CHANGE = ("steps", "stories", "single", "short_pair", "short_single", "other", "swapped", "renamed")
"""The settings that may change when a new stage of a run begins: its length, and the mix of its inputs."""
_HASHED = {"forbidden_sentences", "texts_by_hand", "start", "teachers"}


@dataclass(frozen=True)
class Run:
    """Where and how a recipe is run.

    None of it changes the weights but ``threads`` and ``compiled`` (in the last bits) and ``exam``.

    Attributes
    ----------
    output
        Folder for everything: stories, checkpoints, history and, at the end, the model.
    resume
        Go on from the last checkpoint, if there is one; False removes an earlier run's checkpoints.
    new_stage
        Go on from the last checkpoint though the town's text, or a setting of MAY_CHANGE, is not what the run
        began with; what it was is kept, for the card: see :class:`Stage`.
    threads
        Threads per process; None for all cores, shared among the processes.
    compiled
        Let torch compile the encoder: a tenth faster on two cores, after two minutes, with a C++ compiler.
    save_every
        Steps between checkpoints.
    max_minutes
        Save and stop after this time; None for no limit.
    evaluate
        Score the model at the moments of the history and at the end.
    quick
        Score the finished model on no more than at the moments of the history.
    progress
        Show progress bars.
    exam
        Folder of an exam in people's own words; where it is given, stories that hold one of its sentences are
        left out, the finished model is scored on its unread half, and the card shows both exams.
    name
        The model's name: that of its folder, on its card, and for ``load``.
    by_hand
        Folder of texts written by hand, that a share of the stories gives its place to; None for the town's
        alone.
    by_hand_share
        That share.
    start
        Folder of a finished model, with whose vocabulary and weights the run begins; None for random weights.
    teachers
        Folders of finished models with the same vocabulary, whose probabilities count beside the labels: see
        ``training.pretraining.teachers``.
    """

    output: Path
    resume: bool = True
    new_stage: bool = False
    threads: int | None = None
    compiled: bool = False
    save_every: int = 500
    max_minutes: float | None = None
    evaluate: bool = True
    quick: bool = False
    progress: bool = True
    exam: Path | None = None
    name: str = "pocket"
    by_hand: Path | None = None
    by_hand_share: float = SHARE
    start: Path | None = None
    teachers: tuple[Path, ...] = ()

    @cached_property
    def forbidden(self) -> Forbidden:
        """What no training story may hold: the sentences of the exam, where there is one."""
        return Forbidden() if self.exam is None else forbidden_sentences(self.exam)

    @cached_property
    def texts_by_hand(self) -> ByHand:
        """The texts by hand, where there are any."""
        return ByHand.read(self.by_hand, self.by_hand_share)

    @cached_property
    def start_digest(self) -> str | None:
        """A hash of the weights that the run begins with; None for random ones.

        Raises
        ------
        ValueError
            Where the folder holds no model.
        """
        return None if self.start is None else _digest("--start", self.start)

    @cached_property
    def teachers_digest(self) -> str | None:
        """A hash of the weights of each teacher; None without teachers.

        Raises
        ------
        ValueError
            Where a folder holds no model.
        """
        return " ".join(_digest("--teacher", folder) for folder in self.teachers) or None


def _digest(option: str, folder: Path) -> str:
    try:
        return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise ValueError(f"{option} {folder}: the weights cannot be read ({error})") from None


@dataclass(frozen=True)
class Stage:
    """A part of a run that is over, after which settings or the text were changed.

    Attributes
    ----------
    until
        The step at which it ended.
    settings
        Of the settings that may change, what they were.
    town
        Fingerprint of the town whose text it read.
    """

    until: int
    settings: dict[str, float]
    town: str


def stages_of(output: Path) -> list[Stage]:
    """Return the stages of a run that are over, the first one first; none for a run with one recipe."""
    path = output / STAGES_FILE
    return [Stage(**each) for each in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []


def begin_stage(recipe: Recipe, processes: int, run: Run) -> None:
    """End the stage before, where its length, its pairs or the town's text have changed since.

    Where the text is another one, the stories are written anew.

    Raises
    ------
    ValueError
        Where there is nothing to go on with, or another setting has changed too.
    """
    output = run.output
    note, corpus = output / "recipe.json", output / "stories" / "corpus.json"
    checkpoint = last_checkpoint(output / "checkpoints")
    if checkpoint is None or not note.exists() or not corpus.exists():
        raise ValueError(f"--new-stage: {output} holds no run to go on with")
    old = json.loads(note.read_text(encoding="utf-8"))
    town, now = json.loads(corpus.read_text(encoding="utf-8"))["town"], town_fingerprint(recipe.town)
    before = {name: old[name] for name in MAY_CHANGE}
    after = {name: getattr(recipe, name) for name in MAY_CHANGE}
    if (before, town) == (after, now):
        return
    _keep(replace(recipe, **before), processes, run)
    if town != now:
        remove(output / "stories")
    ended = Stage(int(checkpoint.name.rpartition("-")[2]), before, town)
    every = [asdict(stage) for stage in (*stages_of(output), ended)]
    write_text(output / STAGES_FILE, json.dumps(every, indent=1) + "\n")
    write_text(note, json.dumps(old | after, indent=1) + "\n")


def open_output(recipe: Recipe, processes: int, run: Run) -> None:
    """Make the output folder, clear it of an earlier run if so wished, and note the recipe."""
    run.output.mkdir(parents=True, exist_ok=True)
    if not run.resume:
        for name in ("checkpoints", "history", "recipe.json", STAGES_FILE):
            remove(run.output / name)
    elif run.new_stage:
        begin_stage(recipe, processes, run)
    _keep(recipe, processes, run)


def _keep(recipe: Recipe, processes: int, run: Run) -> None:
    keep_recipe(
        recipe, processes, run.output, run.forbidden, run.texts_by_hand, run.start_digest, run.teachers_digest
    )


def keep_recipe(
    recipe: Recipe,
    processes: int,
    output: Path,
    forbidden: Forbidden | None = None,
    by_hand: ByHand | None = None,
    start: str | None = None,
    teachers: str | None = None,
) -> None:
    """Write the recipe into the output folder; where there is another one already, say what differs.

    Where sentences are forbidden, or texts are by hand, it has a hash of them, and ``start`` and
    ``teachers``, those of the weights that the run begins with and of its teachers'.

    Raises
    ------
    ValueError
        Where the folder holds a run of another recipe.
    """
    path = output / "recipe.json"
    settings = {**asdict(recipe), "processes": processes}
    if forbidden:
        settings["forbidden_sentences"] = forbidden.digest
    if by_hand:
        settings["texts_by_hand"] = by_hand.digest
    if start is not None:
        settings["start"] = start
    if teachers is not None:
        settings["teachers"] = teachers
    if path.exists():
        # What a recipe had no name for when that run began was as today's default.
        old = asdict(Recipe()) | json.loads(path.read_text(encoding="utf-8"))
        changed = [
            f"{name} {old.get(name)} -> {settings.get(name)}"
            for name in [*settings, *(old.keys() & _HASHED - settings.keys())]
            if old.get(name) != settings.get(name)
        ]
        if changed:
            raise ValueError(
                f"{output} holds a run with other settings ({', '.join(changed)}): give another --output"
            )
    write_text(path, json.dumps(settings, indent=1) + "\n")


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
