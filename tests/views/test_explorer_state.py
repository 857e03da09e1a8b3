"""The explorer's state: what it is given, what it may be set to, two sides."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import traitlets

from bertviz_lite import Explorer
from bertviz_lite.capture import Capture, CaptureError
from bertviz_lite.views import ViewError

if TYPE_CHECKING:
    pass
from tests.helpers.explorers import TOKENS, alt_of, crossed, plain, random_layers, state_of


def test_arrays_with_tokens_and_a_capture_of_them_are_the_same() -> None:
    layers = random_layers()
    view = Explorer([layer[None] for layer in layers], TOKENS)
    assert repr(view) == "Explorer(10 tokens, 3 layers of 2 heads, layer=0, head=0)"
    other = Explorer(Capture.from_arrays(layers, TOKENS))
    assert view._meta == other._meta
    assert view._block("0/self/layer/1") == other._block("0/self/layer/1")


def test_what_cannot_be_shown_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"^Explorer\(\) shows what capture\(\) returns, or arrays with their"
    ):
        Explorer(random_layers())
    with pytest.raises(TypeError, match=r"^tokens: the capture has its own"):
        Explorer(plain(), TOKENS)
    with pytest.raises(TypeError, match=r"^layers=2: Explorer knows kind, side, layer, head, heads"):
        Explorer(plain(), layers=2)
    with pytest.raises(TypeError, match=r"^other is what capture\(\) returns, not a list\.$"):
        Explorer(plain(), other=[1])  # type: ignore[arg-type]
    with pytest.raises(CaptureError, match="8 tokens"):
        Explorer(random_layers(), TOKENS[:8])
    with pytest.raises(
        ViewError, match=r"^other has attention of kind encoder, decoder, cross, the first has"
    ):
        Explorer(plain(), other=crossed())


def test_a_view_that_is_refused_leaves_nothing_behind() -> None:
    import ipywidgets

    ipywidgets.Widget.close_all()
    with pytest.raises(ViewError):
        Explorer(plain(), layer=7)
    left = ipywidgets.widgets.widget._instances.values()
    assert not [widget for widget in left if isinstance(widget, Explorer)]


DEFAULTS: dict[str, Any] = {
    "kind": "self",
    "side": "first",
    "layer": 0,
    "head": 0,
    "heads": [],
    "aggregate": "none",
    "query": None,
    "key": None,
    "direction": "all",
    "hide_special": False,
    "renormalise": False,
    "threshold": 0.0,
    "mass": 1.0,
    "words": False,
    "edits": {},
    "heads_off": [],
}


def test_state_starts_plain_and_can_be_given() -> None:
    assert state_of(Explorer(plain())) == DEFAULTS
    given = {
        "layer": np.int64(2),
        "heads": (1, 0, 1),
        "query": 3,
        "direction": "A→B",
        "hide_special": np.True_,
        "threshold": np.float32(0.25),
        "mass": 1,
        "words": True,
    }
    view = Explorer(plain(), **given)
    assert state_of(view) == DEFAULTS | given | {"heads": [0, 1], "mass": 1.0}
    json.dumps(state_of(view))
    assert repr(view) == (
        "Explorer(10 tokens, 3 layers of 2 heads, layer=2, head=0, heads=[0, 1], query=3, direction='A→B', "
        "hide_special=True, threshold=0.25, words=True)"
    )


def test_views_do_not_share_their_lists() -> None:
    one, two = Explorer(plain()), Explorer(plain())
    assert one.heads is not two.heads
    assert one.edits is not two.edits


BAD = [
    ("layer", 3, r"^layer=3: there are 3 layers, numbered 0 to 2\.$"),
    ("head", -1, r"^head=-1: there are 2 heads, numbered 0 to 1\.$"),
    ("head", True, r"^head=True: a whole number from 0 to 1 is needed\.$"),
    ("heads", [0, 2], r"^heads: head 2: there are 2 heads, numbered 0 to 1\.$"),
    ("heads", "01", r"^heads='01': a list of head numbers is needed"),
    ("heads", [0.5], r"^heads: head 0\.5: a whole number from 0 to 1 is needed\.$"),
    ("query", 10, r"^query=10: there are 10 query tokens, numbered 0 to 9\.$"),
    ("key", 1.5, r"^key=1\.5: a whole number from 0 to 9 is needed, or None\.$"),
    ("kind", "cross", r"^kind='cross': one of 'self' is needed\.$"),
    ("aggregate", "mean", r"^aggregate='mean': one of 'none', 'mean heads', 'max heads', 'mean all', "),
    ("aggregate", ["none"], r"^aggregate=\['none'\]: one of"),
    ("direction", "A->B", r"^direction='A->B': one of 'all', 'A→A', 'A→B', 'B→A', 'B→B' is needed\.$"),
    ("side", "both", r"^side='both': one of 'first' is needed\.$"),
    ("hide_special", 1, r"^hide_special=1: True or False is needed\.$"),
    ("threshold", 1.5, r"^threshold=1\.5: a number from 0 to 1 is needed\.$"),
    ("threshold", float("nan"), r"^threshold=nan: a number from 0 to 1 is needed\.$"),
    ("threshold", "0", r"^threshold='0': a number from 0 to 1 is needed\.$"),
    ("mass", 0, r"^mass=0: a number above 0, at most 1, is needed\.$"),
    ("mass", None, r"^mass=None: a number above 0, at most 1, is needed\.$"),
    ("edits", {10: "a"}, r"^edits: token 10: there are 10 tokens, numbered 0 to 9\.$"),
    ("edits", {"x": "a"}, r"^edits: token 'x': a whole number from 0 to 9 is needed\.$"),
    ("edits", {1: ""}, r"^edits=\{1: ''\}: a vocabulary token is needed, such as '\[MASK\]'\.$"),
    ("edits", ["a"], r"^edits=\['a'\]: positions and their new tokens are needed"),
    ("edits", {1: "a"}, r"^edits=\{'1': 'a'\}: there is no model behind arrays; capture\("),
    ("heads_off", [3], r"^heads_off=\[3\]: a list of \(layer, head\) is needed, such as"),
    ("heads_off", [(0, 2)], r"^heads_off: head 2: there are 2 heads, numbered 0 to 1\.$"),
    ("heads_off", [(3, 0)], r"^heads_off: layer 3: there are 3 layers, numbered 0 to 2\.$"),
    ("heads_off", [(0, 0)], r"^heads_off=\[\[0, 0\]\]: there is no model behind arrays"),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD, ids=lambda value: str(value)[:20])
def test_bad_values_are_refused_in_one_line_and_change_nothing(
    name: str, value: object, message: str
) -> None:
    view = Explorer(plain(), layer=1, query=2, heads=[1])
    before = state_of(view)
    with pytest.raises(ViewError, match=message) as caught:
        setattr(view, name, value)
    assert "\n" not in str(caught.value)
    assert state_of(view) == before
    with pytest.raises(ViewError, match=message):
        Explorer(plain(), **{name: value})


def test_what_has_no_meaning_for_these_tokens_is_refused() -> None:
    view = Explorer(random_layers(), TOKENS)
    with pytest.raises(
        ViewError, match=r"^direction='A→B': there is no token of segment B among the key tokens"
    ):
        view.direction = "A→B"
    view = Explorer(crossed(), kind="cross")
    with pytest.raises(
        ViewError, match=r"^aggregate='rollout': queries and keys of 'cross' are not the same"
    ):
        view.aggregate = "rollout"
    assert (view.direction, view.aggregate) == ("all", "none")


def test_another_kind_moves_what_it_does_not_have() -> None:
    view = Explorer(crossed(), layer=2, query=5, key=5, aggregate="rollout")
    assert view._kinds == ("encoder", "decoder", "cross")
    view.kind = "cross"
    assert (view.layer, view.query, view.key, view.aggregate) == (1, None, 5, "none")
    view.kind = "decoder"
    assert view.key is None
    with pytest.raises(ViewError, match=r"^query=4: there are 4 query tokens"):
        view.query = 4


def test_what_the_page_sets_arrives_and_what_is_refused_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Explorer(plain())
    view.set_state({"layer": 2, "heads": [1, 0], "query": 4})
    assert (view.layer, view.heads, view.query, view._problem) == (2, [0, 1], 4, "")
    sent: list[Any] = []
    monkeypatch.setattr(view, "send_state", lambda key=None: sent.append(key))
    view.set_state({"layer": 9, "query": 1})
    assert (view.layer, view.query) == (2, 4)
    assert view._problem == "layer=9: there are 3 layers, numbered 0 to 2."
    assert ["layer", "query"] in sent
    view.set_state({"layer": 1})
    assert (view.layer, view._problem) == (1, "")


def test_views_can_be_linked_also_when_one_has_fewer_layers() -> None:
    one, two = Explorer(plain()), Explorer(plain(1, layers=2))
    link = traitlets.link((one, "layer"), (two, "layer"))
    heads = traitlets.link((one, "heads"), (two, "heads"))
    one.layer, one.heads = 1, [0, 1]
    assert (two.layer, two.heads) == (1, [0, 1])
    two.layer = 0
    assert one.layer == 0
    with pytest.raises(ViewError, match=r"^layer=2: there are 2 layers, numbered 0 to 1\.$"):
        one.layer = 2
    assert two.layer == 0
    one.layer = 1
    assert two.layer == 1
    link.unlink()
    heads.unlink()


def test_two_captures_are_compared() -> None:
    view = Explorer(plain(), other=plain(1))
    assert view.side == "both"
    assert [side["name"] for side in view._meta["sides"]] == ["first", "second"]
    assert view._block("0/self/layer/0") != view._block("1/self/layer/0")
    view.side = "difference"
    assert "The largest differences: " in alt_of(view.fallback())
    assert repr(view).endswith("side='difference', layer=0, head=0)")


def test_sides_of_other_sizes_have_no_difference() -> None:
    other = Capture.from_arrays(random_layers(4, layers=2, heads=1), ["[CLS]", "a", "b", "[SEP]"])
    view = Explorer(plain(), other=other)
    with pytest.raises(
        ViewError, match=r"^side='difference': the first side has 10 tokens and the second 4 tokens, so"
    ):
        view.side = "difference"
    with pytest.raises(ViewError, match=r"^layer=2: there are 2 layers"):
        view.layer = 2
    view.query = 9  # of the longer side
    view.side = "first"
    view.layer, view.head, view.heads = 2, 1, [0, 1]
    view.side = "second"
    assert (view.layer, view.head, view.heads, view.query) == (1, 0, [0], None)
    assert "4 queries" in alt_of(view.fallback())


def test_a_kind_of_other_sizes_ends_the_difference() -> None:
    first = crossed()
    kinds = dict(first.kinds)
    kinds["cross"] = Capture.from_arrays(random_layers(4, 5, layers=2), ["x"] * 4, ["y"] * 5).kinds["cross"]
    view = Explorer(first, other=dataclasses.replace(first, kinds=kinds), side="difference")
    view.kind = "cross"
    assert view.side == "both"


def test_two_sides_are_called_what_the_caller_calls_them() -> None:
    view = Explorer(plain(), other=plain(1), names=("as born", "taught"))
    assert [side["name"] for side in view._meta["sides"]] == ["as born", "taught"]
    assert view.figure().axes
    html = view.fallback()
    assert "head 0, as born" in html
    assert "head 0, taught" in html
    view.side = "second"
    assert "as born" not in view.fallback()


@pytest.mark.parametrize("names", ["ab", ("a",), ("a", "a"), ("a", "difference"), ("a", 2), ("a", ""), 3, ()])
def test_names_that_are_none_are_refused(names: object) -> None:
    with pytest.raises(ViewError, match=r"two names are needed, such as \('before', 'after'\)"):
        Explorer(plain(), other=plain(1), names=names)  # type: ignore[arg-type]
