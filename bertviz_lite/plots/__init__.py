"""Figures for the chapters: arrays and tokens in, matplotlib Axes out, no model in sight.

Every function draws in the course's style, takes a ``title`` that should state the finding, and returns Axes
for more drawing or for :func:`show`. Blue is negative, orange is positive, white is zero, in every signed
picture of the course. Text is written as it is, never set as a formula.

Left out: interaction (see ``views/``) and three dimensions.
"""

from bertviz_lite.plots.attention_maps import Focus, Scale, attention_map, draw_heads
from bertviz_lite.plots.bar_charts import bars, histogram, intervals
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.display import picture, show
from bertviz_lite.plots.embedding_strips import decomposition
from bertviz_lite.plots.heat_maps import SIGNED, UNSIGNED, heatmap, similarity_map
from bertviz_lite.plots.line_charts import draw_lines, lines
from bertviz_lite.plots.point_maps import MARKERS, PCA, pca, scatter_map
from bertviz_lite.plots.ribbon_lines import RibbonLook, head_colour, ribbons

__all__ = [
    "CYCLE",
    "MARKERS",
    "PCA",
    "SIGNED",
    "UNSIGNED",
    "Focus",
    "RibbonLook",
    "Scale",
    "attention_map",
    "bars",
    "decomposition",
    "draw_heads",
    "draw_lines",
    "head_colour",
    "heatmap",
    "histogram",
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
