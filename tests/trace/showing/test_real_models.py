"""Real models in every form of showing."""

from __future__ import annotations

import re

import torch
from torch import nn

from bertviz_lite import Trace, trace
from bertviz_lite.plots.display import MAX_BYTES, picture
from bertviz_lite.trace.showing.walk.route import route
from tests.trace.showing.lines import row


def test_pocket_model_in_every_form(pocket: Trace) -> None:
    text = pocket.table()
    assert "[batch=2, num_heads=6, seq_len=8, seq_len=8]" in row(text, "softmax(dim=-1)")
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
    assert str(first.before) == "[hidden_size=192, hidden_size=192]"
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
