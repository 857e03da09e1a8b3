"""The map: the boxes of a BERT in the order in which a text passes them, and the chapters that build them.

The page and the picture draw the same boxes from this list.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

__all__ = ["BOXES", "CHAPTERS", "GROUPS", "PLACES", "Box", "Group", "as_facts", "opened_by"]

CHAPTERS = {
    "01": "Tokens",
    "02": "Input embeddings",
    "03": "Attention",
    "04": "The layer",
    "07": "The pooler",
    "08": "The LM head",
    "09": "The NSP head",
}


@dataclass(frozen=True)
class Group:
    """Boxes that stand in one frame."""

    id: str
    name: str
    opens: str
    """The box that is opened where the group is meant."""


@dataclass(frozen=True)
class Box:
    """A step on the way, with its result."""

    id: str
    name: str
    group: str
    chapter: str
    axes: tuple[str, ...]
    """Names of the axes of its result."""
    step: str
    """What the result is called in the numbers of the view; empty where it is made of others."""
    before: str
    """The sign that joins it to the box before it: "+", "=", "→"; empty where a line leads to it."""
    what: str
    """One sentence."""
    formula: str
    module: str
    """Where ``transformers`` has it, ``{layer}`` for the number of the layer; empty where it is no module."""
    hint: str = ""
    """What it does, in a word or two beside its name; ``{head_size}`` for the size."""
    title: str = ""
    """Its name where it stands alone; empty for the same."""

    @property
    def full_name(self) -> str:
        """Its name where it stands alone."""
        return self.title or self.name


_VECTORS = ("seq_len", "hidden_size")
_WIDE = ("seq_len", "intermediate_size")
_LAYER = "encoder.layer.{layer}."

GROUPS = (
    Group("tokens", "Word pieces and ids", "tokens"),
    Group("embeddings", "Input embeddings", "norm"),
    Group("attention", "Multi-head self-attention", "weights"),
    Group("feed_forward", "Feed-forward network", "up"),
    Group("encoder", "Encoder layer", "output"),
    Group("lm_head", "LM head", "words"),
    Group("pooler", "Pooler", "pooler"),
    Group("nsp_head", "NSP head", "verdict"),
)

BOXES = (
    Box(
        "tokens", "word pieces and ids", "tokens", "01", ("seq_len",), "", "",
        "The text is cut into entries of the vocabulary, and each is replaced by its number; [CLS] and [SEP] "
        "are put around it.",
        "input_ids = tokenizer(text)",
        "",
    ),
    Box(
        "word", "token", "embeddings", "02", _VECTORS, "word_embeddings", "",
        "Each id picks its row of a table with one vector for every word piece.",
        "token = table[input_ids]",
        "embeddings.word_embeddings",
        title="token embeddings",
    ),
    Box(
        "position", "position", "embeddings", "02", _VECTORS, "position_embeddings", "+",
        "A second table has one vector for every place in a text: without it, order would be lost.",
        "position = table[0 … seq_len − 1]",
        "embeddings.position_embeddings",
        title="position embeddings",
    ),
    Box(
        "segment", "segment", "embeddings", "02", _VECTORS, "token_type_embeddings", "+",
        "A third table has two vectors: one for the tokens of the first text, one for those of the second.",
        "segment = table[token_type_ids]",
        "embeddings.token_type_embeddings",
        title="segment embeddings (token types)",
    ),
    Box(
        "sum", "sum", "embeddings", "02", _VECTORS, "", "=",
        "The three vectors of a token are added, component by component.",
        "sum = token + position + segment",
        "",
    ),
    Box(
        "norm", "LayerNorm", "embeddings", "02", _VECTORS, "embeddings", "→",
        "Every vector is brought to mean 0 and standard deviation 1, then scaled and shifted by learned "
        "numbers.",
        "embeddings = LayerNorm(sum)",
        "embeddings.LayerNorm",
        title="LayerNorm of the embeddings",
    ),
    Box(
        "query", "query", "attention", "03", _VECTORS, "query", "",
        "What each token asks for: a linear map of x, its vector as it comes into the layer. Each head has "
        "its own part of it.",
        "query = x · Wᵀ + b",
        _LAYER + "attention.self.query",
        hint="Q",
    ),
    Box(
        "key", "key", "attention", "03", _VECTORS, "key", "",
        "What each token can be found by: another linear map of the same vector.",
        "key = x · Wᵀ + b",
        _LAYER + "attention.self.key",
        hint="K",
    ),
    Box(
        "weights", "attention weights", "attention", "03", ("num_heads", "query", "key"), "weights", "",
        "Each head compares every query with every key. Softmax makes shares of the scores: each row adds up "
        "to 1.",
        "weights = softmax(query · keyᵀ / √head_size)",
        _LAYER + "attention.self",
        hint="softmax(Q·Kᵀ/√{head_size})",
    ),
    Box(
        "value", "value", "attention", "03", _VECTORS, "value", "",
        "What each token hands over when it is found: a third linear map of the same vector.",
        "value = x · Wᵀ + b",
        _LAYER + "attention.self.value",
        hint="V",
    ),
    Box(
        "context", "context", "attention", "03", _VECTORS, "context", "",
        "What comes back: for each token and head the mixture of all values, by the weights. The heads stand "
        "side by side.",
        "context = weights · value",
        _LAYER + "attention.self",
        hint="weights·V",
    ),
    Box(
        "projected", "projection", "attention", "03", _VECTORS, "projected", "",
        "The output projection, a linear map, mixes what the heads brought.",
        "projection = context · Wᵀ + b",
        _LAYER + "attention.output.dense",
        hint="linear",
        title="output projection",
    ),
    Box(
        "attended", "add & norm", "encoder", "04", _VECTORS, "attended", "",
        "What attention brought is added to what came into the layer, the residual connection; then "
        "LayerNorm.",
        "attended = LayerNorm(x + projection)",
        _LAYER + "attention.output.LayerNorm",
        hint="+ x",
        title="add & norm after attention",
    ),
    Box(
        "up", "up", "feed_forward", "04", _WIDE, "up", "",
        "From here each token is alone again. A linear map makes its vector several times as wide.",
        "up = attended · Wᵀ + b",
        _LAYER + "intermediate.dense",
        hint="linear",
        title="up, the intermediate layer",
    ),
    Box(
        "activated", "GELU", "feed_forward", "04", _WIDE, "activated", "",
        "The activation: of negative numbers almost nothing is left, large positive ones stay as they are.",
        "activated = GELU(up)",
        _LAYER + "intermediate",
    ),
    Box(
        "down", "down", "feed_forward", "04", _VECTORS, "down", "",
        "A linear map leads back to the width of a token's vector.",
        "down = activated · Wᵀ + b",
        _LAYER + "output.dense",
        hint="linear",
    ),
    Box(
        "output", "add & norm", "encoder", "04", _VECTORS, "output", "",
        "Added to what went into the feed-forward network, then LayerNorm: the layer's result, which the "
        "next layer reads.",
        "output = LayerNorm(attended + down)",
        _LAYER + "output.LayerNorm",
        hint="+ attended",
        title="add & norm after feed-forward",
    ),
    Box(
        "transform", "transform", "lm_head", "08", _VECTORS, "transform", "",
        "Linear, GELU, LayerNorm: each vector is brought into the form in which the table writes words.",
        "transform = LayerNorm(GELU(output · Wᵀ + b))",
        "cls.predictions.transform",
        hint="linear, GELU, LayerNorm",
    ),
    Box(
        "words", "decoder", "lm_head", "08", ("seq_len", "vocab_size"), "", "",
        "A dot product with every row of a table, plus a bias, says how well each word fits; softmax makes "
        "probabilities.",
        "logits = transform · tableᵀ + b",
        "cls.predictions.decoder",
        hint="softmax",
    ),
    Box(
        "pooler", "[CLS]", "pooler", "07", ("hidden_size",), "pooler_output", "",
        "The vector of [CLS] alone, through a linear map and tanh: one vector for the whole text.",
        "pooler_output = tanh(output[0] · Wᵀ + b)",
        "pooler",
        hint="linear, tanh",
        title="pooler",
    ),
    Box(
        "verdict", "classifier", "nsp_head", "09", ("2",), "seq_relationship_logits", "",
        "Two numbers from the pooled vector: the second text continues the first, or it does not.",
        "logits = pooler_output · Wᵀ + b",
        "cls.seq_relationship",
        hint="linear, softmax",
        title="NSP head",
    ),
)  # fmt: skip

PLACES = tuple(dict.fromkeys([*(group.id for group in GROUPS), *(box.id for box in BOXES)]))
"""What ``here`` may be: a group of boxes, or one of them."""


def opened_by(place: str) -> str:
    """Return the box that is meant by a place on the map."""
    return next((group.opens for group in GROUPS if group.id == place), place)


def as_facts() -> dict[str, object]:
    """Return the map as the page gets it."""
    return {
        "groups": [asdict(group) for group in GROUPS],
        "boxes": [asdict(box) | {"axes": list(box.axes)} for box in BOXES],
        "chapters": dict(CHAPTERS),
    }
