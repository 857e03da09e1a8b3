"""What of the explorer runs the model: another text, tokens replaced, heads switched off.

Whatever is wanted is computed first and shown after: what is refused changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets as t

from bertviz_lite.basics.text import readable
from bertviz_lite.views.attention.passes.compared import compare_predictions
from bertviz_lite.views.attention.passes.side import Side
from bertviz_lite.views.attention.passes.traits import Edits, HeadsOff, TextRead
from bertviz_lite.views.base.asking import check_text
from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bertviz_lite.capture import Pass
    from bertviz_lite.views.attention.passes.source import Source

__all__ = ["RunningView"]


def _run_key(edits: Mapping[str, str], heads_off: Sequence[Sequence[int]]) -> tuple[Any, ...]:
    return tuple(edits.items()), tuple(map(tuple, heads_off))


class RunningView(View):
    """A view of a pass that is run again when ``text``, ``text_pair``, ``edits`` or ``heads_off`` are set.

    The page asks by the message of ``views/base/asking.py``, ``{"type": "ask", "ticket": …, "values": {…}}``
    with new values of any of the four, and waits for ``{"type": "asked", "ticket": …, "problem": ""}``; a
    problem is why nothing has changed. Before the answer the traits have come: the four, ``_meta``,
    ``_predictions`` and ``_version``, one higher, after which every block is another. With another text edits
    are forgotten, those of the question too: they belong to the text before. Heads that are off stay off: the
    new text is then run twice.
    """

    edits = Edits().tag(sync=True)
    heads_off = HeadsOff().tag(sync=True)
    text = TextRead().tag(sync=True)
    text_pair = TextRead().tag(sync=True)

    _meta = t.Dict().tag(sync=True)
    _version = t.Int(0).tag(sync=True)
    _busy = t.Bool(False).tag(sync=True)
    _problem = t.Unicode("").tag(sync=True)
    _predictions = t.Dict().tag(sync=True)

    def __init__(self, source: Source, first: Side, compared: Side | None) -> None:
        self._source = source
        self.capture = source.first
        self._first, self._first_name = first, first.name
        self._compared = compared
        self._second: Side | None = compared
        self._run: tuple[Any, Pass | None] = (_run_key({}, []), None)
        self._shown_run = self._run[0]
        self._alone: tuple[Any, Pass | None] = (None, None)
        self._read: tuple[tuple[str, str], Source, Pass | None] | None = None
        self._is_reading = False
        self._shown_text = source.texts
        self._notice = self._rounding()
        texts = {"text": source.texts[0], "text_pair": source.texts[1]} if source.texts[0] else {}
        traits = self._first_traits()
        super().__init__(_meta=self._describe(live=True), _problem=self._notice, **texts, **traits)

    def _first_traits(self) -> dict[str, Any]:
        """Return what the view starts with."""
        return {}

    def _describe(self, *, live: bool) -> dict[str, Any]:
        """Return what the page must know before it asks for blocks."""
        raise NotImplementedError

    def _fit(self) -> None:
        """Move what the shown sides do not have to the nearest that they have."""

    def _rounding(self) -> str:
        """Say by how much rows of rounded weights miss a sum of 1."""
        return ""

    @property
    def _can_ask(self) -> bool:
        """Whether another text can be read: not where two captures are compared, or there is no model."""
        return self._source.can_run and self._compared is None and len(self.capture.kinds) == 1

    # ---------------------------------------------------------------------------------- another text

    @t.validate("text", "text_pair")
    def _try_text(self, proposal: Any) -> Any:  # noqa: ANN401
        """Read a text before the traits change: a refusal then changes nothing."""
        name, value = proposal["trait"].name, proposal["value"]
        self._read_once(**{"text": self.text, "text_pair": self.text_pair, name: value})
        return value

    def _read_once(self, text: str, text_pair: str, heads_off: list[list[int]] | None = None) -> None:
        key = (text, text_pair)
        if key == self._shown_text or (self._read is not None and self._read[0] == key):
            return
        if not self._can_ask:
            why = "two captures are compared" if self._source.can_run else "there is no model behind arrays"
            raise ViewError(f"text: {why}, so no other text can be read: give Explorer one capture.")
        check_text("text", text)
        source = self._source.reading(text, text_pair)
        off = self.heads_off if heads_off is None else heads_off
        self._read = (key, source, source.run({}, off) if off else None)

    @t.observe("text", "text_pair")
    def _show_text(self, _: object) -> None:
        """Begin anew with the text that was read; heads that are off stay so."""
        key = (self.text, self.text_pair)
        if key == self._shown_text or self._read is None:
            return
        _, source, after = self._read
        self._read, self._shown_text = None, key
        self._source, self.capture = source, source.first
        self._first = Side("before", source.first)
        self._alone = (None, None)
        with self.hold_sync():
            self._shown_run = _run_key({}, self.heads_off)
            self.edits = {}
            self.query = self.key = None  # pins belong to the text before, too
            self._run = (self._shown_run, None)
            self._show(after)

    def _take(self, values: object) -> None:
        """Take what the page asks for, all of it or nothing."""
        names = ("text", "text_pair", "edits", "heads_off")
        if not isinstance(values, dict) or not set(values) <= set(names):
            raise ViewError(f"{values!r}: new values of {', '.join(names)} are needed.")
        checked = {name: self.traits()[name].validate(self, value) for name, value in values.items()}
        texts = {name: checked.pop(name, getattr(self, name)) for name in names[:2]}
        self._busy = True  # at once: what changes below is sent when all of it is done
        try:
            if tuple(texts.values()) != self._shown_text:
                off = checked.get("heads_off", self.heads_off)
                self._read_once(**texts, heads_off=off)
                checked = texts
                self._is_reading = True  # the heads that go off here are part of the new text's run
                self.heads_off = off
                self._is_reading = False
            with self.hold_sync(), self.hold_trait_notifications():
                for name, value in checked.items():
                    setattr(self, name, value)
        finally:
            self._is_reading = self._busy = False

    # ---------------------------------------------------------------------------------- the same text again

    @t.validate("edits", "heads_off")
    def _try_run(self, proposal: Any) -> Any:  # noqa: ANN401
        """Run the model before the traits change: a refusal then changes nothing."""
        name, value = proposal["trait"].name, proposal["value"]
        wanted = {"edits": self.edits, "heads_off": self.heads_off, name: value}
        key = _run_key(**wanted)
        if self._is_reading or key in (self._run[0], self._shown_run):
            return value
        if not any(wanted.values()):
            self._run = (key, None)
            return value
        if not self._source.can_run:
            raise ViewError(
                f"{name}={value!r}: there is no model behind arrays; capture(model, tokenizer, text) has one."
            )
        self._busy = True
        try:
            self._run = (key, self._source.run(**wanted))
        finally:
            self._busy = False
        return value

    @t.observe("edits", "heads_off")
    def _show_run(self, _: object) -> None:
        """Make the run the second side; without edits and heads off, what stood there before."""
        key = _run_key(self.edits, self.heads_off)
        if self._is_reading or key == self._shown_run:
            return
        result = self._run[1]
        self._run, self._shown_run = (key, None), key
        if result is None:
            self._alone = (None, None)
        with self.hold_sync():  # the page hears of everything at once
            self._show(result)

    def _show(self, result: Pass | None) -> None:
        """Make a run the second side; None brings back what stood there before."""
        had_second = self._second is not None
        self._second = self._compared if result is None else Side("after", result)
        self._first.name = self._first_name if self._second is self._compared is not None else "before"
        if self._second is None:
            self.side = "first"
        elif not had_second:
            self.side = "both"
        self._fit()
        self._predictions = {} if result is None else self._compare_predictions(result)
        self._meta = self._describe(live=True)
        self._version += 1
        self._notice = self._rounding()
        self._problem = self._notice

    @property
    def _predicts(self) -> bool:
        """Whether predictions belong to the tokens that are edited: of an encoder-decoder they do not."""
        return bool(self.capture.predicts) and len(self.capture.kinds) == 1

    def _compare_predictions(self, after: Pass) -> dict[str, Any]:
        """Return the top tokens and the loss of the original token, at every edited or masked place."""
        if not self._predicts:
            return {}
        runs = {"before": self.capture, "after": after}
        if self.edits and self.heads_off:
            runs["heads_on"] = self._with_heads_on()
        return compare_predictions(self._source, runs, {int(place) for place in self.edits})

    def _with_heads_on(self) -> Pass:
        """Return the run with the same edits and every head on: what heads_off must be compared with."""
        key = _run_key(self.edits, [])
        if self._alone[0] != key or self._alone[1] is None:
            self._alone = (key, self._source.run(self.edits, []))
        assert self._alone[1] is not None
        return self._alone[1]

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over what the page has set; what is refused goes back to it, with the reason in `_problem`."""
        runs = not {"edits", "heads_off"}.isdisjoint(sync_data)
        if runs:
            self._busy = True  # at once: what changes below is sent when all of it is done
        try:
            super().set_state(sync_data)
        except ViewError as error:
            self._problem = readable(str(error))
            self.send_state([name for name in sync_data if name in self.keys])
        else:
            self._problem = self._notice
        finally:
            self._busy = False
