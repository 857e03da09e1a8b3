"""A pytest plugin that lets nbval run the cells and compares their outputs as this package does."""

import copy
import time
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from queue import Empty
from typing import Any

import psutil
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError

from notebook_checks.comparison.outputs import differences, without_pictures
from notebook_checks.comparison.sanitize import load_rules, sanitizer
from notebook_checks.notebook import Notebook, Output, cell_name, code_cells, read, shown
from notebook_checks.running.execute import COLOURS, NO_UPDATES, UPDATES

SHOWN_DATA = ("display_data", "execute_result")
LAST_OUTPUT = 60  # seconds between the end of a cell and its last output; the machine may be busy


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Put our collector in the place of nbval's."""
    collected = yield
    return [
        StrictFile.from_parent(parent, path=file_path) if isinstance(one, IPyNbFile) else one
        for one in collected
    ]


class Completeness:
    """Fails a run in which not every code cell was looked at, whatever the reason."""

    def __init__(self, config: pytest.Config) -> None:
        self.expected = sum(1 for path in config.args for _ in code_cells(read(Path(path))))
        self.seen = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the cells that ran."""
        self.seen += report.when == "call"

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Compare the count with what the files hold."""
        if self.seen != self.expected and session.exitstatus == pytest.ExitCode.OK:
            print(f"\n{self.seen} code cells were run, the notebooks have {self.expected}")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_configure(config: pytest.Config) -> None:
    """Count the cells."""
    config.pluginmanager.register(Completeness(config))


class StrictFile(IPyNbFile):  # type: ignore[misc]
    """A notebook, and the messages that its kernel has sent for the cell that runs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.message_id: str | None = None
        self.messages: list[dict[str, Any]] = []
        self.broken_by: str | None = None
        self.rules = load_rules()

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one item for each code cell."""
        notebook: Notebook = read(self.path)
        names = [cell_name(index, cell) for index, cell in code_cells(notebook)]
        for name, item in zip(names, super().collect(), strict=True):
            yield StrictCell.from_parent(
                self, name=name, cell_num=item.cell_num, cell=item.cell, options=item.options
            )

    def setup(self) -> None:
        """Start the kernel, with history as in JupyterLab, so that `;`, `_` and `Out` act as there."""
        super().setup()
        self.kernel.execute_cell_input = self.execute
        self.kernel.await_reply = partial(self.await_reply, self.kernel.await_reply)

    def await_reply(self, ask: Callable[..., None], message_id: str, timeout: float) -> None:
        """Wait for the end of a cell, but not for a kernel that is dead.

        Raises
        ------
        Empty
            After `timeout` seconds; nbval then interrupts the kernel.
        RuntimeError
            If the kernel has ended, or was stopped (SIGSTOP).
        """
        deadline = time.monotonic() + timeout
        while True:
            try:
                return ask(message_id, timeout=1)
            except Empty:
                if not self.kernel.is_alive():
                    raise RuntimeError("ended the kernel") from None
                if psutil.Process(self.kernel.km.provisioner.pid).status() == psutil.STATUS_STOPPED:
                    raise RuntimeError("stopped the kernel: nothing wakes it") from None
                if time.monotonic() > deadline:
                    raise

    def execute(self, source: str, allow_stdin: bool | None = None) -> str:
        """Send a cell to the kernel, and start to collect what it answers."""
        self.messages.clear()
        self.message_id = self.kernel.kc.execute(
            source, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
        )
        return self.message_id

    def get_kernel_message(self, timeout: float | None = None, stream: str = "iopub") -> dict[str, Any]:
        """Take the next message, and keep it if it belongs to the running cell."""
        message: dict[str, Any] = super().get_kernel_message(timeout=timeout, stream=stream)
        if message["parent_header"].get("msg_id") == self.message_id:
            self.messages.append(message)
        return message

    def outputs(self) -> list[Output]:
        """Give the outputs of the running cell, in the order in which the kernel sent them."""
        return [
            {"output_type": message["msg_type"], **message["content"]}
            for message in self.messages
            if message["msg_type"] in ("stream", "error", *SHOWN_DATA)
        ]


class StrictCell(IPyNbCell):  # type: ignore[misc]
    """A code cell; its outputs as committed, before nbval joins them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.committed: list[Output] = copy.deepcopy(self.cell["outputs"])
        self.differs = False
        self.output_timeout = LAST_OUTPUT

    def runtest(self) -> None:
        """Run the cell and compare; nothing that the notebook says can weaken this."""
        if self.parent.broken_by:
            pytest.skip(f"{self.parent.broken_by} failed")
        self.options |= {"skip": False, "check": True, "check_exception": False}
        try:
            super().runtest()
        except (NbCellError, RuntimeError):  # RuntimeError: the kernel is gone
            if not self.differs:
                self.parent.broken_by = self.name
            raise
        if self.cell["execution_count"] is None:
            self.raise_cell_error("was never run, or its outputs were stripped")

    def compare_outputs(self, test: list[Output], ref: list[Output], skip_compare: Any = None) -> bool:  # noqa: ANN401
        """Compare output by output, pictures as pictures; then let nbval compare the text in its own way."""
        updates = {m["msg_type"] for m in self.parent.messages} & set(UPDATES)
        found = [NO_UPDATES.format(update) for update in sorted(updates)]
        found += differences(self.committed, self.parent.outputs(), sanitizer(self.parent.rules))
        if found:
            self.differs, self.comparison_traceback = True, found
        else:
            self.differs = not super().compare_outputs(_masked(test), _masked(ref), skip_compare)
        return not self.differs

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """Say where, what, and what to do."""
        error = excinfo.value
        reason = f"{error}"
        if isinstance(error, NbCellError) and error.inner_traceback:
            details = COLOURS.sub("", error.inner_traceback).strip()
            reason = details if self.differs else f"{error}\n{details}"
        return f"{shown(self.path)}, {self.name}: {reason}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the cell in pytest's own lines."""
        return self.path, 0, f"{shown(self.path)}, {self.name}"


def _masked(outputs: list[Output]) -> list[Output]:
    """Put a placeholder for each picture inside a text; they have been compared."""
    result = copy.deepcopy(outputs)
    for output in result:
        data = output.get("data", {})
        for mime, value in data.items():
            if isinstance(value, str) and not mime.startswith("image/"):
                data[mime] = without_pictures(value)[0]
    return result
