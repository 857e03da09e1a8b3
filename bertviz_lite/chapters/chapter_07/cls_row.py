"""Where the row of [CLS] spends its weights in the last layer: on names, verbs, things, other words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bertviz_lite.chapters.chapter_07.reading_off import ASKED
from bertviz_lite.chapters.chapter_07.same_event import VERBS
from bertviz_lite.world.english.grammar import verb
from bertviz_lite.world.events.town import PEOPLE

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedTokenizerBase

KINDS = ("names", "verbs", "things", "other words", "[CLS] and [SEP]")
"""The kinds of tokens that `weights_by_kind` tells apart."""


def weights_by_kind(
    bert: BertModel, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]
) -> dict[str, list[float]]:
    """Add up attention weights of the last layer by the kind of token that they are on.

    Parameters
    ----------
    bert, tokenizer
        A BERT that returns attention weights, and its tokenizer.
    texts
        Sentences with the verbs of ``same_event.VERBS``.

    Returns
    -------
    dict
        For each of `KINDS`, a mean over texts and heads: in the "row of [CLS]"; in the "rows of words"; and
        the "fair share", which that kind would get if every token got the same.
    """
    import torch

    names = {person.name.lower() for person in PEOPLE}
    verbs = {verb(base, form) for base in VERBS for form in ("base", "past", "participle")}
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    ids, is_token = batch["input_ids"], batch["attention_mask"] == 1
    rows = [tokenizer.convert_ids_to_tokens(row) for row in ids.tolist()]
    is_name = torch.tensor([[token in names for token in row] for row in rows])
    is_verb = torch.tensor([[token in verbs for token in row] for row in rows])
    is_thing = torch.tensor([[token in ASKED["thing"] for token in row] for row in rows])
    is_end = torch.isin(ids, torch.tensor([tokenizer.cls_token_id, tokenizer.sep_token_id]))
    is_other = is_token & ~is_name & ~is_verb & ~is_thing & ~is_end
    with torch.no_grad():
        weights = bert(**batch, output_attentions=True).attentions[-1].mean(dim=1)
    shares: dict[str, list[float]] = {"row of [CLS]": [], "rows of words": [], "fair share": []}
    of_words = is_token & ~is_end
    for kind in (is_name, is_verb, is_thing, is_other, is_end):
        on_kind = (weights * kind[:, None]).sum(dim=-1)  # (texts, queries)
        by_words = (on_kind * of_words).sum(dim=1) / of_words.sum(dim=1)
        shares["row of [CLS]"].append(float(on_kind[:, 0].mean()))
        shares["rows of words"].append(float(by_words.mean()))
        shares["fair share"].append(float((kind.sum(dim=1) / is_token.sum(dim=1)).mean()))
    return shares
