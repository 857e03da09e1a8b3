"""The command `bertviz-lite`: what it prints and writes, and one line for whatever goes wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from transformers import MambaConfig, MambaModel, ViTConfig, ViTModel

import bertviz_lite
from bertviz_lite import __main__ as command
from bertviz_lite.__main__ import main
from bertviz_lite.basics import notebook_files
from bertviz_lite.chapters import lab
from bertviz_lite.views.pages import explored
from tests.helpers.tiny_families import family, tokenizer as tokenizer_of

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "Anna lost the key."


def test_version_and_help_wait_for_nothing_heavy() -> None:
    code = (
        "import sys; from bertviz_lite.__main__ import main; main([]);"
        "print([name for name in ('torch', 'transformers', 'ipywidgets') if name in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *said, heavy = answer.stdout.splitlines()
    assert heavy == "[]"
    listed = re.findall(r"^    (\w+) ", "\n".join(said), re.MULTILINE)
    assert listed == ["lab", "page", "handout", "grade", "trace", "explore"]


def test_the_module_and_the_installed_command_are_one_program() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"bertviz-lite": "bertviz_lite.__main__:main"}
    command = [sys.executable, "-m", "bertviz_lite", "--version"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout == f"bertviz-lite {bertviz_lite.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["laob"], "invalid choice: 'laob'"),
        (["explore", "pocket"], "bertviz-lite explore: the following arguments are required: text."),
        (["page", "x.html", "--fast"], "bertviz-lite: page does not know --fast."),
        (["trace"], "arguments are required: model."),
    ],
)
def test_a_wrong_call_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], line: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1
    assert said.rstrip().endswith("--help")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["trace", "/no/such/model"], "bertviz-lite: /no/such/model: no such folder."),
        (["trace", "{here}"], "no model here"),
        (["explore", "pokcet", SENTENCE], "Did you mean load('pocket')?"),
        (["explore", "pocket", SENTENCE, "--output", "{here}/none/x.html"], "there is no folder {here}/none"),
        (["explore", "pocket", ""], "bertviz-lite: "),
        (["explore", "pocket", "key " * 200, "--output", "{here}/x.html"], "128"),
    ],
)
def test_what_can_not_be_done_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], line: str
) -> None:
    assert main([part.format(here=tmp_path) for part in arguments]) == 1
    out, said = capsys.readouterr()
    assert out == ""
    assert line.format(here=tmp_path) in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == [], "nothing half-written"


def test_trace_prints_the_table_of_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "pocket", "--text", SENTENCE]) == 0
    table = capsys.readouterr().out
    assert "bert.encoder.layer.3.attention.self" in table or "layer.3" in table
    tokenizer, model = bertviz_lite.load("pocket")
    length = len(tokenizer(SENTENCE)["input_ids"])
    assert f"seq_len={length}" in table
    assert f"num_heads={model.config.num_attention_heads}" in table


def test_explore_writes_one_file_that_holds_the_tokens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a page.html"
    assert main(["explore", "pocket", "Anna lost her key.", "She looked for it.", "--output", str(file)]) == 0
    page = file.read_text(encoding="utf-8")
    assert '"looked"' in page
    assert not re.search(r'(src|href)="https?:', page), "nothing from a network"
    assert str(file) in capsys.readouterr().out


@pytest.mark.parametrize("name", ["gpt2", "t5"])
def test_a_model_that_is_no_bert_is_looked_into_as_well(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, tokenizer = family(name)
    folder = tmp_path / name
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    assert main(["trace", str(folder)]) == 0
    assert "seq_len=" in capsys.readouterr().out
    assert main(["explore", str(folder), SENTENCE, "--output", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").stat().st_size > 100_000


@pytest.mark.parametrize(
    ("option", "most", "line", "live"),
    [
        ([], 12.0, r"6\.\d MB, with the model, which answers in it\. Open it", True),
        ([], 3.0, r"0\.\d MB, a recording; --live puts the model's 2 M weights in: about 6 MB\. Open", False),
        (["--live"], 3.0, r"6\.\d MB, with the model", True),
        (["--no-live"], 12.0, r"0\.\d MB, a recording without the model\. Open it", False),
    ],
)
def test_explore_puts_the_model_in_where_the_page_stays_small_and_says_what_it_did(
    option: list[str],
    most: float,
    line: str,
    live: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explored, "MOST_MEGABYTES", most)
    file = tmp_path / "page.html"
    assert main(["explore", "pocket", SENTENCE, "--output", str(file), *option]) == 0
    said = capsys.readouterr().out
    assert re.match(f"Wrote {re.escape(str(file))}: {line}", said), said
    assert said.count("\n") == 1
    assert ('<script type="text/plain" data-bvl-model=' in file.read_text(encoding="utf-8")) is live


def test_the_help_says_up_to_which_size_the_model_goes_in(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["explore", "--help"])
    assert f"below {explored.MOST_MEGABYTES:.0f} MB" in " ".join(capsys.readouterr().out.split())


def test_explore_says_why_a_page_can_not_hold_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, tokenizer = family("gpt2")
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path / "mine")
    arguments = ["explore", str(tmp_path / "mine"), SENTENCE, "--output", str(tmp_path / "page.html")]
    assert main(arguments) == 0
    assert "MB, a recording. GPT2Model: a page runs BertModel, " in capsys.readouterr().out
    assert main([*arguments, "--live"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("bertviz-lite: GPT2Model: a page runs BertModel, ")
    assert said.count("\n") == 1


def test_an_empty_text_is_refused_before_a_model_is_loaded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_load", lambda _: pytest.fail("loaded"))
    for texts, name in ((["  "], "text"), ([SENTENCE, ""], "text_pair")):
        assert main(["explore", "pocket", *texts]) == 1
        assert capsys.readouterr().err == (f"bertviz-lite: {name} is empty: there is nothing to attend to.\n")


def test_a_model_of_pictures_is_one_line_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 24}
    ViTModel(ViTConfig(image_size=32, **sizes)).save_pretrained(tmp_path)
    for arguments in (["trace", str(tmp_path)], ["explore", str(tmp_path), SENTENCE]):
        assert main(arguments) == 1
        said = capsys.readouterr().err
        assert said.startswith("bertviz-lite: ViTModel reads no text (it takes pixel_values): give a model ")
        assert said.count("\n") == 1


def test_a_model_without_attention_weights_is_traced_and_not_explored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tokenizer = tokenizer_of("wordpiece")
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "state_size": 4}
    MambaModel(MambaConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    assert main(["explore", str(tmp_path), "the cat", "--output", str(tmp_path / "page.html")]) == 1
    said = capsys.readouterr().err
    assert "bertviz-lite: MambaModel gives no attention weights" in said
    assert "Traceback" not in said
    assert main(["trace", str(tmp_path), "--text", "the cat"]) == 0
    assert "MambaMixer" in capsys.readouterr().out


def test_a_folder_without_a_tokenizer_is_one_line_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    family("gpt2")[0].save_pretrained(tmp_path)
    for arguments in (["trace", str(tmp_path)], ["explore", str(tmp_path), SENTENCE]):
        assert main(arguments) == 1
        said = capsys.readouterr().err
        assert f"{tmp_path} holds no tokenizer. Put its files there (tokenizer.json" in said
        assert said.count("\n") == 1


def test_a_model_that_the_library_can_not_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2"}), encoding="utf-8")
    assert main(["trace", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert f"{tmp_path}: transformers cannot load it (" in said
    assert said.count("\n") == 1


def test_page_writes_where_it_is_told_or_says_why_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bertviz_lite.views.pages import __main__ as pages

    monkeypatch.setattr(pages, "TABS", ())  # the eight views themselves are made elsewhere
    assert main(["page", str(tmp_path / "none" / "bert.html")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_lab_copies_the_chapters_and_names_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "my course"
    assert lab.prepare(folder) == []
    assert {file.name for file in folder.glob("*.ipynb")} == {
        file.name for file in (ROOT / "notebooks").glob("*.ipynb")
    }
    options = lab.lab_options(folder)
    assert "--LabApp.default_url=/lab/tree/my%20course/00_start_here.ipynb" in options
    assert f"--ServerApp.root_dir={tmp_path}" in options


@pytest.mark.parametrize("kind", ["a file", "the chapters"])
def test_lab_refuses_a_folder_that_can_not_hold_copies(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jupyterlab")
    (tmp_path / "a file").touch()
    folder = tmp_path / "a file" if kind == "a file" else ROOT / "notebooks"
    assert main(["lab", str(folder)]) == 1
    said = capsys.readouterr().err
    assert str(folder) in said
    assert said.count("\n") == 1


def test_lab_without_jupyterlab_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lab, "find_spec", lambda _: None)
    assert main(["lab", str(tmp_path / "my")]) == 1
    assert capsys.readouterr().err.endswith("Run: pip install 'bertviz-lite[notebooks]'\n")
    assert not (tmp_path / "my").exists()


def test_lab_without_chapters_says_where_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(notebook_files, "__file__", str(tmp_path / "a" / "b" / "notebook_files.py"))
    with pytest.raises(
        lab.LabError, match=r"not installed here. Read them at https://github.com/\S+/notebooks$"
    ):
        lab.chapters_folder()
