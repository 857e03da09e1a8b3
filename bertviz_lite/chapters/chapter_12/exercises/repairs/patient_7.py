"""Exercises of chapter 12, the whole BERT: the repair of patient 7."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from typing import Any

from bertviz_lite.chapters.chapter_12.treatment import treatment


@treatment(
    7,
    hints=(
        "The code is well. The right weights are in load_file(folder / 'model.safetensors').",
        "Compare sick.state_dict()[name] with the file's tensor, for each name of the sick part.",
        "Two maps have each other's weights: part.query, part.key = part.key, part.query",
    ),
    note="Queries and keys have one shape, so every file that mixes up their names loads without a word.",
)
def repair_7(patient: Any) -> Any:
    """Mend patient 7, and return it."""
    part = patient.bert.encoder.layer[0].attention.self
    part.query, part.key = part.key, part.query
    return patient


@repair_7.mistake("A linear map has a bias too: exchange both, or the modules.")
def _without_biases(patient: Any) -> Any:
    part = patient.bert.encoder.layer[0].attention.self
    part.query.weight, part.key.weight = part.key.weight, part.query.weight
    return patient


@repair_7.mistake("Now key has query's weights too: the second line reads what the first has overwritten.")
def _overwritten(patient: Any) -> Any:
    part = patient.bert.encoder.layer[0].attention.self
    part.query = part.key
    part.key = part.query
    return patient


@repair_7.mistake("Key and value have changed places: it is query and key.")
def _other_two(patient: Any) -> Any:
    part = patient.bert.encoder.layer[0].attention.self
    part.key, part.value = part.value, part.key
    return patient


@repair_7.mistake("The layers that were well are exchanged too: only layer 0 is sick.")
def _in_all_layers(patient: Any) -> Any:
    for layer in patient.bert.encoder.layer:
        part = layer.attention.self
        part.query, part.key = part.key, part.query
    return patient
