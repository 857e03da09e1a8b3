"""What every interactive view shares: three layers of showing from one object.

- **Live**: an anywidget; the state is in traits, which Python and the page both read and set.
- **Script-free** (``static.py``): a picture with alt text and tables, as ``text/html`` beside the widget.
  It is what GitHub, nbviewer, an export, and an untrusted, stripped or reopened notebook show.
- **A page of its own** (``page.py``): :meth:`View.save` writes one HTML file that runs the same module.

A view is a folder with ``view.py``, ``view.js`` and ``view.css``. ``view.js`` imports what it needs of the
base and of the parts in ``js/``; ``sources.py`` joins these files to one module.

To write a view: subclass :class:`View`; give it ``_esm``, ``_css``, ``title`` and ``about``; put its data in
private traits tagged ``sync=True``, bulk numbers as ``Bytes`` made by ``pack``; name the public traits that
the reader may set in ``state``; and say in ``_static`` what is seen without scripts.

Numbers too many to send at once are **blocks** (``saved/blocks.py``): made by ``_block`` when the page asks
for them, or written into a saved page when ``_saved_blocks`` names them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import anywidget
import traitlets

from bertviz_lite.basics.files import written_whole
from bertviz_lite.basics.text import readable
from bertviz_lite.plots.display import picture
from bertviz_lite.views.base.errors import (
    ViewError,
    checked_flag,
    checked_path,
    checked_title,
    unknown_attribute,
)
from bertviz_lite.views.base.language import LANGUAGES, checked_language
from bertviz_lite.views.base.page import Page
from bertviz_lite.views.base.saved.blocks import compress
from bertviz_lite.views.base.saved.contents import AnsweringModel, Contents
from bertviz_lite.views.base.static import LIVE, show_both, watcher
from bertviz_lite.views.base.traits import Choice

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from bertviz_lite.views.base.page_model import PageModel
    from bertviz_lite.views.base.static import Static

__all__ = ["View"]


class _Finished(type(anywidget.AnyWidget)):  # type: ignore[misc]
    """Marks a view when its constructor, that of a subclass included, is done; one that fails is let go."""

    def __call__(cls, *args: Any, lang: str | None = None, **kwargs: Any) -> Any:  # noqa: ANN401
        language = checked_language(lang)
        view: Any = cls.__new__(cls, *args, **kwargs)
        try:
            view.__init__(*args, **kwargs)
            view.lang = language
        except BaseException:
            let_go(view)
            raise
        view._is_finished = True
        return view


def let_go(view: View) -> None:
    """Close a view that nobody will see, and its layout: else both would stay open."""
    layout = view._trait_values.get("layout")
    view.close()
    if layout is not None:
        layout.close()


class View(anywidget.AnyWidget, metaclass=_Finished):
    """Base of the interactive views; see the module's text for how to write one.

    Attributes
    ----------
    title
        Heading of the saved page.
    about
        What the view shows and what to do with it, in half a sentence for one who meets it without the
        notebook; the saved page says it below the heading, and ends the sentence.
    state
        Names of the traits that a reader may read and set.
    """

    title: ClassVar[str] = "View"
    about: ClassVar[str] = ""
    state: ClassVar[tuple[str, ...]] = ()

    lang = Choice(tuple(LANGUAGES), "en").tag(sync=True)
    """The language of the view's own words: "en" or "zh". Every view takes it as an argument, too; the
    environment variable ``BERTVIZ_LITE_LANG`` sets it for all views. Who reads the page can switch."""

    _engine = traitlets.Unicode("").tag(sync=True)
    """Where a page finds the model that answers in Python's place; empty if it has none."""

    _still = traitlets.Unicode("").tag(sync=True)
    """What the pictures are called that are shown when the view is not; empty if there are none."""

    def __init__(self, **traits: Any) -> None:  # noqa: ANN401
        model = self._page_model()
        super().__init__(**traits, _engine=model.place() if model else "")
        self.on_msg(self._answer)

    def _page_model(self) -> PageModel | None:
        """Return the model that can answer in Python's place; None if there is none."""
        return None

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

    def _take(self, values: object) -> None:
        """Compute with new values of traits, all of them or none, or raise :class:`traitlets.TraitError`."""
        raise ViewError(f"{values!r}: {type(self).__name__} computes nothing anew.")

    def _answer(self, _: object, message: object, __: object) -> None:
        """Answer the page, which waits for every ticket.

        - ``{"type": "block", "ticket", "name"}`` with ``{"type": "block", "ticket"}`` and its bytes, or with
          ``{"type": "error", "ticket", "message"}``;
        - ``{"type": "ask", "ticket", "values"}`` with ``{"type": "asked", "ticket", "problem"}``, once the
          traits have their new values; a problem says in one line why they have not.
        """
        kind = message.get("type") if isinstance(message, dict) else None
        if kind == "block":
            self._answer_block(message)  # type: ignore[arg-type]
        elif kind == "ask":
            self._answer_ask(message)  # type: ignore[arg-type]

    def _answer_block(self, message: dict[str, Any]) -> None:
        ticket = message.get("ticket")
        try:
            block = compress(self._block(str(message.get("name"))))
        except Exception as error:  # else the page would wait for ever
            self.send({"type": "error", "ticket": ticket, "message": str(error)})
            if not isinstance(error, ViewError):
                raise
        else:
            self.send({"type": "block", "ticket": ticket}, [block])

    def _answer_ask(self, message: dict[str, Any]) -> None:
        reply = {"type": "asked", "ticket": message.get("ticket"), "problem": ""}
        try:
            self._take(message.get("values"))
        except traitlets.TraitError as error:
            self.send({**reply, "problem": readable(str(error))})
        except Exception as error:  # else the page would wait for ever
            self.send({**reply, "problem": readable(f"{type(error).__name__}: {error}")})
            raise
        else:
            self.send(reply)

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
        if watcher() == "a program":  # an export would prefer the live view, and show an empty cell
            data = {mime: value for mime, value in data.items() if mime != LIVE}
        return {**data, "text/plain": repr(self), "text/html": self.fallback()}, metadata

    def _ipython_display_(self, **kwargs: Any) -> None:  # noqa: ANN401
        """Show the picture and the live view, each as an output of its own: ``static.py`` says why.

        Raises
        ------
        NotImplementedError
            Where no reader is at a notebook: IPython then asks for `_repr_mimebundle_`.
        """
        if watcher() != "a reader":
            raise NotImplementedError
        self._still = str(self.model_id)
        show_both(*self._repr_mimebundle_(**kwargs), name=self._still)

    def save(
        self, path: str | os.PathLike[str], *, title: str | None = None, live: bool | None = None
    ) -> None:
        """Write the view, in its present state, as one HTML file that needs no network, server or kernel.

        With the model in it the page answers what is typed there; without, it shows what was computed before.

        A file that is there is replaced when the new one is complete: it keeps its permissions, and a link
        stays a link.

        Parameters
        ----------
        path
            The file to write; its folder must exist.
        title
            Heading of the page; the view's own if None: the browser's tab then names the model, too.
        live
            Whether the model is put into the page. None: if the view asks one, a page can run it, and it is
            not too large; else the page says why not.

        Raises
        ------
        ViewError
            If there is no such folder (a FileNotFoundError too), or `path` or `title` name nothing; with
            ``live=True``, if the model cannot be put into the page.
        """
        heading = checked_title(title, self.title)
        model = None if title else self._page_model()
        page = Page(
            heading,
            self.about,
            contents=self._contents(live),
            fallback=self._page_fallback(),
            of=model.called if model else "",
        )
        with written_whole(checked_path(path)) as file:
            for part in page.parts():
                file.write(part)

    def _contents(self, live: bool | None) -> Contents:
        """Return what a page holds of the view; for `live` see :meth:`save`."""
        checked_flag("live", live)
        model, reason = self._page_model(), ""
        if model is None and live:
            raise ViewError("live=True: there is no model behind this view that a page could hold.")
        if live is False:
            model = None
        try:
            name = model.name if model else ""
        except ViewError as error:
            if live:
                raise
            model, name, reason = None, "", str(error)
        return Contents(
            kind=type(self).__name__,
            style=str(self._css),
            module=str(self._esm),
            state={**self._saved_state(), "_engine": name, "_not_live": reason},
            blocks=((name, self._block(name)) for name in self._saved_blocks()),
            model=AnsweringModel(name, model.source, model.packed, model.called) if model else None,
        )

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; of a finished view only those that it has, so that a typing error is noticed."""
        unknown = not name.startswith("_") and name not in self.__dict__ and not hasattr(type(self), name)
        if unknown and self.__dict__.get("_is_finished"):
            raise unknown_attribute(self, name)
        super().__setattr__(name, value)


def _is_ours(view: View, name: str) -> bool:
    """Whether a synchronised trait belongs to the view, not to ipywidgets or anywidget."""
    return name in view.traits(sync=True) and name not in _foreign_traits()


def _foreign_traits() -> frozenset[str]:
    return frozenset(anywidget.AnyWidget.class_trait_names()) | {"_esm", "_css", "_anywidget_id", "_still"}
