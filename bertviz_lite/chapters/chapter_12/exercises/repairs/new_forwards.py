"""Exercises of chapter 12, the whole BERT: repairs that write the forward of a part anew."""

from collections.abc import Callable
from typing import Any

Repair = Callable[[Any], Any]

FORWARD_HINT = (
    "Write the part's forward anew, as on the page but without self, and set it: part.forward = my_forward. "
    "Then return the patient."
)
