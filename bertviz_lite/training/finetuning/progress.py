"""A progress bar with the loss, in a notebook or a terminal."""

from __future__ import annotations

from typing import Any

from transformers import (
    TrainerCallback,
)


class ProgressBar(TrainerCallback):
    """A bar with the loss, in a notebook or a terminal."""

    def __init__(self) -> None:
        self._bar: Any = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        """Open the bar."""
        from tqdm.auto import tqdm

        self._bar = tqdm(total=state.max_steps, desc="fine-tuning", unit="step", leave=False)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        """Move the bar on."""
        self._bar.update(state.global_step - self._bar.n)

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        """Show the loss."""
        if logs and "loss" in logs:
            self._bar.set_postfix(loss=f"{float(logs['loss']):.3f}")

    def close(self) -> None:
        """Close the bar, if there is one."""
        if self._bar is not None:
            self._bar.close()


def bars_are_wanted() -> bool:
    """Whether progress bars are to be seen: ``HF_HUB_DISABLE_PROGRESS_BARS`` switches them off."""
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled

    return not are_progress_bars_disabled()
