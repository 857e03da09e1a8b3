"""Which class of `transformers` has which parts, and whether a folder holds the numbers for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import transformers
from torch import nn

from bertviz_lite.chapters.chapter_14.boxes import FIT, MADE_UP, draw_box
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import entitle, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

__all__ = ["ANSWERS", "CLASSES", "Fitted", "class_map", "fitted", "in_words", "parts_of"]

CLASSES = {
    "AutoModel": "BertModel",
    "AutoModelForPreTraining": "BertForPreTraining",
    "AutoModelForMaskedLM": "BertForMaskedLM",
    "AutoModelForNextSentencePrediction": "BertForNextSentencePrediction",
    "AutoModelForSequenceClassification": "BertForSequenceClassification",
    "AutoModelForMultipleChoice": "BertForMultipleChoice",
    "AutoModelForTokenClassification": "BertForTokenClassification",
    "AutoModelForQuestionAnswering": "BertForQuestionAnswering",
}
"""What one writes, and the class that one gets of a folder with a BERT."""

ANSWERS = {
    "BertModel": "each token\n(a vector)",
    "BertForPreTraining": "gap, pair",
    "BertForMaskedLM": "gap",
    "BertForNextSentencePrediction": "pair",
    "BertForSequenceClassification": "text\nor pair",
    "BertForMultipleChoice": "each\nchoice",
    "BertForTokenClassification": "each\ntoken",
    "BertForQuestionAnswering": "begin, end\nin a text",
}
"""For what each class gives one answer."""

_ROWS = ("embeddings", "encoder", "pooler", "LM head", "NSP head", "a head for your task")
_ROW_OF = {
    "embeddings": "embeddings",
    "encoder": "encoder",
    "pooler": "pooler",
    "predictions": "LM head",
    "seq_relationship": "NSP head",
    "classifier": "a head for your task",
    "qa_outputs": "a head for your task",
}

_WIDE, _STEP, _TALL, _LEFT = 1.0, 1.1, 0.72, 1.28
_MORE = 0.16
"""So much higher are the boxes of the last row, whose words take three lines."""
_FOOT = len(_ROWS) * _TALL + _MORE


@dataclass(frozen=True)
class Fitted:
    """A class that has opened a folder.

    Attributes
    ----------
    auto, name : str
        What one writes, and the class that one gets.
    parts : dict of str to str
        Row of the diagram -> what the library calls the part.
    made_up : tuple of str
        Names of the tensors that the folder lacks, and that it drew at random.
    """

    auto: str
    name: str
    parts: dict[str, str]
    made_up: tuple[str, ...]

    def is_made_up(self, row: str) -> bool:
        """Whether a part begins with random numbers."""
        return any(_ROW_OF.get(word) == row for name in self.made_up for word in name.split("."))


def fitted(folder: Path) -> list[Fitted]:
    """Open a folder with each of the eight classes, and see which parts find their numbers in it.

    Parameters
    ----------
    folder
        A folder that `save_pretrained` has written.

    Returns
    -------
    list of Fitted
        In the order of `CLASSES`.
    """
    return [_fit(auto, folder) for auto in CLASSES]


def _fit(auto: str, folder: Path) -> Fitted:
    model, report = getattr(transformers, auto).from_pretrained(folder, output_loading_info=True)
    made_up = tuple(sorted(report["missing_keys"]))
    return Fitted(auto, type(model).__name__, parts_of(model), made_up)


def parts_of(model: Any) -> dict[str, str]:  # noqa: ANN401
    """Return row of the diagram -> what the library calls the part, for the parts that a model has."""
    parts = {}
    for name, module in model.named_modules():
        path, _, word = name.rpartition(".")
        if word not in _ROW_OF:
            continue
        if path == "cls":
            parts[_ROW_OF[word]] = type(model.cls).__name__
        elif isinstance(module, nn.Linear):
            dropped = "Dropout, " if hasattr(model, "dropout") else ""
            parts[_ROW_OF[word]] = f"{dropped}Linear({module.in_features}, {module.out_features})"
        else:
            parts[_ROW_OF[word]] = type(module).__name__
    return parts


def class_map(classes: Sequence[Fitted], *, title: str) -> Axes:
    """Draw a column for each class with its parts: blue from the folder, orange and dashed drawn at random.

    Parameters
    ----------
    classes
        What `fitted` returned.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
    """
    with style():
        _, ax = plt.subplots(figsize=(11.0, 6.6))
        ax.set(xlim=(0, _LEFT + len(classes) * _STEP), ylim=(_FOOT + 1.2, -0.75))
        ax.set_axis_off()
        everywhere = _everywhere(classes)
        for number, row in enumerate(_ROWS):
            words, own = row.replace("head for ", "head for\n"), everywhere.get(row)
            middle = (number + (0.29 if own else 0.42)) * _TALL
            write(ax, 0.0, middle, words, color=FIT[0], weight="bold", ha="left", size=12)
            if own:
                write(ax, 0.0, (number + 0.61) * _TALL, own, ha="left", size=11)
        for column, fit in enumerate(classes):
            _column(ax, _LEFT + column * _STEP, fit, everywhere)
        write(ax, 0.0, _FOOT + 0.2, "one answer\nfor", weight="bold", ha="left", size=12)
        foot = _FOOT + 0.9
        for start, is_made_up, words in (
            (_LEFT, False, "its numbers are in the folder"),
            (_LEFT + 4 * _STEP, True, "not in the folder: drawn at random"),
        ):
            _frame(ax, (start, foot - 0.13), (0.3, 0.26), is_made_up=is_made_up)
            write(ax, start + 0.4, foot, words, ha="left", size=12)
        entitle(ax, title)
    return ax


def in_words(classes: Sequence[Fitted]) -> str:
    """Say which parts each class has beside embeddings and encoder, and for what it gives one answer."""
    told = []
    for fit in classes:
        own = [row for row in _ROWS[2:] if row in fit.parts]
        marked = [f"{row}, drawn at random" if fit.is_made_up(row) else row for row in own]
        answers = ANSWERS.get(fit.name, "").replace("\n", " ")
        last = f"; one answer for: {answers}" if answers else ""
        told.append(f"{fit.name}: {', '.join(marked) or 'nothing more'}{last}.")
    return " ".join(told)


def _everywhere(classes: Sequence[Fitted]) -> dict[str, str]:
    """Return row -> what the library calls the part, for rows where all classes have the same name for it."""
    names = {row: {fit.parts[row] for fit in classes if row in fit.parts} for row in _ROWS}
    return {row: next(iter(own)) for row, own in names.items() if len(own) == 1}


def _column(ax: Axes, left: float, fit: Fitted, everywhere: dict[str, str]) -> None:
    """Draw the parts of a class; two rows that are one module to the library share a box."""
    write(ax, left + _WIDE / 2, -0.38, _broken(fit.name), weight="bold", size=10)
    write(ax, left + _WIDE / 2, _FOOT + 0.2, ANSWERS.get(fit.name, ""), size=11)
    before = ""
    for number, row in enumerate(_ROWS):
        words = fit.parts.get(row, "")
        if words and words != before:
            rows = [*fit.parts.values()].count(words)
            height = (rows - 0.16) * _TALL + (_MORE if row == _ROWS[-1] else 0)
            is_made_up = fit.is_made_up(row)
            _frame(ax, (left, number * _TALL), (_WIDE, height), is_made_up=is_made_up)
            if row not in everywhere:
                write(ax, left + _WIDE / 2, number * _TALL + height / 2, _in_lines(words), size=11)
        before = words


def _broken(name: str) -> str:
    """Break the name of a class where its words do, so that it fits a column."""
    first = name.replace("BertFor", "BertFor\n").replace("BertModel", "Bert\nModel")
    for word in ("Classification", "Training", "Answering", "Choice", "Prediction"):
        first = first.replace(word, f"\n{word}")
    return first


def _in_lines(words: str) -> str:
    for part in ("Embeddings", "Linear", "MLMHead", "NSPHead", "Training", "Heads", "("):
        words = words.replace(part, f"\n{part}")
    return words.lstrip("\n")


def _frame(ax: Axes, corner: tuple[float, float], size: tuple[float, float], *, is_made_up: bool) -> None:
    draw_box(ax, corner, size, MADE_UP if is_made_up else FIT, dashed=is_made_up)
