"""Figures of chapter 02: sums, their parts and cosines, similar positions, directions, maps of words."""
