"""Take the mean of a model's weights and of those that it was trained on to.

``python -m experiments.packed_pretraining.averaging TRAINED --output FOLDER``: a model that went on with
other texts knows these better, and what it knew before a little worse; the mean of both sets of weights keeps
most of either (Wortsman et al., 2022, "Robust fine-tuning of zero-shot models").
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import AutoTokenizer, BertForPreTraining

from bertviz_lite.models import POCKET
from bertviz_lite.models.pins import write_pin
from bertviz_lite.training.pretraining.model import round_to_float16, save_model
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer


def averaged(start: BertForPreTraining, trained: BertForPreTraining, share: float) -> BertForPreTraining:
    """Set the trained model's weights to ``share`` times themselves plus the rest of the start's; return it.

    Raises
    ------
    ValueError
        Where the models are not of one shape.
    """
    before = dict(start.named_parameters())
    after = dict(trained.named_parameters())
    if {name: value.shape for name, value in before.items()} != {
        name: value.shape for name, value in after.items()
    }:
        raise ValueError("both models need weights of the same names and shapes")
    with torch.no_grad():
        for name, value in after.items():
            value.lerp_(before[name], 1 - share)
    return trained


def raise_continues(model: BertForPreTraining, by: float) -> None:
    """Raise the logit of *continues* by so much above that of *other text*, in place."""
    with torch.no_grad():
        bias: torch.Tensor = model.cls.seq_relationship.bias
        bias += torch.tensor([by / 2, -by / 2])


def main(arguments: Sequence[str] | None = None) -> None:
    """Average two models, raise the logit of *continues*, round to float16 and save."""
    options = _parse(arguments)
    start, trained = (
        BertForPreTraining.from_pretrained(folder).float() for folder in (options.start, options.trained)
    )
    model = averaged(start, trained, options.share)
    raise_continues(model, options.nsp_shift)
    round_to_float16(model)
    save_model(model, options.output, float16=True)
    save_tokenizer(AutoTokenizer.from_pretrained(options.start), options.output)  # type: ignore[arg-type]
    write_pin(options.output)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m experiments.packed_pretraining.averaging",
        description=main.__doc__,
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("trained", type=Path, help="folder of the model that was trained on")
    parser.add_argument("--output", type=Path, required=True, help="folder for the mean")
    parser.add_argument("--start", type=Path, default=POCKET, help="folder of the model that it began as")
    parser.add_argument("--share", type=float, default=0.7, help="share of the trained model's weights")
    parser.add_argument(
        "--nsp-shift", type=float, default=0.0, help="by how much the logit of *continues* is raised then"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
