"""What a student's process may use: time, memory, files; and no network, where Linux can take it away."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import tempfile
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["die_with_parent", "limit", "move_into", "without_network"]

_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "OMP_NUM_THREADS")
_NEW_NETWORK, _NEW_USER = 0x4000_0000, 0x1000_0000  # CLONE_NEWNET, CLONE_NEWUSER of Linux
_SIGNAL_OF_DEATH = 1  # PR_SET_PDEATHSIG of Linux
_LARGEST_FILE, _MOST_FILES = 64_000_000, 256


def move_into(home: Path) -> None:
    """Make an empty folder the home, the place for temporary files and the working folder."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    os.environ.clear()
    places = dict.fromkeys(
        ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "XDG_CACHE_HOME"), str(home)
    )
    os.environ.update(
        kept | places | {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "MPLBACKEND": "Agg"}
    )
    tempfile.tempdir = None
    os.chdir(home)


def limit(seconds: float, megabytes: int) -> None:
    """Limit processor time, memory beyond what is in use now, and the size of files; nothing on Windows."""
    if sys.platform == "win32":
        return
    import resource

    memory = psutil.Process().memory_info().vms + megabytes * 1_000_000
    wanted = {
        resource.RLIMIT_CPU: int(seconds) + 2,
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_FSIZE: _LARGEST_FILE,
        resource.RLIMIT_NOFILE: _MOST_FILES,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in wanted.items():
        with contextlib.suppress(ValueError, OSError):  # macOS knows no limit on memory
            resource.setrlimit(what, (most, most))


def die_with_parent() -> None:
    """End this process when the one that has started it ends, however that ends; Linux only."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SIGNAL_OF_DEATH, signal.SIGKILL)


def without_network() -> None:
    """Leave this process without any network, its own machine included, where Linux allows that."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        unshare = ctypes.CDLL(None, use_errno=True).unshare
        if unshare(_NEW_NETWORK) != 0:  # not root: with a user namespace around it, where that is allowed
            unshare(_NEW_USER | _NEW_NETWORK)
