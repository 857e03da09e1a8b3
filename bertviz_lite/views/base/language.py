"""The language of a view's own words: which there are, and which one is spoken unless a call says another.

The words themselves stand in tables: ``base/js/language/`` and each view's ``language/``, and for what a page
says around its views ``saved/chinese.py``. Pictures and tables without scripts are in English.
"""

from __future__ import annotations

import os

from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.saved.chinese import LANGUAGES

__all__ = ["LANGUAGES", "checked_language"]

_SETTING = "BERTVIZ_LITE_LANG"


def checked_language(value: object = None) -> str:
    """Return `value` if it is a language that the views speak; of None, the one of the environment.

    Raises
    ------
    ViewError
        If the views have no such language.
    """
    name, given = ("lang", value) if value is not None else (_SETTING, os.environ.get(_SETTING) or "en")
    if not isinstance(given, str) or given not in LANGUAGES:
        raise ViewError(f"{name}={given!r}: one of {', '.join(map(repr, LANGUAGES))} is needed.")
    return given
