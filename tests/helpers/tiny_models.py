"""Models of a few thousand weights, made in a moment, for tests that need a folder with a BERT in it."""

import json
from pathlib import Path
from typing import Any

import torch
from transformers import BertConfig, BertTokenizer, PreTrainedModel

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = """
the a cat dog bird fish boat river bank tree house garden red blue green small large old young sits runs
sleeps eats sings reads walks and or but with under over near her his their she he they it is was are were . ,
""".split()  # noqa: SIM905 - a list of fifty strings reads badly


def save(folder: Path, model: PreTrainedModel, *, tokenizer: bool = True) -> Path:
    """Save a model, and the tokenizer that fits it, in the Hugging Face folder form."""
    model.save_pretrained(folder)
    if tokenizer:
        BertTokenizer(
            vocab={token: i for i, token in enumerate((*SPECIAL, *WORDS))}, do_lower_case=True
        ).save_pretrained(folder)
    return folder


def make(model_class: type[PreTrainedModel], **changes: Any) -> PreTrainedModel:  # noqa: ANN401 - of a config
    """Make a model of the given class with seeded random weights, LayerNorm and biases included."""
    config: dict[str, Any] = {
        "vocab_size": len(SPECIAL) + len(WORDS),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 24,
        "max_position_embeddings": 32,
    }
    extra = {key: changes.pop(key) for key in ("add_pooling_layer",) if key in changes}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = model_class(BertConfig(**{**config, **changes}), **extra)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(torch.randn_like(parameter), alpha=0.2)
    return model


def edit_json(path: Path, **changes: object) -> None:
    """Change entries of a JSON file (an entry set to None is taken out)."""
    content = json.loads(path.read_text(encoding="utf-8")) | changes
    content = {key: value for key, value in content.items() if value is not None}
    path.write_text(json.dumps(content), encoding="utf-8", newline="\n")
