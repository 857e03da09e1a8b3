"""Hundreds of calls that cannot work: each is refused in one clear line, and leaves everything as it was."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from ipywidgets.widgets.widget import _instances as living_widgets
from matplotlib.figure import Figure

import bertviz_lite
from bertviz_lite import minimal_pairs
from bertviz_lite.basics.one_line_error import OneLineError
from tests.public import things

LONGEST = 300


def read_calls() -> dict[str, list[tuple[str, str]]]:
    """Read `bad_calls.txt`: by public name, the calls and how each is refused."""
    calls: dict[str, list[tuple[str, str]]] = {}
    name = call = ""
    for line in (Path(__file__).parent / "bad_calls.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            calls[name].append((call, line.strip()))
        elif line.startswith("  "):
            call = line.strip()
        elif line and not line.startswith("#"):
            calls[name := line] = []
    return calls


BAD_CALLS = read_calls()
# Nothing is called by them: they are raised, or only read. The last test asks what is read.
RAISED = {"ArgumentError", "CaptureError", "ModelError", "TraceError", "ViewError"}
READ = {
    "MinimalPair": lambda: minimal_pairs(1, 1)[0],
    "Sentence": lambda: things.STORY.sentences[0],
    "Story": lambda: things.STORY,
    "Word": lambda: things.STORY.words[0],
}
ANSWERED = {"Exercise"}


def put(name: str, **values: object) -> None:
    """Set a trait of a view."""
    for trait, value in values.items():
        setattr(things.view(name), trait, value)


def everything() -> dict[str, Any]:
    """Return all that a call could change: model, random numbers, view, figures, files."""
    model = things.MODEL
    return {
        "modes": [module.training for module in model.modules()],
        "attention": model.config._attn_implementation,
        "gradients": torch.is_grad_enabled(),
        "random": (random.getstate(), torch.get_rng_state().tolist(), repr(np.random.get_state())),  # noqa: NPY002 - the old one is everybody's
        "threads": torch.get_num_threads(),
        "figures": plt.get_fignums(),
        "files": sorted(Path.cwd().iterdir()),
        "widgets": len(living_widgets),
    }


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", BAD_CALLS)
@pytest.mark.usefixtures("empty_folder")
def test_a_bad_call_is_refused_in_one_line_and_changes_nothing(name: str) -> None:
    names = {**vars(bertviz_lite), **vars(things), "put": put, "replace": replace, "Figure": Figure}
    names |= {public: getattr(bertviz_lite, public) for public in bertviz_lite.__all__}
    view = things.view(name) if name in things.VIEWS else None
    things.seen(), things.plain(), things.parts(), things.shapes()
    for call, begins in BAD_CALLS[name]:
        before = everything()
        shown = view and view.get_state()
        with pytest.raises(OneLineError) as caught:
            eval(call, dict(names))
        line = str(caught.value)
        assert line.startswith(begins), call
        assert "\n" not in line
        assert len(line) <= LONGEST, call
        (rendered,) = caught.value._render_traceback_()
        shown_name = rendered.removesuffix(f": {line}")
        assert shown_name in RAISED, call
        assert isinstance(caught.value, getattr(bertviz_lite, shown_name))
        del caught
        assert everything() == before, call
        assert (view and view.get_state()) == shown, call


def test_every_public_name_has_bad_calls_and_there_are_hundreds() -> None:
    public = set(bertviz_lite.__all__) - {"__version__"}
    assert public - RAISED - set(READ) - ANSWERED == set(BAD_CALLS)
    assert sum(map(len, BAD_CALLS.values())) >= 300
    assert min(map(len, BAD_CALLS.values())) >= 3


@pytest.mark.parametrize("name", READ)
def test_what_the_town_tells_cannot_be_changed(name: str) -> None:
    told: Any = READ[name]()
    field = next(iter(told.__dataclass_fields__))
    before = repr(told)
    with pytest.raises(FrozenInstanceError, match=f"^cannot assign to field '{field}'$"):
        setattr(told, field, None)
    assert repr(told) == before


@pytest.mark.parametrize(
    "answer", [3, "x", b"x", [], object(), lambda: 1, lambda *_: 1 / 0, int, float("nan"), {1: 2}]
)
def test_an_exercise_answers_anything_in_a_few_words_and_raises_nothing(
    answer: Any,  # noqa: ANN401
    capsys: pytest.CaptureFixture[str],
) -> None:
    from bertviz_lite.chapters.chapter_03.exercises import softmax_row

    assert not softmax_row.check(answer)
    said = capsys.readouterr().out
    assert said.startswith(("softmax_row: not yet", "softmax_row: not answered yet"))
    assert said.count("\n") <= 3  # the sentence; of an error also the line and the input
    assert "Traceback" not in said
