"""Slides: decks written in Markdown whose figures, numbers and views are those of the chapters."""
