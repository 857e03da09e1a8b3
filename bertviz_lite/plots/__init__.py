"""Figures for the chapters: arrays and tokens in, matplotlib Axes out, in one style."""

from bertviz_lite.plots.display import CYCLE, picture, show, style
from bertviz_lite.plots.figures import (
    MARKERS,
    PCA,
    SIGNED,
    UNSIGNED,
    attention_map,
    bars,
    decomposition,
    head_colour,
    heatmap,
    intervals,
    lines,
    pca,
    ribbons,
    scatter_map,
    similarity_map,
)

__all__ = [
    "CYCLE",
    "MARKERS",
    "PCA",
    "SIGNED",
    "UNSIGNED",
    "attention_map",
    "bars",
    "decomposition",
    "head_colour",
    "heatmap",
    "intervals",
    "lines",
    "pca",
    "picture",
    "ribbons",
    "scatter_map",
    "show",
    "similarity_map",
    "style",
]
