"""The sizes that a config gives, by the name of the axis; and other sizes for the resized copy."""

from __future__ import annotations

from typing import Any

from torch import nn

from bertviz_lite.trace.model.restore import configs_of

# How the configs call an axis -> the name that is shown.
_NAMES = {
    attribute: name
    for name, attributes in {
        "hidden_size": "hidden_size n_embd d_model dim",
        "num_heads": (
            "num_attention_heads n_head n_heads num_heads encoder_attention_heads decoder_attention_heads"
        ),
        "head_size": "head_dim d_kv",
        "num_key_value_heads": "num_key_value_heads",
        "intermediate_size": "intermediate_size hidden_dim n_inner d_ff encoder_ffn_dim decoder_ffn_dim",
        "embedding_size": "embedding_size",
        "vocab_size": "vocab_size",
        "num_labels": "num_labels",
        "max_position_embeddings": "max_position_embeddings n_positions",
        "type_vocab_size": "type_vocab_size",
        "relative_attention_num_buckets": "relative_attention_num_buckets",
    }.items()
    for attribute in attributes.split()
}
# Sizes that no model has, and that no product of two of them, no multiple and no neighbour meets.
HEADS, HEAD_SIZE = 13, 38
OTHER_SIZES = {
    "hidden_size": 502, "intermediate_size": 227, "embedding_size": 178, "vocab_size": 379, "num_labels": 41,
    "max_position_embeddings": 563, "type_vocab_size": 47, "relative_attention_num_buckets": 106,
}  # fmt: skip
INPUT_SIZES = {
    "batch": 17, "seq_len": 23, "num_choices": 29, "decoder_seq_len": 31, "encoder_seq_len": 37,
    "src_len": 23, "tgt_len": 31, "memory_len": 37, "query_len": 23, "key_len": 31,
}  # fmt: skip


def change_sizes(config: Any, *, careful: bool) -> dict[str, tuple[int, int]]:  # noqa: ANN401
    """Give a config other sizes; return for each name its size before and after."""
    before = sizes_of_config(config)
    hidden, heads = before["hidden_size"], before["num_heads"]
    has_head_size = "head_size" in before
    before.setdefault("head_size", hidden // heads)
    groups = heads // before.get("num_key_value_heads", heads)
    after = {name: size for name, size in OTHER_SIZES.items() if name in before}
    after |= {"num_heads": HEADS * groups, "head_size": HEAD_SIZE}
    if "num_key_value_heads" in before:
        after["num_key_value_heads"] = HEADS
    if not has_head_size:
        after["hidden_size"] = after["num_heads"] * HEAD_SIZE
    if careful or before.get("num_labels") == 1:  # of one label, a model computes another loss
        after.pop("num_labels", None)
    if careful and before.get("embedding_size") == hidden:
        after["embedding_size"] = after["hidden_size"]
    for name, attribute in _attributes(config):
        if name in after:
            setattr(config, attribute, after[name])
    if after.get("embedding_size") == after["hidden_size"]:
        del after["embedding_size"]  # one size, one name
    if groups == 1:
        before.pop("num_key_value_heads", None)
    return {name: (size, after[name]) for name, size in before.items() if name in after}


def _attributes(config: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    return [(name, attribute) for attribute, name in _NAMES.items() if _has(config, attribute)]


def _has(config: Any, attribute: str) -> bool:  # noqa: ANN401
    if attribute == "n_inner":
        return hasattr(config, "n_inner")
    value = getattr(config, attribute, None)
    return isinstance(value, int) and value > 0


def sizes_of_config(config: Any) -> dict[str, int]:  # noqa: ANN401
    """Return the sizes that a config gives, by name; a name that it gives two sizes is left out."""
    sizes_of_name: dict[str, set[int]] = {}
    for name, attribute in _attributes(config):
        size = getattr(config, attribute)
        if attribute == "n_inner" and size is None:
            size = 4 * config.n_embd  # as GPT2Config says
        sizes_of_name.setdefault(name, set()).add(size)
    return {name: sizes.pop() for name, sizes in sizes_of_name.items() if len(sizes) == 1}


def sizes_of(model: nn.Module) -> dict[str, int]:
    """Return the sizes that the configs of a model give, by name."""
    sizes_of_name: dict[str, set[int]] = {}
    for config in configs_of(model.modules()):
        for name, size in sizes_of_config(config).items():
            sizes_of_name.setdefault(name, set()).add(size)
    return {name: sizes.pop() for name, sizes in sizes_of_name.items() if len(sizes) == 1}
