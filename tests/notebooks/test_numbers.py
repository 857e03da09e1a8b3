"""Numbers in prose: read, found in what cells show, or marked as from elsewhere; a planted one is caught."""

import copy
import random
import re
from typing import Any

import pytest
from notebook_checks.notebook import ROOT, find_notebooks, read
from notebook_checks.rules.numbers import numbers_are_shown, said

PATH = ROOT / "notebooks" / "03_note.ipynb"
FAR = 7
EACH, AT_LEAST = 10, 0.75
"""So many wrong numbers are planted in a chapter, and so large a share of them is caught at least.

Of all 521 numbers, 86 % were when this was written: the share of a sample may be some points lower.
"""


def notebook(*cells: str | dict[str, Any]) -> dict[str, Any]:
    """Return a notebook: texts are prose, dictionaries say what a code cell has beside its kind."""
    made: list[dict[str, Any]] = [{"cell_type": "markdown", "id": "top", "source": "# What is it?"}]
    for number, cell in enumerate(cells):
        if isinstance(cell, str):
            made.append({"cell_type": "markdown", "id": f"text-{number}", "source": cell})
        else:
            kind = {"cell_type": "code", "id": f"code-{number}", "source": "", "outputs": []}
            made.append(kind | {"execution_count": None} | cell)
    return {"cells": made}


def printed(text: str) -> dict[str, Any]:
    return {"outputs": [{"output_type": "stream", "name": "stdout", "text": text}]}


def html(text: str) -> dict[str, Any]:
    return {"outputs": [{"output_type": "display_data", "data": {"text/html": text}, "metadata": {}}]}


def findings(*cells: str | dict[str, Any]) -> list[str]:
    return list(numbers_are_shown(notebook(*cells), PATH))


def numbers_of(prose: str) -> list[str]:
    return [claim.text for claim in said(prose)]


@pytest.mark.parametrize(
    ("prose", "numbers"),
    [
        ("A share of 12.5 %, 94 % or 0.07, of 1,200 texts.", ["12.5 %", "94 %", "0.07", "1,200"]),
        ("Of 20, 3 are right, and 7 of 9 of those.", ["20", "7", "9"]),
        ("In 2018 it had 12 layers, in 1,999 a thirteenth.", ["1,999"]),
        ("See chapters 13 and 14, exercise 15, table 16, SQuAD 1.1, SHA-256 and 80/10/10.", []),
        ("Type `head = 40`, which is $17 + 23$.\n\n```python\n41\n```\n\n<!-- 42 -->", []),
        ("It is 87.07 in [the paper](https://arxiv.org/abs/1810.04805). Here it is 77.", ["77"]),
        ("It's [over 50](04_layer.ipynb), and <b>60</b>.", ["50", "60"]),
        ("| a | 31.5 |\n| --- | --- |\n| [b](https://x.org) | 32.5 |", ["31.5"]),
    ],
)
def test_numbers_are_read_but_for_names_years_code_and_those_with_a_source(
    prose: str, numbers: list[str]
) -> None:
    assert numbers_of(prose) == numbers


@pytest.mark.parametrize(
    ("prose", "cell"),
    [
        ("It is 94 %.", printed("accuracy 0.9375 of 80")),
        ("It is 94 %.", printed("right: 93.8%")),
        ("It is 94 %.", printed("15 of 16 right")),
        ("It is 0.94.", printed("right: 94%")),
        ("It is 0.07.", printed("off by 0.0689")),
        ("It has 110 million.", printed("109,482,240 parameters")),
        ("It has 1,200.", {"source": "stories(seed=1, n=1_200)"}),
        ("It is 4,096.", html('<img alt="a map of 4,096 dots">')),
        ("It is 37 %.", html("<table><tr><td>she</td><td>37 %</td></tr></table>")),
        ("A model reads at most 512 tokens.", {}),
    ],
)
def test_a_number_may_be_printed_drawn_in_a_table_in_code_known_and_rounded(
    prose: str, cell: dict[str, Any]
) -> None:
    assert findings(cell, prose) == []
    assert findings(prose, cell) == []


@pytest.mark.parametrize(
    ("prose", "cell"),
    [
        ("It is 93 %.", printed("accuracy 0.9375 of 80")),
        ("It is 0.940.", printed("right: 94%")),
        ("It is 0.068.", printed("off by 0.0689")),
        ("It has 111 million.", printed("109,482,240 parameters")),
        ("It has 110 thousand.", printed("109,482,240 parameters")),
        ("It has 1,201.", {"source": "stories(seed=1, n=1_200)"}),
        ("It is 37.", printed("37% of them")),
        ("It is 37 %.", printed("37 of them")),
        ("It is 17.", html("<style>p { width: 17 px }</style>")),
        ("A model reads at most 511 tokens.", {}),
    ],
)
def test_another_number_is_named_with_what_to_do(prose: str, cell: dict[str, Any]) -> None:
    (found,) = findings(cell, prose)
    assert found.startswith("cell 3: ")
    assert "is in no output and no code within 6 cells: mend it, or add <!-- from elsewhere: " in found


def test_a_number_is_looked_for_near_the_prose_or_where_a_link_says() -> None:
    cells = [printed("accuracy 0.94"), *[{}] * FAR]
    assert len(findings(*cells, "It is 94 %.")) == 1
    assert findings(*cells[:-2], "It is 94 %.") == []
    assert findings(*cells, 'It is [94 %](#What-is-it? "cell code-0").') == []


def test_the_texts_of_a_figure_hold_numbers() -> None:
    chapter = next(path for path in find_notebooks() if path.name == "04_layer.ipynb")
    cell = next(cell for cell in read(chapter)["cells"] if cell["id"] == "cost-picture")
    assert findings(cell, "It costs half at 4,608 tokens.") == []


def test_a_mark_says_where_numbers_are_from() -> None:
    assert findings("By chance 37 or 38.\n\n<!-- from elsewhere: 37, 38 (a quarter of 150) -->") == []
    two = "<!-- from elsewhere: 1,037 (a paper, table 5 (b)); 38 % (chapter 02) -->"
    assert findings(f"By chance 1,037 or 38 %.\n\n{two}") == []


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("<!-- from elsewhere: 37 (chance) -->", "38 in “By chance 37 or 38.” is in no output"),
        (
            "<!-- from elsewhere: 37, 38, 39 (chance) -->",
            "says where 39 is from, but the cell doesn't say it",
        ),
        ("<!-- from elsewhere: 37, 38 -->", "isn't `<!-- from elsewhere: 37, 38 (a quarter of 150) -->`"),
        ("<!-- From elsewhere: 37, 38 (chance) -->", "37 in “By chance 37 or 38.” is in no output"),
        ("<!--from elsewhere: 37, 38 (chance)-->", "has a mark of numbers that isn't"),
    ],
)
def test_a_mark_that_misses_a_number_or_has_one_too_many_is_named(mark: str, message: str) -> None:
    found = findings(f"By chance 37 or 38.\n\n{mark}")
    assert any(message in each for each in found), found


def test_minutes_are_no_number_of_an_output_but_only_in_the_first_cell() -> None:
    cells = notebook()
    cells["cells"][0]["source"] += (
        "\n\nIt's the 43rd part, of 44.\n\n**Takes** about 90 minutes, and 70 more."
    )
    assert [text.split(" in ")[0] for text in numbers_are_shown(cells, PATH)] == ["cell 1: 44"]
    assert len(findings("**Takes** about 90 minutes.")) == 1


def test_the_numbers_of_every_chapter_are_shown_or_from_elsewhere() -> None:
    assert [text for path in find_notebooks() for text in numbers_are_shown(read(path), path)] == []


def planted(chapter: dict[str, Any], place: int, text: str, rng: random.Random) -> str:
    """Change one digit of a number where prose first says it; return the number as it is now."""
    digits = [n for n, letter in enumerate(text) if letter.isdigit()]
    at = rng.choice(digits)
    wrong = rng.choice([digit for digit in "123456789" if digit != text[at]])
    changed = text[:at] + wrong + text[at + 1 :]
    cell = chapter["cells"][place]
    there = re.compile(rf"(?<![\w.,]){re.escape(text)}(?![\w]|[.,]\d)")
    pieces = re.split(r"(<!--.*?-->)", cell["source"], flags=re.DOTALL)
    first = next(n for n, piece in enumerate(pieces) if n % 2 == 0 and there.search(piece))
    pieces[first] = there.sub(changed, pieces[first], count=1)
    cell["source"] = "".join(pieces)
    return changed


@pytest.mark.thorough
def test_a_wrong_digit_in_the_prose_of_a_real_chapter_is_caught_as_a_rule() -> None:
    rng = random.Random(0)
    caught = []
    for path in find_notebooks():
        chapter = read(path)
        prose = [n for n, cell in enumerate(chapter["cells"]) if n and cell["cell_type"] == "markdown"]
        places = [(n, claim.text) for n in prose for claim in said(chapter["cells"][n]["source"])]
        for place, text in rng.sample(places, min(EACH, len(places))):
            wrong = copy.deepcopy(chapter)
            planted(wrong, place, text, rng)
            assert wrong != chapter
            caught.append(bool(list(numbers_are_shown(wrong, path))))
    assert len(caught) >= 100
    assert sum(caught) / len(caught) >= AT_LEAST
