"""What README and document say of the page's engine is what was measured, and its bytes are still so many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bertviz_lite import FillIn, load
from bertviz_lite.views.engine.packed import pack_model
from tests.benchmarks.page_engine_words import COMMAND, DOCUMENT, README, document, read, with_sentence

if TYPE_CHECKING:
    from pathlib import Path

AGAIN = f"run, on a machine at rest: {COMMAND}"


def test_the_document_and_the_readme_say_what_was_measured() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(read()), AGAIN
    readme = README.read_text(encoding="utf-8")
    assert with_sentence(readme, read()) == readme, AGAIN


def test_every_ratio_was_as_small_as_it_has_to_be() -> None:
    for model in read()["models"]:
        with_simd = model["ways"][0]
        assert with_simd["name"] == "with SIMD"
        assert {
            length["tokens"]: length["ratio"] <= length["at_most"] for length in with_simd["lengths"]
        } == {
            12: True,
            128: True,
        }


def test_a_page_has_still_as_many_bytes(tmp_path: Path) -> None:
    tokenizer, model = load()
    measured = read()
    pocket = measured["models"][0]
    assert pocket["parameters"] == model.num_parameters(), AGAIN
    assert pocket["megabytes"] == pytest.approx(pack_model(model, tokenizer).megabytes, rel=0.01), AGAIN
    view = FillIn(model, tokenizer, "Anna lost her [MASK] .")
    view.save(tmp_path / "page.html")
    assert measured["page"]["bytes"] == pytest.approx((tmp_path / "page.html").stat().st_size, rel=0.05), (
        AGAIN
    )
