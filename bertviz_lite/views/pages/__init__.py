"""Pages that hold several views: tabs for a class (``python -m bertviz_lite.views.pages``)."""

from __future__ import annotations

from bertviz_lite.views.pages.tabs import save_page

__all__ = ["save_page"]
