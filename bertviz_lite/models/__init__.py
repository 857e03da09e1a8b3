"""Where weights lie and how they are loaded; the pocket model, and others shipped beside it."""

from pathlib import Path

POCKET = Path(__file__).parent / "pocket"
"""Folder of the shipped pocket model: weights, tokenizer, card, scores, history."""
