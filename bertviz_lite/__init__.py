"""BERT, built, proved, seen and broken: the library behind the chapters.

The public names are listed below and imported on first use, so that ``import bertviz_lite.world`` does not
wait for torch:

>>> from bertviz_lite import load
>>> tokenizer, model = load()
"""

from importlib import import_module

from bertviz_lite.capture import capture as capture  # at once: its module has the same name
from bertviz_lite.trace import trace as trace  # likewise

__version__ = "0.1.0"

_MODULE_OF = {
    # name: the module that holds it. Editors and type checkers read the same from __init__.pyi.
    "Capture": "capture",
    "CaptureError": "capture",
    "EmbeddingView": "views",
    "Exercise": "exercises",
    "Explorer": "views",
    "FillIn": "views",
    "InputParts": "embeddings",
    "MaskingLab": "views",
    "MinimalPair": "world",
    "ModelError": "models",
    "PairView": "views",
    "Sentence": "world",
    "Story": "world",
    "TimeLapse": "views",
    "TokenView": "views",
    "Trace": "trace",
    "TraceError": "trace",
    "Word": "world",
    "capture": "capture",
    "input_parts": "embeddings",
    "load": "models",
    "marked": "marks",
    "minimal_pairs": "world",
    "show": "display",
    "stories": "world",
    "trace": "trace",
    "word_groups": "world",
}

__all__ = ["__version__", *sorted(_MODULE_OF)]  # noqa: PLE0604 - every element is a string


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
