"""Exercises of chapter 12, the whole BERT: standard names for the names in files."""

from collections.abc import Iterator, Mapping

from bertviz_lite.exercises import Case, exercise


def _name_cases() -> Iterator[Case]:
    yield Case("bert.encoder.layer.0.output.LayerNorm.gamma")
    yield Case("bert.embeddings.LayerNorm.beta")
    yield Case("encoder.layer.3.attention.self.query.weight")
    yield Case("cls.predictions.transform.LayerNorm.gamma")
    yield Case("embeddings.LayerNorm.beta")
    yield Case("bert.pooler.dense.bias")


@exercise(
    cases=_name_cases,
    hints=(
        "Two things can be wrong with a name: how it begins, and how it ends. Some names need nothing.",
        "Look at the last part, after the last dot; then see whether the name starts with bert. or cls.",
    ),
    note="With it the page reads old files too: from_weights(config, {standard_name(k): v for k, v in …}).",
)
def standard_name(name: str) -> str:
    """Give the page's name for a weight.

    Old files call the gain of a LayerNorm "gamma" and its bias "beta"; the page calls them "weight" and
    "bias". Files of a model without heads leave out "bert." at the beginning; names of heads begin with
    "cls." in all files.
    """
    *path, last = name.split(".")
    path.append({"gamma": "weight", "beta": "bias"}.get(last, last))
    return ".".join(path if path[0] in ("bert", "cls") else ["bert", *path])


_NEW = {"gamma": "weight", "beta": "bias"}


def _renamed(name: str, new: Mapping[str, str] = _NEW) -> str:
    for old, now in new.items():
        name = name.removesuffix(old) + now * name.endswith(old)
    return name


def _prefixed(name: str, but: tuple[str, ...] = ("bert.", "cls.")) -> str:
    return name if name.startswith(but) else f"bert.{name}"


standard_name.mistake('"bert." is missing where the file leaves it out.', _renamed)
standard_name.mistake("gamma and beta keep their old names.", _prefixed)
standard_name.mistake(
    'Names of heads, with "cls.", get no "bert.".', lambda name: _prefixed(_renamed(name), ("bert.",))
)
standard_name.mistake(
    '"bert." is put before names that have it.', lambda name: _prefixed(_renamed(name), ("cls.",))
)
standard_name.mistake('"bert." is put before every name.', lambda name: f"bert.{_renamed(name)}")
standard_name.mistake(
    "The two have changed places: gamma is the gain, which is called weight.",
    lambda name: _prefixed(_renamed(name, {"gamma": "bias", "beta": "weight"})),
)
