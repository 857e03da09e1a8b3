"""Formulas of the site as the chapters' pages have them: MathML, which browsers draw without a script.

An extension of Sphinx; a formula that is not known is a warning, which ends the build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bertviz_lite.views.pages.book.formulas import FormulaError, mathml

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["setup"]


def _draw(block: bool) -> tuple[Any, None]:
    from docutils.nodes import SkipNode
    from sphinx.util.logging import getLogger

    logger = getLogger(__name__)

    def visit(translator: Any, node: Any) -> None:  # noqa: ANN401
        try:
            drawn = mathml(node.astext(), block=block)
        except FormulaError as error:
            logger.warning("%s", error, location=node)
            raise SkipNode from None
        translator.body.append(f"<p>{drawn}</p>\n" if block else drawn)
        raise SkipNode

    return visit, None


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx."""
    app.add_html_math_renderer("mathml", _draw(block=False), _draw(block=True))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
