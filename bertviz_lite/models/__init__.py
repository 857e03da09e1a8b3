"""Where weights lie and how they are loaded; those of the pocket model come with the package."""

from pathlib import Path

POCKET = Path(__file__).parent / "pocket"
"""Folder of the shipped pocket model: weights, tokenizer, card, scores, history."""
