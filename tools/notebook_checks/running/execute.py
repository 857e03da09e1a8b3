"""Run a notebook from top to bottom in a new kernel, stopping at the first error."""

import logging
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager
from traitlets import default

from notebook_checks.notebook import Notebook, NotebookError, cell_name, code_cells, shown
from notebook_checks.running.environment import CELL_TIMEOUT, START_TIMEOUT

UPDATES = ("update_display_data", "clear_output")
NO_UPDATES = (
    "changes an output after showing it ({}): what is left depends on where it runs. "
    "Show the final value once, without a progress bar"
)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class UpdatedDisplayError(RuntimeError):
    """A cell changed or cleared an output that was already shown."""


class CurrentEnvironment(AsyncKernelManager):
    """Starts kernels of this Python, whatever kernels are installed under the name of python3."""

    @default("kernel_spec_manager")
    def _this_python(self) -> NbvalKernelspecManager:
        return NbvalKernelspecManager()


class Runner(NotebookClient):
    """nbclient, refusing what the checks could not follow, and remembering which cell it is in."""

    index = 0
    update = ""

    async def async_execute_cell(self, cell: Any, cell_index: int, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """Run one cell; see nbclient."""
        self.index, self.update = cell_index, ""
        result = await super().async_execute_cell(cell, cell_index, *args, **kwargs)
        if self.update:
            raise UpdatedDisplayError(NO_UPDATES.format(self.update))
        return result

    def process_message(self, msg: dict[str, Any], cell: Any, cell_index: int) -> Any:  # noqa: ANN401
        """Take one message from the kernel; see nbclient."""
        if msg["msg_type"] in UPDATES:
            self.update = msg["msg_type"]
        return super().process_message(msg, cell, cell_index)


def executed(
    notebook: Notebook, path: Path, environment: Mapping[str, str], timeout: int = CELL_TIMEOUT
) -> Notebook:
    """Return a copy of the notebook with fresh outputs and with execution counts 1, 2, 3 ...

    Parameters
    ----------
    notebook
        What to run; no tag skips a cell or lets it fail.
    path
        Where it lies: its folder is the working folder.
    environment
        The kernel's environment variables.
    timeout
        Seconds per cell.

    Raises
    ------
    NotebookError
        With the cell and its traceback, if a cell fails, takes too long, ends the kernel, or updates a
        display.
    """
    fresh = nbformat.from_dict(notebook)
    for _, cell in code_cells(fresh):
        cell["outputs"], cell["execution_count"] = [], None
    runner = Runner(
        fresh,
        kernel_manager_class=CurrentEnvironment,
        kernel_name=CURRENT_ENV_KERNEL_NAME,
        timeout=timeout,
        startup_timeout=START_TIMEOUT,
        force_raise_errors=True,
        skip_cells_with_tag="",
        store_widget_state=False,
        record_timing=False,
    )
    runner.log.setLevel(logging.CRITICAL)
    with tempfile.TemporaryFile() as log:  # what the kernel itself says, which is no output of a cell
        reason = _failure(runner, path, environment, log)
    if reason is None:
        return dict(fresh)
    where = cell_name(runner.index, notebook["cells"][runner.index])
    raise NotebookError(f"{shown(path)}, {where}: {reason}")


def _failure(runner: Runner, path: Path, environment: Mapping[str, str], log: IO[bytes]) -> str | None:
    """Run, and say what went wrong; None where nothing did."""
    try:
        runner.execute(env=dict(environment), cwd=str(path.resolve().parent), stderr=log)
    except CellExecutionError as error:
        return COLOURS.sub("", error.traceback).strip()
    except UpdatedDisplayError as error:
        return str(error)
    except CellTimeoutError:
        return f"takes more than {runner.timeout} seconds"
    except DeadKernelError:
        log.seek(0)
        lines = log.read().decode("utf-8", "replace").splitlines()
        last = [line for line in lines if not line.startswith("[IPKernelApp]")][-10:]
        return "\n".join(["ended the kernel", *last])
    return None
