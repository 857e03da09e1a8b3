"""Models of the hub: fetched once, named when they are missing, and never waited for long."""

import hashlib
import http.server
import json
import os
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from transformers import BertForPreTraining

from bertviz_lite import load
from bertviz_lite.models import hub as hub_module, loading
from tests.helpers.tiny_models import edit_json
from tests.models.damaged_models import cut, message, only_a_pickle


class Hub(http.server.ThreadingHTTPServer):
    """A hub of one folder, on this machine: as much of its interface as a download asks for."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), HubRequest)
        self.folder = folder
        self.asked: list[str] = []
        self.error = ""
        self.break_off = False


class HubRequest(http.server.BaseHTTPRequestHandler):
    """Answer as the hub does."""

    server: Hub

    def do_GET(self) -> None:
        """Answer a question or send a file."""
        path = self.path.split("?")[0]
        self.server.asked.append(path)
        files = sorted(self.server.folder.iterdir())
        file = self.server.folder / path.rsplit("/", 1)[-1]
        if self.server.error and path.startswith("/api/models/"):
            return self.send(b"{}", 401 if self.server.error == "GatedRepo" else 500, error=self.server.error)
        if "/me/" not in path:
            return self.send(b"{}", 404, error="RepoNotFound")
        if "/tree/" in path:
            tree = [
                {"type": "file", "oid": "0" * 40, "size": f.stat().st_size, "path": f.name} for f in files
            ]
            return self.send(json.dumps(tree).encode())
        if path.startswith("/api/models/"):
            siblings = [{"rfilename": f.name} for f in files]
            return self.send(json.dumps({"id": "me/tiny", "sha": "a" * 40, "siblings": siblings}).encode())
        if not file.is_file():
            return self.send(b"", 404, error="EntryNotFound")
        return self.send(file.read_bytes(), broken=self.server.break_off and file.suffix == ".safetensors")

    do_HEAD = do_GET  # noqa: N815

    def send(self, body: bytes, status: int = 200, *, error: str = "", broken: bool = False) -> None:
        """Send a body with the headers that the hub's client looks for."""
        self.send_response(403 if broken else status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Repo-Commit", "a" * 40)
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
        if error:
            self.send_header("X-Error-Code", error)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def online(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Lift the tests' ban on the hub, with an empty cache and no proxy on the way to this machine."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.delenv("HF_HUB_ETAG_TIMEOUT", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return monkeypatch


@pytest.fixture
def hub(folder: Path, online: pytest.MonkeyPatch) -> Iterator[Hub]:
    with Hub(folder) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        online.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()
        thread.join()


def test_a_hub_model_is_fetched_once(hub: Hub, online: pytest.MonkeyPatch) -> None:
    (hub.folder / "pytorch_model.bin").write_bytes(b"a pickle")
    assert type(load("me/tiny")[1]) is BertForPreTraining
    assert not any("pytorch_model.bin" in path for path in hub.asked)
    asked = len(hub.asked)
    assert type(load("me/tiny")[1]) is BertForPreTraining
    online.setenv("HF_HUB_OFFLINE", "1")
    assert type(load("me/tiny")[1]) is BertForPreTraining
    assert len(hub.asked) == asked


def test_a_hub_model_that_is_no_bert_is_not_fetched(hub: Hub) -> None:
    edit_json(hub.folder / "config.json", model_type="roberta")
    assert 'no BERT: config.json says "model_type": "roberta"' in message("me/tiny")
    assert not any("safetensors" in path for path in hub.asked)


def test_a_hub_model_without_safetensors_is_not_fetched(hub: Hub) -> None:
    only_a_pickle(hub.folder)
    assert "without model.safetensors, and pickles are never opened" in message("me/tiny")
    assert not any("/resolve/" in path for path in hub.asked)


def test_a_refusal_of_the_hub_is_named(hub: Hub) -> None:
    assert "no public model of this name" in message("nobody/nothing")
    hub.error = "GatedRepo"
    assert "terms must be accepted first" in message("me/tiny")
    hub.error = "oops"
    assert "answered with error 500. Try again later" in message("me/tiny")


def test_a_download_that_broke_off_goes_on(hub: Hub, online: pytest.MonkeyPatch) -> None:
    hub.break_off = True
    assert "the download broke off (" in message("me/tiny")
    with online.context() as offline:
        offline.setenv("HF_HUB_OFFLINE", "1")
        assert "only in part in the local cache, and HF_HUB_OFFLINE forbids" in message("me/tiny")
    hub.break_off = False
    assert type(load("me/tiny")[1]) is BertForPreTraining


def test_a_damaged_file_in_the_cache_is_named(hub: Hub, tmp_path: Path) -> None:
    load("me/tiny")
    stored = next((tmp_path / "cache").glob("models--me--tiny/snapshots/*"))
    cut(stored, -4)
    asked = len(hub.asked)
    line = message("me/tiny")
    assert "model.safetensors is damaged" in line
    assert line.endswith(f"Delete it and load again: {tmp_path / 'cache' / 'models--me--tiny'}")
    assert len(hub.asked) == asked


@pytest.mark.thorough
@pytest.mark.usefixtures("online")
def test_a_progress_bar_is_shown_for_a_download_only(hub: Hub) -> None:
    program = textwrap.dedent(
        """
        import sys
        from bertviz_lite import load
        load("me/tiny")
        print("--", file=sys.stderr)
        load("me/tiny")
        """
    )
    cache = hub.folder.parent / "hf"
    environment = {**os.environ, "HF_HOME": str(cache), "HF_HUB_DISABLE_PROGRESS_BARS": "0"}
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    first, second = run.stderr.split("--\n")
    assert "100%" in first
    assert (run.stdout, second) == ("", "")


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Open a port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as server:
        yield server.getsockname()[1]


def test_a_hub_that_never_answers(silent_port: int, online: pytest.MonkeyPatch) -> None:
    online.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent_port}")
    online.setattr(hub_module, "_ANSWERS_WITHIN", 0.5)
    start = time.perf_counter()
    line = message("bert-base-uncased")
    assert time.perf_counter() - start < 2.5
    assert "did not answer within 0.5 s. Is there a network?" in line
    online.setenv("HF_HUB_ETAG_TIMEOUT", "1")
    assert "did not answer within 1 s" in message("bert-base-uncased")


def test_a_name_server_that_never_answers(online: pytest.MonkeyPatch) -> None:
    online.setenv("HF_ENDPOINT", "http://hub.invalid")
    online.setattr(hub_module, "_ANSWERS_WITHIN", 0.3)
    online.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3))
    start = time.perf_counter()
    assert "did not answer within 0.3 s" in message("bert-base-uncased")
    assert time.perf_counter() - start < 2.5


def test_offline_by_choice(online: pytest.MonkeyPatch) -> None:
    online.setattr(socket.socket, "connect", lambda *_: pytest.fail("connected"))
    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        with online.context() as offline:
            offline.setenv(variable, "1")
            assert message("bert-base-uncased").startswith(
                "bert-base-uncased: not in the local cache, and HF_HUB"
            )


def test_errors_come_quickly_in_a_fresh_process_and_without_torch(silent_port: int, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = server.getsockname()[1]
    (tmp_path / "empty").mkdir()
    program = textwrap.dedent(
        """
        import json, os, sys, time
        from bertviz_lite import ModelError, load
        took = []
        for name, endpoint in json.loads(sys.argv[1]):
            os.environ["HF_ENDPOINT"] = endpoint
            start = time.perf_counter()
            try:
                load(name)
            except ModelError as error:
                took.append([time.perf_counter() - start, str(error)])
        print(json.dumps([took, "torch" in sys.modules]))
        """
    )
    silent, refusing = (f"http://127.0.0.1:{port}" for port in (silent_port, closed))
    cases = [
        ("empty", silent),
        ("poket", silent),
        ("bert-base-uncased", refusing),
        ("bert-base-uncased", silent),
    ]
    environment = {
        **os.environ,
        "HF_HOME": str(tmp_path / "hf"),
        "HF_HUB_OFFLINE": "0",
        "NO_PROXY": "127.0.0.1",
    }
    environment["PYTHONPATH"] = str(Path(loading.__file__).parents[2])
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, json.dumps(cases)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    took, torch_was_imported = json.loads(run.stdout)
    assert run.stderr == ""
    assert not torch_was_imported
    assert [seconds < 3 for seconds, _ in took] == [True] * 4, took
    for (_, line), said in zip(
        took, ("no model here", "Did you mean", "cannot be reached", "within 2 s"), strict=True
    ):
        assert said in line
