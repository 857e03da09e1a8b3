"""Cells of a stored notebook as HTML: prose, code in colours, outputs."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

if TYPE_CHECKING:
    from bertviz_lite.views.pages.book.markdown import Prose

__all__ = ["code_html", "output_html"]

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_FORMATTER = HtmlFormatter(nowrap=True, classprefix="hl-")


def code_html(source: str) -> str:
    """Return a cell's code."""
    return (
        f'<pre class="bvp-code"><code>{highlight(source, PythonLexer(), _FORMATTER).rstrip()}</code></pre>\n'
    )


def output_html(output: dict[str, Any], prose: Prose) -> str:
    """Return an output, in the best of the forms that it is stored in."""
    if output["output_type"] == "stream":
        return _plain(_joined(output["text"]))
    if output["output_type"] == "error":
        return _plain("\n".join(output["traceback"]))
    data = output.get("data", {})
    if "text/html" in data:
        return f'<div class="bvp-html">{_joined(data["text/html"])}</div>\n'
    if "text/markdown" in data:
        return f'<div class="bvp-markdown">{prose.html(_joined(data["text/markdown"]))}</div>\n'
    if "image/png" in data:
        alt = html.escape(_joined(data.get("text/plain", "")))
        return f'<img alt="{alt}" src="data:image/png;base64,{_joined(data["image/png"]).strip()}">\n'
    return _plain(_joined(data.get("text/plain", "")))


def _plain(text: str) -> str:
    return f'<pre class="bvp-output">{html.escape(_COLOURS.sub("", text).rstrip())}</pre>\n' if text else ""


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)
