"""The environment that a kernel starts in: the same on every machine, whatever the reader has set up."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reproducible import ANY_PROCESSOR, OLDEST_PROCESSOR

CELL_TIMEOUT = 400  # seconds: an endless loop must end, and ten seconds of work be done on a busy machine
START_TIMEOUT = 180  # seconds, for a kernel on a busy machine
MODEL_VARIABLE = "BERTVIZ_LITE_MODEL"
# Would change what a notebook draws, warns of or loads.
UNSET = ("MPLBACKEND", "PYTHONWARNINGS", "PYTHONSTARTUP", MODEL_VARIABLE, *OLDEST_PROCESSOR)


@contextmanager
def kernel_environment(*, oldest_processor: bool, model: str | None = None) -> Iterator[dict[str, str]]:
    """Give the environment variables for kernels, with IPython's and matplotlib's settings out of the way.

    Parameters
    ----------
    oldest_processor
        Whether kernels compute as the oldest processor does, as they did when the outputs were written, or as
        a reader's do, on all that this processor has: in half the time.
    model
        The model that `bertviz_lite.load()` gives; None for the one it gives by itself.
    """
    _build_font_cache()
    environment = {key: value for key, value in os.environ.items() if key not in UNSET}
    environment |= ANY_PROCESSOR
    if oldest_processor:
        environment |= OLDEST_PROCESSOR
    if model is not None:
        environment[MODEL_VARIABLE] = model
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder, "profile_default")
        profile.mkdir()
        # no history: two kernels would fight over its file, and a check is none of the reader's history
        settings = "c.HistoryManager.enabled = False\n"
        profile.joinpath("ipython_kernel_config.py").write_text(settings, encoding="utf-8", newline="\n")
        style = Path(folder, "matplotlibrc")
        style.touch()
        yield environment | {"IPYTHONDIR": folder, "MATPLOTLIBRC": str(style)}


def _build_font_cache() -> None:
    """Have matplotlib list the fonts now: on a fresh machine it says so on stderr, in a notebook's output."""
    try:
        import matplotlib as mpl
    except ImportError:
        return
    if not any(Path(mpl.get_cachedir()).glob("fontlist-*.json")):
        import matplotlib.font_manager  # noqa: F401
