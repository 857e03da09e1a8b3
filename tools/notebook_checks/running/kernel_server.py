"""Fork kernels from one process that has imported libraries: `python kernel_server.py ADDRESS LIBRARY ...`.

Run as a script by `warm`; it imports nothing of these checks, so that a kernel holds nothing of them either.
It ends with the process that started it, and its kernels with it.
"""

import importlib
import json
import os
import select
import signal
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def serve(address: str, libraries: list[str]) -> None:
    """Fork a kernel for everyone who connects, until standard input ends."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()  # whoever connects before the libraries are there waits
        for name in ("ipykernel.kernelapp", *libraries):
            importlib.import_module(name)
        for name in ("tqdm.auto", "tqdm.autonotebook"):  # ask whether there is a notebook: here there is none
            sys.modules.pop(name, None)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # kernels that have ended leave no zombie
        while 0 not in select.select([0, listening.fileno()], [], [])[0]:
            connection, _ = listening.accept()
            with connection:
                order, errors = receive(connection)
                process = os.fork()
                if process == 0:
                    listening.close()
                    connection.close()
                    become_kernel(order, errors)
                os.close(errors)
                connection.sendall(str(process).encode())


def receive(connection: socket.socket) -> tuple[dict[str, Any], int]:
    """Return what kernel is wanted, and the file that takes its standard error."""
    text, (errors,), _, _ = socket.recv_fds(connection, 1 << 16, 1)
    while not text.endswith(b"\n"):
        text += connection.recv(1 << 16)
    return json.loads(text), errors


def become_kernel(order: dict[str, Any], errors: int) -> None:
    """Make this process what `python -m ipykernel_launcher` is, and run it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # it is interrupted and ended with all that it starts
    nothing = os.open(os.devnull, os.O_RDWR)
    for file, place in ((nothing, 0), (nothing, 1), (errors, 2)):
        os.dup2(file, place)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    for name in ("numpy.random", "torch"):
        if name in sys.modules:
            sys.modules[name].seed()  # its own numbers, where a notebook asks for them without a seed
    launcher = find_spec("ipykernel_launcher")
    sys.argv = [str(launcher and launcher.origin), *order["arguments"]]
    watched = f"--IPKernelApp.parent_handle={os.getppid()}"  # the server, with which it ends
    try:
        sys.modules["ipykernel.kernelapp"].launch_new_instance(argv=[*order["arguments"], watched])
    finally:
        os._exit(1)


if __name__ == "__main__":
    sys.path = [path for path in sys.path if path != str(Path(__file__).parent)]  # no library lies there
    serve(sys.argv[1], sys.argv[2:])
