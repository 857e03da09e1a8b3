"""Figures of chapter 02: similar positions, two rows, one sum, directions of positions, maps of words."""
