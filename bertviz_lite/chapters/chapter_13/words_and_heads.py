"""What two BERTs are compared by besides sentences: rows of the word table, and where heads look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch.nn.functional import normalize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.capture import Capture

    Floats = NDArray[np.float64]

__all__ = [
    "Looks",
    "Strongest",
    "by_chance",
    "near",
    "rests_by_norm",
    "same_group",
    "strongest",
    "where_heads_look",
]


def near(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, word: str, count: int = 6) -> list[str]:
    """List the tokens whose rows of the word table have the largest cosine to a word's."""
    embeddings: Any = model.get_input_embeddings()
    unit = normalize(embeddings.weight.detach(), dim=-1)
    row = tokenizer.convert_tokens_to_ids(word)
    nearest = (unit @ unit[row]).topk(count + 1).indices[1:].tolist()
    return list(tokenizer.convert_ids_to_tokens(nearest))


def same_group(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    groups: Mapping[str, Sequence[str]],
    count: int = 5,
) -> Floats:
    """Give for each word of the groups, in order, the share of its nearest `count` words in its own group."""
    words = [word for group in groups.values() for word in group]
    embeddings: Any = model.get_input_embeddings()
    unit = normalize(embeddings.weight.detach()[tokenizer.convert_tokens_to_ids(words)], dim=-1)
    nearest = (unit @ unit.T).fill_diagonal_(-1).topk(count).indices.numpy()
    kinds = _kinds(groups)
    shares: Floats = (kinds[nearest] == kinds[:, None]).mean(axis=1)
    return shares


def by_chance(groups: Mapping[str, Sequence[str]]) -> Floats:
    """Give for each word the share that it would have if its neighbours were drawn."""
    kinds = _kinds(groups)
    shares: Floats = ((kinds[:, None] == kinds).sum(axis=1) - 1) / (len(kinds) - 1)
    return shares


def _kinds(groups: Mapping[str, Sequence[str]]) -> NDArray[np.str_]:
    return np.array([kind for kind, group in groups.items() for _ in group])


class Strongest(NamedTuple):
    """Where one token gives another the most weight."""

    layer: int
    head: int
    weight: float


def strongest(seen: Capture, query: str, key: str) -> Strongest:
    """Find the head of all layers in which a word gives most weight to another.

    Of a word that is cut, the tokens' rows are averaged, and what they get is added up.
    """
    rows, columns = (_pieces(list(seen.tokens), word) for word in (query, key))
    weights = np.stack([layer[:, rows, columns].mean(axis=1).sum(axis=1) for layer in seen.attentions])
    layer, head = np.unravel_index(int(weights.argmax()), weights.shape)
    return Strongest(int(layer), int(head), float(weights[layer, head]))


def _pieces(tokens: Sequence[str], word: str) -> slice:
    """Find where a word is first, whole or cut."""
    for start in range(len(tokens)):
        for end in range(start + 1, len(tokens) + 1):
            if "".join(token.removeprefix("##") for token in tokens[start:end]) == word:
                return slice(start, end)
    raise ValueError(f"{word!r} is not in this text.")


class Looks(NamedTuple):
    """Where the heads of a BERT look, as shares of a word's weight, (layers, heads)."""

    resting: Floats
    """On [CLS] and [SEP]."""
    before: Floats
    """On the word before, so of all words but the first."""
    evenly: float
    """What [CLS] and [SEP] would get if all tokens got the same."""
    on_cls: Floats
    """The part of `resting` on [CLS]."""
    on_sep: Floats
    """The part of `resting` on [SEP]."""
    two_before: Floats
    """On the word two places before, so of all words but the first two."""


def where_heads_look(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]
) -> Looks:
    """Average over the words of each text, then over texts. The model's attention must be eager."""
    on_cls, on_sep, before, two_before, evenly = [], [], [], [], []
    for text in texts:
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            weights = torch.cat(model.base_model(**inputs, output_attentions=True).attentions)
        on_cls.append(weights[:, :, 1:-1, 0].mean(dim=-1))
        on_sep.append(weights[:, :, 1:-1, -1].mean(dim=-1))
        before.append(weights.diagonal(-1, dim1=-2, dim2=-1)[..., 1:-1].mean(dim=-1))
        two_before.append(weights.diagonal(-2, dim1=-2, dim2=-1)[..., 1:-1].mean(dim=-1))
        evenly.append(2 / weights.shape[-1])
    firsts, lasts, backs = (torch.stack(shares).double().numpy() for shares in (on_cls, on_sep, before))
    return Looks(
        (firsts + lasts).mean(axis=0),
        backs.mean(axis=0),
        float(np.mean(evenly)),
        firsts.mean(axis=0),
        lasts.mean(axis=0),
        torch.stack(two_before).double().nanmean(dim=0).numpy(),  # a text of two words has none
    )


def rests_by_norm(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> Floats:
    """Measure `Looks.resting` by what each token adds instead of by its weight: (layers, heads).

    What a head adds from a token is its value, times the head's part of the output projection, times the
    weight; a token's share is the length of that, of the lengths of all. Source: Kobayashi et al., 2020,
    "Attention is not only a weight: analyzing Transformers with vector norms".
    """
    base: Any = model.base_model
    shares = []
    for text in texts:
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            seen = base(**inputs, output_attentions=True, output_hidden_states=True)
            of_text = []
            for layer, state, weights in zip(
                base.encoder.layer, seen.hidden_states, seen.attentions, strict=False
            ):
                heads = weights.shape[1]
                values = layer.attention.self.value(state[0]).unflatten(-1, (heads, -1))
                projection = layer.attention.output.dense.weight.unflatten(-1, (heads, -1))
                lengths = torch.einsum("khs,ohs->hko", values, projection).norm(dim=-1)
                added = weights[0, :, 1:-1] * lengths[:, None]
                of_text.append((added[..., 0] + added[..., -1]) / added.sum(dim=-1))
        shares.append(torch.stack(of_text).mean(dim=-1))
    by_norm: Floats = torch.stack(shares).mean(dim=0).double().numpy()
    return by_norm
