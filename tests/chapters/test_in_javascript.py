"""The page's own functions, as they stand in their files."""

from pathlib import Path

import pytest

import bertviz_lite
from bertviz_lite.chapters.chapter_12.in_javascript import in_javascript
from bertviz_lite.exercises.listing import SourceError


def test_a_function_is_shown_as_it_is_in_its_file() -> None:
    shown = in_javascript("addAndNormalise", "chapter 04")
    engine = Path(bertviz_lite.__file__).parent / "views" / "engine" / "js" / "bert"
    assert shown.code in (engine / shown.file).read_text(encoding="utf-8")
    assert shown.caption == "encoder.js, addAndNormalise · chapter 04"
    assert shown.code.splitlines()[0].startswith("function* addAndNormalise(")
    assert shown.code.splitlines()[-1] == "}"
    assert '<span style="color: #0000c0">' not in shown._repr_html_()  # no Python keyword is looked for


def test_a_name_that_is_no_function_is_refused_in_one_line() -> None:
    with pytest.raises(SourceError, match=r"^the page's BERT has no function nothing\.$"):
        in_javascript("nothing")
