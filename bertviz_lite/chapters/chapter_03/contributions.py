"""How far a swap of two keys moves what a head hands on: only what moves can change an answer."""

from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel


def contribution_moves(
    model: PreTrainedModel, batch: dict[str, Tensor], at: Tensor, one: int, other: int
) -> Tensor:
    """Say for every head how far its contribution to one token moves if two other tokens swap their keys.

    A contribution is the head's blend times its rows of the output projection. With swapped keys two weights
    w of the token's row change places, so the blend moves by (w_one − w_other) · (v_other − v_one). What the
    swap does to the rows of other tokens is left out.

    Parameters
    ----------
    model
        With weights to be had: its attention is "eager".
    batch
        What the tokenizer returns for the texts.
    at
        The token whose contributions are measured, of shape (texts,).
    one, other
        The places of the two tokens, the same in all texts.

    Returns
    -------
    Lengths, of shape (texts, num_layers, num_heads).
    """
    num_heads, rows = model.config.num_attention_heads, torch.arange(len(at))
    far = []
    with torch.no_grad():
        output = model.base_model(**batch, output_attentions=True, output_hidden_states=True)
        layers: Any = model.base_model.encoder.layer  # type: ignore[union-attr]
        for layer, weights, hidden_states in zip(
            layers, output.attentions, output.hidden_states[:-1], strict=True
        ):
            value = layer.attention.self.value(hidden_states).unflatten(-1, (num_heads, -1))
            row = weights[rows, :, at]  # (texts, heads, keys)
            apart = (row[..., one] - row[..., other])[..., None]
            step = apart * (value[:, other] - value[:, one])  # (texts, heads, head_size)
            projection = layer.attention.output.dense.weight.T.unflatten(0, (num_heads, -1))
            far.append(torch.einsum("thd,hdo->tho", step, projection).norm(dim=-1))
    return torch.stack(far, dim=1)
