"""Chapter 14: what its helpers say of the library is what the library does."""

import os
import sys
from inspect import signature
from logging import getLogger
from pathlib import Path
from subprocess import run
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from matplotlib.patches import FancyBboxPatch
from safetensors import safe_open
from torch import nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    BertForMaskedLM,
    BertForPreTraining,
    Trainer,
    TrainingArguments,
    pipeline,
)
from transformers.pipelines import base as pipelines
from transformers.utils import logging

from bertviz_lite import load
from bertviz_lite.chapters.chapter_14 import first_week, parts, pretend_hub
from bertviz_lite.chapters.chapter_14.batch_drawn import draw_batch
from bertviz_lite.chapters.chapter_14.by_name import by_name, groups_of
from bertviz_lite.chapters.chapter_14.cache_drawn import cache_in_words, draw_cache, newest
from bertviz_lite.chapters.chapter_14.padding_drawn import draw_orders, padding_share
from bertviz_lite.chapters.chapter_14.read_as import misread, misread_in_words, read_as
from bertviz_lite.plots.display import picture
from tests.helpers.tiny_models import make, save

# By hand, from the library's documentation of each class.
PARTS = {
    "BertModel": {"pooler"},
    "BertForPreTraining": {"pooler", "LM head", "NSP head"},
    "BertForMaskedLM": {"LM head"},
    "BertForNextSentencePrediction": {"pooler", "NSP head"},
    "BertForSequenceClassification": {"pooler", "a head for your task"},
    "BertForMultipleChoice": {"pooler", "a head for your task"},
    "BertForTokenClassification": {"a head for your task"},
    "BertForQuestionAnswering": {"a head for your task"},
}


@pytest.fixture(autouse=True)
def _quiet() -> None:
    logging.disable_progress_bar()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("model") / "tiny", make(BertForPreTraining))


def test_the_diagram_has_the_parts_of_each_class(folder: Path) -> None:
    with first_week.reported():
        classes = parts.fitted(folder)
    assert {fit.name: set(fit.parts) - {"embeddings", "encoder"} for fit in classes} == PARTS
    assert all({"embeddings", "encoder"} <= set(fit.parts) for fit in classes)
    assert {fit.name for fit in classes if fit.made_up} == {
        name for name, has in PARTS.items() if "a head for your task" in has
    }


def test_the_diagram_marks_what_is_drawn_at_random_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    with first_week.reported():
        classes = parts.fitted(folder)
        without_pooler = BertForMaskedLM.from_pretrained(folder)
        without_pooler.save_pretrained(tmp_path / "masked")
        bare = parts.fitted(tmp_path / "masked")[0]
    marked = {(fit.name, row) for fit in classes for row in fit.parts if fit.is_made_up(row)}
    assert marked == {
        (name, "a head for your task") for name, has in PARTS.items() if "a head for your task" in has
    }
    assert [row for row in bare.parts if bare.is_made_up(row)] == ["pooler"]


def test_only_a_tensor_of_another_size_stops_the_library(folder: Path, tmp_path: Path) -> None:
    with first_week.reported():
        opened = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=2)
        opened.save_pretrained(tmp_path / "two")
        with pytest.raises(RuntimeError, match="mismatched_sizes"):
            AutoModelForSequenceClassification.from_pretrained(tmp_path / "two", num_labels=3)


def test_fewer_layers_leave_tensors_in_the_folder_and_nothing_is_missing(folder: Path) -> None:
    with first_week.reported():
        found = [
            kind.from_pretrained(folder, num_hidden_layers=layers, output_loading_info=True)[1]
            for kind, layers in ((AutoModel, 2), (AutoModel, 1), (AutoModelForMaskedLM, 2))
        ]
    assert not any(report["missing_keys"] for report in found)
    whole, half, masked = ({key.rsplit(".", 1)[0] for key in report["unexpected_keys"]} for report in found)
    assert all(key.startswith("cls.") for key in whole)
    assert {key.split(".layer.")[0] for key in half - whole} == {"bert.encoder"}
    assert masked == {"bert.pooler.dense", "cls.seq_relationship"}


def test_a_pipeline_moves_its_model_to_a_gpu_unless_it_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[str] = []
    for name in ("cuda", "mps"):
        monkeypatch.setattr(pipelines, f"is_torch_{name}_available", lambda name=name: name == "mps")
    monkeypatch.setattr(BertForMaskedLM, "to", lambda _, device: moved.append(str(device)))
    with first_week.reported():
        pipeline("fill-mask", model=str(folder), device="cpu")
        assert not moved
        pipeline("fill-mask", model=str(folder))
    assert moved == ["mps:0"]


@pytest.mark.parametrize("names_them", [True, False])
def test_the_trainer_takes_out_what_forward_does_not_name(names_them: bool, tmp_path: Path) -> None:
    class Named(nn.Module):
        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any = None) -> None:  # noqa: ANN401
            """Take the segment ids."""

    class Rest(nn.Module):
        def forward(self, input_ids: Any, attention_mask: Any, **rest: Any) -> None:  # noqa: ANN401
            """Take whatever comes."""

    text = {name: [1, 1] for name in ("input_ids", "attention_mask", "token_type_ids")}
    how = TrainingArguments(str(tmp_path), use_cpu=True, report_to="none")
    trainer = Trainer(Named() if names_them else Rest(), how, train_dataset=[text])
    (batch,) = trainer.get_train_dataloader()
    assert ("token_type_ids" in batch) is names_them
    # and of a model with ** it believes that its loss sees to accumulation
    assert trainer.model_accepts_loss_kwargs is not names_them


def test_without_a_dtype_numbers_stay_as_they_are_in_the_file(folder: Path, tmp_path: Path) -> None:
    with first_week.reported():
        AutoModel.from_pretrained(folder).half().save_pretrained(tmp_path / "half")
        assert AutoModel.from_pretrained(tmp_path / "half").dtype == torch.float16
        assert AutoModel.from_pretrained(tmp_path / "half", dtype=torch.float64).dtype == torch.float64


def test_the_diagram_is_drawn_with_the_librarys_names(folder: Path) -> None:
    with first_week.reported():
        ax = parts.class_map(parts.fitted(folder), title="Eight classes")
    words = {text.get_text().replace("\n", "") for text in ax.texts}
    assert {"BertPreTrainingHeads", "BertOnlyMLMHead", "BertOnlyNSPHead", "BertPooler"} <= words
    assert set(PARTS) <= words
    assert len(picture(ax, "A column for each class.").png) < 100_000


def test_each_class_is_said_in_words(folder: Path) -> None:
    with first_week.reported():
        told = parts.in_words(parts.fitted(folder))
    # by hand, from PARTS
    assert told.startswith(
        "BertModel: pooler; one answer for: each token (a vector). BertForPreTraining: pooler, "
    )
    assert told.endswith("a head for your task, drawn at random; one answer for: begin, end in a text.")
    assert told.count("drawn at random") == 4


def test_what_is_read_stands_below_what_is_written_with_its_id() -> None:
    written, read = ["anna", "is", "[MASK]"], ["beaver", "learns", "[MASK]"]
    ax = read_as(written, [7, 8, 4], read, answer=(2, "swims", 9, "thirsty"), title="Other words")
    at = {text.get_text(): text.get_position() for text in ax.texts}
    for above, number, below in (("anna", "7", "beaver"), ("is", "8", "learns")):
        assert at[above][0] == at[number][0] == at[below][0]
        assert at[above][1] < at[number][1] < at[below][1]
    # the answer hangs below its gap, and is read back by its id
    assert at["swims"][0] == at["4"][0]
    assert at["swims"][0] < at["9"][0] < at["thirsty"][0] < at["you read"][0]
    assert {at[name][1] for name in ("9", "thirsty", "you read", "the model says")} == {at["swims"][1]}
    # blue for three that are written, one that is read as it was written, and the word that you read; orange
    # for two that the model reads otherwise, and for the one that it says
    faces = [patch.get_facecolor() for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    assert sorted(faces.count(face) for face in set(faces)) == [3, 5]
    same = read_as(["[MASK]"], [4], ["[MASK]"], answer=(0, "thirsty", 9, "thirsty"), title="One tokenizer")
    assert len({patch.get_facecolor() for patch in same.patches if isinstance(patch, FancyBboxPatch)}) == 1
    assert len(picture(ax, "Boxes.").png) < 100_000
    with pytest.raises(ValueError, match="zip"):
        read_as(["anna"], [7, 8], ["beaver"], answer=(0, "swims", 9, "thirsty"), title="Too few")


def test_what_is_cut_by_another_tokenizer_is_drawn_as_both_read_it() -> None:
    tokenizer, _ = load("pocket")
    wrong = first_week.other_order(tokenizer)
    ids = wrong("Anna is [MASK].")["input_ids"]
    drawn = tokenizer, wrong, ids, ids[1]  # it answers with the id that is “anna” to the wrong one
    told = misread_in_words(*drawn)
    assert told.startswith("You write “anna is [MASK] .”, the model reads “")
    assert told.endswith(f"It says “{tokenizer.decode(ids[1])}”, you read “anna”.")
    words = [text.get_text() for text in misread(*drawn, title="Misread").texts]
    assert words.count("anna") == 2
    assert words.count(tokenizer.decode(ids[1])) == 2


def test_the_cache_is_drawn_as_its_files_say(tmp_path: Path) -> None:
    repository = tmp_path / "models--town--pocket"
    days = {"Monday": "a" * 40, "Tuesday": "b" * 40}
    for commit in days.values():
        (repository / "snapshots" / commit).mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("b" * 40, encoding="utf-8")
    assert newest(tmp_path, "town/pocket", days) == "Tuesday"
    answers = {"Monday": "thirsty", "Tuesday": "hungry"}
    ax = draw_cache(tmp_path, "town/pocket", days, answers, title="A cache")
    words = [text.get_text() for text in ax.texts]
    assert {
        "Monday's commit",
        "Tuesday's commit",
        "Monday's commit: thirsty",
        "Tuesday's commit: hungry",
    } <= set(words)
    assert cache_in_words(tmp_path, "town/pocket", days, answers) == (
        "An arrow leads from town/pocket to main, and on to Tuesday's commit, which answers hungry. "
        "Another, revision=, leads past main to Monday's commit, which answers thirsty."
    )
    assert len(picture(ax, "Boxes and arrows of a cache.").png) < 100_000
    (repository / "refs" / "main").write_text("a" * 40, encoding="utf-8")
    assert newest(tmp_path, "town/pocket", days) == "Monday"
    with pytest.raises(ValueError, match="no folder for Friday"):
        newest(tmp_path, "town/pocket", days | {"Friday": "c" * 40})
    with pytest.raises(ValueError, match="none of these"):
        newest(tmp_path, "town/pocket", {"Tuesday": "b" * 40})


def test_what_is_drawn_by_name_is_what_the_file_and_the_class_hold(folder: Path) -> None:
    with safe_open(folder / "model.safetensors", "pt") as file:
        stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no dictionary
    with first_week.reported():
        model = AutoModelForTokenClassification.from_config(AutoConfig.from_pretrained(folder))
        _, report = AutoModelForTokenClassification.from_pretrained(folder, output_loading_info=True)
    fit = model.load_state_dict(stored, strict=False)
    # by hand, PyTorch finds the same names as the library
    assert set(fit.missing_keys) == report["missing_keys"]
    assert set(fit.unexpected_keys) == report["unexpected_keys"]
    encoder = sum(".encoder." in name for name in stored)
    assert sum(groups_of(stored).values()) == len(stored)
    ax = by_name("BertForTokenClassification", stored, *fit, title="By name")
    words = [text.get_text() for text in ax.texts]
    assert words.count(f"bert.encoder  ({encoder})") == 2
    assert {"cls.predictions  (5)", "bert.pooler  (2)", "classifier  (2)"} <= set(words)
    assert words.count("same name") == 2
    assert len(picture(ax, "Two columns.").png) < 100_000


def test_what_is_drawn_of_a_batch_is_what_the_tokenizer_makes_of_it() -> None:
    tokenizer, _ = load("pocket")
    limit, mask = tokenizer.model_max_length, tokenizer.mask_token_id
    # one gap is just in, one takes the place that goes to [SEP], one lies behind it
    texts = ["Max [MASK].", *("key " * (limit - off) + "[MASK] key" for off in (3, 2, 1))]
    ax = draw_batch(tokenizer, texts, title="A batch")
    batch = tokenizer(texts, padding=True, truncation=True)
    kinds: dict[str, list[Any]] = {str(bars.get_label()).lstrip("_"): [] for bars in ax.containers}
    for bars in ax.containers:
        (bar,) = bars
        kinds[str(bars.get_label()).lstrip("_")].append(bar)
    assert [bar.get_width() for bar in kinds["tokens"]] == [sum(row) for row in batch["attention_mask"]]
    assert [bar.get_width() for bar in kinds["padding"]] == [row.count(0) for row in batch["attention_mask"]]
    assert len(kinds["gap, read"]) == sum(row.count(mask) for row in batch["input_ids"]) == 2
    assert len(kinds["gap, lost"]) == 2
    assert len(picture(ax, "Rows of places.").png) < 100_000


def test_a_share_of_padding_is_that_of_the_batches() -> None:
    # by hand: 2 · 3 and 2 · 2 places, and a last batch of one text alone; two of eleven places are empty
    assert padding_share([1, 3, 2, 2, 1], size=2) == pytest.approx(2 / 11)
    assert padding_share([7, 7, 7], size=32) == 0
    tokenizer, _ = load("pocket")
    texts = ["Max is here.", "Anna reads.", "Max opens the door and Anna reads.", "Yes."]
    lengths = [len(tokenizer(text)["input_ids"]) for text in texts]
    batches = [tokenizer(texts[start : start + 2], padding=True)["input_ids"] for start in (0, 2)]
    places = [number for batch in batches for row in batch for number in row]
    empty = places.count(tokenizer.pad_token_id)
    assert empty
    assert padding_share(lengths, size=2) == pytest.approx(empty / len(places))


def test_the_orders_are_drawn_with_a_row_for_each_text() -> None:
    ax = draw_orders({"as they come": [1, 3, 2, 2], "sorted": [1, 2, 2, 3]}, size=2, title="Two orders")
    first, second = (np.asarray(one.images[0].get_array()) for one in ax.figure.axes)
    # by hand: 0 nothing, 1 a token, 2 padding; empty rows between the two batches
    assert first[[0, 1, -2, -1]].tolist() == [[1, 2, 2], [1, 1, 1], [1, 1, 0], [1, 1, 0]]
    assert second[[0, 1, -2, -1]].tolist() == [[1, 2, 0], [1, 1, 0], [1, 1, 2], [1, 1, 1]]
    assert not first[2:-2].any()
    titles = [one.get_title(loc="left") for one in ax.figure.axes]
    assert titles == ["as they come: 20% padding", "sorted: 20% padding"]
    assert len(picture(ax, "Rows of places.").png) < 100_000


def test_the_report_is_caught_in_order_and_without_a_path(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with first_week.reported() as messages:
        AutoModelForSequenceClassification.from_pretrained(folder)
    assert str(folder.parent) not in messages[0]
    assert "\x1b" not in messages[0]
    rows = [
        line for line in messages[0].splitlines() if "|" in line and ("MISSING" in line or "UNEX" in line)
    ]
    assert [row.split()[0] for row in rows[:2]] == ["classifier.bias", "classifier.weight"]
    assert rows[2:] == sorted(rows[2:])
    assert capfd.readouterr().err == ""


def test_reports_are_no_longer_caught_after_the_block() -> None:
    log = getLogger("transformers")
    before = [*log.handlers], log.level
    with pytest.raises(RuntimeError), first_week.reported():
        raise RuntimeError
    assert ([*log.handlers], log.level) == before


def test_what_is_said_once_in_a_session_is_heard_again(folder: Path) -> None:
    with first_week.reported():
        model = AutoModel.from_pretrained(folder)
    ids = torch.tensor([[1, 2, 0]])
    for _ in range(2):
        with first_week.reported() as messages:
            model.warn_if_padding_and_no_attention_mask(ids, None)
        assert len(messages) == 1


def test_what_is_heard_of_a_call_is_its_error_or_the_number_of_reports(folder: Path) -> None:
    open_it = AutoModelForSequenceClassification.from_pretrained
    assert first_week.heard(lambda: open_it(folder)) == "1 report in the log"
    assert first_week.heard(lambda: AutoModelForMaskedLM) == "0 reports in the log"
    assert first_week.heard(lambda: transformers.AdamW).startswith("AttributeError: ")


def test_another_order_keeps_the_words_and_the_special_tokens() -> None:
    tokenizer, _ = load("pocket")
    other = first_week.other_order(tokenizer)
    assert set(other.get_vocab()) == set(tokenizer.get_vocab())
    assert sorted(other.get_vocab().values()) == sorted(tokenizer.get_vocab().values())
    assert other.all_special_ids == tokenizer.all_special_ids
    text = "Anna is [MASK], so she drinks."
    assert other.tokenize(text) == tokenizer.tokenize(text)
    assert other(text)["input_ids"] != tokenizer(text)["input_ids"]


def test_what_comes_of_a_call_is_an_error_a_warning_or_nothing(folder: Path) -> None:
    with first_week.reported():
        model = AutoModel.from_pretrained(folder)
    ids = torch.tensor([[1, 2, 3]])
    assert first_week.happens(lambda: transformers.AdamW).startswith("AttributeError: ")
    assert first_week.happens(lambda: model(ids, output_attentions=True)).startswith("warns: `sdpa`")
    assert first_week.happens(lambda: model(ids)) == "runs, and says nothing"

    def stop() -> None:
        raise KeyError("It's gone. Take another.")

    assert first_week.happens(stop) == "KeyError: It's gone."


def test_a_long_error_is_shortened_from_the_front_and_a_note_is_wrapped(folder: Path) -> None:
    with first_week.reported() as messages:
        model = AutoModel.from_pretrained(folder)
        AutoModelForSequenceClassification.from_pretrained(folder)
    ids = torch.tensor([[1, 2, 3]])
    told = first_week.heard(lambda: model(ids).logits)
    assert told == "AttributeError: … object has no attribute 'logits'"
    assert max(map(len, "\n".join(messages).splitlines())) <= 100
    assert "Consider training" in " ".join(messages[-1].split())


def test_a_head_mask_does_nothing_in_this_version(folder: Path) -> None:
    with first_week.reported():
        model = AutoModel.from_pretrained(folder)
    ids = torch.tensor([[1, 2, 3]])
    off = torch.zeros(model.config.num_hidden_layers, model.config.num_attention_heads)
    with torch.no_grad():
        assert torch.equal(model(ids)[0], model(ids, head_mask=off)[0])


def test_a_published_model_is_found_by_its_name_and_an_older_one_by_its_commit(tmp_path: Path) -> None:
    tokenizer, model = load("pocket")
    where = {"cache_dir": tmp_path, "local_files_only": True}
    first = pretend_hub.publish(tmp_path, "town/pocket", tokenizer, model)
    one, other = tokenizer.convert_tokens_to_ids(["thirsty", "hungry"])
    table = model.get_input_embeddings().weight.detach().clone()
    second = pretend_hub.publish(tmp_path, "town/pocket", tokenizer, pretend_hub.swapped(model, one, other))
    assert first != second
    with first_week.reported():
        newest = AutoModelForMaskedLM.from_pretrained("town/pocket", **where)
        pinned = AutoModelForMaskedLM.from_pretrained("town/pocket", revision=first, **where)
    assert torch.equal(pinned.get_input_embeddings().weight, table)
    assert torch.equal(newest.get_input_embeddings().weight[one], table[other])


def test_an_id_of_a_word_is_what_the_tokenizer_makes_of_it_alone() -> None:
    tokenizer, _ = load("pocket")
    (number,) = tokenizer("Thirsty", add_special_tokens=False)["input_ids"]
    assert tokenizer.convert_ids_to_tokens(number) == "thirsty"


def test_what_one_writes_today_is_in_the_library(folder: Path) -> None:
    tokenizer, _ = load("pocket")
    assert len(tokenizer("Anna is here.", padding="max_length", max_length=32)["input_ids"]) == 32
    with first_week.reported():
        states, pooled = AutoModel.from_pretrained(folder)(torch.tensor([[1, 2]]), return_dict=False)
    assert states.shape[-1] == pooled.shape[-1]
    with first_week.reported() as messages:
        found = AutoModel.from_pretrained(folder)(torch.tensor([[1, 2]]), output_attentions=True)
    assert found.attentions == ()
    assert any("output_attentions" in message for message in messages)
    assert transformers.BertTokenizerFast is transformers.BertTokenizer
    named = {*signature(Trainer).parameters, *signature(TrainingArguments).parameters}
    assert {"processing_class", "eval_strategy"} <= named
    assert not {"tokenizer", "evaluation_strategy"} & named


def test_the_old_name_of_the_cache_is_no_longer_read() -> None:
    clean = {name: text for name, text in os.environ.items() if name not in ("HF_HOME", "HF_HUB_CACHE")}
    command = (
        "import transformers.utils.hub\nfrom huggingface_hub import constants\nprint(constants.HF_HUB_CACHE)"
    )
    told = [
        run([sys.executable, "-c", command], env=env, capture_output=True, text=True, check=True)
        for env in (clean, clean | {"TRANSFORMERS_CACHE": "elsewhere"})
    ]
    assert told[0].stdout == told[1].stdout
    assert "TRANSFORMERS_CACHE" not in told[1].stderr


@pytest.mark.parametrize(
    ("variable", "value", "constant"),
    [
        ("HF_ENDPOINT", "https://mirror.example", "ENDPOINT"),
        ("HF_HOME", "elsewhere", "HF_HOME"),
        ("HF_HUB_OFFLINE", "1", "HF_HUB_OFFLINE"),
    ],
)
def test_the_library_reads_its_variables_when_it_is_imported(
    variable: str, value: str, constant: str
) -> None:
    set_it = f"import os; os.environ[{variable!r}] = {value!r}"
    import_it = "from huggingface_hub import constants"
    given = {"True" if value == "1" else value}
    clean = {name: text for name, text in os.environ.items() if name != variable}
    clean |= {} if variable == "HF_HUB_OFFLINE" else {"HF_HUB_OFFLINE": "1"}
    clean.pop("TRANSFORMERS_OFFLINE", None)
    printed = []
    for lines in ([set_it, import_it], [import_it, set_it]):
        code = "\n".join([*lines, f"print(constants.{constant})"])
        done = run([sys.executable, "-c", code], env=clean, capture_output=True, text=True, check=True)
        printed.append(done.stdout.strip())
    assert printed[0] in given
    assert printed[1] not in given
