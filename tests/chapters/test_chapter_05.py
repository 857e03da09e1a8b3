"""Chapter 05 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, nll_loss

from bertviz_lite.chapters.chapter_05 import exercises as chapter_05


def test_labels_of_another_kind_are_called_what_they_are() -> None:
    def labels(input_ids: Tensor, chosen: Tensor) -> Tensor:
        return torch.where(chosen, input_ids, -100).float()

    text = chapter_05.make_labels.check(labels).text
    assert "not yet. The numbers are float32; they should be whole (int64)." in text


def test_the_loss_may_not_be_left_to_torch() -> None:
    def joined(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        return logits.flatten(0, 1), labels.flatten()

    for answer in (
        lambda *given: cross_entropy(*joined(*given)),
        lambda *given: nll_loss(joined(*given)[0].log_softmax(-1), joined(*given)[1]),
        lambda *given: torch.nn.CrossEntropyLoss()(*joined(*given)),
    ):
        assert "torch's own loss has made it" in chapter_05.masked_loss.check(answer).text
    assert chapter_05.masked_loss.check(
        lambda logits, labels: torch.stack(
            [
                -logits[at].softmax(-1)[label].log()
                for at, label in ((at, labels[at]) for at in map(tuple, (labels >= 0).nonzero().tolist()))
            ]
        ).mean()
    )
