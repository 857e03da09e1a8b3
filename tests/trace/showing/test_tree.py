"""A trace as a tree that folds without a script."""

from __future__ import annotations

from pathlib import Path

from bertviz_lite import Trace
from bertviz_lite.trace import Numbers
from tests.trace.hand_traces import BSH, Maker, bert, failed
from tests.trace.showing.hostile import hostile
from tests.trace.showing.reader import Reader
from tests.views.test_views import HOSTILE


def test_tree_is_well_formed_and_has_only_tags_that_an_untrusted_notebook_keeps(made: Trace) -> None:
    found = Reader(made._repr_html_())
    assert found.open == []
    assert set(found.tags) <= {
        "div",
        "p",
        "b",
        "br",
        "strong",
        "small",
        "code",
        "ul",
        "li",
        "details",
        "summary",
    }
    assert found.attributes <= {"open", "style"}


def test_tree_holds_every_step_once(made: Trace) -> None:
    # A module that is one operation takes one line with it.
    alone = sum(step.kind == "module" and step.last == step.index + 1 for step in made.steps)
    assert made._repr_html_().count("modeling_bert.py:") == len(made.steps) - alone


def test_tree_opens_the_outer_modules_and_folds_equal_layers(made: Trace) -> None:
    html = made._repr_html_()
    assert "<details open><summary>BertForPreTraining" in html
    assert "<details open><summary><b>encoder</b> BertEncoder" in html
    assert "<details><summary><b>attention</b> BertAttention" in html
    assert "<details><summary><b>layer.1 … layer.3</b> 3 more like layer.0" in html


def test_tree_folds_the_operations_between_large_modules() -> None:
    maker = Maker()
    ids = maker.value("batch seq_len", "int64", "input_ids")
    with maker.module("", "Model", ids) as out:
        value = ids
        for _ in range(7):
            value = maker.op("[None]", [value], "batch 1 seq_len")
        with (
            maker.module("encoder", "Encoder", value) as encoded,
            maker.module("encoder.0", "Layer", value) as end,
        ):
            first = maker.op("linear", [value], BSH)
            end.append(maker.op("+", [first], BSH))
        encoded += end
        out += end
    html = maker.trace([ids], out)._repr_html_()
    assert "<details><summary>7 operations → <code>[batch=2, 1, seq_len=7]</code>" in html


def test_failure_is_first_and_its_place_is_open() -> None:
    html = failed()._repr_html_()
    message = "✗ seq_len is 130, the position table has 128 rows: encoder input, line 106."
    assert html.index(message) < html.index("<ul")
    assert "<details open><summary><b>embeddings</b> BertEmbeddings did not end" in html
    assert "<code>+</code> <strong>✗ failed here</strong>" in html


def test_hostile_names_are_escaped_in_every_form(tmp_path: Path) -> None:
    one = hostile()
    for html in (one._repr_html_(), one.diff(bert())._repr_html_(), one.follow(HOSTILE).fallback()):
        assert "<script" not in html
        assert "&lt;script&gt;" in html
    one.follow(HOSTILE).save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert page.count("</script>") == 4


def test_numbers_of_a_step_are_shown_in_the_tree() -> None:
    maker = Maker()
    value = maker.value("batch", label="x")
    made = maker.op("tanh", [value], "batch")
    maker.change(0, numbers=(Numbers(-0.5, 0.25, 1.0, 0.125),))
    html = maker.trace([value], [made])._repr_html_()
    assert "min −0.5, mean 0.25, max 1, std 0.125" in html
