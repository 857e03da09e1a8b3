"""What is seen of a trace: table, tree, figure, comparison, and the Python side of the view.

Most traces here are written by hand; the last tests take real models.
"""

from __future__ import annotations

import dataclasses
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import pytest
import torch
from torch import nn

from bertviz_lite import load
from bertviz_lite.plots.display import MAX_BYTES, picture
from bertviz_lite.trace import Failure, Numbers, TraceError, trace
from bertviz_lite.trace.showing.change import change
from bertviz_lite.trace.showing.figure.drawing import side
from bertviz_lite.trace.showing.figure.path_figure import PathFigure
from bertviz_lite.trace.showing.labels import LEGEND, own_name
from bertviz_lite.trace.showing.walk.route import route
from bertviz_lite.trace.showing.walk.walks import walks_of
from bertviz_lite.views import TraceView, ViewError
from tests.trace.hand_traces import BSH, HEADS, Maker, bert, failed
from tests.views.test_views import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bertviz_lite.trace import Step, Trace


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def made() -> Trace:
    return bert()


def hostile() -> Trace:
    """Return a trace whose every name is an attack."""
    maker = Maker({HOSTILE: 3})
    given = maker.value(f"batch {HOSTILE}", label=HOSTILE)
    with maker.module("", HOSTILE, given) as out:
        with maker.module(HOSTILE, HOSTILE, given) as inner:
            first = maker.op(HOSTILE, [given], "batch 4")
            inner.append(maker.op(HOSTILE, [first], "batch 5"))
        out += inner
    return maker.trace([given], out, HOSTILE)


# ---- the table


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


def lines(text: str) -> list[str]:
    return text.split("\n")


def row(text: str, start: str) -> str:
    """Return the one line whose name is `start`."""
    (found,) = [line for line in lines(text) if re.match(rf"\s*{re.escape(start)}(  |$)", line)]
    return found


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


def test_the_mark_of_unsure_axes_is_explained_only_where_it_stands(made: Trace) -> None:
    assert "[batch=2, 2?]" in made.table()
    assert LEGEND in made.table()
    assert LEGEND in made._repr_html_()
    plain = bert(head=False)
    assert "?" not in plain.table()
    assert "?" not in plain._repr_html_()


# ---- the tree


class Reader(HTMLParser):
    """Collects tags, attributes and text; what is opened must be closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_tree_is_well_formed_and_made_of_what_an_untrusted_notebook_keeps(made: Trace) -> None:
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


def test_no_name_can_leave_the_text(tmp_path: Path) -> None:
    one = hostile()
    for html in (one._repr_html_(), one.diff(bert())._repr_html_(), one.follow(HOSTILE).fallback()):
        assert "<script" not in html
        assert "&lt;script&gt;" in html
    one.follow(HOSTILE).save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert page.count("</script>") == 4


def test_numbers_are_shown_where_they_were_asked_for() -> None:
    maker = Maker()
    value = maker.value("batch", label="x")
    made = maker.op("tanh", [value], "batch")
    maker.change(0, numbers=(Numbers(-0.5, 0.25, 1.0, 0.125),))
    html = maker.trace([value], [made])._repr_html_()
    assert "min −0.5, mean 0.25, max 1, std 0.125" in html


# ---- what changes, in words


def said(name: str, before: str, after: str, others: tuple[str, ...] = (), kind: str = "operation") -> str:
    maker = Maker()
    given, made = maker.value(before), maker.value(after)
    index = maker._begin(kind, "", name, [given, *map(maker.value, others)], 0)
    maker.change(index, outputs=(made,))
    return change(maker.steps[index], given, made)


@pytest.mark.parametrize(
    ("name", "before", "after", "sentence"),
    [
        (
            "view(2, 7, 4, 32)",
            BSH,
            "batch seq_len num_heads head_size",
            "hidden_size=128 is split into num_heads=4 × head_size=32.",
        ),
        (
            "reshape(2, 7, 128)",
            "batch seq_len num_heads head_size",
            BSH,
            "num_heads=4 × head_size=32 are joined into hidden_size=128.",
        ),
        (
            "transpose(1, 2)",
            "batch seq_len num_heads head_size",
            HEADS,
            "seq_len=7 and num_heads=4 change places.",
        ),
        (
            "permute(2, 0, 1)",
            "batch seq_len 5",
            "5 batch seq_len",
            "The axes change their order: 5, batch=2, seq_len=7.",
        ),
        (
            "matmul",
            HEADS,
            "batch num_heads seq_len seq_len",
            "head_size=32 is summed away, seq_len=7 takes its place.",
        ),
        (
            "linear",
            BSH,
            "batch seq_len intermediate_size",
            "hidden_size=128 is summed away, intermediate_size=512 takes its place.",
        ),
        (
            "embedding",
            "batch seq_len",
            BSH,
            "Each id is replaced by a row of the table: hidden_size=128 is new.",
        ),
        ("[:, 0]", BSH, "batch hidden_size", "seq_len=7 is gone: one place of it is kept."),
        ("mean(dim=1)", BSH, "batch hidden_size", "seq_len=7 is averaged away."),
        ("sum(1)", BSH, "batch hidden_size", "seq_len=7 is summed away."),
        ("squeeze(1)", "batch 1 seq_len", "batch seq_len", "An axis of size 1 is left out."),
        ("unsqueeze(1)", "batch seq_len", "batch 1 seq_len", "An axis of size 1 is put in."),
        ("[:, None, None, :]", "batch seq_len", "batch 1 1 seq_len", "2 axes of size 1 are put in."),
        ("expand(2, 7)", "1 seq_len", "batch seq_len", "The axis of size 1 is repeated: batch=2."),
        ("[:, :3]", "batch 7", "batch 3", "Of 7 only 3 are kept: 3."),
        ("softmax(dim=-1)", HEADS, HEADS, "The shape stays: along head_size=32 the numbers now add up to 1."),
        ("softmax(1)", HEADS, HEADS, "The shape stays: along num_heads=4 the numbers now add up to 1."),
        ("tanh", BSH, BSH, "The shape stays."),
        (
            "linear",
            BSH,
            BSH,
            "The shape stays: hidden_size=128 is summed away, a new axis as long takes its place.",
        ),
        ("cross_entropy", "5 vocab_size", "", "5 and vocab_size=2000 are gone."),
    ],
)
def test_what_a_step_does_is_said_in_one_sentence(name: str, before: str, after: str, sentence: str) -> None:
    assert said(name, before, after) == sentence


@pytest.mark.parametrize(
    ("other", "end"),
    [
        ("1 seq_len hidden_size", "[1, seq_len=7, hidden_size=128] is repeated along batch=2."),
        ("hidden_size", "[hidden_size=128] is repeated along batch=2 and seq_len=7."),
        ("", "one number meets every other."),
        (BSH, "two tensors of it are combined number by number."),
    ],
)
def test_a_sum_says_what_is_repeated(other: str, end: str) -> None:
    assert said("+", BSH, BSH, (other,)) == f"The shape stays: {end}"


# ---- the path, and the figure


def names(steps: list[Step]) -> list[str]:
    return [own_name(step, None) or step.name if step.kind == "module" else step.name for step in steps]


def test_summary_keeps_equal_layers_together(made: Trace) -> None:
    way = route(made, "input_ids")
    stops = names(way.stops(way.summary(8)))
    layers = [f"bert.encoder.layer.{layer}" for layer in range(4)]
    assert stops == ["bert.embeddings", *layers, "bert.pooler", "cls"]


def test_open_modules_have_their_operations_as_stops(made: Trace) -> None:
    way = route(made, "input_ids")
    stops = names(way.stops(()))
    assert stops[:2] == ["bert.embeddings.word_embeddings", "+"]
    assert stops.count("softmax(dim=-1)") == 4
    attention = next(step for step in way.steps if step.path == "bert.encoder.layer.1.attention.self")
    inside = way.stops((), attention)
    assert {step.path.rpartition(".")[0] for step in inside if step.kind == "module"} == {attention.path}
    assert len(inside) == 17


def test_a_hop_knows_what_comes_in_and_goes_out(made: Trace) -> None:
    way = route(made, "input_ids")
    for step in way.steps:
        hop = way.hops[step.index]
        if step.index and "position" not in step.name:
            assert hop.before in step.inputs
        assert hop.after in step.outputs


def test_figure_is_a_matplotlib_figure_with_alt_text(made: Trace) -> None:
    figure = made.figure()
    assert isinstance(figure, PathFigure)
    assert figure.alt == (
        "input_ids gains hidden_size (embeddings), then vocab_size (cls). Boxes from left to right: "
        "input_ids [batch=2, seq_len=7]; embeddings (BertEmbeddings) gives "
        "[batch=2, seq_len=7, hidden_size=128]; "
        "layer.0 … layer.3 (4 × BertLayer) gives [batch=2, seq_len=7, hidden_size=128]; pooler (BertPooler) "
        "gives [batch=2, hidden_size=128]; cls (BertPreTrainingHeads) from boxes 3 and 4 gives [batch=2, "
        "seq_len=7, vocab_size=2000]."
    )
    shown = picture(figure, figure.alt)
    assert len(shown.png) <= MAX_BYTES


def test_figure_goes_inside_a_module(made: Trace) -> None:
    figure = made.figure(inside="bert.encoder.layer.0.attention.self")
    assert "view(2, 7, -1, 32) gives [batch=2, seq_len=7, num_heads=4, head_size=32]" in figure.alt
    assert "matmul, *, +, softmax(dim=-1) from boxes 4 and 11 gives" in figure.alt
    assert len(picture(figure, figure.alt).png) <= MAX_BYTES


def test_a_box_says_which_module_it_goes_into(made: Trace) -> None:
    layer = made.figure(inside="bert.encoder.layer.0")
    assert "left to right: into layer.0 [batch=2, seq_len=7, hidden_size=128]; attention" in layer.alt
    assert "left to right: into pooler [" in made.figure(inside="bert.pooler").alt


def test_figure_follows_other_tensors(made: Trace) -> None:
    assert made.figure("attention_mask").alt.startswith("attention_mask ")
    assert made.figure("bert.pooler").alt.startswith("bert.pooler")


def test_figure_of_a_failure_says_why() -> None:
    figure = failed().figure()
    assert figure.alt.startswith("✗ seq_len is 130, the position table has 128 rows")
    assert figure.alt.endswith("+ fails.")
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "✗ failed\nhere" in texts


def fails_beside_the_path() -> Trace:
    """Return a trace that fails on a tensor that is not made from input_ids."""
    maker = Maker()
    ids = maker.value("batch seq_len", "int64", "input_ids")
    with maker.module("", "Model", ids), maker.module("embeddings", "Embeddings", ids):
        rows = maker.op("arange(5)", [], "5")
        maker.op("expand(2, 7)", [rows], None)
    made = maker.trace([ids], [])
    last = len(made.steps) - 1
    return dataclasses.replace(made, failure=Failure(last, "5 is not 7", None, "RuntimeError: 5 is not 7"))


def test_a_failure_beside_the_path_is_still_on_it() -> None:
    one = fails_beside_the_path()
    assert one.figure().alt.endswith("expand(2, 7) fails.")
    html = one.follow(step=3).fallback()
    assert "<figcaption>Step 3: embeddings: expand(2, 7). ✗ Failed here: 5 is not 7" in html
    assert '<th scope="row">embeddings: expand(2, 7)</th><td>[5]</td><td>–</td>' in html


def test_a_title_can_be_given(made: Trace) -> None:
    assert (
        made.figure(title="A word becomes a vector").axes[0].texts[0].get_text() == "A word becomes a vector"
    )


def test_nothing_in_the_figure_is_cut_off(made: Trace) -> None:
    for options in ({}, {"inside": "bert.encoder.layer.0.attention.self"}, {"value": "attention_mask"}):
        figure = made.figure(**options)
        figure.draw_without_rendering()
        for text in figure.axes[0].texts:
            box = text.get_window_extent()
            assert box.x0 >= 0
            assert box.y0 >= 0
            assert box.x1 <= figure.bbox.x1
            assert box.y1 <= figure.bbox.y1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"inside": "bert.nothing"},
            r"^inside='bert\.nothing': input_ids does not go through it; it goes through",
        ),
        ({"title": 3}, r"^title=3: a text is needed, or None\.$"),
        ({"most": 0}, r"^most=0: a whole number from 1 is needed"),
        ({"value": "nothing"}, "nothing"),
    ],
)
def test_a_figure_of_nothing_is_refused(made: Trace, options: dict[str, object], message: str) -> None:
    with pytest.raises(TraceError, match=message) as error:
        made.figure(**options)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_sides_grow_with_the_logarithm() -> None:
    assert side(1, 1024) == pytest.approx(0.12)
    assert side(32, 1024) == pytest.approx(0.56)
    assert side(1024, 1024) == pytest.approx(1.0)
    assert side(1, 1) == pytest.approx(0.12)


# ---- comparison


def test_equal_traces_are_called_identical(made: Trace) -> None:
    found = made.diff(bert())
    assert not found
    assert found.differences == ()
    assert str(found) == (
        "The two traces of BertForPreTraining are identical: 140 steps with the same shapes and dtypes."
    )


def test_other_sizes_are_said_once(made: Trace) -> None:
    found = made.diff(bert(sizes={"seq_len": 12}))
    assert found
    assert found.sizes == {"seq_len": (7, 12)}
    assert found.differences == ()
    assert 100 < found.explained < 140
    assert f"Sizes: seq_len 7 → 12. That alone changes the shapes of {found.explained} steps." in str(found)


def test_sizes_explain_products_and_differences_of_them() -> None:
    def flat(size: int, of: str) -> Trace:
        maker = Maker(
            {"seq_len": size, "batch*seq_len": 2 * size, "seq_len-1": size - 1, "3*seq_len": 3 * size}
        )
        value = maker.value("batch seq_len", label="x")
        made = [maker.op("view(-1)", [value], of), maker.op("odd", [value], str(size))]
        traced = maker.trace([value], made)
        return dataclasses.replace(traced, sizes={"batch": 2, "seq_len": size})

    for of in ("batch*seq_len", "seq_len-1", "3*seq_len"):
        found = flat(7, of).diff(flat(12, of))
        assert found.explained == 1
        # A bare number is explained by nothing.
        assert [one.what for one in found.differences] == [("[7]", "[12]")]


def test_more_layers_appear_in_one_line(made: Trace) -> None:
    found = made.diff(bert(layers=12))
    assert {one.kind for one in found.differences} == {"appears"}
    assert len(found.differences) == 8
    text = re.sub(r"\s+", " ", str(found))
    assert (
        "bert.encoder.layer.4 … layer.11: BertLayer with 29 steps inside, 8 alike: [batch=2, seq_len=7,"
        in text
    )
    back = re.sub(r"\s+", " ", str(bert(layers=12).diff(made)))
    assert "These vanish: bert.encoder.layer.4 … layer.11" in back


def test_another_head_vanishes_and_appears(made: Trace) -> None:
    found = made.diff(bert(head=False, root="BertForSequenceClassification"))
    text = re.sub(r"\s+", " ", str(found))
    assert "These vanish: cls: BertPreTrainingHeads with 4 steps inside" in text
    assert "These appear: classifier: Linear with 1 step inside: [batch=2, num_labels=2]" in text
    assert (
        repr(found)
        == "TraceDiff(BertForPreTraining, BertForSequenceClassification: 1 vanish, 1 appear, 1 change)"
    )


def changed(made: Trace, select: str, **changes: object) -> Trace:
    steps = [
        step._replace(**changes) if step.path.endswith(select) and step.kind == "module" else step
        for step in made.steps
    ]
    return dataclasses.replace(made, steps=tuple(steps))


def test_layers_that_change_alike_take_one_line(made: Trace) -> None:
    found = made.diff(changed(made, "attention.self", name="BertSdpaSelfAttention"))
    assert len(found.differences) == 4
    text = re.sub(r"\s+", " ", str(found))
    assert (
        "These change: bert.encoder.layer.0.attention.self … layer.3.attention.self: BertSelfAttention, "
        "4 alike: BertSelfAttention → BertSdpaSelfAttention" in text
    )


def test_a_shape_that_sizes_do_not_explain_is_listed(made: Trace) -> None:
    value = Maker().value("batch seq_len 64")
    found = made.diff(changed(made, "bert.pooler", outputs=(value,)))
    (one,) = found.differences
    assert one.kind == "changes"
    assert one.step.path == "bert.pooler"
    assert one.what == ("[batch=2, hidden_size=128]", "[batch=2, seq_len=7, 64]")


def test_comparison_tells_of_failures_inputs_and_parameters(made: Trace) -> None:
    text = str(made.diff(failed()))
    assert "✗ The second pass failed: seq_len is 130" in text
    assert "Of the inputs, attention_mask is missing." in text
    assert "Parameters: 1,200,000 → 1,000,000." in text


def test_comparison_as_html(made: Trace) -> None:
    found = Reader(made.diff(bert(layers=6))._repr_html_())
    assert found.open == []
    assert set(found.tags) <= {"div", "p", "table", "thead", "tbody", "tr", "th", "td"}
    assert "bert.encoder.layer.4 … layer.5" in found.text


def test_only_traces_are_compared(made: Trace) -> None:
    with pytest.raises(TraceError, match=r"^diff\(\) compares with another Trace, not str"):
        made.diff("other")  # type: ignore[arg-type]


# ---- the view


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


def test_what_the_view_cannot_show_is_refused_in_one_line(made: Trace) -> None:
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


# ---- real models


@pytest.fixture(scope="module")
def pocket() -> Trace:
    tokenizer, model = load()
    inputs = tokenizer(["The farmer finds the key.", "Ada sleeps."], return_tensors="pt", padding=True)
    return trace(model, **inputs)


def test_pocket_model_in_every_form(pocket: Trace) -> None:
    text = pocket.table()
    assert "[batch=2, num_heads=4, seq_len=8, seq_len=8]" in row(text, "softmax(dim=-1)")
    assert "3 more like layer.0" in re.sub(r"\s+", " ", text)
    figure = pocket.figure(inside="bert.encoder.layer.0.attention.self")
    assert "gains num_heads and head_size (view)" in figure.alt
    assert len(picture(figure, figure.alt).png) <= MAX_BYTES
    assert not pocket.diff(pocket)


def test_a_parameter_can_be_followed(pocket: Trace) -> None:
    name = "bert.pooler.dense.weight"
    way = route(pocket, name)
    first = way.hops[way.stops(())[0].index]
    assert first.before is not None
    assert first.before.label == name
    assert str(first.before) == "[hidden_size=128, hidden_size=128]"
    assert pocket.figure(name).alt.startswith("bert.pooler.dense.weight gains batch (dense).")
    assert pocket.follow(name).value == name


def test_every_figure_of_the_pocket_model_fits(pocket: Trace) -> None:
    for value in ("input_ids", "token_type_ids", "attention_mask"):
        figure = pocket.figure(value)
        assert len(picture(figure, figure.alt).png) <= MAX_BYTES


class Small(nn.Module):
    """Two convolutions and a classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Linear(8 * 7 * 7, 10)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.features(image).flatten(1))


def test_a_cnn_and_its_failure() -> None:
    good = trace(Small(), torch.zeros(4, 3, 16, 16))
    name = good.inputs[0].label
    assert "Conv2d, ReLU gives" in good.figure(name).alt
    assert good.follow(name).step == 0
    bad = trace(Small(), torch.zeros(4, 3, 20, 20))
    assert bad.failure is not None
    assert "✗ classifier: Linear" in bad.table() or "✗ linear" in bad.table()
    assert bad.figure(name).alt.startswith("✗ ")
    assert "failed here" in bad._repr_html_()
    assert "✗ The second pass failed" in str(good.diff(bad))
