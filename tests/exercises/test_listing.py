"""Source as it is in its file: numbered lines, a caption, one line for an object that has none."""

from pathlib import Path

import pytest

import bertviz_lite.chapters.chapter_12.whole_bert
from bertviz_lite.chapters.chapter_12.whole_bert import Pooler
from bertviz_lite.exercises.listing import SourceError, source


def test_a_listing_shows_the_lines_of_its_file_numbered_from_1() -> None:
    file = Path(bertviz_lite.chapters.chapter_12.whole_bert.__file__).read_text(encoding="utf-8")
    shown = source(Pooler, "chapter 07")
    head, *lines = repr(shown).splitlines()
    assert head == "whole_bert.py, Pooler · chapter 07"
    assert [int(line[:3]) for line in lines] == list(range(1, len(lines) + 1))
    assert "\n".join(line[5:] for line in lines) in file
    html = shown._repr_html_()
    assert "<script" not in html
    assert html.count("font-family: monospace") == html.count("<pre ") == 2  # exported, too
    assert ">class</span> Pooler(nn.Module):" in html
    assert source(Pooler.forward).code.startswith("def forward(self")
    assert source(Pooler.forward).caption == "whole_bert.py, Pooler.forward"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (3, "source shows a class, a function or a method, not 3."),
        ("Pooler", "source shows a class, a function or a method, not 'Pooler'."),
        (len, "len has no source in a Python file."),
        (type("Made", (), {}), "Made has no source in a Python file."),
    ],
)
def test_an_object_without_source_is_refused_in_one_line(target: object, message: str) -> None:
    with pytest.raises(SourceError) as error:
        source(target)
    assert str(error.value) == message
    assert error.value._render_traceback_() == [f"SourceError: {message}"]
