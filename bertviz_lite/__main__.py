"""The command `bertviz-lite`, which is `python -m bertviz_lite` too."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import PreTrainedModel

SENTENCE = "Anna lost the key, so she looked for it."
MODEL = 'a name of the Hugging Face hub, a folder, "pocket" (comes with the package) or "minilm"'


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """End with the line."""
        self.exit(2, f"{self.prog}: {message}. See {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the course, write its page for a class, or look into a model of your own."""
    parser = _parser()
    chosen, more = parser.parse_known_args(arguments)
    if chosen.command is None:
        parser.print_help()
        return 0
    if more and chosen.command not in _PASSED_ON:
        parser.error(f"{chosen.command} does not know {' '.join(more)}")
    from bertviz_lite.basics.one_line_error import OneLineError

    try:
        return int(_COMMANDS[chosen.command](chosen, more) or 0)
    except OneLineError as error:
        print(f"bertviz-lite: {error}", file=sys.stderr)
    except BrokenPipeError:  # `bertviz-lite trace pocket | head`
        sys.stderr.close()
    except KeyboardInterrupt:
        print("bertviz-lite: stopped", file=sys.stderr)
    return 1


def _parser() -> _Parser:
    from bertviz_lite import __version__

    parser = _Parser(prog="bertviz-lite", description=main.__doc__, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"bertviz-lite {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    lab = commands.add_parser("lab", help="open the chapters in JupyterLab, as copies of your own")
    lab.add_argument("folder", nargs="?", type=Path, default=Path("bert-course"), help="default: bert-course")
    lab.epilog = "Other options, such as --no-browser, go to JupyterLab."
    page = commands.add_parser("page", help="write every view of a pocket model as one HTML file")
    page.add_argument("file", nargs="?", type=Path, default=Path("bert.html"), help="default: bert.html")
    commands.add_parser("handout", help="write student notebooks, without solutions", add_help=False)
    commands.add_parser("grade", help="grade what a class has handed in", add_help=False)
    shapes = commands.add_parser("trace", help="print every module and operation of a model, with its shapes")
    shapes.add_argument("model", help=MODEL)
    shapes.add_argument("--text", default=SENTENCE, help=f"what it reads; default: {SENTENCE}")
    explore = commands.add_parser("explore", help="write a model's attention as one HTML file")
    explore.add_argument("model", help=MODEL)
    explore.add_argument("text", help="what it reads")
    explore.add_argument("text_pair", nargs="?", help="a second text, for models that read two")
    explore.add_argument(
        "--output", type=Path, default=Path("attention.html"), help="default: attention.html"
    )
    explore.add_argument(
        "--live",
        action=argparse.BooleanOptionalAction,
        help="put the model into the page, so that it answers there, or leave it out; "
        "default: put it in where the page stays below 12 MB",
    )
    return parser


def _lab(chosen: argparse.Namespace, more: list[str]) -> None:
    from bertviz_lite.chapters.lab import open_lab

    open_lab(chosen.folder, more)


def _page(chosen: argparse.Namespace, _: list[str]) -> int:
    from bertviz_lite.views.pages.__main__ import main as write_page

    return write_page([str(chosen.file)])


def _handout(_: argparse.Namespace, more: list[str]) -> int:
    from bertviz_lite.exercises.grading.handout.__main__ import main as write_handouts

    return write_handouts(more)


def _grade(_: argparse.Namespace, more: list[str]) -> int:
    from bertviz_lite.exercises.grading.__main__ import main as grade

    return grade(more)


def _trace(chosen: argparse.Namespace, _: list[str]) -> int:
    from bertviz_lite.trace import trace

    tokenizer, model = _load(chosen.model)
    inputs: dict[str, Any] = dict(tokenizer(chosen.text, return_tensors="pt"))
    if model.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = inputs["input_ids"]
    seen = trace(model, **inputs)
    print(seen.table())
    if seen.failure:
        print(f"bertviz-lite: {seen.failure.message}", file=sys.stderr)
    return int(bool(seen.failure))


def _explore(chosen: argparse.Namespace, _: list[str]) -> None:
    from bertviz_lite.capture import capture
    from bertviz_lite.capture.reading import check_text
    from bertviz_lite.views import Explorer
    from bertviz_lite.views.base.errors import checked_path
    from bertviz_lite.views.pages.explored import save_explored

    # what takes no time first: a model may load for half a minute
    file = checked_path(chosen.output)
    check_text("text", chosen.text)
    if chosen.text_pair is not None:
        check_text("text_pair", chosen.text_pair)
    tokenizer, model = _load(chosen.model)
    view = Explorer(capture(model, tokenizer, chosen.text, chosen.text_pair))
    done = save_explored(view, file, live=chosen.live)
    print(f"Wrote {file}: {done} Open it in any browser; it needs no network.")


def _load(name: str) -> tuple[Any, PreTrainedModel]:
    """Load a BERT with its heads; another architecture by the library's own class, without them."""
    from bertviz_lite.models.loading import ModelError, load
    from bertviz_lite.models.quiet import first_line, hush, without_bars

    try:
        return load(name)
    except ModelError as error:
        if ": no BERT: " not in str(error):
            raise
    from transformers import AutoModel, AutoTokenizer

    from bertviz_lite.capture.vocabulary import check_not_empty

    place = os.path.expanduser(name)  # noqa: PTH111 - a hub name must stay a string
    try:
        with hush("transformers"), without_bars():
            # no code that came with the model, no pickles
            tokenizer = AutoTokenizer.from_pretrained(place, trust_remote_code=False)
            model = AutoModel.from_pretrained(place, trust_remote_code=False, use_safetensors=True)
    except Exception as error:  # noqa: BLE001 - whatever it is, the reader gets one line
        _check_reads_text(place)
        raise ModelError(f"{name}: transformers cannot load it ({first_line(error)}).") from None
    check_not_empty(tokenizer)
    return tokenizer, model.eval()


def _check_reads_text(place: str) -> None:
    """Refuse a model of pictures or sounds as such, where all else that is known is that it did not load."""
    import torch
    from transformers import AutoConfig, AutoModel

    from bertviz_lite.capture.limits import parameters_of
    from bertviz_lite.models.quiet import hush

    try:
        with hush("transformers"), torch.device("meta"):  # the class is asked; it needs no weights
            model = AutoModel.from_config(AutoConfig.from_pretrained(place, trust_remote_code=False))
    except Exception:  # noqa: BLE001 - then the first error says what is wrong
        return
    parameters_of(model)


_COMMANDS = {
    "lab": _lab,
    "page": _page,
    "handout": _handout,
    "grade": _grade,
    "trace": _trace,
    "explore": _explore,
}
_PASSED_ON = ("lab", "handout", "grade")  # commands whose options are another program's


if __name__ == "__main__":
    sys.exit(main())
