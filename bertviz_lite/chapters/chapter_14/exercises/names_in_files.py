"""Exercises of chapter 14: which numbers a class finds in a folder, and which it makes up."""

from collections.abc import Iterable, Iterator

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "Which boxes of the diagram are orange for this class? Only those are new.",
        "A Linear layer has a matrix, (labels, hidden_size), and a bias, one number for each label.",
    ),
    note="Of 108.9 million: all others come from the folder. And these few decide what the model says.",
    rtol=1e-9,
)
def new_numbers() -> int:
    """Say how many numbers the library has to make up, since no file holds them.

    AutoModelForTokenClassification opens bert-base-uncased (hidden_size 768, saved from BertForPreTraining)
    with num_labels=9.
    """
    labels, hidden_size = 9, 768
    return labels * hidden_size + labels


new_numbers.mistake("The bias is missing: one number for each label.", 9 * 768)
new_numbers.mistake("The class has two labels only if nothing is said; here there are 9.", 2 * 768 + 2)
new_numbers.mistake("The pooler isn't made up: this class has none.", 9 * 769 + 768 * 769)
new_numbers.mistake("The bias has one number for each label, not for each of hidden_size.", 9 * 768 + 768)


@question(
    hints=(
        "Compare two columns of the diagram: which part has the one class, and not the other?",
        "BertForMaskedLM has no pooler, so the folder holds none. BertModel has one.",
    ),
    note="So pooler_output of such a model is noise, until it is trained. Take last_hidden_state.",
)
def made_up() -> str:
    """Say which part the library makes up: "embeddings", "encoder", "pooler", "LM head" or "nothing".

    Somebody trained a BertForMaskedLM and saved it. You open the folder with AutoModel.
    """
    return "pooler"


made_up.mistake(
    "AutoModel has no LM head. The folder holds one, which is left there: nothing is made up for it.",
    "LM head",
)
made_up.mistake("Every part of BertModel must be in the folder for that. Is it?", "nothing")
made_up.mistake("Both classes have the encoder, so its numbers are in the folder.", "encoder")
made_up.mistake("Both classes have the embeddings, so their numbers are in the folder.", "embeddings")

_MODEL = ["bert.embeddings.table", "bert.encoder.query", "bert.pooler.dense", "classifier.weight"]


def _report_cases() -> Iterator[Case]:
    yield Case(["bert.encoder.query", "cls.bias"], ["bert.encoder.query", "classifier.bias"])
    yield Case([*_MODEL[:3], "cls.predictions.bias"], _MODEL)
    yield Case(["cls.weight", "bert.encoder.query", "cls.bias"], ["qa.weight", "qa.bias", *_MODEL[:2]])
    yield Case(_MODEL, _MODEL)
    yield Case(["embeddings.table", "encoder.query", "pooler.dense"], _MODEL)
    yield Case([*_MODEL[:2], "cls.bias"], ["embeddings.table", "encoder.query", "pooler.dense"])


@exercise(
    cases=_report_cases,
    hints=(
        "First bring both lists to one form: take the prefix away wherever it is.",
        "`name.removeprefix('bert.')` leaves names without the prefix as they are.",
        "Missing is what the model has and the folder lacks; unexpected is the reverse.",
    ),
    note="That's the library's load report. The prefix is `base_model_prefix` of BertPreTrainedModel.",
)
def load_report(in_folder: list[str], in_model: list[str]) -> dict[str, list[str]]:
    """Match the names of tensors in a folder with those in a model: {"missing": [...], "unexpected": [...]}.

    Names match if they are equal, or would be but for "bert." in front (a BertModel alone has names without
    it). Give the rest without that prefix, each list in alphabetical order.
    """
    folder, model = ({name.removeprefix("bert.") for name in names} for names in (in_folder, in_model))
    return {"missing": sorted(model - folder), "unexpected": sorted(folder - model)}


def _sorted_out(folder: Iterable[str], model: Iterable[str]) -> dict[str, list[str]]:
    return {"missing": sorted(set(model) - set(folder)), "unexpected": sorted(set(folder) - set(model))}


@load_report.mistake("The prefix counts as a difference; a folder saved from BertModel would match nothing.")
def _untouched(in_folder: list[str], in_model: list[str]) -> dict[str, list[str]]:
    return _sorted_out(in_folder, in_model)


@load_report.mistake("The prefix is taken away too late: after the names have been compared.")
def _with_prefix(in_folder: list[str], in_model: list[str]) -> dict[str, list[str]]:
    apart = _sorted_out(in_folder, in_model)
    return {key: sorted(name.removeprefix("bert.") for name in names) for key, names in apart.items()}


@load_report.mistake("Right, but not in alphabetical order.")
def _as_they_come(in_folder: list[str], in_model: list[str]) -> dict[str, list[str]]:
    folder, model = ([name.removeprefix("bert.") for name in names] for names in (in_folder, in_model))
    return {
        "missing": [name for name in model if name not in folder],
        "unexpected": [name for name in folder if name not in model],
    }


@load_report.mistake("The two lists are swapped: missing is what the model has and the folder lacks.")
def _swapped(in_folder: list[str], in_model: list[str]) -> dict[str, list[str]]:
    folder, model = ([name.removeprefix("bert.") for name in names] for names in (in_folder, in_model))
    return _sorted_out(model, folder)


@load_report.mistake(
    "Names are compared without all that stands before the last dot, so different parts match."
)
def _last_words(in_folder: list[str], in_model: list[str]) -> dict[str, list[str]]:
    folder, model = ([name.rpartition(".")[2] for name in names] for names in (in_folder, in_model))
    return _sorted_out(folder, model)
