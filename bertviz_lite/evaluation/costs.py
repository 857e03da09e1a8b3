"""What a BERT costs, by formula: parameters, operations per token, bytes of memory.

The formulas need a config and nothing else, so they also answer for models that no laptop holds:

>>> from transformers import BertConfig
>>> f"{parameters(BertConfig()).total:,}"
'110,106,428'
>>> f"{operations(BertConfig(), 128, training=True).total:.3g} operations a token"
'6.68e+08 operations a token'

They are exact, not rules of thumb: the tests compare them with ``numel()``, with torch's own counter of
operations, and with what its backward pass keeps.

Left out: operations that are no matrix products (softmax, LayerNorm, GELU, dropout, the sums), which are few
beside them; memory for passing results (logits, gradients on their way) and for the program itself;
16-bit training, checkpointed activations, and other architectures than BERT's encoder.
"""

from __future__ import annotations

from typing import Any

from bertviz_lite.basics.arguments import ArgumentError, share

__all__ = ["Parts", "memory", "operations", "parameters"]

_FLOAT = 4  # bytes of a float32
_NEEDED = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
)


class Parts(dict[str, float]):
    """A quantity by the part of the model that it belongs to."""

    @property
    def total(self) -> float:
        """All parts together."""
        return sum(self.values())


def parameters(config: Any, *, heads: bool = True) -> Parts:  # noqa: ANN401 - configs have no common type
    """Count the parameters of a `BertForPreTraining`, or of the `BertModel` in it.

    With H = hidden_size, I = intermediate_size, V = vocab_size: the embeddings have H for each token,
    position and segment, and 2H for LayerNorm. A layer has 4 (H² + H) for queries, keys, values and the
    output of attention, H·I + I and I·H + H for the feed-forward part, and 2 · 2H for two LayerNorms. The
    pooler has H² + H. The language-model head has H² + H, 2H for LayerNorm and V biases; its V·H weights are
    the token embeddings again and count once. The next-sentence head has 2H + 2.

    Parameters
    ----------
    config
        A BertConfig.
    heads
        False leaves the two heads of pre-training out: the parameters of a `BertModel`.

    Returns
    -------
    Parts
        Whole numbers: "embeddings", "encoder", "pooler", and with heads "language-model head" and
        "next-sentence head".

    Raises
    ------
    TypeError, ValueError
        If `config` is none of a BERT encoder.

    Notes
    -----
    Source: the shapes in section 3 and A.2 of Devlin et al., "BERT" (2019), arXiv:1810.04805, with the biases
    and LayerNorms that `transformers` builds.
    """
    _check(config)
    hidden, inner, vocab = config.hidden_size, config.intermediate_size, config.vocab_size
    rows = vocab + config.max_position_embeddings + config.type_vocab_size
    attention = 4 * (hidden * hidden + hidden) + 2 * hidden
    feed_forward = 2 * hidden * inner + inner + hidden + 2 * hidden
    counted = Parts(
        {
            "embeddings": rows * hidden + 2 * hidden,
            "encoder": config.num_hidden_layers * (attention + feed_forward),
            "pooler": hidden * hidden + hidden,
        }
    )
    if heads:
        counted["language-model head"] = hidden * hidden + 3 * hidden + vocab
        counted["next-sentence head"] = 2 * hidden + 2
    return counted


def operations(
    config: Any,  # noqa: ANN401 - configs have no common type
    seq_len: int,
    *,
    training: bool = False,
    predicted: float = 1.0,
) -> Parts:
    """Count the operations of a `BertForPreTraining` per token: a multiplication and an addition are two.

    A product of a vector of m numbers with an m × n matrix takes 2·m·n operations. So a token takes, in each
    layer, 4 · 2·H² for queries, keys, values and the output of attention; 2·seq_len·H for its scores with all
    keys and as many for the weighted sum of the values; 2 · 2·H·I for the feed-forward part. The
    language-model head takes 2·H² + 2·H·V. The pooler (2·H²) and the next-sentence head (2·2·H) work once
    a sequence.

    Training takes three times as many: the backward pass makes two products of the same size for every
    one of the forward pass, one for the gradient of the weights and one for the gradient of the input.

    Parameters
    ----------
    config
        A BertConfig.
    seq_len
        Tokens in a sequence, 1 or more.
    training
        True counts forward and backward pass, False the forward pass alone.
    predicted
        Share of the tokens at which the language-model head works, 0 to 1. `transformers` has it work at
        every token; the program of 2018 only at the hidden ones, at most 20 of 128.

    Returns
    -------
    Parts
        Operations per token: "attention: projections", "attention: scores and sums", "feed-forward",
        "language-model head", "pooler and next-sentence head".

    Raises
    ------
    TypeError, ValueError
        If `config` is none of a BERT encoder, or a number is out of range.

    Notes
    -----
    Source: the appendix of Narayanan et al., "Efficient large-scale language model training on GPU clusters
    using Megatron-LM" (2021), arXiv:2104.04473: forward 24·B·s·h² + 4·B·s²·h a layer and 2·B·s·h·V for the
    logits, with I = 4h; backward twice as many.
    """
    _check(config)
    _check_counts(seq_len=seq_len)
    share("predicted", predicted)
    hidden, layers = config.hidden_size, config.num_hidden_layers
    passes = 3 if training else 1
    forward = {
        "attention: projections": layers * 8 * hidden * hidden,
        "attention: scores and sums": layers * 4 * seq_len * hidden,
        "feed-forward": layers * 4 * hidden * config.intermediate_size,
        "language-model head": predicted * (2 * hidden * hidden + 2 * hidden * config.vocab_size),
        "pooler and next-sentence head": (2 * hidden * hidden + 4 * hidden) / seq_len,
    }
    return Parts({name: passes * count for name, count in forward.items()})


def memory(
    config: Any,  # noqa: ANN401 - configs have no common type
    batch_size: int,
    seq_len: int,
    *,
    training: bool = True,
    mask_bytes: int = _FLOAT,
) -> Parts:
    """Return the bytes that a `BertForPreTraining` needs in float32.

    Four bytes a parameter for the weights. Training adds as many for the gradients, and for AdamW twice as
    many: a running mean of each gradient and one of its square. And it keeps the activations: what the
    forward pass computed and the backward pass needs again. Of a token, each layer keeps

    - 8·H + 2·I numbers: the layer's input, queries, keys, values, the summed values, what each of the two
      LayerNorms reads, what the feed-forward part reads, and both sides of GELU;
    - num_heads · seq_len attention weights, twice: before and after dropout;
    - the mask of every dropout: 2·H and num_heads · seq_len entries;
    - 4 numbers for the two LayerNorms, a mean and a deviation each.

    The embeddings keep H, a mask of H and 2; the language-model head 4·H + V + 2; the pooler H a sequence.

    Parameters
    ----------
    config
        A BertConfig. Where a dropout probability in it is 0, its masks and copies are not kept.
    batch_size, seq_len
        Sequences in a step and tokens in a sequence, 1 or more.
    training
        False counts the weights alone.
    mask_bytes
        Bytes of an entry of a dropout mask: 4 on a CPU, where torch keeps it as a float32; 1 on a GPU.

    Returns
    -------
    Parts
        Bytes: "weights", and in training "gradients", "optimizer", "activations".

    Raises
    ------
    TypeError, ValueError
        If `config` is none of a BERT encoder, or a number is out of range.

    Notes
    -----
    Source: section 4 of Korthikanti et al., "Reducing activation recomputation in large transformer models"
    (2022), arXiv:2205.05198: s·b·h (34 + 5·a·s/h) bytes a layer, for 2 bytes a number, 1 a mask and
    I = 4h. Here with 4 bytes a number, any I, the heads, and LayerNorm's 4 numbers, which they leave out.
    AdamW's two means: Kingma and Ba (2015), arXiv:1412.6980, algorithm 1.
    """
    weights = parameters(config).total * _FLOAT
    _check_counts(batch_size=batch_size, seq_len=seq_len, mask_bytes=mask_bytes)
    if not training:
        return Parts({"weights": weights})
    tokens = batch_size * seq_len
    return Parts(
        {
            "weights": weights,
            "gradients": weights,
            "optimizer": 2 * weights,
            "activations": tokens * _kept_per_token(config, seq_len, mask_bytes)
            + batch_size * config.hidden_size * _FLOAT,
        }
    )


def _kept_per_token(config: Any, seq_len: int, mask_bytes: int) -> int:  # noqa: ANN401
    """Return the bytes that a token's activations take between the forward and the backward pass."""
    hidden, layers = config.hidden_size, config.num_hidden_layers
    weights = config.num_attention_heads * seq_len
    drops = config.hidden_dropout_prob > 0
    drops_weights = config.attention_probs_dropout_prob > 0
    floats = layers * (8 * hidden + 2 * config.intermediate_size + weights * (1 + drops_weights) + 4)
    floats += hidden + 2  # embeddings
    floats += 4 * hidden + config.vocab_size + 2  # language-model head
    masks = drops * (2 * layers + 1) * hidden + drops_weights * layers * weights
    kept: int = floats * _FLOAT + masks * mask_bytes
    return kept


def _check(config: Any) -> None:  # noqa: ANN401
    """Refuse what the formulas do not hold for."""
    if hasattr(config, "config"):
        raise ArgumentError(f"config is a {type(config).__name__}: give its config, model.config.")
    missing = [name for name in _NEEDED if not isinstance(getattr(config, name, None), int)]
    if missing:
        raise ArgumentError(f"config is a {type(config).__name__} without {missing[0]}: give a BertConfig.")
    kind = getattr(config, "model_type", "bert")
    if kind != "bert" or getattr(config, "is_decoder", False):
        what = f"model_type={kind!r}" if kind != "bert" else "is_decoder=True"
        raise ArgumentError(f"{what}: these formulas are those of BERT's encoder. Give a BertConfig.")


def _check_counts(**counts: object) -> None:
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise ArgumentError(f"{name}={count!r}: a whole number, 1 or more, is needed.")
