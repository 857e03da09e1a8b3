"""What views share whose page asks Python to compute from what the reader types or clicks.

The page sends one question at a time, new values of the traits in ``asks`` (``base/js/asking/``).
Python computes first and changes the traits after: what it refuses changes nothing, and the page keeps what
was typed beside the reason in one line. The result travels as one ``Bytes`` trait together with the text
that it belongs to, so that the page never draws the numbers of one text beside another. A saved page has no
Python: it holds the result for each of the view's examples.

Left out: progress, and taking a question back (answers take a fraction of a second).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets as t

from bertviz_lite.capture.errors import kind_of
from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.saved.blocks import pack
from bertviz_lite.views.base.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

__all__ = ["AskingView", "Text", "check_text", "pack_found", "spell_masks", "unpack_found"]

_MOST_LETTERS = 20_000


class Text(t.TraitType[Any, Any]):
    """A trait for a text that is not empty, with the mask of its view's `engine`, if it has one.

    Parameters
    ----------
    called
        What a reader calls the text, for errors; the trait's name if empty.
    """

    def __init__(self, called: str = "") -> None:
        super().__init__(default_value="")
        self.called = called

    def validate(self, obj: Any, value: object) -> str:  # noqa: ANN401
        """Return `value` with its masks spelled out, or raise :class:`ViewError` in one line."""
        text = check_text(self.called or str(self.name), value)
        engine = getattr(obj, "engine", None)
        return spell_masks(text, engine.facts.mask_token) if engine else text


def spell_masks(text: str, mask_token: str | None) -> str:
    """Return a text with the tokenizer's mask where it was typed in other letters, as the page does.

    >>> spell_masks("the [mask] barks", "[MASK]")
    'the [MASK] barks'
    """
    if not mask_token:
        return text
    return re.sub(re.escape(mask_token), lambda _: mask_token, text, flags=re.IGNORECASE)


def check_text(name: str, value: object) -> str:
    """Return `value` if it is a text that a tokenizer should be given, or raise :class:`ViewError`."""
    if not isinstance(value, str):
        raise ViewError(f"{name} is {kind_of(value)}: a string is needed.")
    if not value.strip():
        raise ViewError(f"{name} is empty: type a sentence.")
    if len(value) > _MOST_LETTERS:
        raise ViewError(
            f"{name} has {len(value):,} characters, at most {_MOST_LETTERS:,} are read: shorten it."
        )
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ViewError(f"{name} holds half a character, which no tokenizer reads: write it again.") from None
    return value


def pack_found(facts: Mapping[str, Any], numbers: npt.ArrayLike) -> bytes:
    """Return facts as JSON and numbers as float32 in one piece: length, text, padding, numbers.

    >>> unpack_found(pack_found({"text": "é"}, [1.0, 2.5]))
    ({'text': 'é'}, array([1. , 2.5], dtype=float32))
    """
    text = json.dumps(facts, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + pack(numbers)


def unpack_found(found: bytes) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
    """Return what :func:`pack_found` packed."""
    end = 4 + int.from_bytes(found[:4], "little")
    return json.loads(found[4:end]), np.frombuffer(found[end:], dtype="<f4")


class AskingView(View):
    """Base of the views that compute again when the reader types; see the module's text.

    A subclass names in ``asks`` the traits from which is computed, computes in ``_compute``, lets
    ``_compute_first`` check each of them (``@traitlets.validate``), and describes its examples.

    Attributes
    ----------
    asks
        Names of the traits that the page may ask to change, all together.
    """

    asks: ClassVar[tuple[str, ...]] = ()

    _found = t.Bytes().tag(sync=True)

    def __init__(self, **traits: Any) -> None:  # noqa: ANN401
        self._computed: tuple[tuple[Any, ...], bytes] | None = None
        super().__init__(**traits)
        self.observe(self._show, list(self.asks))
        try:
            self._compute_once(self._asked())  # a trait that was given its default was not checked
            self._show()
        except Exception:
            self.close()  # else the widget would stay open, unseen
            raise

    def _compute(self, asked: Mapping[str, Any]) -> bytes:
        """Return the result for these values of the traits in ``asks``, or raise :class:`ViewError`."""
        raise NotImplementedError

    def _compute_example(self, asked: Mapping[str, Any]) -> bytes:
        """Return all that a saved page needs of an example."""
        return self._compute(asked)

    def _examples_asked(self) -> Sequence[dict[str, Any]]:
        """Return, for each example, the values of ``asks`` in which it differs from the present state."""
        return ()

    def _fit(self) -> None:
        """Move the state to what the new result has, where it does not have the old choice."""

    def _asked(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.asks}

    def _compute_once(self, asked: dict[str, Any]) -> bytes:
        key = tuple(asked[name] for name in self.asks)
        if self._computed is None or self._computed[0] != key:
            self._computed = (key, self._compute(asked))
        return self._computed[1]

    def _compute_first(self, proposal: Any) -> Any:  # noqa: ANN401
        """Compute before a trait changes: what is refused then changes nothing."""
        self._compute_once(self._asked() | {proposal["trait"].name: proposal["value"]})
        return proposal["value"]

    def _show(self, _: object = None) -> None:
        with self.hold_sync():
            self._found = self._compute_once(self._asked())
            self._fit()

    @property
    def found(self) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
        """What is shown now: the facts, and the numbers in float32."""
        return unpack_found(self._found)

    # ------------------------------------------------------------------------------------ for the page

    def _take(self, values: object) -> None:
        """Set several traits as one: all of them, or none."""
        if not isinstance(values, dict) or not set(values) <= set(self.asks):
            raise ViewError(f"{values!r}: new values of {', '.join(self.asks)} are needed.")
        traits = self.traits()
        checked = {name: traits[name].validate(self, value) for name, value in values.items()}
        self._compute_once(self._asked() | checked)  # first: whatever goes wrong here changes nothing
        with self.hold_sync(), self.hold_trait_notifications():
            for name, value in checked.items():
                setattr(self, name, value)

    def _block(self, name: str) -> bytes:
        kind, _, number = name.partition("/")
        examples = self._examples_asked()
        if kind != "example" or not number.isdecimal() or int(number) >= len(examples):
            return super()._block(name)
        return self._compute_example(self._asked() | examples[int(number)])

    def _saved_blocks(self) -> Iterable[str]:
        return (f"example/{number}" for number in range(len(self._examples_asked())))
