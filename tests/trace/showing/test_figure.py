"""The path of one tensor: its stops, and the picture."""

from __future__ import annotations

import dataclasses

import pytest

from bertviz_lite import Trace, TraceError
from bertviz_lite.plots.display import MAX_BYTES, picture
from bertviz_lite.trace import Failure, Step
from bertviz_lite.trace.showing.figure.drawing import side
from bertviz_lite.trace.showing.figure.path_figure import PathFigure
from bertviz_lite.trace.showing.labels import own_name
from bertviz_lite.trace.showing.walk.route import route
from tests.trace.hand_traces import Maker, failed


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


def test_every_hop_has_the_tensor_before_and_after_it(made: Trace) -> None:
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


def test_a_failure_on_another_tensor_is_shown_at_the_end_of_the_path() -> None:
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
def test_a_figure_with_wrong_options_is_refused_in_one_line(
    made: Trace, options: dict[str, object], message: str
) -> None:
    with pytest.raises(TraceError, match=message) as error:
        made.figure(**options)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_sides_grow_with_the_logarithm() -> None:
    assert side(1, 1024) == pytest.approx(0.12)
    assert side(32, 1024) == pytest.approx(0.56)
    assert side(1024, 1024) == pytest.approx(1.0)
    assert side(1, 1) == pytest.approx(0.12)
