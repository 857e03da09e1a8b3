"""What views have in common lies in files that pages share: each is written once, and a page names it."""

from __future__ import annotations

import base64
import re
import zlib
from pathlib import Path

from bertviz_lite.views.base.saved.contents import AnsweringModel, Contents
from bertviz_lite.views.pages.shelf import Shelf


def contents(kind: str, module: str) -> Contents:
    return Contents(kind, "", module, {}, model=AnsweringModel("pocket", "the engine", b"the weights"))


def test_two_pages_share_what_is_equal_in_their_views(tmp_path: Path) -> None:
    first = b"".join(Shelf([contents("FillIn", "module 1")]).parts_beside(tmp_path, "../views/")).decode()
    written = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    second = b"".join(
        Shelf([contents("FillIn", "module 1"), contents("Machine", "module 2")]).parts_beside(
            tmp_path, "views/"
        )
    ).decode()
    names = re.findall(r'data-bvl-src="\.\./views/([^"]+)"', first)
    assert sorted(written) == sorted(names)
    assert len(names) == 3
    assert len([*tmp_path.iterdir()]) == 4
    assert all(
        file.stat().st_mtime_ns == written.get(file.name, file.stat().st_mtime_ns)
        for file in tmp_path.iterdir()
    )
    assert set(names) < set(re.findall(r'data-bvl-src="views/([^"]+)"', second))


def test_a_shared_file_is_a_script_that_holds_what_the_page_would() -> None:
    (held, _, weights) = Shelf([contents("FillIn", "module 1")]).held()
    assert held.mark == 'bvl-module="FillIn"'
    assert zlib.decompress(base64.b64decode(held.letters())) == b"module 1"
    inline = b"".join(weights.parts()).decode()
    assert re.fullmatch(
        '<script type="text/plain" data-bvl-model="pocket" data-bvl-deflated>[^<]+</script>\n', inline
    )
    assert weights.letters().decode() in inline
    assert weights.elsewhere("a.js") == (
        b'<script type="text/plain" data-bvl-model="pocket" data-bvl-src="a.js" data-bvl-deflated></script>\n'
    )


def test_the_shared_file_sets_the_text_of_its_own_script(tmp_path: Path) -> None:
    shelf = Shelf([contents("FillIn", "module 1")])
    [*shelf.parts_beside(tmp_path, "")]
    (module,) = tmp_path.glob("module-*.js")
    found = re.fullmatch(rb'document\.currentScript\.text="([A-Za-z0-9+/=]*)";\n', module.read_bytes())
    assert found
    assert zlib.decompress(base64.b64decode(found[1])) == b"module 1"
