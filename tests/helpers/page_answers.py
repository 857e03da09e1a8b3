"""What a view's ``js/answers.js`` answers in Node, to be compared with what Python answers."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.views.engine.packed import engine_source, pack_model, pack_tokenizer
from tests.helpers.browser import find_program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    Parts = tuple[PreTrainedModel, PreTrainedTokenizerBase] | PreTrainedTokenizerBase

__all__ = ["Refused", "page_answers"]

RUN = Path(__file__).parents[1] / "views" / "js" / "answers_run.mjs"


class Refused(str):
    """The line with which the page refuses a question."""

    __slots__ = ()


def page_answers(
    folder: Path, view: str, models: Mapping[str, Parts], asked: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[Any]:
    """Return what the page's engine answers, for each question: traits, bytes, or a :class:`Refused`.

    Parameters
    ----------
    folder
        Where files can be put.
    view
        Folder of the view, as ``"fill_in"``.
    models
        Models with their tokenizers, or tokenizers alone, by name.
    asked
        Names of models, each with a question: ``{"type": "ask", "values": {...}}``, or
        ``{"type": "block", "name": ..., "values": {...}}``.
    """
    node = find_program(["node", "nodejs"], "Node.js")
    for name, parts in models.items():
        packed = pack_model(*parts) if isinstance(parts, tuple) else pack_tokenizer(parts)
        (folder / f"{name}.bin").write_bytes(packed.data)
    (folder / "engine.mjs").write_text(engine_source(), encoding="utf-8")
    questions = [{"model": model, "question": question} for model, question in asked]
    (folder / "questions.json").write_text(json.dumps({"view": view, "asked": questions}), encoding="utf-8")
    subprocess.run([node, str(RUN), str(folder)], check=True, timeout=600)
    answers = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    return [Refused(each["refused"]) if "refused" in each else _read(each["answer"]) for each in answers]


def _read(value: Any) -> Any:  # noqa: ANN401
    """Put bytes in the places of their base64."""
    if isinstance(value, list):
        return [_read(part) for part in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"bytes"}:
        return base64.b64decode(value["bytes"])
    return {name: _read(part) for name, part in value.items()}
