"""The grader's side: start an answer's process, ask it, and end it when its time is up."""

from __future__ import annotations

import json
import queue
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bertviz_lite.exercises.grading.sandbox.jobs import Job

__all__ = ["BrokenExerciseError", "Gone", "Process", "Sandbox"]

_STARTING = 600.0  # seconds for importing torch and making inputs: none of the student's time
_WAITING = 15  # a busy machine may take so many times longer than its processor works
_LOOK = 0.5  # seconds between looks at the processor's time
_CAN_FORK = sys.platform == "linux"


class Gone(Exception):  # noqa: N818 - no error of the grader's: the answer has ended its own process
    """An answer's process that has ended, or that had to be ended."""


class BrokenExerciseError(RuntimeError):
    """An exercise whose own module fails."""


class Process:
    """An answer that is run elsewhere.

    Attributes
    ----------
    refused
        What it tried and was refused: kind and words.
    """

    def __init__(self, sandbox: Sandbox, job: Job) -> None:
        self._sandbox, self._job = sandbox, job
        self.pid, self.refused = 0, []  # type: int, list[list[str]]
        self._left, self._used, self._has_ended = _STARTING, 0.0, False

    def start(self) -> dict[str, Any]:
        """Run the statements; return what the answer is."""
        self._sandbox.send(self._job.as_json())
        self.pid = int(self._hear("pid")["pid"])
        told = self._hear("ready", "broken")
        if "broken" in told:
            raise BrokenExerciseError(f"{self._job.module}.{self._job.exercise}: {told['broken']}")
        self._left, self._used = self._job.seconds * _WAITING, self._processor_time()
        return self._hear("is")

    def ask(self, **asked: object) -> dict[str, Any]:
        """Ask the answer's process for something."""
        self._sandbox.send(asked)
        return self._hear("result", "uses")

    def end(self) -> None:
        """End the process and those that it has started, whatever they do."""
        with suppress(psutil.Error):
            own = psutil.Process(self.pid)
            for process in (own, *own.children(recursive=True)):
                with suppress(psutil.Error):
                    process.kill()
        self._left = 10.0
        with suppress(Gone):
            if not self._has_ended:  # the next job is not sent before nobody else can read it
                self._hear("ended")

    def _hear(self, *expected: str) -> dict[str, Any]:
        """Wait for a message that has one of these entries; only waiting counts as the answer's time."""
        while self._left > 0:
            since = time.monotonic()
            told = self._sandbox.hear(self._job.key, min(self._left, _LOOK))
            self._left -= time.monotonic() - since
            if told is None:
                if self._used and self._processor_time() > self._used + self._job.seconds:
                    break
                continue
            if "refused" in told:
                self.refused = [list(map(str, one))[:2] for one in told["refused"]]
            self._has_ended = "ended" in told
            if any(name in told for name in expected):
                return told
            if self._has_ended:
                raise Gone("ended the process in which it ran")
        raise Gone(f"ran longer than {self._job.seconds:g} seconds")

    def _processor_time(self) -> float:
        """Return the seconds that the process has computed: a limit that holds on busy machines too."""
        try:
            times = psutil.Process(self.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)


class Sandbox:
    """The helper process; a context manager.

    Parameters
    ----------
    fork : bool, optional
        Whether the helper forks for each answer. By default where that is safe (Linux).
    """

    def __init__(self, *, fork: bool = _CAN_FORK) -> None:
        self.fork = fork
        self._helper: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    @contextmanager
    def process(self, job: Job) -> Iterator[Process]:
        """Give an answer a process and an empty home; both are gone afterwards."""
        if self._helper is None or self._helper.poll() is not None:
            self._start()
        with tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True) as home:
            process = Process(self, replace(job, home=home, key=secrets.token_hex(16)))
            try:
                yield process
            finally:
                if process.pid:
                    process.end()
                if not (self.fork and process.pid):  # then it is the helper itself
                    self._stop()

    def send(self, told: dict[str, Any]) -> None:
        """Write a line to the helper or its child."""
        if self._helper is None or self._helper.stdin is None:
            raise Gone("ended the process in which it ran")
        try:
            self._helper.stdin.write(json.dumps(told).encode() + b"\n")
            self._helper.stdin.flush()
        except (BrokenPipeError, OSError):
            raise Gone("ended the process in which it ran") from None

    def hear(self, key: str, seconds: float) -> dict[str, Any] | None:
        """Return the next line with this key; None when the time is up."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if not line:
                return {"ended": True}
            with suppress(ValueError, AttributeError):  # whatever a student's code has written there
                told = json.loads(line)
                if told.get("key") == key:
                    return dict(told)
        return None

    def _start(self) -> None:
        self._stop()
        command = [
            sys.executable,
            "-m",
            "bertviz_lite.exercises.grading.sandbox.helper",
            *(["--fork"] if self.fork else []),
        ]
        self._helper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lines = queue.Queue()
        threading.Thread(target=_listen, args=(self._helper.stdout, self._lines), daemon=True).start()

    def _stop(self) -> None:
        helper, self._helper = self._helper, None
        if helper is None:
            return
        helper.kill()
        helper.wait()
        for pipe in (helper.stdin, helper.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _listen(pipe: Any, lines: queue.Queue[bytes]) -> None:  # noqa: ANN401
    with suppress(ValueError, OSError):
        for line in pipe:
            lines.put(line)
    lines.put(b"")
