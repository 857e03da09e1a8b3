"""Chapter 12 in a reader's words: any right repair passes, and the feedback to a wrong one helps."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import BertConfig, BertForPreTraining, BertModel

from bertviz_lite import load
from bertviz_lite.chapters.chapter_12 import exercises as chapter_12, whole_bert, whole_bert_input
from bertviz_lite.chapters.chapter_12.exercises import harm
from bertviz_lite.chapters.chapter_12.figures.class_tree import class_tree, rows
from bertviz_lite.chapters.chapter_12.figures.on_the_map import boxes_of, classes_on_the_map
from bertviz_lite.chapters.chapter_12.first_difference import compare
from bertviz_lite.chapters.chapter_12.folded import Printed, folded
from bertviz_lite.chapters.chapter_12.patients import healthy, patient
from bertviz_lite.chapters.chapter_12.whole_bert import AddAndNorm, Pooler, SelfAttention, WholeBert
from bertviz_lite.views.machine.boxes import BOXES
from bertviz_lite.views.machine.places import BOXES_AT


def test_the_parameters_of_the_heads_equal_those_of_transformers() -> None:
    with torch.device("meta"):
        whole, bare = BertForPreTraining(BertConfig()), BertModel(BertConfig())
    assert chapter_12.head_parameters.check(whole.num_parameters() - bare.num_parameters())


def test_standard_names_stay_as_they_are() -> None:
    names = WholeBert(BertConfig(hidden_size=4, num_attention_heads=2, num_hidden_layers=1)).state_dict()
    assert [chapter_12.standard_name.reference(name) for name in names] == list(names)


def test_each_box_of_the_map_is_computed_by_one_class_of_the_page() -> None:
    kinds = [
        kind for kind in vars(whole_bert).values() if getattr(kind, "__module__", "") == whole_bert.__name__
    ]
    classes = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, nn.Module)]
    assert sorted(box for kind in classes for box in boxes_of(kind)[0]) == sorted(BOXES_AT)
    assert boxes_of(AddAndNorm) == (["projected", "attended", "down", "output"], [])
    assert sorted(boxes_of(WholeBert)[1]) == sorted(BOXES_AT)


def test_the_tree_of_classes_has_every_path_and_each_box_once() -> None:
    with torch.device("meta"):
        model = WholeBert(BertConfig(num_hidden_layers=1))
    kinds = {"model": type(model)}
    for path, kind, _ in rows():
        part: Any = model
        for name in path.split(".")[1:]:
            name, _, number = name.rstrip("]").partition("[")
            part = getattr(part, name)[int(number)] if number else getattr(part, name)
        assert kind.removeprefix("nn.") == type(part).__name__
        kinds[path] = type(part)
    count = sum(not isinstance(part, nn.ModuleList) for part in model.modules())
    assert len(kinds) == len(list(rows())) == count
    names = {box.id: box.name for box in BOXES}
    assert sorted(box for *_, boxes in rows() for box in boxes) == sorted(names[box] for box in BOXES_AT)
    for path, _, boxes in rows():
        nearest = path if kinds[path].__module__ == whole_bert.__name__ else path.rpartition(".")[0]
        assert set(boxes) <= {names[box] for box in boxes_of(kinds[nearest])[0]}


def test_the_tree_of_classes_says_where_a_query_is_made() -> None:
    lines = class_tree().splitlines()
    assert "          self               SelfAttention  attention weights, context" in lines
    assert "            query            nn.Linear      query" in lines


def test_the_tree_of_classes_gives_the_addition_to_the_class_that_adds() -> None:
    lines = class_tree().splitlines()
    assert sum(line.split()[1:] == ["AddAndNorm", "add", "&", "norm"] for line in lines) == 2
    assert sum(line.endswith("LayerNorm") and "nn.LayerNorm" in line for line in lines) == 4


def test_the_small_map_says_in_words_which_class_computes_which_box() -> None:
    alt = classes_on_the_map().alt
    assert alt.count("AddAndNorm: ") == 2
    assert "; Intermediate: up, the intermediate layer, GELU; AddAndNorm: down, " in alt
    assert alt.endswith("; Transform: transform; LMHead: decoder; Pooler: pooler; Heads: NSP head.")


def test_the_whole_page_is_folded_below_its_name() -> None:
    shown = folded(whole_bert_input)
    lines = Path(whole_bert_input.__file__).read_text(encoding="utf-8").splitlines()
    assert repr(shown) == f"whole_bert_input.py, all its {len(lines)} lines, folded"
    html = shown._repr_html_()
    assert html.startswith("<details><summary>The whole file: <code>whole_bert_input.py</code>, ")
    assert "<details open" not in html
    assert f"{len(lines):3}</pre>" in html
    assert shown.listing.code.splitlines() == lines


def test_what_is_printed_is_folded_and_its_name_gives_nothing_away() -> None:
    shown = Printed("Patient 1: what steps prints", "bert.pooler: <tanh>")
    assert repr(shown) == "Patient 1: what steps prints, folded"
    summary, text = "<summary>Patient 1: what steps prints</summary>", "<pre>bert.pooler: &lt;tanh&gt;</pre>"
    assert shown._repr_html_() == f"<details>{summary}{text}</details>"


# The smallest tests


def test_with_fewer_than_three_ids_patient_5_or_7_passes() -> None:
    """Patient 5 needs padding. With one token to read, every weight is 1, whatever query and key are."""
    well, patients = healthy(), [patient(5), patient(7)]
    for shape in ((1, 1), (1, 2), (2, 1)):
        count = shape[0] * shape[1]
        for numbers in product((0, 1), repeat=2 * count):
            mask, segments = (torch.tensor(part).view(shape) for part in (numbers[:count], numbers[count:]))
            batch = torch.tensor([2, 41][:count]).view(shape), mask, segments
            right = well(*batch)
            assert any(compare(sick(*batch), right).first is None for sick in patients), numbers


def small(ids: object, mask: object, segments: object) -> dict[str, object]:
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}


TOO_MANY = small([[2, 41, 9, 0]], [[1, 1, 1, 0]], [[0, 1, 1, 0]])
SMALL = {
    "too many": (TOO_MANY, "No patient passes on it, as it should be; but it has 4 ids: fewer will do."),
    "no dictionary": ([[2, 41, 0]], "It should be a dictionary with the keys 'input_ids', "),
    "a key less": ({"input_ids": [[2]]}, "The keys should be input_ids, attention_mask, token_type_ids."),
    "ragged": (small([[2, 41], [3]], [[1]], [[0]]), "input_ids should be a list of rows of equal length, "),
    "one row": (small([2, 41], [1, 1], [0, 0]), "input_ids should be a list of rows of whole numbers, "),
    "an unknown id": (small([[2, 9999]], [[1, 1]], [[0, 0]]), "The numbers of input_ids go from 0 to 3749."),
    "a mask of 2": (small([[2, 41]], [[2, 1]], [[0, 0]]), "The numbers of attention_mask go from 0 to 1."),
    "two shapes": (small([[2, 41]], [[1]], [[0, 0]]), "The three should have one shape: a number for each "),
    "far too many": (small([[2] * 9999], [[1] * 9999], [[0] * 9999]), "is more than this exercise tries."),
}


@pytest.mark.parametrize("kind", SMALL)
def test_a_wrong_batch_gets_a_sentence(kind: str) -> None:
    answer, expected = SMALL[kind]
    verdict = chapter_12.finds_all.check(answer)
    assert verdict.passed is False
    assert expected in verdict.text


def test_a_batch_of_tensors_and_other_words_is_right_too() -> None:
    batch = small(*(torch.tensor([row]) for row in ([77, 0, 99], [1, 0, 1], [1, 0, 0])))
    assert chapter_12.finds_all.check(batch)
    batch["attention_mask"] = torch.ones(1, 3, dtype=torch.long)
    assert chapter_12.misses_5.check(batch)


def test_a_batch_without_numbers_is_not_answered() -> None:
    assert chapter_12.finds_all.check(small(..., ..., ...)).passed is None


def test_both_ways_to_tie_are_said_to_be_right() -> None:
    verdict = chapter_12.repair_4.check(lambda patient: patient.tie())
    assert "patient.tie() and the same assignment by hand are equally right." in verdict.text


# Repairs


def test_a_new_module_is_a_right_repair() -> None:
    def repair(patient: Any) -> Any:
        new = Pooler(patient.config).double()
        new.load_state_dict(patient.bert.pooler.state_dict())
        patient.bert.pooler = new
        return patient

    assert chapter_12.repair_1.check(repair)


def test_a_wrapper_that_returns_nothing_is_a_right_repair() -> None:
    def repair(patient: Any) -> None:
        patient.bert.pooler.register_forward_hook(lambda *call: call[-1].tanh())

    assert chapter_12.repair_1.check(repair)


def test_the_page_s_own_forward_is_a_right_repair() -> None:
    assert chapter_12.repair_5.check(lambda patient: all_new(patient, SelfAttention))


def test_taking_the_wrong_forward_off_is_no_repair() -> None:
    def repair(patient: Any) -> None:
        del patient.bert.encoder.layer[1].attention.self.forward

    verdict = chapter_12.repair_5.check(repair)
    assert verdict.passed is False
    assert "AttributeError: 'SelfAttention' object has no attribute 'forward'" in verdict.text


def all_new(patient: Any, kind: type[nn.Module]) -> Any:
    for part in patient.modules():
        if isinstance(part, kind):
            part.forward = kind.forward.__get__(part)
    return patient


def test_another_model_is_a_right_repair_too() -> None:
    assert chapter_12.repair_1.check(lambda _: healthy())


def test_normalising_again_is_a_right_mask() -> None:
    def repair(patient: Any) -> Any:
        part = patient.bert.encoder.layer[1].attention.self

        def forward(hidden_states: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
            query, key, value = (
                part.split(linear(hidden_states)) for linear in (part.query, part.key, part.value)
            )
            weights = (query @ key.mT / query.shape[-1] ** 0.5).softmax(dim=-1) * (bias == 0)
            weights = weights / weights.sum(dim=-1, keepdim=True)
            return (weights @ value).transpose(1, 2).flatten(2), weights

        part.forward = forward
        return patient

    assert chapter_12.repair_5.check(repair)


def test_tying_again_is_a_right_repair() -> None:
    assert chapter_12.repair_4.check(lambda patient: patient.tie())


def test_logits_from_the_table_itself_are_a_right_repair() -> None:
    def repair(patient: Any) -> Any:
        head = patient.cls.predictions
        table = patient.bert.embeddings.word_embeddings
        head.forward = lambda states: head.transform(states) @ table.weight.T + head.bias
        return patient

    assert chapter_12.repair_4.check(repair)


def returns_a_tuple(patient: Any) -> tuple[Any, int]:
    return patient, 1


def returns_what_is_inside(patient: Any) -> Any:
    return patient.bert


def hurts_a_healthy_part(patient: Any) -> Any:
    patient.bert.embeddings.forward = lambda input_ids, _: patient.bert.embeddings.word_embeddings(input_ids)
    return patient


def takes_out_the_heads(patient: Any) -> Any:
    patient.with_heads = False
    return patient


def breaks_the_forward(patient: Any) -> Any:
    patient.bert.pooler.forward = lambda states: states.no_such_thing
    return patient


def returns_one_thing(patient: Any) -> Any:
    patient.bert.pooler.forward = lambda _: None
    return patient


MESSAGES = {
    "nothing done": (
        lambda patient: patient,
        "repair_1: not yet. Nothing has changed: pooler_output differs first, most by ",
    ),
    "a tuple": (returns_a_tuple, "repair_1: not yet. It returns a tuple; return the patient itself."),
    "only its inside": (
        returns_what_is_inside,
        "repair_1: not yet. It returns a Bert; return the patient itself.",
    ),
    "another part": (hurts_a_healthy_part, "which was right before: a healthy part has been hurt."),
    "fewer": (takes_out_the_heads, "repair_1: not yet. The patient returns 10 tensors; it should return 12."),
    "an error": (breaks_the_forward, "Your code raised AttributeError: 'Tensor' object has no attribute"),
    "None inside": (returns_one_thing, "repair_1: not yet. "),
    "no function": (3, "Give the function itself, without calling it: exercises.repair_1.check(my_function)"),
    "no parameters": (lambda: None, "It should take (patient); yours takes ()."),
}


@pytest.mark.parametrize("kind", MESSAGES)
def test_a_wrong_repair_gets_a_sentence(kind: str) -> None:
    answer, expected = MESSAGES[kind]
    verdict = chapter_12.repair_1.check(answer)
    assert verdict.passed is False
    assert expected in verdict.text
    assert "Traceback" not in verdict.text


def test_a_repair_in_the_right_direction_is_recognised() -> None:
    def repair(patient: Any) -> Any:
        part, cls = patient.bert.pooler, patient.cls
        part.forward = lambda states: part.dense(states[:, 0]).tanh()
        cls.seq_relationship.bias.data += 1
        return patient

    assert "so the repair goes in the right direction." in chapter_12.repair_1.check(repair).text


def test_a_list_is_refused_as_a_name() -> None:
    assert "It should be text, not a list." in chapter_12.part_1.check(["Pooler"]).text
    assert chapter_12.part_1.check("pooler")


# Patient 9


def moves_a_late_position(well: Any) -> None:
    well.bert.embeddings.position_embeddings.weight.data[16] *= 2  # the first row that the batch leaves out


def forgets_the_default_mask(well: Any) -> Any:
    forward = well.forward
    well.forward = lambda input_ids, attention_mask=None, token_type_ids=None: forward(
        input_ids,
        torch.zeros_like(input_ids) if attention_mask is None else attention_mask,
        token_type_ids,
    )
    return well


@pytest.mark.parametrize("change", [moves_a_late_position, forgets_the_default_mask])
def test_whatever_the_proof_s_batch_does_not_try_is_a_right_patient_9(change: Any) -> None:
    assert chapter_12.patient_9.check(change)


def moves_the_last_position_read(well: Any) -> Any:
    well.bert.embeddings.position_embeddings.weight.data[15] *= 2
    return well


def adds_1_to_a_late_row(well: Any) -> Any:
    well.bert.embeddings.position_embeddings.weight.data[16] += 1  # LayerNorm takes it away again
    return well


def moves_a_key_bias(well: Any) -> Any:
    well.bert.encoder.layer[0].attention.self.key.bias.data += 1  # softmax takes it away again
    return well


def moves_a_layer(well: Any) -> Any:
    well.bert.encoder.layer[2].intermediate.dense.bias.data += 1
    return well


NO_PATIENTS = {
    "row 15": (moves_the_last_position_read, "The first to differ is hidden_states[0]: its texts have 16 "),
    "row 16, plus 1": (adds_1_to_a_late_row, "(LayerNorm takes away a number that is added to a whole row.)"),
    "a key's bias": (moves_a_key_bias, "All tensors are equal here too: the model is still well."),
    "a layer": (moves_a_layer, "The first to differ is hidden_states[3].\n    input: the batch of the proof"),
    "patient 5": (lambda _: patient(5), "The first to differ is attentions[1]."),
    "a number": (lambda _: 3, "It returns an int; return the model itself."),
    "nothing": (lambda well: well.eval() and None, "It gives None: is a `return` missing?"),
}


@pytest.mark.parametrize("kind", NO_PATIENTS)
def test_a_wrong_patient_9_gets_a_sentence(kind: str) -> None:
    answer, expected = NO_PATIENTS[kind]
    verdict = chapter_12.patient_9.check(answer)
    assert verdict.passed is False
    assert expected in verdict.text


def test_the_batch_of_patient_9_is_that_of_the_notebook() -> None:
    notebook = Path(__file__).parents[2] / "notebooks" / "12_whole_bert.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    (code,) = ["".join(cell["source"]) for cell in cells if cell["id"] == "prove-code"]
    space: dict[str, Any] = {"tokenizer": load("pocket")[0]}
    exec(code.partition("ours = ")[0], space)  # noqa: S102
    batch = harm._proof()
    assert all(torch.equal(batch[name], space["batch"][name]) for name in batch)
    assert batch["input_ids"].shape == (2, 16)
