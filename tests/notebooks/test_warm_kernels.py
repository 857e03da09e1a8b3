"""Kernels of the notebook checks that are forked: they differ in nothing from those that are started."""

import ast
import asyncio
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from notebook_checks.notebook import NotebookError
from notebook_checks.running import warm
from notebook_checks.running.environment import kernel_environment
from notebook_checks.running.execute import executed

pytestmark = pytest.mark.skipif(not warm.POSSIBLE, reason="only where libraries stand being forked")

TELL = """
import os, signal, sys
print({
    "arguments": sys.argv[:1], "path": sys.path, "folder": os.getcwd(), "hash": hash("word"),
    "environment": {name: value for name, value in os.environ.items() if not name.startswith("JPY_")},
    "signals": [str(signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGCHLD)],
    "leads": os.getsid(0) == os.getpid(), "names": sorted(globals()),
    "held": sorted(sys.modules), "server": os.getppid(),
})
import torch, tqdm.auto
bar = tqdm.auto.tqdm.__mro__[1].__module__
print([bar, torch.get_num_threads(), torch.backends.cpu.get_cpu_capability()])
"""


@pytest.fixture(scope="module")
def environment() -> Iterator[Mapping[str, str]]:
    with kernel_environment(oldest_processor=True) as found:
        yield found


@pytest.fixture(scope="module")
def address(environment: Mapping[str, str]) -> Iterator[str]:
    with warm.server(environment, libraries=["torch"]) as found:  # the dearest of them will do
        yield found


@pytest.fixture
def forked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_addresses", {})
    warm.use({True: address})


def run(source: str, environment: Mapping[str, str], folder: Path, timeout: int = 100) -> str:
    cell = {"cell_type": "code", "id": "cell", "metadata": {}, "execution_count": None, "outputs": []}
    notebook = {"cells": [cell | {"source": source}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (cell,) = executed(notebook, folder / "notebook.ipynb", environment, timeout)["cells"]
    return "".join(output["text"] for output in cell["outputs"])


def test_it_is_as_one_that_was_started(
    environment: Mapping[str, str], address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "_addresses", {})
    started = run(TELL, environment, tmp_path).splitlines()
    warm.use({True: address})
    forked = run(TELL, environment, tmp_path).splitlines()
    assert forked[1] == started[1]
    assert forked[1] in ("['tqdm.notebook', 1, 'DEFAULT']", "['tqdm.notebook', 1, 'NO AVX']")  # by torch
    told = [ast.literal_eval(text) for text in (started[0], forked[0])]
    servers, held = ([one.pop(name) for one in told] for name in ("server", "held"))
    assert servers[0] == os.getpid() != servers[1]
    assert told[1] == told[0]
    # What it holds besides are the libraries and what they import, nothing of the package and the checks.
    assert "torch" not in held[0]
    assert "torch" in held[1]
    assert not {"bertviz_lite", "matplotlib", "notebook_checks", "pytest", "tqdm.auto"} & {*held[1]}


def test_a_server_may_close_before_the_order_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole order goes out at once: nothing is sent after it, to a server that has answered and gone."""
    address = str(tmp_path / "kernels")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()

        def sent_and_answered(connection: socket.socket, *order: Any) -> int:  # noqa: ANN401 - as given
            sent = send_fds(connection, *order)
            served, _ = listening.accept()
            with served:
                served.recv(1 << 16)
                served.sendall(b"4321")
            return sent

        send_fds = socket.send_fds
        monkeypatch.setattr(socket, "send_fds", sent_and_answered)
        monkeypatch.setattr(warm, "_addresses", {False: address})
        kernel = cast("warm.WarmProvisioner", SimpleNamespace(connection_info={}))
        order = ["python", "-m", "ipykernel_launcher", "-f", "file"]
        # In a thread of its own: where browser tests have run, this one has a loop that runs already.
        with tempfile.TemporaryFile() as errors, ThreadPoolExecutor(1) as thread:
            launched = warm.WarmProvisioner.launch_kernel(kernel, order, env={}, stderr=errors)
            thread.submit(asyncio.run, launched).result()
    assert kernel.pid == 4321


@pytest.mark.usefixtures("forked")
def test_two_share_nothing(environment: Mapping[str, str], tmp_path: Path) -> None:
    source = """
import random, numpy, torch
print(getattr(torch, "left_here", "nothing"), random.random(), numpy.random.rand(), float(torch.rand(())))
torch.left_here = "something"
"""
    first, second = (run(source, environment, tmp_path).split() for _ in range(2))
    assert first[0] == second[0] == "nothing"
    assert not {*first[1:]}.intersection(second[1:])  # no seed is shared either


@pytest.mark.thorough
@pytest.mark.usefixtures("forked")
def test_it_is_stopped_and_its_end_is_told(environment: Mapping[str, str], tmp_path: Path) -> None:
    with pytest.raises(NotebookError, match="takes more than 1 seconds"):
        run("import time\ntime.sleep(60)", environment, tmp_path, timeout=1)
    ended = "import os\nos.write(2, b'the reason')\nos._exit(3)"
    with pytest.raises(NotebookError, match="ended the kernel\nthe reason"):
        run(ended, environment, tmp_path)


def test_it_ends_with_its_server(
    environment: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jupyter_client.manager import start_new_kernel

    monkeypatch.setattr(warm, "_addresses", {})
    with warm.server(environment, libraries=[]) as address:
        warm.use({True: address})
        manager, client = start_new_kernel(env=dict(environment), cwd=str(tmp_path))
        kernel = manager.provisioner.pid
        assert manager.is_alive()
    end = time.monotonic() + 60
    while manager.is_alive() and time.monotonic() < end:
        time.sleep(0.05)
    client.stop_channels()
    with pytest.raises(ProcessLookupError):
        os.kill(kernel, signal.SIG_DFL)
    assert not manager.is_alive()
    manager.cleanup_resources()


def test_without_a_server_it_is_started(environment: Mapping[str, str], tmp_path: Path) -> None:
    others = {name: value for name, value in environment.items() if name != "ATEN_CPU_CAPABILITY"}
    assert run("import sys\nprint('torch' in sys.modules, sys.executable)", others, tmp_path) == (
        f"False {sys.executable}\n"
    )
