"""Doors that are shut in a student's process: solutions' files, other students' work, processes, networks.

Python tells an audit hook what is about to be done, and a hook can refuse. Once set it cannot be taken away.
What is done below Python (by a library's own compiled code) is not seen. What a library wants that an answer
has called is refused too, but noted only if the answer itself asked for it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CELL", "Refused", "Report", "shut"]

Report = list[list[str]]
"""What was refused: the kind ("solution", "process", "network", "file") and a few words."""

_PROCESSES = (
    "os.kill", "os.killpg", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty",
    "os.startfile", "subprocess.Popen", "pty.spawn", "signal.pthread_kill", "_winapi.CreateProcess",
    "_winapi.TerminateProcess", "sys.remote_exec",
)  # fmt: skip
_BELOW_PYTHON = ("ctypes.dlopen", "ctypes.dlsym")
_SEARCHES = ("gc.get_objects", "gc.get_referrers", "gc.get_referents")
_NETWORK = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname")
_CHANGES = (
    "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.truncate", "os.utime",
    "os.setxattr", "os.removexattr",
)  # fmt: skip
_LINKS = ("os.link", "os.symlink")
_REFUSED = {
    **{event: ("process", f"call {event}") for event in _PROCESSES},
    **dict.fromkeys(_NETWORK, ("network", "use the network")),
    **dict.fromkeys(_LINKS, ("file", "make a link")),
}
_LIBRARIES_MAY = {
    **{event: ("process", f"call {event}") for event in _BELOW_PYTHON},
    **{event: ("solution", f"call {event}") for event in _SEARCHES},
}
_STANDARD = os.path.dirname(os.__file__)  # noqa: PTH120 - as code objects name their files
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CELL = "cell "  # with which the names of a student's cells begin
_MOST = 20  # refusals are noted up to here


class Refused(PermissionError):  # noqa: N818 - what students read: "Refused: an answer may not …"
    """Something that an answer may not do while it is graded."""


def shut(home: str, hidden: Sequence[str]) -> Report:
    """Refuse, from now on, what no answer needs; return the list in which refusals are noted.

    Parameters
    ----------
    home : str
        The only folder in which files may be written.
    hidden : sequence of str
        Files and folders that may not be read.
    """
    report: Report = []
    guard = _Guard(report, home, hidden)
    sys.addaudithook(guard.hear)
    return report


class _Guard:
    """What listens to each thing that is about to be done."""

    def __init__(self, report: Report, home: str, hidden: Sequence[str]) -> None:
        self._report, self._home = report, os.path.realpath(home)
        self._hidden = [os.path.realpath(place) for place in hidden]

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        """Refuse what is on the lists."""
        if event == "open":
            self._hear_opening(*arguments)
        elif event in _CHANGES:
            for path in arguments[:2]:
                place = _place(path)
                if place and not _is_below(place, self._home):
                    self._refuse("file", f"change {Path(place).name}")
        elif event in _REFUSED:
            self._refuse(*_REFUSED[event])
        elif event in _LIBRARIES_MAY and _is_asked_by_answer():
            self._refuse(*_LIBRARIES_MAY[event])

    def _hear_opening(self, path: object, mode: object, flags: object) -> None:
        place = _place(path)
        if not place:
            return  # it is open already
        if any(_is_below(place, folder) for folder in self._hidden):
            self._refuse("solution", f"read {Path(place).name}")
        if _writes(mode, flags) and not _is_below(place, self._home) and place != os.devnull:
            self._refuse("file", f"write {Path(place).name}")
        if (
            mode is None and Path(place).is_dir()
        ):  # from which a file could be opened by a name that says nothing
            self._refuse("file", "open a folder")

    def _refuse(self, kind: str, what: str) -> None:
        if len(self._report) < _MOST and _is_asked_by_answer():
            self._report.append([kind, what])
        raise Refused(f"an answer may not {what} while it is graded")


def _is_asked_by_answer() -> bool:
    """Whether a statement of the answer asks for it, itself or through Python's own library."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        file = frame.f_code.co_filename
        if file.startswith(CELL):
            return True
        if file != __file__ and not file.startswith("<frozen") and not _is_standard(file):
            return False
    return False


def _is_standard(file: str) -> bool:
    return file.startswith(_STANDARD) and "site-packages" not in file


def _place(path: object) -> str:
    """Return where a path leads, or nothing if it is the number of an open file."""
    return os.path.realpath(os.fsdecode(path)) if isinstance(path, str | bytes | os.PathLike) else ""


def _writes(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & _WRITING)


def _is_below(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)
