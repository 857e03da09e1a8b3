"""Models of the Hugging Face hub: from the local cache, else downloaded."""

import os
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bertviz_lite.models.checkpoint import Checkpoint, read_checkpoint
from bertviz_lite.models.config_file import read_config
from bertviz_lite.models.quiet import first_line, hush
from bertviz_lite.models.source import IncompleteError, ModelError, Source

_Answer = TypeVar("_Answer")

_FILES = (
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
_ANSWERS_WITHIN = 2.0  # seconds; HF_HUB_ETAG_TIMEOUT overrides it
_TRUE = frozenset({"1", "ON", "TRUE", "YES"})

# The log level that is changed while a model is fetched belongs to the whole process.
_one_download = threading.RLock()


def find_on_hub(name: str) -> Checkpoint:
    """Take a hub model from the local cache, else download it."""
    incomplete = False
    for repo in (name,) if "/" in name else (name, f"google-bert/{name}"):
        folder = _cached(repo)
        if folder is None:
            continue
        try:
            return read_checkpoint(_from_hub(folder, name))
        except IncompleteError:
            incomplete = True  # a download that broke off: go on with it
    if _offline():
        where = "only in part" if incomplete else "not"
        raise ModelError(
            f"{name}: {where} in the local cache, and HF_HUB_OFFLINE forbids the network. "
            'Unset that and load once with a network, or use load("pocket").'
        )
    with _one_download, hush("huggingface_hub"):
        return _download(name)


def _from_hub(folder: Path, name: str) -> Source:
    return Source(folder, name, f"Delete it and load again: {folder.parents[1]}")


def _cached(repo: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(repo, "config.json")
    return Path(config).parent if isinstance(config, str) else None


def _offline() -> bool:
    from huggingface_hub import constants

    value = os.environ.get("HF_HUB_OFFLINE") or os.environ.get("TRANSFORMERS_OFFLINE") or ""
    return bool(constants.HF_HUB_OFFLINE) or value.upper() in _TRUE


def _download(name: str) -> Checkpoint:
    """Fetch a model, after a short query whether the hub can be reached and has it."""
    from huggingface_hub import HfApi, constants

    endpoint = (os.environ.get("HF_ENDPOINT") or constants.ENDPOINT).rstrip("/")
    value = os.environ.get("HF_HUB_ETAG_TIMEOUT", "")
    seconds = float(value) if value.isdigit() and int(value) else _ANSWERS_WITHIN
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
        folder = Path(api.snapshot_download(name, allow_patterns=list(_FILES)))
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001
        raise ModelError(
            f"{name}: the download broke off ({first_line(error)}). Load again; what has arrived is kept."
        ) from None
    return read_checkpoint(_from_hub(folder, name))


def _within(seconds: float, query: Callable[[], _Answer]) -> _Answer:
    """Return ``query()``, or raise `TimeoutError`: looking up a host name has no time-out of its own."""
    answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
    errors: list[Exception] = []

    def put() -> None:
        try:
            answers.put(query())
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
