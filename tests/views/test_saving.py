"""A saved page takes its place whole, keeps permissions and links, and leaves nothing beside it."""

from __future__ import annotations

import html
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from bertviz_lite import Explorer, FillIn, TokenView, capture, load, views
from bertviz_lite.basics.files import write_text, written_whole
from bertviz_lite.views import View, ViewError, save_page
from tests.helpers.tiny_families import family

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has neither these permissions nor SIGTERM")


@pytest.fixture
def view() -> Explorer:
    return Explorer([np.full((1, 1, 2, 2), 0.5)], ["a", "b"])


@POSIX
def test_a_page_keeps_its_permissions(view: Explorer, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.touch(0o600)
    page.chmod(0o600)
    view.save(page)
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert page.stat().st_size > 10_000
    page.chmod(0o664)
    view.save(page)
    assert stat.S_IMODE(page.stat().st_mode) == 0o664


@POSIX
def test_a_new_page_has_the_permissions_of_any_new_file(view: Explorer, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("x", encoding="utf-8")
    view.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_mode == (tmp_path / "other.txt").stat().st_mode


@POSIX
def test_a_link_stays_a_link_and_its_target_is_written(view: Explorer, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "target.html", tmp_path / "link.html"
    link.symlink_to(target)
    for _ in range(2):  # at first the target does not exist
        view.save(link)
        assert link.is_symlink()
        assert "<!doctype html>" in target.read_text(encoding="utf-8")
        target.write_text("old", encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] in (["far", "link.html"], ["link.html", "far"])


def test_threads_of_one_process_may_write_the_same_file(tmp_path: Path) -> None:
    failed: list[Exception] = []

    def write(text: str) -> None:
        try:
            for _ in range(50):
                write_text(tmp_path / "file.txt", text)
        except OSError as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(letter * 5000,)) for letter in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert (tmp_path / "file.txt").read_text(encoding="utf-8") in {letter * 5000 for letter in "abcdef"}
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


@POSIX
def test_a_program_that_is_terminated_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old", encoding="utf-8")
    program = f"""
import pathlib, time
from bertviz_lite.basics.files import written_whole
with written_whole(pathlib.Path({str(page)!r})) as file:
    file.write(b"new")
    file.flush()
    time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        until = time.monotonic() + 120
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(list(tmp_path.iterdir())) == 2, "the program has not begun to write"
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=120) == -signal.SIGTERM
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert page.read_text(encoding="utf-8") == "old"


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old", encoding="utf-8")

    def fail() -> None:
        with written_whole(page) as file:
            file.write(b"new")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert page.read_text(encoding="utf-8") == "old"


def test_what_names_no_file_is_refused_in_one_line(view: Explorer, tmp_path: Path) -> None:
    refused: list[tuple[object, dict[str, object], str]] = [
        ("", {}, r"^path is empty: the name of a file is needed, such as 'view\.html'\.$"),
        (3, {}, r"^path is an int: the name of a file is needed, such as 'view\.html'\.$"),
        (None, {}, r"^path is None: the name of a file is needed"),
        (tmp_path / "a\0b", {}, r": a name of at most 255 bytes is needed, without NUL\.$"),
        (tmp_path / ("é" * 200), {}, r": a name of at most 255 bytes is needed"),
        (tmp_path, {}, r" is a folder: the name of a file is needed, such as "),
        (tmp_path / "page.html", {"title": 3}, r"^title is an int: a string is needed\.$"),
    ]
    for path, options, message in refused:
        with pytest.raises(ViewError, match=message):
            view.save(path, **options)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere; make it first\.$"):
        view.save(tmp_path / "nowhere" / "page.html")
    assert not list(tmp_path.iterdir())


def test_a_saved_page_says_below_its_title_what_it_is_and_that_it_works_offline(
    view: Explorer, tmp_path: Path
) -> None:
    view.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    (header,) = re.findall(r"<header>.*?</header>", page, re.DOTALL)
    assert re.search(
        r"</h1>\s*<p[^>]*>The attention weights of every head: .*; this page works offline\.</p>", header
    )
    assert html.escape(view.about) not in view.fallback()  # a notebook says it itself


@pytest.mark.thorough
def test_a_saved_page_names_the_model_that_answers_and_no_path(tmp_path: Path) -> None:
    tokenizer, model = load()
    view = FillIn(model, tokenizer, "Anna lost her [MASK].")
    view.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "follow its line; pocket (BertForPreTraining) answers in it, offline too.</p>" in page
    model.config._name_or_path = "/home/somebody/my model/"
    other = FillIn(type(model)(model.config), tokenizer, "Anna lost her [MASK].")
    save_page(tmp_path / "page.html", {"One": view, "Tokens": TokenView(tokenizer, "a"), "Two": other})
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "somebody" not in page
    assert "回答的模型 pocket (BertForPreTraining), my model (BertForPreTraining) 就在这个页面里" in page


def test_the_browsers_tab_tells_the_pages_of_two_models_apart(view: Explorer, tmp_path: Path) -> None:
    def title_of(shown: Explorer, **options: str) -> str:
        shown.save(tmp_path / "page.html", live=False, **options)
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        (title,) = re.findall(r"<title[^>]*>(.*?)</title>", page)
        assert "<h1" in page
        return str(title)

    tokenizer, model = load()
    pocket = Explorer(capture(model, tokenizer, "Anna lost her key."))
    other, its_tokenizer = family("gpt2")
    other.config._name_or_path = "/home/somebody/mine"
    assert title_of(pocket) == "What attends to what · pocket (BertForPreTraining)"
    assert title_of(Explorer(capture(other, its_tokenizer, "the cat"))) == (
        "What attends to what · mine (GPT2LMHeadModel)"
    )
    assert title_of(view) == "What attends to what"
    assert title_of(pocket, title="Mine") == "Mine"


def test_a_tab_without_a_text_says_what_its_view_says(view: Explorer, tmp_path: Path) -> None:
    save_page(tmp_path / "page.html", {"One": view, "Two": view}, texts={"Two": "Look at row b."})
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert re.findall(r'<p class="bvp-intro"[^>]*>(.*?)</p>', page) == [
        f"{html.escape(view.about)}.",
        "Look at row b.",
    ]


def test_every_view_says_what_it_is_in_a_sentence_of_its_own() -> None:
    classes = [getattr(views, name) for name in views.__all__]
    kinds = [
        kind for kind in classes if isinstance(kind, type) and issubclass(kind, View) and kind is not View
    ]
    assert len(kinds) >= 8
    assert len({kind.about for kind in kinds}) == len(kinds)
    for kind in kinds:
        assert re.fullmatch(r"[A-Z][^.;]{60,120}", kind.about), kind.about
