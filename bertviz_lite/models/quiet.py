"""Keep the log and the progress bars of libraries off the page, and set everything back."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hush(logger_name: str) -> Iterator[None]:
    """Keep a library's log off the page, then set it back."""
    logger = logging.getLogger(logger_name)
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextmanager
def without_bars() -> Iterator[None]:
    """Show no progress bar for what takes a tenth of a second (a download's stays)."""
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars
    from transformers.utils import logging as transformers_logging

    shown, hub_hidden = transformers_logging.is_progress_bar_enabled(), are_progress_bars_disabled()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            transformers_logging.enable_progress_bar()
        if hub_hidden:
            disable_progress_bars()


def first_line(error: Exception) -> str:
    """Name an error in at most 160 characters."""
    text = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {text[:140]}".removesuffix(": ")
