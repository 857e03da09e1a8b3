"""The explorer runs the model again: tokens replaced, heads off, predictions before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bertviz_lite import Explorer, capture, load
from bertviz_lite.capture import Capture
from bertviz_lite.views import ViewError
from tests.helpers.tiny_families import MODELS, TEXT, family

if TYPE_CHECKING:
    from pathlib import Path
from tests.helpers.explorers import alt_of, blocks_of, floats, page_of, said, state_of


def test_an_edit_runs_the_model_and_shows_both_sides(seen: Capture) -> None:
    view = Explorer(seen)
    place = seen.tokens.index("key")
    busy: list[bool] = []
    view.observe(lambda change: busy.append(change["new"]), "_busy")
    view.edits = {place: "[MASK]"}
    assert view.edits == {str(place): "[MASK]"}
    assert busy == [True, False]
    assert (view.side, view._version, view._problem) == ("both", 1, "")
    after = seen.rerun({place: "[MASK]"})
    sides = view._meta["sides"]
    assert [side["name"] for side in sides] == ["before", "after"]
    assert sides[1]["kinds"]["self"]["queries"]["tokens"] == list(after.tokens)
    assert np.array_equal(floats(view, "1/self/exact/2/1/3"), after.attentions[2][1, 3])
    (told,) = view._predictions["positions"]
    assert (told["position"], told["token"]) == (place, "key")
    assert told["before"] == [[token, share] for token, share in seen.predictions(place, 5)]
    assert told["after"] == [[token, share] for token, share in after.predictions(place, 5)]
    assert told["loss"] == [seen.loss(place, "key"), after.loss(place, "key")]
    assert told["loss"][1] > told["loss"][0]


def test_edits_and_heads_off_together_are_told_apart(seen: Capture) -> None:
    place = seen.tokens.index("key")
    view = Explorer(seen, edits={place: "[MASK]"})
    view.side = "difference"
    view.heads_off = [(2, 1), (0, np.int64(3)), (2, 1)]
    assert view.heads_off == [[0, 3], [2, 1]]
    assert view.side == "difference"
    (told,) = view._predictions["positions"]
    masked = seen.rerun({place: "[MASK]"})
    off = seen.rerun({place: "[MASK]"}, [(0, 3), (2, 1)])
    expected = [run.loss(place, "key") for run in (seen, off, masked)]
    assert told["loss"] == pytest.approx(expected, abs=1e-6)
    assert told["heads_on"][0][0] == masked.predictions(place, 1)[0][0]
    assert "after, all heads on" in said(view)


@pytest.mark.parametrize("side", ["first", "second", "both", "difference"])
@pytest.mark.parametrize("run", [{"edits": {3: "[MASK]"}}, {"heads_off": [(1, 0)]}])
def test_a_view_opens_on_the_side_that_its_own_run_makes(
    seen: Capture, run: dict[str, Any], side: str
) -> None:
    view = Explorer(seen, side=side, layer=2, **run)
    assert (view.side, view.layer, len(view._meta["sides"])) == (side, 2, 2)
    assert len(view._maps_shown()) == (1 if side in {"first", "second"} else 2)


def test_without_edits_the_second_side_is_gone(seen: Capture) -> None:
    view = Explorer(seen, edits={3: "[MASK]"}, heads_off=[(1, 0)])
    view.layer = 3
    view.edits = {}
    assert len(view._meta["sides"]) == 2
    view.heads_off = []
    assert (view.side, len(view._meta["sides"]), view._predictions, view.layer) == ("first", 1, {}, 3)
    with pytest.raises(ViewError, match=r"^'1/self/mean': Explorer has no such block\.$"):
        view._block("1/self/mean")


def test_a_token_that_stays_what_it_is_is_no_edit(seen: Capture) -> None:
    view = Explorer(seen)
    view.edits = {3: seen.tokens[3]}
    assert (view.edits, view._version, view.side) == ({}, 0, "first")


def test_a_refused_edit_loses_nothing(seen: Capture) -> None:
    view = Explorer(seen, edits={3: "[MASK]"}, layer=2)
    before = state_of(view), view._meta, view._version, view._predictions
    with pytest.raises(ViewError, match="not one token of the vocabulary"):
        view.edits = {3: "qwertzuiop"}
    assert (state_of(view), view._meta, view._version, view._predictions) == before
    view.set_state({"edits": {"3": "qwertzuiop"}})
    assert (state_of(view), view._meta, view._version, view._predictions) == before
    assert "not one token of the vocabulary" in view._problem
    assert not view._busy
    view.set_state({"edits": {"4": "[MASK]"}})
    assert (view.edits, view._problem, view._version) == ({"4": "[MASK]"}, "", 2)


def test_edits_and_heads_off_set_at_once_run_once(seen: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    view = Explorer(seen)
    runs: list[Any] = []
    rerun = Capture.rerun
    monkeypatch.setattr(Capture, "rerun", lambda *given: runs.append(given[1:]) or rerun(*given))
    with view.hold_trait_notifications():
        view.edits = {3: "[MASK]"}
        view.heads_off = [(0, 0)]
    assert runs[0] == ({3: "[MASK]"}, [(0, 0)])
    assert [run for run in runs if run == runs[0]] == [runs[0]]
    assert view._version == 1


def test_an_edit_stands_in_for_what_was_compared(seen: Capture) -> None:
    view = Explorer(seen, other=seen.rerun({2: "bank"}))
    view.edits = {3: "[MASK]"}
    assert [side["name"] for side in view._meta["sides"]] == ["before", "after"]
    view.edits = {}
    assert [side["name"] for side in view._meta["sides"]] == ["first", "second"]
    assert (view.side, view._meta["sides"][1]["kinds"]["self"]["queries"]["tokens"][2]) == ("both", "bank")


def test_a_mask_of_the_text_itself_is_followed_when_a_head_goes_off() -> None:
    tokenizer, model = load()
    view = Explorer(capture(model, tokenizer, "The farmer finds the [MASK]."))
    view.heads_off = [(0, 0)]
    (told,) = view._predictions["positions"]
    assert told["position"] == 5
    assert told["token"] == told["before"][0][0]
    assert told["loss"][0] == pytest.approx(-np.log(told["before"][0][1]), abs=1e-6)


def test_a_head_that_goes_off_is_told_of_where_the_predictions_change_most(seen: Capture) -> None:
    view = Explorer(seen)
    view.heads_off = [(0, 0), (1, 2)]
    (told,) = view._predictions["positions"]
    after = seen.rerun({}, [(0, 0), (1, 2)])
    shares = {
        place: [np.exp(run.log_probabilities(place)) for run in (seen, after)]
        for place in range(len(seen.tokens))
        if not seen._first.query_tokens.special[place]
    }
    changes = {place: np.abs(a - b).sum() for place, (a, b) in shares.items()}
    assert changes[told["position"]] == max(changes.values())
    assert told["most_changed"] is True
    assert told["token"] == seen.tokens[told["position"]]
    view.edits = {3: "[MASK]"}
    assert ["most_changed" in told for told in view._predictions["positions"]] == [False]


def test_another_text_is_read_and_heads_that_are_off_stay_off(seen: Capture) -> None:
    tokenizer, model = load()
    view = Explorer(seen, heads_off=[(1, 0)], edits={3: "[MASK]"}, layer=2, query=9)
    assert (view.text, view.text_pair) == ("The farmer finds the key.", "She opens the door.")
    replies: list[dict[str, Any]] = []
    view.send = lambda message, _=None: replies.append(message)
    values = {"text": "Ada finds a lock.", "text_pair": ""}
    view._answer(view, {"type": "ask", "ticket": "1", "values": values}, [])
    assert replies == [{"type": "asked", "ticket": "1", "problem": ""}]
    first = capture(model, tokenizer, "Ada finds a lock.")
    assert (view.text, view.text_pair, view.edits, view.heads_off) == ("Ada finds a lock.", "", {}, [[1, 0]])
    assert (view.layer, view.query) == (2, None)  # there is no ninth token any more
    assert [side["name"] for side in view._meta["sides"]] == ["before", "after"]
    assert view._meta["sides"][0]["kinds"]["self"]["queries"]["tokens"] == list(first.tokens)
    assert np.array_equal(floats(view, "0/self/exact/2/1/3"), first.attentions[2][1, 3])
    off = first.rerun({}, [(1, 0)])
    assert np.array_equal(floats(view, "1/self/exact/2/1/3"), off.attentions[2][1, 3])
    view.edits = {1: "[MASK]"}  # of the new text
    assert view._predictions["positions"][0]["token"] == first.tokens[1]
    view.heads_off, view.edits = [], {}
    view.text = "Tom sleeps."
    assert view._meta["sides"][0]["kinds"]["self"]["queries"]["tokens"] == [
        "[CLS]",
        "tom",
        "sleeps",
        ".",
        "[SEP]",
    ]
    assert view.capture.texts == ("Tom sleeps.", "")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"text": " "}, "text is empty: type a sentence."),
        ({"text": "key " * 200}, "positions"),
        ({"text": "Tom sleeps.", "text_pair": 3}, "text_pair is an int: a string is needed."),
        ({"query": 3}, "new values of text, text_pair, edits, heads_off are needed"),
        (None, "new values of text, text_pair, edits, heads_off are needed"),
        ({"edits": {"3": "zzzz"}, "heads_off": [[0, 0]]}, "not one token of the vocabulary"),
        ({"heads_off": [[9, 0]]}, "heads_off: layer 9: there are 4 layers"),
    ],
)
def test_a_text_that_is_refused_changes_nothing(seen: Capture, values: object, why: str) -> None:
    view = Explorer(seen, edits={3: "[MASK]"}, layer=2)
    before = state_of(view), view._meta, view._version, view._predictions, view.text
    replies: list[dict[str, Any]] = []
    view.send = lambda message, _=None: replies.append(message)
    view._answer(view, {"type": "ask", "ticket": "1", "values": values}, [])
    (reply,) = replies
    assert why in reply["problem"]
    assert (state_of(view), view._meta, view._version, view._predictions, view.text) == before


def test_the_page_asks_for_heads_and_tokens_and_text_in_one(seen: Capture) -> None:
    view = Explorer(seen)
    view.send = lambda *_: None
    ask = {"type": "ask", "ticket": "1"}
    view._answer(view, {**ask, "values": {"edits": {"3": "[MASK]"}, "heads_off": [[0, 1]]}}, [])
    assert (view.edits, view.heads_off, view._version, view._busy) == ({"3": "[MASK]"}, [[0, 1]], 1, False)
    off = seen.rerun({3: "[MASK]"}, [(0, 1)])
    assert np.array_equal(floats(view, "1/self/exact/2/1/3"), off.attentions[2][1, 3])
    values = {"text": "Tom sleeps.", "text_pair": "", "edits": {"1": "[MASK]"}, "heads_off": [[1, 1]]}
    view._answer(view, {**ask, "values": values}, [])
    # Tokens that were replaced belong to the text before; heads do not.
    assert (view.text, view.edits, view.heads_off, view._version) == ("Tom sleeps.", {}, [[1, 1]], 2)
    tokenizer, model = load()
    off = capture(model, tokenizer, "Tom sleeps.").rerun({}, [(1, 1)])
    assert np.array_equal(floats(view, "1/self/exact/2/1/3"), off.attentions[2][1, 3])
    view._answer(view, {**ask, "values": {"heads_off": []}}, [])
    assert (view.side, len(view._meta["sides"]), view._predictions) == ("first", 1, {})


def test_no_other_text_where_two_captures_are_compared_or_arrays_shown(seen: Capture) -> None:
    for view in (Explorer(seen, other=seen), Explorer(list(seen.attentions), seen.tokens)):
        assert not view._meta["can_ask"]
        with pytest.raises(ViewError, match=r"^text: .*, so no other text can be read: give Explorer one"):
            view.text = "Tom sleeps."
    assert Explorer(seen)._meta["can_ask"]
    assert Explorer(seen.rerun({3: "[MASK]"})).text == ""  # what it shows is not that text


@pytest.mark.parametrize("name", MODELS)
def test_every_family_of_models_can_be_explored(name: str, tmp_path: Path) -> None:
    model, tokenizer = family(name)
    given = capture(model, tokenizer, TEXT)
    view = Explorer(given)
    for kind in given.kinds:
        view.kind = kind
        assert alt_of(view._page_fallback()).startswith("Attention of layer 0, head 0, a row for each of ")
        view.aggregate = "mean all"
        view._page_fallback()
        view.aggregate = "none"
    place = next(i for i, word in enumerate(given._first.query_tokens.words) if word >= 2)
    view.edits = {place: given.tokens[place - 1]}
    if given._first.scores is None:  # the T5 of the oldest release
        with pytest.raises(ViewError, match="does not choose its attention function by name"):
            view.heads_off = [(0, 1)]
        return
    view.heads_off = [(0, 1)]
    view.side = "difference"
    assert len(view._meta["sides"]) == 2
    assert bool(view._predictions) == (given.predicts and len(given.kinds) == 1)
    page = page_of(view, tmp_path)
    blocks = blocks_of(page)
    for side in ("0", "1"):
        assert {block.split("/")[1] for block in blocks if block.startswith(side)} == set(given.kinds)
    assert all(view._block(name) == block for name, block in blocks.items())
