"""The process that forks for each answer: ``python -m bertviz_lite.exercises.grading.sandbox.helper``.

It imports torch and makes an exercise's inputs once, and never runs a student's statement itself where it can
fork. Where it can't (or where forking is not safe: macOS), it runs one answer and ends, and the grader starts
another.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from contextlib import suppress

import torch

from bertviz_lite.exercises.grading.sandbox.child import Answered, quiet, serve
from bertviz_lite.exercises.grading.sandbox.jobs import Job
from bertviz_lite.exercises.grading.sandbox.limits import die_with_parent


def main() -> None:
    """Read jobs, a line each, and let a child of this process do each."""
    die_with_parent()
    torch.set_num_threads(1)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # its threads would not live on in a child
    may_fork, made = "--fork" in sys.argv, {}  # type: bool, dict[str, Answered]
    while line := _read_line():
        job = Job.from_json(json.loads(line))
        if not may_fork:
            _say({"key": job.key, "pid": os.getpid()})
            serve(job, *quiet())
            return
        name = f"{job.module}.{job.exercise}"
        if name not in made and not job.paths:  # a teacher's own module is another in each folder
            with suppress(Exception):  # the child says how it fails
                made[name] = Answered(getattr(importlib.import_module(job.module), job.exercise))
        child = os.fork()
        if child == 0:
            try:
                serve(job, *quiet(), made.get(name))
            finally:
                os._exit(0)
        _say({"key": job.key, "pid": child})
        os.waitpid(child, 0)
        _say({"key": job.key, "ended": True})


def _read_line() -> bytes:
    """Read one line, and no byte further: what follows is for the child."""
    line = bytearray()
    while not line.endswith(b"\n"):
        letter = os.read(0, 1)
        if not letter:
            return b""
        line += letter
    return bytes(line)


def _say(told: dict[str, object]) -> None:
    os.write(1, json.dumps(told).encode() + b"\n")


if __name__ == "__main__":
    main()
