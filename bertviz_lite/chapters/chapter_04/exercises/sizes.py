"""What the encoder weighs: the parameters of a whole model."""

from functools import partial

from bertviz_lite.exercises import Case, exercise

_BASE, _LARGE = (30_522, 768, 12, 3_072, 512), (30_522, 1_024, 24, 4_096, 512)


@exercise(
    cases=lambda: [Case(10, 4, 2, 6, 5), Case(20, 6, 3, 7, 8), Case(*_BASE), Case(*_LARGE)],
    hints=(
        "A linear map from a to b numbers has a · b weights and b biases. LayerNorm has a gain and a bias.",
        "Attention has four maps, all from hidden_size to hidden_size: query, key, value, output.",
        "There are two LayerNorms in a layer, and one after the embeddings. The pooler is a linear map.",
    ),
    note="The number of heads is not needed: it says how hidden_size is split, and adds nothing.",
    rtol=1e-9,
)
def count_parameters(
    vocab_size: int, hidden_size: int, layers: int, intermediate_size: int, positions: int
) -> int:
    """Count the parameters of a `BertModel`: three tables (two segments), the layers, the pooler."""
    norm = 2 * hidden_size
    attention = 4 * (hidden_size * hidden_size + hidden_size)
    ffn = 2 * hidden_size * intermediate_size + intermediate_size + hidden_size
    embeddings = (vocab_size + positions + 2) * hidden_size + norm
    pooler = hidden_size * hidden_size + hidden_size
    return embeddings + layers * (attention + ffn + 2 * norm) + pooler


def _counted(*sizes: int, maps: int = 4, bias: int = 1, norms: int = 2, **less: int) -> int:
    """Count as `count_parameters` does, with something wrong."""
    v, h, layers, i, p = sizes
    layer = maps * (h * h + bias * h) + 2 * h * i + bias * (i + h) + norms * 2 * h
    ends = (v + p + 2) * h + less.get("norm", 2) * h
    return layers * layer + ends + less.get("pooler", 1) * (h * h + bias * h)


count_parameters.mistake("The pooler is missing.", partial(_counted, pooler=0))
count_parameters.mistake("The biases of the linear maps are missing.", partial(_counted, bias=0))
count_parameters.mistake(
    "2 · hidden_size are missing: the segment table, or the LayerNorm after the embeddings.",
    partial(_counted, norm=0),
)
count_parameters.mistake(
    "hidden_size is missing: there are two segments, and LayerNorm has a gain and a bias.",
    partial(_counted, norm=1),
)
count_parameters.mistake(
    "4 · hidden_size are missing: the segment table, and the LayerNorm after the embeddings.",
    partial(_counted, norm=-2),
)
count_parameters.mistake(
    "The position table is missing.", lambda v, h, layers, i, p: _counted(v, h, layers, i, 0)
)
count_parameters.mistake("Each layer has two LayerNorms: one was counted.", partial(_counted, norms=1))
count_parameters.mistake("The LayerNorms in the layers are missing.", partial(_counted, norms=0))
count_parameters.mistake(
    "Attention has four linear maps: the one for its output is missing.", partial(_counted, maps=3)
)
