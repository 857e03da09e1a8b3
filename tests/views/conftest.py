"""What several files of these tests begin with."""

from __future__ import annotations

import pytest

from bertviz_lite import Capture, capture, load


@pytest.fixture(scope="module")
def seen() -> Capture:
    """Return a pair of sentences as the pocket model sees it."""
    tokenizer, model = load()
    return capture(model, tokenizer, "The farmer finds the key.", "She opens the door.")
