"""A finished model is installed as a whole, and its card shows what is missed."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import pytest

from bertviz_lite.basics.files import replace_folder, write_text
from bertviz_lite.evaluation.scores import Score, Scores
from bertviz_lite.training.card import Making, model_card
from bertviz_lite.training.pretraining.finished import install


def test_install_replaces_the_folder_as_a_whole(tmp_path: Path) -> None:
    target, source = tmp_path / "package" / "pocket", tmp_path / "new"
    target.mkdir(parents=True)
    (target / "old.txt").write_text("old", encoding="utf-8")
    source.mkdir()
    with pytest.raises(ValueError, match="no finished model"):
        install(source, target)
    assert (target / "old.txt").exists()
    (source / "model.safetensors").write_bytes(b"x")
    install(source, target)
    assert sorted(path.name for path in target.iterdir()) == ["SHA256SUMS", "model.safetensors"]
    digest = hashlib.sha256(b"x").hexdigest()
    assert (target / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  model.safetensors\n"
    assert (source / "model.safetensors").exists()
    assert [path.name for path in target.parent.iterdir()] == ["pocket"]


def test_card_shows_what_is_missed() -> None:
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card = model_card(
        making, Scores({"agreement": Score(0.5, 10, 0.97), "masked_words": Score(math.nan, 0)}), "0" * 64
    )
    assert "| masked word: agreement | 0.5000 | 0.97 MISSED |" in card


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "one\n")
    write_text(tmp_path / "a.txt", "two\n")
    assert (tmp_path / "a.txt").read_bytes() == b"two\n"
    assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / "new").mkdir()
    replace_folder(tmp_path / "new", tmp_path / "deep" / "place")
    assert (tmp_path / "deep" / "place").is_dir()
