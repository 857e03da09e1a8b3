"""Kernels that begin with the libraries imported: three seconds less for each of some twenty.

`jupyter_client` starts a kernel through a provisioner. The one here has it forked by a process of
`kernel_server`, where there is one for the kernel's settings; elsewhere a kernel starts as ever.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from reproducible import OLDEST_PROCESSOR

SERVER = Path(__file__).with_name("kernel_server.py")
# What takes most of the seconds in which a chapter's first cell imports its libraries. Not matplotlib, which
# reads its settings then, and not the package that is checked.
LIBRARIES = ("torch", "transformers.models.bert.modeling_bert")
POSSIBLE = sys.platform == "linux"
"""Libraries of other systems do not stand being forked."""
Addresses = dict[bool, str]
"""Where servers listen: for kernels that act as the oldest processor, for the others."""
_addresses: Addresses = {}


@contextmanager
def server(environment: Mapping[str, str], libraries: Sequence[str] = LIBRARIES) -> Iterator[str]:
    """Start a server for kernels with these settings, and give its address.

    It ends with the context, or with this process.
    """
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder, "kernels"))
        command = [sys.executable, str(SERVER), address, *libraries]
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=dict(environment)) as process:
            while not Path(address).exists() and process.poll() is None:
                time.sleep(0.01)
            yield address


def use(addresses: Addresses) -> None:
    """Have the kernels of this process forked by these servers."""
    _addresses.update(addresses)
    factory = KernelProvisionerFactory.instance()
    where = f"{WarmProvisioner.__module__}:{WarmProvisioner.__name__}"
    factory.provisioners["warm"] = EntryPoint("warm", where, factory.GROUP_NAME)
    factory.default_provisioner_name = "warm"


class Forked:
    """A kernel that a server has forked, with the part of `subprocess.Popen` that provisioners use."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """Return None as long as it runs; how it ended is known to nobody."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> int:
        """Say that it has ended: asked only when `poll` has said so."""
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def terminate(self) -> None:
        """End it."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


class WarmProvisioner(LocalProvisioner):
    """Has kernels forked by the server for their settings, where there is one."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:  # noqa: ANN401
        """Start a kernel; see jupyter_client."""
        environment: dict[str, str] = kwargs["env"]
        address = _addresses.get(environment.items() >= OLDEST_PROCESSOR.items())
        if address is None:
            return await super().launch_kernel(cmd, **kwargs)
        order = {
            "arguments": cmd[cmd.index("ipykernel_launcher") + 1 :],
            "environment": environment,
            "folder": str(kwargs.get("cwd") or Path.cwd()),
        }
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(address)
            errors = kwargs.get("stderr") or sys.stderr
            text = json.dumps(order).encode() + b"\n"
            sent = socket.send_fds(connection, [text], [errors.fileno()])
            if rest := text[sent:]:  # a server that has it all may have answered and closed
                connection.sendall(rest)
            kernel = Forked(int(connection.recv(64)))
        self.process = kernel  # type: ignore[assignment] # it has what is used of one
        self.pid = self.pgid = kernel.pid
        self.cwd = order["folder"]
        return self.connection_info
