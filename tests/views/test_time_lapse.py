"""The time-lapse, as far as Python reaches: what it reads, when abilities appear, what it saves."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from bertviz_lite import TimeLapse
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import ViewError
from bertviz_lite.views.time_lapse.ability import Ability
from bertviz_lite.views.time_lapse.reading import read_run
from bertviz_lite.views.time_lapse.step_axis import place, steps_of_ten
from tests.helpers.javascript import printed_by
from tests.views.test_views import HOSTILE, KEPT, Reader

if TYPE_CHECKING:
    from collections.abc import Callable

LAYERS, HEADS = 3, 2
STEPS = [0, 10, 40, 100, 1000]
TOKENS = [["[CLS]", "ada", "sees", "[SEP]", "she", "ran", "[SEP]"], ["[CLS]", "a", "cat", "[SEP]"]]
SCORES: dict[str, list[float | None]] = {
    "next_part": [0.5, 0.5, 0.52, 0.6, 0.9],
    "pronoun": [0.0, 0.0, None, 0.7, 0.9],
    "head.person": [0.1, 0.1, 0.4, 0.1, 0.5],
    "mine": [0.3, 0.31, 0.3, 0.32, 0.3],
    "head.subject": [None, None, None, None, 0.8],
}
HEADS_OF = {"person": [2, 1], "subject": [0, 1]}


def history_record() -> dict[str, Any]:
    """Return what history.json says of a small run."""
    moments = [
        {
            "step": step,
            "tokens": 320 * step,
            "scores": {name: values[index] for name, values in SCORES.items()},
            **({"heads": HEADS_OF} if step else {}),
        }
        for index, step in enumerate(STEPS)
    ]
    losses = [
        {"step": step, "learning_rate": 0.1, "mlm_loss": 7 - step / 200, "nsp_loss": 0.7 - step / 2000}
        for step in range(20, 1001, 20)
    ]
    texts = [["Ada sees.", "She ran."], ["A cat", ""]]
    return {"notes": ["A note."], "moments": moments, "losses": losses, "texts": texts, "tokens": TOKENS}


def codes(tokens: list[list[str]] = TOKENS) -> dict[str, np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    arrays: dict[str, np.ndarray[Any, Any]] = {
        f"text{number}": rng.integers(
            0, 256, (len(STEPS), LAYERS, HEADS, len(names), len(names)), dtype=np.uint8
        )
        for number, names in enumerate(tokens)
    }
    return {**arrays, "steps": np.array(STEPS)}


def write(folder: Path, history: dict[str, Any] | None = None, **arrays: Any) -> Path:  # noqa: ANN401
    """Write a small run's two files, or what is given in place of parts of them."""
    history = history_record() if history is None else history
    (folder / "history.json").write_text(json.dumps(history), encoding="utf-8")
    np.savez_compressed(
        folder / "history_attention.npz", **{**codes(history.get("tokens", TOKENS)), **arrays}
    )
    return folder


# ---- what is read


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    view = TimeLapse(write(tmp_path))
    assert {name: getattr(view, name) for name in view.state} == {
        "moment": 4, "text": 0, "layer": 2, "head": 1, "threshold": 0.5,
    }  # fmt: skip
    assert repr(view) == (
        "TimeLapse(5 moments of 1,000 steps, moment=4, text=0, layer=2, head=1, threshold=0.5)"
    )
    assert view.run.steps == STEPS
    assert view.run.moments[0]["heads"] == {}
    assert view.run.texts == ["Ada sees. She ran.", "A cat "]
    assert view._block("text/1") == codes()["text1"].tobytes()
    for name in ("text/2", "text/-1", "text/", "word/0", "text/x"):
        with pytest.raises(ViewError, match=r"there are text/0 to text/1\.$"):
            view._block(name)
    view = TimeLapse(tmp_path, moment=np.int64(1), text=1, layer=0, head=1, threshold=1)
    assert (view.moment, view.text, view.layer, view.head, view.threshold) == (1, 1, 0, 1, 1.0)


def test_the_run_of_the_pocket_model_is_the_default() -> None:
    view = TimeLapse()
    when = {one.name: one.first for one in view.run.abilities(0.5)}
    assert view.run.steps[0] == 0
    assert (view.run.num_layers, view.run.num_heads) == (4, 6)
    assert when["agreement"] is not None
    assert when["next_part"] is not None
    assert 0 < when["agreement"] < when["next_part"] < len(view.run.moments)
    for moment in (0, view.moment):
        view.moment = moment
        found = re.search(r"base64,([^\"]+)", view.fallback())
        assert found
        assert len(base64.b64decode(found[1])) <= MAX_BYTES


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("moment", 5, r"^moment=5: there are 5 moments, numbered 0 to 4\.$"),
        ("text", "0", r"^text='0': a whole number from 0 to 1 is needed\.$"),
        ("layer", -1, r"^layer=-1: there are 3 layers, numbered 0 to 2\.$"),
        ("head", 2, r"^head=2: there are 2 heads, numbered 0 to 1\.$"),
        ("threshold", 0, r"^threshold=0: a number above 0, at most 1, is needed\.$"),
    ],
)
def test_bad_values_are_refused_and_change_nothing(
    tmp_path: Path, name: str, value: object, message: str
) -> None:
    view = TimeLapse(write(tmp_path))
    before = repr(view)
    with pytest.raises(ViewError, match=message):
        setattr(view, name, value)
    assert repr(view) == before
    with pytest.raises(ViewError, match=message):
        TimeLapse(tmp_path, **{name: value})
    with pytest.raises(TypeError, match=r"^step=3: TimeLapse knows moment, text, layer, head, threshold\.$"):
        TimeLapse(tmp_path, step=3)


def changed(**entries: Any) -> dict[str, Any]:  # noqa: ANN401
    return {**history_record(), **entries}


def moments_with(**entries: Any) -> dict[str, Any]:  # noqa: ANN401
    history = history_record()
    history["moments"][2].update(entries)
    return history


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: folder / "none", r"none: there is no such folder; give the one that a training run"),
        (lambda folder: folder, r": no history\.json in it; give a folder that .*History\.write filled\.$"),
        (lambda folder: _without(write(folder)), r": no history_attention\.npz in it; give a folder"),
        (lambda folder: _broken(write(folder), "history.json"), r"this is no history \(JSONDecodeError: "),
        (
            lambda folder: write(folder, moments_with(step=5)),
            r"no history \(ValueError: step 5 after step 10",
        ),
        (lambda folder: write(folder, moments_with(scores=[])), r"this is no history \(AttributeError"),
        (lambda folder: write(folder, changed(losses=[{}])), r"this is no history \(KeyError: 'step'\)\.$"),
        (
            lambda folder: write(folder, changed(moments=[])),
            r": 0 moments, 2 texts and 2 rows of tokens; one",
        ),
        (
            lambda folder: write(folder, moments_with(heads={"person": [3, 0]})),
            r"head of 'person' is \[3, 0\]",
        ),
        (
            lambda folder: _broken(write(folder), "history_attention.npz"),
            r"this is no history's attention \(ValueError",
        ),
        (
            lambda folder: write(folder, text1=np.zeros((5, 3, 2, 4, 5), np.uint8)),
            r"text1 is uint8 \(5, 3, 2, 4, 5\), but uint8 \(5, layers, heads, 4, 4\) is needed",
        ),
        (
            lambda folder: write(folder, text1=codes()["text1"][:, :2]),
            r"text1 is uint8 \(5, 2, 2, 4, 4\), but",
        ),
        (
            lambda folder: write(folder, text0=codes()["text0"] / 255),
            r"text0 is float64 \(5, 3, 2, 7, 7\), but",
        ),
        (lambda folder: write(folder, text0=np.array([{}])), r"this is no history's attention \(ValueError"),
    ],
)
def test_a_folder_without_a_history_is_refused_in_one_line(
    tmp_path: Path, spoil: Callable[[Path], Path], message: str
) -> None:
    with pytest.raises(ViewError, match=message) as caught:
        TimeLapse(spoil(tmp_path))
    assert "\n" not in str(caught.value)


def _without(folder: Path) -> Path:
    (folder / "history_attention.npz").unlink()
    return folder


def _broken(folder: Path, name: str) -> Path:
    (folder / name).write_text("{no", encoding="utf-8")
    return folder


# ---- when an ability appears


def test_an_ability_appears_between_two_moments_that_were_measured(tmp_path: Path) -> None:
    run = read_run(write(tmp_path))
    found = {one.name: (one.start, one.level, one.first, one.below) for one in run.abilities(0.5)}
    assert found == {
        "head.person": (0.1, pytest.approx(0.3), 2, 1),  # the first time counts, though it is lost again
        "pronoun": (0.0, 0.45, 3, 1),  # moment 2 was not measured
        "next_part": (0.5, pytest.approx(0.7), 4, 3),
        "mine": (0.3, None, None, None),  # 0.02 is no rise
        "head.subject": (0.8, None, None, None),  # one number is no rise
    }
    assert [one.name for one in run.abilities(0.5)] == list(found)
    absences = [one.absence for one in run.abilities(0.5)]
    assert absences == ["", "", "", "no rise", "once, at the end"]
    assert Ability.of("x", [None, 0.9, None], 0.5).absence == "measured once"
    assert [one.name for one in run.abilities(0.1)][:3] == ["head.person", "next_part", "pronoun"]
    assert {one.first for one in run.abilities(1.0)} == {4, None}


def test_a_score_that_was_never_measured_has_no_first_moment() -> None:
    one = Ability.of("x", [None, None], 0.5)
    assert (one.title, one.start, one.best, one.first) == ("x", None, None, None)


def test_the_page_shows_the_same_abilities_as_python() -> None:
    """Scores and thresholds of every kind, through the view's own JavaScript."""
    rng = np.random.default_rng(1)
    cases = []
    for _ in range(60):
        values = [None if rng.random() < 0.2 else round(float(each), 4) for each in rng.random(7)]
        cases.append((values, round(float(rng.integers(1, 21)) / 20, 2)))
    cases += [([None, 0.9], 0.5), ([0.9, None], 0.5), ([None], 0.5), ([0.9, 0.9], 0.5)]
    runs = [[0, 27, 50, 94, 13_500], [0], [3, 9], [0, 1], [5]]
    script = (
        "import { load } from './load.mjs'; const view = await load('time_lapse');"
        f"const [cases, runs] = {json.dumps([cases, runs])};"
        "const abilities = cases.map(([values, share]) => view.abilityOf('x', values, share, 0.05));"
        "for (const one of abilities) one.absence = one.first === null ? view.absenceOf(one.values) : '';"
        "const places = runs.map((steps) => [0, 30, ...steps].map((step) => view.placeOf(step, steps)));"
        "console.log(JSON.stringify([abilities, places, runs.map(view.tickSteps)]));"
    )
    abilities, places, ticks = printed_by(script)
    keys = {"": "", "no rise": "no_rise", "measured once": "once", "once, at the end": "at_end"}
    for (values, share), found in zip(cases, abilities, strict=True):
        one = Ability.of("x", values, share)
        assert (found["start"], found["level"], found["first"], found["below"], found["absence"]) == (
            one.start, one.level, one.first, one.below, keys[one.absence],
        )  # fmt: skip
    for steps, found, marks in zip(runs, places, ticks, strict=True):
        assert found == pytest.approx([place(step, steps) for step in (0, 30, *steps)])
        assert marks == steps_of_ten(steps)


# ---- the script-free layer and the page


def test_the_picture_has_the_pages_order_columns_and_frame(tmp_path: Path) -> None:
    view = TimeLapse(write(tmp_path), moment=2)
    figure = view._static().figure
    assert isinstance(figure, Figure)
    small, large, run = figure.axes
    written = [text.get_text() for text in run.texts]
    assert {"now", "appears", "6.80", "0.68", "10 – 40"} <= set(written)
    names = [label.get_text() for label in run.get_yticklabels()]
    assert [name.split("\n")[0] for name in names[:2]] == ["loss: masked words", "loss: next sentence"]
    bold = [label.get_text() for label in run.get_yticklabels() if label.get_fontweight() == "bold"]
    assert bold == ["a head looks from\npronoun to person"]
    assert small.get_position().y0 > large.get_position().y1  # all heads above the one
    assert large.get_title(loc="left") == "Layer 2, head 1"
    assert [line.get_color() for line in small.lines] == ["#0550ae"]
    weights = (codes()["text0"][2, 2, 1] / 255) ** 2
    (row, column) = 2 * 8, 1 * 8
    image = np.asarray(small.images[0].get_array())
    assert image[row : row + 7, column : column + 7] == pytest.approx(weights, abs=1e-6)


def test_the_fallback_names_the_moment(tmp_path: Path) -> None:
    view = TimeLapse(write(tmp_path), moment=2)
    found = Reader(view.fallback())
    assert set(found.tags) <= KEPT
    assert {name for name, _ in found.attributes} <= {"alt", "width", "src", "scope"}
    alt = dict(found.attributes)["alt"]
    assert alt is not None
    assert alt.startswith(
        "Step 40 of 1,000, 12,800 tokens read. Losses: masked words 6.80, next sentence 0.68."
    )
    assert (
        "1 of 5 abilities have made 50 % of their way: a head looks from pronoun to person (10 – 40)." in alt
    )
    assert "Best at “a head looks from pronoun to person”: layer 2, head 1." in alt
    weights = (codes()["text0"][2, 2, 1] / 255) ** 2
    query, key = divmod(int(weights.argmax()), 7)
    assert f"layer 2, head 1: {TOKENS[0][query]} → {TOKENS[0][key]} {weights.max():.2f};" in alt
    assert "|the right pronoun|0.0000|0.0000|–|0.7000|0.9000|0.4500|100|" in found.text
    assert "|minimal pairs" not in found.text
    assert "|mine|0.3000|0.3100|0.3000|0.3200|0.3000|–|no rise|" in found.text
    assert "|–|–|–|–|0.8000|–|once, at the end|" in found.text
    assert "|10|3,200|–|–|layer 0, head 1|layer 2, head 1|" in found.text
    assert found.text.startswith("A note.|")  # the caption
    view.moment = 3  # the best head is not marked while its score is low again
    assert "Best at" not in view.fallback()
    view.moment, view.text = 0, 1
    assert "0 of 5 abilities have made 50 % of their way. Attention maps" in view.fallback()
    assert "Losses:" not in view.fallback()


def test_words_of_a_history_are_escaped_everywhere(tmp_path: Path) -> None:
    history = changed(
        notes=[HOSTILE],
        texts=[[HOSTILE, HOSTILE], ["a", "b"]],
        tokens=[[HOSTILE, *TOKENS[0][1:]], TOKENS[1]],
    )
    history["moments"][4]["scores"][HOSTILE] = 0.5
    view = TimeLapse(write(tmp_path, history))
    assert HOSTILE not in view.fallback()
    view.save(tmp_path / "page.html")
    assert HOSTILE not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_saved_page_holds_the_whole_run(tmp_path: Path) -> None:
    view = TimeLapse(write(tmp_path), moment=1)
    bundle, _ = view._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    for name in ("one.html", "two.html"):
        view.save(tmp_path / name)
    page = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "two.html").read_text(encoding="utf-8")
    assert re.findall(r'data-bvl-block="([^"]+)"', page) == ["text/0", "text/1"]
    state = json.loads(re.findall(r'data-bvl="state">(.*?)</script>', page, flags=re.DOTALL)[0])
    assert (state["moment"], state["layer"], state["_run"]["moments"][2]["scores"]["pronoun"]) == (1, 2, None)
    assert set(re.findall(r"https?://[^\s\"'\\]+", page)) <= {"http://www.w3.org/2000/svg"}
