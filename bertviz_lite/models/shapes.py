"""The class that has a place for every weight in the files, and the names and shapes that it needs."""

from typing import Any

from bertviz_lite.models.source import Source

Shapes = dict[str, tuple[int, ...]]

_CLASSIFIERS = frozenset(
    {"BertForMultipleChoice", "BertForSequenceClassification", "BertForTokenClassification"}
)
_WITHOUT_POOLER = frozenset({"BertForMaskedLM", "BertForQuestionAnswering", "BertForTokenClassification"})


def choose_class(source: Source, config: dict[str, Any], shapes: Shapes) -> str:
    """Find the class that has a place for the heads in the files, so that none is made up at random."""
    heads = {".".join(key.split(".")[: 2 if key.startswith("cls.") else 1]) for key in shapes}
    if "cls.predictions" in heads:
        return "BertForPreTraining" if "cls.seq_relationship" in heads else "BertForMaskedLM"
    if "cls.seq_relationship" in heads:
        return "BertForNextSentencePrediction"
    if "qa_outputs" in heads:
        return "BertForQuestionAnswering"
    if "classifier" in heads:
        kinds = sorted(_CLASSIFIERS.intersection(config.get("architectures") or ()))
        if len(kinds) != 1:
            raise source.error(
                'the weights hold a classifier; "architectures" in config.json must say of what kind.',
                f"Write one of these there: {', '.join(sorted(_CLASSIFIERS))}.",
            )
        return kinds[0]
    return "BertModel"


def expected_shapes(config: dict[str, Any], class_name: str, *, add_pooling_layer: bool) -> Shapes:
    """List the weights that a class needs, by name, with their shapes.

    Written out here so that an error needs no import of torch; a test compares it with `transformers`.
    """
    hidden_size, intermediate_size = config["hidden_size"], config["intermediate_size"]
    body: Shapes = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], hidden_size),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], hidden_size),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], hidden_size),
        **_layer_norm("embeddings", hidden_size),
    }
    for layer in range(config["num_hidden_layers"]):
        block = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            body |= _linear(f"{block}.attention.{part}", hidden_size, hidden_size)
        body |= _layer_norm(f"{block}.attention.output", hidden_size)
        body |= _linear(f"{block}.intermediate.dense", intermediate_size, hidden_size)
        body |= _linear(f"{block}.output.dense", hidden_size, intermediate_size)
        body |= _layer_norm(f"{block}.output", hidden_size)
    if class_name not in _WITHOUT_POOLER and (add_pooling_layer or class_name != "BertModel"):
        body |= _linear("pooler.dense", hidden_size, hidden_size)
    if class_name == "BertModel":
        return body
    return {f"bert.{key}": shape for key, shape in body.items()} | _head_shapes(config, class_name)


def _head_shapes(config: dict[str, Any], class_name: str) -> Shapes:
    hidden_size, vocab_size = config["hidden_size"], config["vocab_size"]
    num_labels = 1 if class_name == "BertForMultipleChoice" else len(config.get("id2label") or (0, 1))
    if class_name in _CLASSIFIERS:
        return _linear("classifier", num_labels, hidden_size)
    if class_name == "BertForQuestionAnswering":
        return _linear("qa_outputs", num_labels, hidden_size)
    head: Shapes = {}
    if class_name in {"BertForPreTraining", "BertForMaskedLM"}:
        head |= _linear("cls.predictions.transform.dense", hidden_size, hidden_size)
        head |= _layer_norm("cls.predictions.transform", hidden_size)
        head["cls.predictions.bias"] = (vocab_size,)
        if not config.get("tie_word_embeddings", True):
            head |= _linear("cls.predictions.decoder", vocab_size, hidden_size)
    if class_name in {"BertForPreTraining", "BertForNextSentencePrediction"}:
        head |= _linear("cls.seq_relationship", 2, hidden_size)
    return head


def _linear(name: str, out_features: int, in_features: int) -> Shapes:
    return {f"{name}.weight": (out_features, in_features), f"{name}.bias": (out_features,)}


def _layer_norm(name: str, size: int) -> Shapes:
    return {f"{name}.LayerNorm.weight": (size,), f"{name}.LayerNorm.bias": (size,)}


def match_names(
    source: Source, config: dict[str, Any], class_name: str, shapes: Shapes, expected: Shapes
) -> dict[str, str]:
    """Pair the names in the files with the names in the model; every weight must find its place."""
    spare, tied = set(), config.get("tie_word_embeddings", True)
    if tied:  # the same numbers as the word embeddings and cls.predictions.bias
        spare |= {"cls.predictions.decoder.weight", "cls.predictions.decoder.bias"}
    if class_name in _WITHOUT_POOLER:
        spare |= {"bert.pooler.dense.weight", "bert.pooler.dense.bias"}  # these classes have no use for it
    names = {}
    for stored in shapes:
        key = stored.replace(".gamma", ".weight").replace(".beta", ".bias")  # as the first BERT named them
        if class_name == "BertModel":
            key = key.removeprefix("bert.")
        if tied and key == "cls.predictions.decoder.bias" and "cls.predictions.bias" not in shapes:
            key = "cls.predictions.bias"
        if key not in spare and not key.endswith("position_ids"):
            names[stored] = key
    missing = sorted(set(expected) - set(names.values()))
    unexpected = sorted(set(names.values()) - set(expected))
    faults = [f"{len(missing)} missing (first: {missing[0]})"] if missing else []
    faults += [f"{len(unexpected)} without a place (first: {unexpected[0]})"] if unexpected else []
    if faults:
        raise source.error(
            f"the weights do not fit config.json, read as {class_name}: {', '.join(faults)}.",
            "Take both from the same place.",
        )
    for stored, key in names.items():
        if shapes[stored] != expected[key]:
            raise source.error(
                f"the weights do not fit config.json: {key} is {shapes[stored]}, "
                f"the configuration asks for {expected[key]}.",
                "Take both from the same place.",
            )
    return names
