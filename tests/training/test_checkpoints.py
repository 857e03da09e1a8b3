"""A checkpoint that cannot be read is named in one line, and an older one is tried."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from bertviz_lite.training.pretraining.checkpoints import last_checkpoint
from tests.helpers.checkpoints import FILES, write_checkpoint


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[content.index(torch.arange(200).numpy().tobytes()) + 9] ^= 255
    file.write_bytes(bytes(content))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with checkpoints of the steps 9, 10 and 100."""
    for step in (9, 10, 100):
        write_checkpoint(tmp_path, step)
    return tmp_path


def test_the_newest_checkpoint_is_resumed(folder: Path) -> None:
    lines: list[str] = []
    assert last_checkpoint(folder, lines.append) == folder / "checkpoint-100"
    assert lines == []
    assert last_checkpoint(folder / "nowhere") is None


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", [Path.unlink, truncate, lambda file: file.write_text("no")])
def test_a_damaged_file_is_named_and_the_older_checkpoint_is_tried(
    folder: Path, name: str, damage: object
) -> None:
    damage(folder / "checkpoint-100" / name)  # type: ignore[operator]
    lines: list[str] = []
    assert last_checkpoint(folder, lines.append) == folder / "checkpoint-10"
    assert len(lines) == 1
    assert lines[0].startswith(f"checkpoint-100 cannot be read ({name.partition('.')[0]}")
    assert lines[0].endswith("): an older one is tried")
    assert "\n" not in lines[0]


@pytest.mark.parametrize("name", FILES[1:4])
def test_a_changed_byte_is_noticed_where_torch_has_written_a_checksum(folder: Path, name: str) -> None:
    flip(folder / "checkpoint-100" / name)
    assert last_checkpoint(folder) == folder / "checkpoint-10"


def test_unfinished_checkpoints_are_passed_over_however_many_there_are(folder: Path) -> None:
    for step in (200, 300):
        (folder / f"checkpoint-{step}").mkdir()
    (folder / "checkpoint-100" / "trainer_state.json").write_text('{"a":', encoding="utf-8")
    lines: list[str] = []
    assert last_checkpoint(folder, lines.append) == folder / "checkpoint-10"
    assert [line.split()[0] for line in lines] == ["checkpoint-300", "checkpoint-200", "checkpoint-100"]
    for step in (9, 10):
        truncate(folder / f"checkpoint-{step}" / "optimizer.pt")
    assert last_checkpoint(folder) is None
