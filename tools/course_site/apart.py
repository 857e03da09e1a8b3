"""Large parts of a chapter's page as files beside it: pictures, and the numbers that views start with.

A page that holds only text is small to open, and what two pages have in common (the same picture of the same
view, the same numbers) lies in the site once.
"""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from typing import TYPE_CHECKING

from bertviz_lite.basics.files import written_whole
from bertviz_lite.views.pages.shelf import write_letters

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["set_apart"]

_PICTURE = re.compile(r'(?<=src=")data:image/png;base64,([A-Za-z0-9+/=\s]+)(?=")')
_BLOCK = re.compile(r'<script type="text/plain" (data-bvl-block="[^"]*")>([A-Za-z0-9+/=]*)</script>')
_LETTERS = 10_000
"""A block of fewer stays in the page: another file would cost a reader more than it saves."""


def set_apart(page: str, folder: Path, address: str) -> str:
    """Return a page that leads to its pictures and large blocks, which are written beside it.

    Parameters
    ----------
    page
        HTML. A picture is a PNG in the ``src`` of an ``<img>``, a block numbers of a view.
    folder
        Gets the files. Their names are made of what is in them, so that the same is written once.
    address
        The folder, as the page names it: ``../views/``.
    """

    def picture(found: re.Match[str]) -> str:
        data = base64.b64decode(found[1])
        name = f"picture-{sha256(data).hexdigest()[:12]}.png"
        if not (folder / name).exists():
            with written_whole(folder / name) as file:
                file.write(data)
        return address + name

    def block(found: re.Match[str]) -> str:
        mark, text = found.groups()
        if len(text) < _LETTERS:
            return found[0]
        place = address + write_letters(folder, "block", text.encode(), text.encode)
        return f'<script type="text/plain" {mark} data-bvl-src="{place}"></script>'

    return _BLOCK.sub(block, _PICTURE.sub(picture, page))
