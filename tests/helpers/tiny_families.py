"""Ten kinds of transformer, each of a few thousand seeded weights, with a tokenizer of its family's kind."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (  # type: ignore[attr-defined] # models that mypy skips, see pyproject.toml
    AlbertConfig,
    AlbertForMaskedLM,
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertForPreTraining,
    BertTokenizer,
    DistilBertConfig,
    DistilBertForMaskedLM,
    ElectraConfig,
    ElectraForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    ModernBertConfig,
    ModernBertForMaskedLM,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
    T5Config,
    T5ForConditionalGeneration,
)

from tests.helpers.tiny_models import SPECIAL, WORDS

TEXT = "the cat sits under the tree, and it sleeps."
PAIR = "she reads in the old house."
BYTE_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
PIECE_SPECIAL = ("<pad>", "</s>", "<unk>", "<s>", "<mask>")

_SMALL = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 24}
_OF_BART = {
    "d_model": 16,
    **{f"{part}_layers": 2 for part in ("encoder", "decoder")},
    **{f"{part}_attention_heads": 4 for part in ("encoder", "decoder")},
    **{f"{part}_ffn_dim": 24 for part in ("encoder", "decoder")},
}

MODELS: dict[str, tuple[type[PreTrainedModel], type[PreTrainedConfig], Mapping[str, object], str]] = {
    # name: class, config, sizes, tokenizer
    "bert": (BertForPreTraining, BertConfig, _SMALL | {"max_position_embeddings": 64}, "wordpiece"),
    "roberta": (RobertaForMaskedLM, RobertaConfig, _SMALL | {"max_position_embeddings": 64}, "bytes"),
    "distilbert": (
        DistilBertForMaskedLM,
        DistilBertConfig,
        {"dim": 16, "n_layers": 3, "n_heads": 4, "hidden_dim": 24, "max_position_embeddings": 64},
        "wordpiece",
    ),
    "albert": (
        AlbertForMaskedLM,
        AlbertConfig,
        _SMALL | {"embedding_size": 8, "max_position_embeddings": 64},
        "pieces",
    ),
    "electra": (
        ElectraForMaskedLM,
        ElectraConfig,
        _SMALL | {"embedding_size": 8, "max_position_embeddings": 64},
        "wordpiece",
    ),
    "modernbert": (
        ModernBertForMaskedLM,
        ModernBertConfig,
        _SMALL
        | {
            "max_position_embeddings": 64,
            "local_attention": 6,
            "global_attn_every_n_layers": 2,
            **{
                f"{name}_token_id": i
                for name, i in (("pad", 0), ("cls", 2), ("bos", 2), ("sep", 3), ("eos", 3))
            },
        },
        "wordpiece",
    ),
    "gpt2": (
        GPT2LMHeadModel,
        GPT2Config,
        {"n_embd": 16, "n_layer": 3, "n_head": 4, "n_positions": 64},
        "bytes only",
    ),
    "llama": (
        LlamaForCausalLM,
        LlamaConfig,
        _SMALL | {"num_key_value_heads": 2, "max_position_embeddings": 64},
        "pieces after <s>",
    ),
    "t5": (
        T5ForConditionalGeneration,
        T5Config,
        {"d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0},
        "pieces before </s>",
    ),
    "bart": (BartForConditionalGeneration, BartConfig, _OF_BART | {"max_position_embeddings": 64}, "bytes"),
}


@cache
def tokenizer(kind: str) -> PreTrainedTokenizerBase:
    """Return the tokenizer of a kind; it is the same object each time."""
    if kind == "wordpiece":
        vocab = {token: i for i, token in enumerate((*SPECIAL, *WORDS, "##s", "walk"))}
        return BertTokenizer(vocab=vocab, do_lower_case=True)
    if kind.startswith("bytes"):
        return _of_bytes(bare=kind == "bytes only")
    return _of_pieces(kind)


def _of_bytes(*, bare: bool) -> PreTrainedTokenizerBase:
    """Make a byte-level BPE: as GPT-2's if `bare`, else as RoBERTa's and BART's."""
    rust = Tokenizer(models.BPE())
    rust.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    rust.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>"] if bare else list(BYTE_SPECIAL)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    rust.train_from_iterator([TEXT, PAIR, " ".join(WORDS)], trainer)
    names = {"input_ids", "attention_mask"}
    if bare:
        end = "<|endoftext|>"
        return PreTrainedTokenizerFast(
            tokenizer_object=rust,
            bos_token=end,
            eos_token=end,
            unk_token=end,
            model_input_names=sorted(names),
        )
    rust.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True)
    return PreTrainedTokenizerFast(
        tokenizer_object=rust,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_input_names=sorted(names),
    )


def _of_pieces(kind: str) -> PreTrainedTokenizerBase:
    """Make a unigram model that writes spaces as ▁: as ALBERT's, Llama's ("after <s>") or T5's."""
    rust = Tokenizer(models.Unigram())
    rust.normalizer = normalizers.NFKC()
    rust.pre_tokenizer = pre_tokenizers.Metaspace()
    rust.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=150, special_tokens=list(PIECE_SPECIAL), unk_token="<unk>", show_progress=False
    )
    rust.train_from_iterator([TEXT, PAIR, *WORDS, " ".join(WORDS)], trainer)
    given = {"eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>"}
    single, pair = {
        "pieces": ("<s> $A </s>", "<s> $A </s> $B:1 </s>:1"),
        "pieces after <s>": ("<s> $A", "<s> $A <s>:1 $B:1"),
        "pieces before </s>": ("$A </s>", "$A </s> $B:1 </s>:1"),
    }[kind]
    rust.post_processor = processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[("<s>", 3), ("</s>", 1)]
    )
    names = ["input_ids", "attention_mask"]
    if kind == "pieces":
        given |= {"cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"}
        names.append("token_type_ids")
    return PreTrainedTokenizerFast(tokenizer_object=rust, **given, model_input_names=names)


def family(name: str, **changes: object) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Make a model of a family in evaluation mode, on SDPA as is the default, and its tokenizer."""
    model_class, config_class, sizes, kind = MODELS[name]
    of_the_kind = tokenizer(kind)
    ids = {
        f"{one}_token_id": getattr(of_the_kind, f"{one}_token_id")
        for one in ("pad", "bos", "eos")
        if f"{one}_token_id" not in sizes
    }
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = model_class(config_class(**{"vocab_size": len(of_the_kind), **ids, **sizes, **changes}))
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(torch.randn_like(parameter), alpha=0.2)
    return model.eval(), of_the_kind
