"""A checkpoint as small as can be."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import save_file

FILES = ("model.safetensors", "optimizer.pt", "scheduler.pt", "rng_state.pth", "trainer_state.json")


def write_checkpoint(folder: Path, step: int) -> Path:
    """Write a checkpoint of one weight, file by file as torch, safetensors and the Trainer do."""
    checkpoint = folder / f"checkpoint-{step}"
    checkpoint.mkdir(parents=True)
    save_file({"weight": torch.ones(200)}, checkpoint / "model.safetensors")
    for name in FILES[1:4]:
        torch.save({"state": torch.arange(200)}, checkpoint / name)
    (checkpoint / "trainer_state.json").write_text('{"global_step": 5}', encoding="utf-8")
    return checkpoint
