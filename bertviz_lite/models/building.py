"""Make a tokenizer and a model from a checked folder, in silence."""

import threading
import warnings
from typing import TYPE_CHECKING

from bertviz_lite.models.checkpoint import Checkpoint
from bertviz_lite.models.quiet import first_line, hush, without_bars

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

# What is changed while loading (log levels, warning filters, progress bars) belongs to the whole process.
_one_build = threading.RLock()


def build(checkpoint: Checkpoint) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    """Make tokenizer and model from a checked folder."""
    import torch
    import transformers
    from safetensors.torch import load_file

    source, options = checkpoint.source, {}
    if checkpoint.class_name == "BertModel":
        options["add_pooling_layer"] = checkpoint.add_pooling_layer
    with _one_build, warnings.catch_warnings(action="ignore"), hush("transformers"), without_bars():
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(source.folder), local_files_only=True, trust_remote_code=False
            )
            stored: dict[str, torch.Tensor] = {}
            for file in checkpoint.weight_files:
                stored |= load_file(file)
            weights = {
                key: stored[in_file].to(torch.float32, copy=True)  # a copy: the file is not held open
                for in_file, key in checkpoint.names.items()
            }
            model, report = getattr(transformers, checkpoint.class_name).from_pretrained(
                None,
                config=transformers.BertConfig.from_dict(checkpoint.config),
                state_dict=weights,
                dtype=torch.float32,
                attn_implementation="eager",
                output_loading_info=True,
                **options,
            )
        except Exception as error:  # noqa: BLE001 - whatever a library raises, the reader gets one line
            raise source.error(f"transformers cannot load it ({first_line(error)}).") from None
    if any(report[keys] for keys in ("missing_keys", "unexpected_keys", "mismatched_keys")):
        raise source.error("transformers found no place for some weights, or no weights for some places.")
    if len(tokenizer) > model.config.vocab_size:
        raise source.error(
            f"the tokenizer has {len(tokenizer):,} tokens, but the model has rows for "
            f"{model.config.vocab_size:,} only.",
            "Put the tokenizer there that the model was trained with.",
        )
    tokenizer.name_or_path = model.config._name_or_path = (
        source.name
    )  # shown by repr: no path of this machine
    return tokenizer, model.eval()
