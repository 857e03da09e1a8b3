"""A trace as a table of text."""

from __future__ import annotations

import dataclasses

import pytest

from bertviz_lite import Trace, TraceError
from bertviz_lite.trace.showing.labels import LEGEND
from tests.trace.hand_traces import BSH, Maker, bert, failed
from tests.trace.showing.hostile import hostile
from tests.trace.showing.lines import lines, row

SMALL_TABLE = """
BertModel: 1,000,000 parameters, 3 module calls, 2 operations; failed
in: input_ids [batch=2, seq_len=130] int64
sizes: batch=2, seq_len=130, hidden_size=128, num_heads=4, head_size=32, intermediate_size=512,
    vocab_size=2000, num_labels=2

module or operation             output                                   parameters or line
─────────────────────────────────────────────────────────────────────────────────────────────
BertModel                       did not end                              1,000,000 par.
  embeddings: BertEmbeddings    did not end                              264,960 par.
    word_embeddings: Embedding  [batch=2, seq_len=130, hidden_size=128]  256,000 par.
    ✗ +                         failed here                              modeling_bert.py:105

✗ seq_len is 130, the position table has 128 rows: encoder input, line 106.
""".strip()


def test_table_of_a_failed_pass_word_for_word() -> None:
    assert failed().table() == SMALL_TABLE


def test_table_indents_by_depth_and_names_every_axis(made: Trace) -> None:
    text = made.table()
    assert row(text, "self: BertSelfAttention").startswith("          self")
    assert "[batch=2, num_heads=4, seq_len=7, seq_len=7]" in row(text, "softmax(dim=-1)")
    assert row(text, "word_embeddings: Embedding").endswith("256,000 par.")
    assert row(text, "softmax(dim=-1)").endswith("modeling_bert.py:130")


def test_table_is_never_wider_than_a_page(made: Trace) -> None:
    sizes = {"hidden_size": 1024, "num_heads": 16, "vocab_size": 250_002, "seq_len": 4096, "batch": 1024}
    for one in (made, bert(sizes=sizes), failed(), hostile()):
        for depth in (None, 0, 1, 3):
            assert max(map(len, lines(one.table(depth)))) <= 110


def test_long_shapes_go_on_in_the_next_line() -> None:
    maker = Maker({"a_very_long_axis_name_number_one": 123456, "another_very_long_axis_name": 7})
    value = maker.value("a_very_long_axis_name_number_one another_very_long_axis_name batch seq_len")
    with maker.module("", "Model", value) as out:
        out.append(value)
    text = maker.trace([value], [value]).table()
    assert max(map(len, lines(text))) <= 110
    assert "another_very_long_axis_name=7" in text
    assert "seq_len=7]" in text


def test_a_long_file_name_is_cut_and_not_the_number_of_the_line() -> None:
    file = "/site/modeling_distilbert.py"
    steps = [
        step if step.source is None else step._replace(source=step.source._replace(path=file))
        for step in bert().steps
    ]
    text = dataclasses.replace(bert(), steps=tuple(steps)).table()
    assert row(text, "softmax(dim=-1)").endswith("  modeling_distil…:130")
    assert max(map(len, lines(text))) <= 110


def test_equal_layers_take_one_line_and_it_says_so(made: Trace) -> None:
    text = made.table()
    sentence = "3 more like layer.0: same modules, operations, shapes and source lines"
    assert row(text, "layer.1 … layer.3").endswith(sentence)
    assert text.count("softmax(dim=-1)") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"name": "OtherLayer"},
        {"parameters": 1},
        {"source": None},
    ],
)
def test_layers_that_differ_are_not_folded(made: Trace, change: dict[str, object]) -> None:
    steps = list(made.steps)
    index = next(step.index for step in steps if step.path == "bert.encoder.layer.2.attention.self")
    steps[index] = steps[index]._replace(**change)
    text = dataclasses.replace(made, steps=tuple(steps)).table()
    assert "like layer.0" in row(text, "layer.1")
    assert "layer.2: BertLayer" in text
    assert "layer.3: BertLayer" in text


def test_layers_wired_in_another_way_are_not_folded() -> None:
    def two_layers(other: bool) -> str:
        maker = Maker()
        start = maker.value(BSH)
        with maker.module("", "Model", start) as out:
            value = start
            for layer in range(2):
                with maker.module(f"layer.{layer}", "Layer", value) as end:
                    first = maker.op("linear", [value], BSH)
                    again = [first, first] if other and layer else [first, value]
                    value = maker.op("+", again, BSH)
                    end.append(value)
            out.append(value)
        return maker.trace([start], out).table()

    assert "like layer.0" in two_layers(other=False)
    assert "like layer.0" not in two_layers(other=True)


def test_one_module_called_again_is_not_called_another_layer() -> None:
    maker = Maker()
    value = maker.value(BSH)
    with maker.module("", "Model", value) as out:
        for _ in range(3):
            maker.line = 200
            value = maker.leaf("layers.0", "Linear", "linear", value, BSH, 16_512)
        out.append(value)
    text = maker.trace([value], out).table()
    assert row(text, "layers.0").endswith("called 2 times more, with the same weights and shapes")


def test_depth_and_operations_can_be_left_out(made: Trace) -> None:
    outer = made.table(1)
    assert "bert: BertModel" in outer
    assert "embeddings" not in outer
    modules = made.table(operations=False)
    assert "query: Linear" in modules
    assert "softmax" not in modules


@pytest.mark.parametrize("depth", [-1, 1.5, "2", True])
def test_a_depth_without_meaning_is_refused(made: Trace, depth: object) -> None:
    with pytest.raises(
        TraceError, match=r"^depth=.*: a whole number from 0 is needed, or None for all of it\.$"
    ):
        made.table(depth)  # type: ignore[arg-type]


def test_the_mark_of_unsure_axes_is_explained_only_where_it_occurs(made: Trace) -> None:
    assert "[batch=2, 2?]" in made.table()
    assert LEGEND in made.table()
    assert LEGEND in made._repr_html_()
    plain = bert(head=False)
    assert "?" not in plain.table()
    assert "?" not in plain._repr_html_()
