"""What every interactive view shares: three layers of showing from one object.

1. **Live**: an anywidget; the state is in traits, which Python and the page both read and set. 2.
**Script-free**: a picture with alt text and tables, as ``text/html`` beside the widget. It is what GitHub,
nbviewer and
   an untrusted or stripped notebook show.
3. **A page of its own**: :meth:`View.save` writes one HTML file that runs the same module from a USB stick.

A view is a folder with ``view.py``, ``view.js`` and ``view.css``. ``view.js`` imports what it needs of the
base and of the parts in ``js/``. anywidget loads one text, and relative imports do not work there, so
:func:`read_module` joins these files to one module, and :func:`read_style` the style sheets.

To write a view: subclass :class:`View`; give it ``_esm``, ``_css`` and ``title``; put its data in private
traits tagged ``sync=True``, bulk numbers as ``Bytes`` made by :func:`pack`; name the public traits that the
reader may set in ``state``; and say in ``_static`` what is seen without scripts.

Numbers too many to send at once are **blocks**: bytes with a name, made by ``_block`` when the page asks for
them (see ``base/js/blocks.js``), or written into a saved page when ``_saved_blocks`` names them. They travel
compressed by zlib.
"""

from __future__ import annotations

import base64
import html
import json
import operator
import os
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import anywidget
import numpy as np
import traitlets

from bertviz_lite.plots.display import picture
from bertviz_lite.views.base.errors import ViewError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "Choice",
    "Flag",
    "Index",
    "Share",
    "Static",
    "Table",
    "View",
    "ViewError",
    "compress",
    "pack",
    "read_module",
    "read_style",
]

_FOLDER = Path(__file__).resolve().parents[1]

# Views import by name and by a relative path, nothing else: what stands between the braces needs no reading.
_IMPORT = re.compile(r'^import \{(?![^}]* as )[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)

_SAMPLES, _SAMPLE_BYTES = 4, 16_384


def read_module(name: str) -> str:
    """Return the JavaScript of view `name` as one ES module: its ``view.js`` and all that this imports.

    Each file follows those it imports; the ``import`` lines go, and the word ``export`` but for the default.
    So two files of a view cannot give the same name to two things: no engine would read the module.
    """
    texts: dict[Path, str] = {}
    _collect(_FOLDER / name / "view.js", texts, [])
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts.values())


def _collect(file: Path, texts: dict[Path, str], importers: list[Path]) -> None:
    """Put `file` into `texts`, behind the files that it imports."""
    if file in texts:
        return
    if file in importers:
        circle = " → ".join(path.name for path in [*importers[importers.index(file) :], file])
        raise ImportError(f"{circle}: these files import each other in a circle.")
    text = file.read_text(encoding="utf-8")
    for imported in _IMPORT.findall(text):
        _collect((file.parent / imported).resolve(), texts, [*importers, file])
    texts[file] = text


def read_style(name: str) -> str:
    """Return the style sheet of view `name`: ``base/common.css``, then its ``view.css``."""
    return _read("base/common.css") + "\n" + _read(f"{name}/view.css")


def _read(file: str) -> str:
    return (_FOLDER / file).read_text(encoding="utf-8")


def pack(array: npt.ArrayLike) -> bytes:
    """Return an array as little-endian float32 bytes, row after row: 4 bytes a number.

    >>> pack([1.0, -2.0]).hex()
    '0000803f000000c0'
    """
    return np.ascontiguousarray(array, dtype="<f4").tobytes()


def compress(block: bytes) -> bytes:
    """Return a block in zlib's format, by the strategy that suits it.

    Codes of attention weights hold few repetitions. Coding each byte by how often it comes, without a search
    for repetitions, makes 144 realistic maps a tenth smaller than zlib's default does, in a third of the
    time. Of the many zeros of a causal model the search makes far less. Some samples tell which is which.
    """
    starts = range(0, len(block), max(_SAMPLE_BYTES, len(block) // _SAMPLES))
    sample = b"".join(block[start : start + _SAMPLE_BYTES] for start in starts)
    strategies = (zlib.Z_HUFFMAN_ONLY, zlib.Z_DEFAULT_STRATEGY)
    return _deflated(block, min(strategies, key=lambda strategy: len(_deflated(sample, strategy))))


def _deflated(data: bytes, strategy: int) -> bytes:
    # Level 6 of the default strategy takes three times as long as 4 for 1 % less.
    stream = zlib.compressobj(level=4, strategy=strategy)
    return stream.compress(data) + stream.flush()


class Index(traitlets.TraitType[Any, Any]):
    """A trait for the index of one of several things; numpy integers are welcome, True is not.

    Parameters
    ----------
    size
        Name of the view's attribute that says how many there are.
    of
        What they are, in the plural, for the error: "tokens".
    """

    def __init__(self, size: str, of: str, *, default: int | None = 0, allow_none: bool = False) -> None:
        super().__init__(default_value=default, allow_none=allow_none)
        self.size = size
        self.of = of

    def validate(self, obj: Any, value: object) -> int:  # noqa: ANN401
        """Return `value` as an int, or raise :class:`ViewError` in one line."""
        size: int = getattr(obj, self.size)
        try:
            if isinstance(value, bool):
                raise TypeError
            index = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            raise ViewError(
                f"{self.name}={value!r}: a whole number from 0 to {size - 1} is needed"
                f"{', or None' if self.allow_none else ''}."
            ) from None
        if not 0 <= index < size:
            raise ViewError(f"{self.name}={index}: there are {size} {self.of}, numbered 0 to {size - 1}.")
        return index


class Choice(traitlets.TraitType[Any, Any]):
    """A trait for one of a few words.

    Parameters
    ----------
    options
        The words, or the name of the view's attribute that holds them.
    """

    def __init__(self, options: tuple[str, ...] | str, default: str) -> None:
        super().__init__(default_value=default)
        self.options = options

    def validate(self, obj: Any, value: object) -> str:  # noqa: ANN401
        """Return `value`, or raise :class:`ViewError` in one line."""
        options = getattr(obj, self.options) if isinstance(self.options, str) else self.options
        if not isinstance(value, str) or value not in options:
            raise ViewError(f"{self.name}={value!r}: one of {', '.join(map(repr, options))} is needed.")
        return value


class Flag(traitlets.TraitType[Any, Any]):
    """A trait that is True or False."""

    def __init__(self, *, default: bool = False) -> None:
        super().__init__(default_value=default)

    def validate(self, obj: Any, value: object) -> bool:  # noqa: ANN401, ARG002
        """Return `value` as a bool, or raise :class:`ViewError` in one line."""
        if not isinstance(value, bool | np.bool_):
            raise ViewError(f"{self.name}={value!r}: True or False is needed.")
        return bool(value)


class Share(traitlets.TraitType[Any, Any]):
    """A trait for a number from 0 to 1; with `positive`, 0 itself is refused."""

    def __init__(self, default: float, *, positive: bool = False) -> None:
        super().__init__(default_value=default)
        self.positive = positive

    def validate(self, obj: Any, value: object) -> float:  # noqa: ANN401, ARG002
        """Return `value` as a float, or raise :class:`ViewError` in one line."""
        need = "above 0, at most 1," if self.positive else "from 0 to 1"
        try:
            if isinstance(value, bool | str):
                raise TypeError
            share = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise ViewError(f"{self.name}={value!r}: a number {need} is needed.") from None
        if not 0 <= share <= 1 or (self.positive and share == 0):
            raise ViewError(f"{self.name}={share:g}: a number {need} is needed.")
        return share


@dataclass(frozen=True)
class Table:
    """A table of the script-free layer: a summary that unfolds it, column names, and rows of text."""

    summary: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def html(self) -> str:
        """Return ``<details>`` with the table, everything escaped; the first cell of each row is its name."""
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.columns)
        body = "".join(
            f'<tr><th scope="row">{html.escape(row[0])}</th>'
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in self.rows
        )
        return (
            f"<details><summary>{html.escape(self.summary)}</summary>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></details>"
        )


@dataclass(frozen=True)
class Static:
    """The script-free layer of a view: a figure, what is to be seen in it, and tables."""

    figure: Figure | Axes | Sequence[Axes]
    alt: str
    caption: str = ""
    tables: Sequence[Table] = field(default=())


class View(anywidget.AnyWidget):
    """Base of the interactive views; see the module's text for how to write one.

    Attributes
    ----------
    title
        Heading of the saved page.
    state
        Names of the traits that a reader may read and set.
    """

    title: ClassVar[str] = "View"
    state: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **traits: Any) -> None:  # noqa: ANN401
        super().__init__(**traits)
        self.on_msg(self._answer)

    def _static(self) -> Static:
        """Return what is seen without scripts, in the present state."""
        raise NotImplementedError

    def _summary(self) -> str:
        """Return what the view holds, for its repr: "9 tokens, hidden_size=128"."""
        return ""

    def _block(self, name: str) -> bytes:
        """Return the bytes of the block `name`, or raise :class:`ViewError` in one line."""
        raise ViewError(f"{name!r}: {type(self).__name__} has no such block.")

    def _saved_blocks(self) -> Iterable[str]:
        """Return the names of the blocks that a saved page holds."""
        return ()

    def _saved_state(self) -> dict[str, Any]:
        """Return the traits that a saved page starts from, bytes as they are."""
        return {name: value for name, value in self.get_state().items() if _is_ours(self, name)}

    def _page_fallback(self) -> str:
        """Return what a saved page shows in a browser that runs no scripts."""
        return self.fallback()

    def _answer(self, _: object, message: object, __: object) -> None:
        """Send the page the block that it asks for, or the reason why not."""
        if not isinstance(message, dict) or message.get("type") != "block":
            return
        ticket, name = message.get("ticket"), str(message.get("name"))
        try:
            block = compress(self._block(name))
        except Exception as error:  # else the page would wait for ever
            self.send({"type": "error", "ticket": ticket, "message": str(error)})
            if not isinstance(error, ViewError):
                raise
        else:
            self.send({"type": "block", "ticket": ticket}, [block])

    def __repr__(self) -> str:
        # No address and no data: this text stands in committed notebooks and is compared there.
        state = [f"{name}={getattr(self, name)!r}" for name in self.state]
        inner = [text for text in (self._summary(), *state) if text]
        return f"{type(self).__name__}({', '.join(inner)})"

    def fallback(self) -> str:
        """Return the script-free layer as HTML: ``<figure>`` with alt text, and tables in ``<details>``."""
        static = self._static()
        shown = picture(static.figure, static.alt).html(static.caption)
        return shown + "".join(table.html() for table in static.tables)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:  # noqa: ANN401
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/plain": repr(self), "text/html": self.fallback()}, metadata

    def save(self, path: str | os.PathLike[str], *, title: str | None = None) -> None:
        """Write the view, in its present state, as one HTML file that needs no network, server or kernel.

        Parameters
        ----------
        path
            The file to write; its folder must exist.
        title
            Heading of the page; the view's own if None.

        Raises
        ------
        FileNotFoundError
            If the folder does not exist.
        """
        self._write(Path(path), title or self.title)

    def _write(self, path: Path, title: str) -> None:
        """Write the page piece by piece beside its place and rename it: a failure leaves what was there."""
        if not path.parent.is_dir():
            raise FileNotFoundError(f"{path}: there is no folder {path.parent}; make it first.")
        partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            with partial.open("wb") as file:
                for piece in self._page(title):
                    file.write(piece)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def _page(self, title: str) -> Iterator[bytes]:
        state = self._saved_state()
        numbers = {
            name: value for name, value in state.items() if isinstance(value, bytes | memoryview | bytearray)
        }
        parts = {
            "state": {name: value for name, value in state.items() if name not in numbers},
            "bytes": {name: base64.b64encode(value).decode("ascii") for name, value in numbers.items()},
            "module": str(self._esm),
        }
        yield _utf8(
            _HEAD.format(title=html.escape(title), style=str(self._css), fallback=self._page_fallback())
        )
        for kind, part in parts.items():
            yield _utf8(f'<script type="application/json" data-bvl="{kind}">{_json(part)}</script>\n')
        for name in self._saved_blocks():
            yield _utf8(f'<script type="text/plain" data-bvl-block="{html.escape(name)}">')
            yield base64.b64encode(compress(self._block(name)))
            yield b"</script>\n"
        yield _utf8(_TAIL.format(runtime=_read("base/js/page.js")))


def _utf8(text: str) -> bytes:
    """Return the bytes of `text`; half a surrogate pair, which no file can hold, becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def _is_ours(view: View, name: str) -> bool:
    """Whether a synchronised trait belongs to the view, not to ipywidgets or anywidget."""
    return name in view.traits(sync=True) and name not in _foreign_traits()


def _foreign_traits() -> frozenset[str]:
    return frozenset(anywidget.AnyWidget.class_trait_names()) | {"_esm", "_css", "_anywidget_id"}


def _json(value: object) -> str:
    r"""Return JSON that can stand in a ``<script>``: ``<`` is written ``\u003c``, so no tag can end it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' blob:; \
style-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
html {{ font: 100%/1.5 system-ui, sans-serif; }}
body {{ background: #fff; color: #1f2328; margin: 0 auto; max-width: 76rem; padding: 1rem; }}
h1 {{ font-size: 1.4rem; margin: 0 0 0.6rem; }}
img {{ height: auto; max-width: 100%; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #0d1117; color: #e8eaed; }} }}
{style}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div data-bvl-place></div>
<noscript>{fallback}</noscript>
</main>
"""

_TAIL = """<script type="module">
{runtime}</script>
</body>
</html>
"""
