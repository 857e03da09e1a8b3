"""The Python side of the trace view."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bertviz_lite import Trace, TraceError, load, trace
from bertviz_lite.trace.showing.walk.walks import walks_of
from bertviz_lite.views import TraceView, ViewError
from tests.trace.hand_traces import failed


def test_view_starts_at_the_tensor_with_inner_modules_closed(made: Trace) -> None:
    view = made.follow("input_ids")
    assert isinstance(view, TraceView)
    assert (view.value, view.step) == ("input_ids", 0)
    assert "bert.encoder.layer.0" in view.collapsed
    assert "bert.encoder" not in view.collapsed
    assert repr(view) == (
        "TraceView(BertForPreTraining, 140 steps, value='input_ids', step=0, "
        f"{len(view.collapsed)} modules collapsed)"
    )


def test_an_input_that_no_step_reads_is_a_path_without_steps() -> None:
    tokenizer, model = load()
    inputs = tokenizer("Anna lost her key.", return_tensors="pt")
    view = trace(model, inputs).follow("input_ids.input_ids")
    assert "input_ids.attention_mask" in repr(view._trace["paths"].keys())
    view.value = "input_ids.attention_mask"
    assert view.step == 0


def test_state_can_be_set_from_python(made: Trace) -> None:
    view = made.follow(step=5, collapsed=("cls", "bert"))
    assert (view.step, view.collapsed) == (5, ["bert", "cls"])
    view.value = "attention_mask"
    assert view.step == 0
    view.collapsed = []
    assert view.collapsed == []


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("value", "nothing", r"^value='nothing': one of 'input_ids', 'attention_mask' is needed\.$"),
        ("step", -1, r"^step=-1: there are \d+ steps on the path and its start, numbered 0 to \d+\.$"),
        ("step", "a", r"^step='a': a whole number from 0 to \d+ is needed\.$"),
        ("collapsed", "bert", r"^collapsed='bert': a list of module paths is needed"),
        ("collapsed", ["bart"], r"^collapsed: 'bart' is no module with steps in it; there are 'bert', "),
    ],
)
def test_bad_state_is_refused_in_one_line(made: Trace, name: str, value: object, message: str) -> None:
    view = made.follow(step=3)
    with pytest.raises(ViewError, match=message):
        setattr(view, name, value)
    assert (view.value, view.step) == ("input_ids", 3)


def test_a_view_of_something_else_is_refused_in_one_line(made: Trace) -> None:
    with pytest.raises(TypeError, match=r"^TraceView\(\) shows the walks of a trace, not str: call trace\("):
        TraceView("trace")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^depth=3: TraceView knows value, step, collapsed\.$"):
        TraceView(walks_of(made, "input_ids", made._drawn), depth=3)
    with pytest.raises(TraceError, match=r"^'nothing': no input, parameter or module of that name"):
        made.follow("nothing")
    with pytest.raises(ViewError, match=r"^step=-1: "):
        made.follow(step=-1)
    with pytest.raises(ViewError, match=r"^collapsed: 'bart' is no module"):
        made.follow(collapsed=["bart"])


def test_fallback_has_the_figure_the_step_and_a_table(made: Trace) -> None:
    view = made.follow(step=3)
    html = view.fallback()
    assert 'alt="input_ids gains hidden_size' in html
    assert "<figcaption>Step 3: bert.embeddings: BertEmbeddings. hidden_size=128 is new." in html
    assert "<summary>The 7 steps of input_ids</summary>" in html
    view.collapsed = []
    assert re.search(r"<summary>The first 80 of \d+ steps of input_ids</summary>", view.fallback())


def test_failure_is_in_the_fallback() -> None:
    view = failed().follow(step=5)
    assert "✗ Failed here: seq_len is 130" in view.fallback()


def test_saved_page_holds_paths_and_no_folder_of_this_machine(made: Trace, tmp_path: Path) -> None:
    made.follow("input_ids").save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "/lib/" not in page
    found = re.search(r'data-bvl="state">(.*?)</script>', page, re.DOTALL)
    assert found
    state = json.loads(found[1])
    assert set(state["_trace"]["paths"]) == {"input_ids", "attention_mask"}
    assert state["collapsed"] == made.follow("input_ids").collapsed
