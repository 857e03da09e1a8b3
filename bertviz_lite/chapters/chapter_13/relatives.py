"""BERT's relatives: small ones with random weights and one size, and what the published ones weigh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

__all__ = ["operations", "published", "small"]

_TINY = {
    "vocab_size": 60,
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 40,
}
_DISTIL = {"dim": 16, "n_layers": 3, "n_heads": 4, "hidden_dim": 24}
_MODERN = {f"{name}_token_id": i for i, name in enumerate(("pad", "unk", "cls", "sep"))}
_OWN: dict[str, dict[str, Any]] = {
    "Roberta": {"type_vocab_size": 1, "pad_token_id": 1},
    "Albert": {"embedding_size": 8},
    "DistilBert": _DISTIL,
    "Electra": {"embedding_size": 8},
    "ModernBert": {
        **_MODERN,
        "bos_token_id": 2,
        "eos_token_id": 3,
        "attn_implementation": "eager",
        "local_attention": 4,
        "global_attn_every_n_layers": 3,
    },
}


def small(kind: str, head: str = "Model", **changes: Any) -> Any:  # noqa: ANN401 - classes of transformers
    """Make a small model of a kind, as "Albert", with random weights in float64, the same each time."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        config = getattr(transformers, f"{kind}Config")(**{**_TINY, **_OWN.get(kind, {}), **changes})
        model: PreTrainedModel = getattr(transformers, f"{kind}{head}")(config)
    return model.eval().double()


def operations(model: PreTrainedModel, input_ids: Tensor) -> int:
    """Count the operations of a forward pass: the multiplications and additions of its matrix products."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(input_ids)
    return int(counter.get_total_flops())


_BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}
_PUBLISHED: dict[str, tuple[str, dict[str, Any]]] = {
    "BERT": ("Bert", _BASE),
    "RoBERTa": (
        "Roberta",
        {**_BASE, "vocab_size": 50265, "max_position_embeddings": 514, "type_vocab_size": 1},
    ),
    "ALBERT": ("Albert", {**_BASE, "vocab_size": 30000, "embedding_size": 128}),
    "DistilBERT": ("DistilBert", {}),
    "ELECTRA": ("Electra", {**_BASE, "embedding_size": 768}),
    "DeBERTa": (
        "Deberta",
        {
            **_BASE,
            "vocab_size": 50265,
            "type_vocab_size": 0,
            "relative_attention": True,
            "pos_att_type": ["c2p", "p2c"],
            "position_biased_input": False,
        },
    ),
    "ModernBERT": ("ModernBert", {}),
}


def published() -> dict[str, tuple[int, int]]:
    """Count the parameters of the published base sizes: of the word table, and of all else.

    The models are built on the device "meta", which keeps shapes and no numbers.
    """
    counts = {}
    with torch.device("meta"):
        for name, (kind, sizes) in _PUBLISHED.items():
            model: Any = getattr(transformers, f"{kind}Model")(
                getattr(transformers, f"{kind}Config")(**sizes)
            )
            table = int(model.get_input_embeddings().weight.numel())
            counts[name] = table, int(model.num_parameters()) - table
    return counts
