"""What a pre-training costs, as the chapter prints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bertviz_lite.evaluation.costs import memory, operations, parameters

if TYPE_CHECKING:
    from transformers import BertConfig

SECONDS_A_DAY = 86_400


def model_costs(configs: Mapping[str, BertConfig], batch_size: int = 32, seq_len: int = 128) -> str:
    """Write parameters, operations a token in training, and memory for a batch, a line for each model."""
    tokens = f"memory, {batch_size} × {seq_len} tokens"
    lines = [f"{'':10}{'parameters':>13}{'operations a token':>21}{tokens:>27}"]
    for name, config in configs.items():
        done = operations(config, seq_len, training=True).total / 1e6
        needed = memory(config, batch_size=batch_size, seq_len=seq_len).total / 1e9
        count = parameters(config).total
        lines.append(f"{name:10}{count:13,}{done:13.1f} million{needed:24.2f} GB")
    return "\n".join(lines)


def days_at(total: float, speeds: Mapping[str, float]) -> str:
    """Write how long so many operations take at each speed, given in operations a second.

    A speed is known to a digit or two, so no more are written of a time; and years only from one on.
    """
    lines = []
    for name, speed in speeds.items():
        days = total / speed / SECONDS_A_DAY
        years = f" = {_two_digits(days / 365)} years" if days >= 365 else ""
        lines.append(f"{name:30}{_two_digits(days):>8} days{years}")
    return "\n".join(lines)


def _two_digits(number: float) -> str:
    return f"{float(f'{number:.2g}'):,.12g}"
