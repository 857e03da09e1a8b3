"""Chapter 12: truths by the models of `transformers`, and by healthy parts put into the patients."""

import copy
from functools import cache, partial
from typing import Any

import torch
from tokenizers.models import WordLevel
from torch import Tensor, nn
from transformers import BertConfig, BertForPreTraining, BertModel

from bertviz_lite.chapters.chapter_12 import whole_bert
from bertviz_lite.chapters.chapter_12.exercises.harm import CASES
from bertviz_lite.chapters.chapter_12.patients import patient
from bertviz_lite.chapters.chapter_12.whole_bert import WholeBert
from bertviz_lite.exercises import Case, normal
from bertviz_lite.models.loading import folder_of
from tests.helpers.truths import Truth

Batch = dict[str, list[list[int]]]

BATCH = {
    "input_ids": torch.tensor([[2, 41, 77, 3, 91, 18, 3], [2, 55, 3, 60, 3, 0, 0]]),
    "attention_mask": torch.tensor([[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0, 0]]),
    "token_type_ids": torch.tensor([[0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0, 0]]),
}


def parameters_of_heads() -> int:
    with torch.device("meta"):
        config = BertConfig(num_hidden_layers=1)
        return BertForPreTraining(config).num_parameters() - BertModel(config).num_parameters()


@cache
def names_in_library() -> frozenset[str]:
    config = BertConfig(vocab_size=3, hidden_size=2, num_attention_heads=1, intermediate_size=2)
    return frozenset(name for name, _ in BertForPreTraining(config).named_parameters())


def name_in_library(name: str) -> str:
    """Find the one name of a real model's parameter that this can mean."""
    end = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
    (standard,) = {known for known in names_in_library() if known in (end, f"bert.{end}")}
    return standard


def first_that_torch_refuses(ours: list[Tensor], theirs: list[Tensor], tolerance: float) -> int:
    for place, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        try:
            torch.testing.assert_close(mine, other, rtol=0, atol=tolerance)
        except AssertionError:
            return place
    return -1


@cache
def library() -> BertForPreTraining:
    model: BertForPreTraining = BertForPreTraining.from_pretrained(folder_of("pocket")).double().eval()
    return model


@cache
def outputs_of_library() -> tuple[Tensor, Tensor]:
    with torch.no_grad():
        output = library()(**BATCH)
    return output.prediction_logits, output.seq_relationship_logits


def is_cured(model: nn.Module) -> bool:
    """Whether a model gives the library's logits, and would after training has moved its token table."""
    with torch.no_grad():
        output = model(**BATCH)
    logits = output.prediction_logits, output.seq_relationship_logits
    equal = all(
        mine.shape == other.shape and torch.allclose(mine, other, atol=1e-9, rtol=0)
        for mine, other in zip(logits, outputs_of_library(), strict=True)
    )
    decoder = model.get_submodule("cls.predictions.decoder").weight
    return equal and decoder is not None


@cache
def sick_class(number: int) -> str:
    """Put healthy parts of one class into the patient, small classes first; name the first that cures it."""
    healthy = WholeBert.from_folder(folder_of("pocket")).double()
    classes = {kind: len(list(part.modules())) for part in healthy.modules()
               if (kind := type(part).__name__) in vars(whole_bert) and kind != "WholeBert"}  # fmt: skip
    for kind in sorted(classes, key=lambda kind: classes[kind]):
        treated = copy.deepcopy(patient(number))
        for path, part in healthy.named_modules():
            if type(part).__name__ == kind:
                treated.set_submodule(path, part)
        if is_cured(treated):
            return kind
    raise AssertionError(f"nothing cures patient {number}")


def cured_by_library_parts(_patient: object) -> WholeBert:
    """Hand over a model that has never been sick; that it equals the library is tested by its own logits."""
    fresh = WholeBert.from_folder(folder_of("pocket")).double()
    assert is_cured(fresh)
    return fresh


@cache
def ward() -> dict[int, nn.Module]:
    return {number: patient(number) for number in range(1, 8)}


def who_passes(batch: Batch) -> list[int]:
    """List the patients whose logits equal the library's."""
    given = {name: torch.tensor(rows) for name, rows in batch.items()}
    with torch.no_grad():
        right = library()(**given)
        outputs = {number: sick(**given) for number, sick in ward().items()}
    return [
        number
        for number, output in outputs.items()
        if torch.allclose(output.prediction_logits, right.prediction_logits, rtol=0, atol=1e-9)
        and torch.allclose(output.seq_relationship_logits, right.seq_relationship_logits, rtol=0, atol=1e-9)
    ]


def smallest_that_nobody_passes() -> Batch:
    """Try rows as a tokenizer makes them, the short ones first: tokens of two texts, then padding."""
    for length in range(1, 5):
        for read in range(length, 0, -1):
            for second in range(read + 1):
                padding = [0] * (length - read)
                batch = {
                    "input_ids": [[2, 41, 77, 3][:read] + padding],
                    "attention_mask": [[1] * read + padding],
                    "token_type_ids": [[0] * (read - second) + [1] * second + padding],
                }
                if not who_passes(batch):
                    return batch
    raise AssertionError("no batch of up to four ids finds all seven")


def one_number_changed() -> Batch:
    """Change each number of the mask and of the segments in turn, until patient 5 alone passes."""
    batch = smallest_that_nobody_passes()
    for name in ("attention_mask", "token_type_ids"):
        for place, number in enumerate(batch[name][0]):
            row = [*batch[name][0]]
            row[place] = 1 - number
            if who_passes(batch | {name: [row]}) == [5]:
                return batch | {name: [row]}
    raise AssertionError("no change of one number lets only patient 5 pass")


@cache
def numbers_never_used() -> int:
    """Spoil patient 2's parameters one after the other, two tables by rows; count what spoils no result."""
    unused, sick, long = 0, patient(2), torch.arange(128)[None]
    batch = {"input_ids": long[:, :6], "token_type_ids": long[:, :6] % 2}
    with torch.no_grad():
        for name, parameter in sick.named_parameters():
            by_rows = "position_embeddings" in name or "token_type_embeddings" in name
            for part in parameter if by_rows else [parameter]:
                healthy = part.clone()
                part.fill_(torch.nan)
                results = (sick.bert.embeddings(long, long % 2),) if by_rows else sick(**batch)[2:]
                part.copy_(healthy)
                if not any(result.isnan().any() for result in results):
                    unused += part.numel()
    return unused


def class_without_gradient() -> str:
    """Go back from all logits of patient 6; name the class of the one part that no gradient reaches."""
    sick = patient(6)
    with torch.enable_grad():
        output = sick.train()(**BATCH)
        (output.prediction_logits.square().sum() + output.seq_relationship_logits.square().sum()).backward()
    without = {name for name, parameter in sick.named_parameters() if parameter.grad is None}
    paths = {".".join(name.split(".")[:-2]) for name in without}  # without "dense" and "weight"
    (kind,) = {type(sick.get_submodule(path)).__name__ for path in paths}
    return kind


def clips_positions(well: Any) -> Any:  # noqa: ANN401
    """Give every token after the sixteenth the sixteenth position."""
    table = well.bert.embeddings.position_embeddings
    lookup = table.forward
    table.forward = lambda places: lookup(places.clamp(max=15))
    return well


def tensors(*numbers: float) -> list[Tensor]:
    return [torch.tensor([number, 1.0], dtype=torch.float64) for number in numbers]


def fresh_labels() -> list[Case]:
    return [Case("one text alone")]


def ids_by_tokenizers(ids: list[int], wrong: dict[str, int], right: dict[str, int]) -> list[int | None]:
    """Go from ids to tokens and back by the models of `tokenizers`."""
    theirs, ours = WordLevel(wrong, unk_token="."), WordLevel(right, unk_token=".")
    return [ours.token_to_id(theirs.id_to_token(number)) for number in ids]


TRUTHS = {
    "finds_all": Truth("the logits of BertForPreTraining, by brute force", smallest_that_nobody_passes),
    "misses_5": Truth("the logits of BertForPreTraining, each number in turn", one_number_changed),
    "right_ids": Truth(
        "tokenizers.models.WordLevel",
        ids_by_tokenizers,
        lambda: [
            Case([2, 0, 1, 1], {"a": 1, ".": 0, "b": 2}, {"b": 0, "a": 1, ".": 2}),
            Case([0, 1, 2], {"b": 2, ".": 1, "c": 0}, {"c": 2, ".": 0, "b": 1}),
        ],
    ),
    "head_parameters": Truth("BertForPreTraining less BertModel", parameters_of_heads),
    "standard_name": Truth(
        "the names of a real model",
        name_in_library,
        lambda: [
            Case("encoder.layer.11.attention.output.LayerNorm.beta"),
            Case("cls.seq_relationship.bias"),
            Case("embeddings.word_embeddings.weight"),
        ],
    ),
    "first_wrong": Truth(
        "torch.testing.assert_close",
        first_that_torch_refuses,
        lambda: [
            Case(tensors(1, 2, 3), tensors(1, 2, 3.5), 0.4),
            Case(tensors(1, 2, 3), tensors(1, 2, 3.5), 0.6),
            Case([normal(2, 3)], [normal(2, 3, seed=1)], 0.01),
        ],
    ),
    **{
        f"part_{number}": Truth("healthy parts put in", partial(sick_class, number)) for number in range(1, 8)
    },
    **{
        f"repair_{number}": Truth("a model with the library's logits", cured_by_library_parts, fresh_labels)
        for number in (1, 4, 5, 7)
    },
    "unused_2": Truth("NaN in one parameter or row after the other", numbers_never_used),
    "untrained_6": Truth("autograd", class_without_gradient),
    "patient_9": Truth(
        "positions clipped at the proof's length", clips_positions, lambda: [Case(label) for label in CASES]
    ),
}
