"""BERT, built, proved, seen and broken: the library behind the chapters.

The public names are listed below and imported on first use, so that ``import bertviz_lite.world`` does not
wait for torch:

>>> from bertviz_lite import load
>>> tokenizer, model = load()
"""

from importlib import import_module

__version__ = "0.1.0"

_MODULE_OF = {
    # name: the module that holds it, or is it. Editors and type checkers read the same from __init__.pyi.
    "ArgumentError": "basics.arguments",
    "Capture": "capture",
    "CaptureError": "capture",
    "EmbeddingView": "views",
    "Exercise": "exercises",
    "Explorer": "views",
    "FillIn": "views",
    "InputParts": "evaluation.embeddings",
    "Machine": "views",
    "MaskingLab": "views",
    "MinimalPair": "world",
    "ModelError": "models.loading",
    "PairView": "views",
    "Sentence": "world",
    "Story": "world",
    "TimeLapse": "views",
    "TokenView": "views",
    "Trace": "trace",
    "TraceError": "trace",
    "ViewError": "views",
    "Word": "world",
    "input_parts": "evaluation.embeddings",
    "load": "models.loading",
    "marked": "world.events.marked_text",
    "minimal_pairs": "world",
    "show": "plots",
    "stories": "world",
    "word_groups": "world",
}
_CALLABLE_MODULES = ("capture", "trace")

__all__ = ["__version__", *sorted([*_MODULE_OF, *_CALLABLE_MODULES])]  # noqa: PLE0604 - every element is a string


def __getattr__(name: str) -> object:
    if name in _CALLABLE_MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
