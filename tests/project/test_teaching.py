"""The pages for teachers: links, cells, sentences, minutes and answers are those of the course as it is."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
import torch
from notebook_checks.rules.markup import links
from notebook_checks.rules.prose import leads_to_nothing
from torch.nn.functional import cross_entropy, gelu
from transformers import BertConfig, BertForPreTraining, BertModel, PreTrainedTokenizerBase

from bertviz_lite import Explorer, capture, load
from bertviz_lite.data.vocabulary import character_tokenizer
from bertviz_lite.views.pages.slides.deck import read_deck
from tests.helpers.teaching_pages import (
    ANSWERS,
    BELIEFS,
    BERTVIZ,
    BLOCK,
    BOLD,
    CELL,
    CODE,
    PAGES,
    QUESTIONS,
    ROOT,
    SHEET as SHEET_PAGE,
    TEACHING,
    Step,
    cells_of,
    numbered,
    rows,
    sheet_steps,
    steps,
    text_of,
)
from tests.helpers.tiny_families import family

STEPS = steps()
SHEET = sheet_steps()
Pocket = tuple[PreTrainedTokenizerBase, BertForPreTraining]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    wrong = [
        f"{address} {said}" for address in links(text_of(page)) if (said := leads_to_nothing(address, page))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_link_that_leads_nowhere_is_noticed() -> None:
    assert leads_to_nothing("notebooks/03_attention.ipynb#Why-√d?", TEACHING) == ""
    assert leads_to_nothing("notebooks/03_attention.ipynb#Why-d?", TEACHING)
    assert leads_to_nothing("notebooks/33_attention.ipynb", TEACHING)
    assert leads_to_nothing("docs/install.md#thirty-laptops-weak-wi-fi", TEACHING) == ""
    assert leads_to_nothing("#no-such-section", TEACHING)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_cell_that_is_named_stands_in_the_section_that_is_named(page: Path) -> None:
    for named in CELL.finditer(text_of(page)):
        cells = cells_of((page.parent / named["file"]).resolve())
        cell = next((cell for cell in cells if cell.id == named["id"] and cell.kind == "code"), None)
        assert cell, f"{page.name}: {named['file']} has no code cell {named['id']}"
        assert named["anchor"] in cell.above, f"{page.name}: {cell.id} is in {sorted(cell.above)}"


def test_every_belief_names_a_cell_and_how_it_begins() -> None:
    beliefs = numbered(BELIEFS)
    assert len(beliefs) >= 25
    for page in (BELIEFS, TEACHING):
        assert f"{len(beliefs)} beliefs" in text_of(page)
    for number, belief in beliefs.items():
        (named,) = CELL.finditer(belief)
        begins = CODE.findall(belief[named.end() :])[-1][1]
        cells = cells_of((BELIEFS.parent / named["file"]).resolve())
        source = next(cell.source for cell in cells if cell.id == named["id"])
        assert source.startswith(begins), f"belief {number}: the cell begins {source[:60]!r}"


def test_every_chapter_has_beliefs_questions_and_answers() -> None:
    questions, answers = numbered(QUESTIONS), numbered(ANSWERS)
    assert list(questions) == list(answers)
    assert len(questions) >= 40
    for page in (QUESTIONS, TEACHING):
        assert f"{len(questions)} " in text_of(page)
    assert all(re.match(r"★{1,3} ", question) for question in questions.values())
    for chapter in (ROOT / "notebooks").glob("*.ipynb"):
        for page in (BELIEFS, QUESTIONS):
            assert f"\n## {chapter.name[:2]} " in text_of(page)
        assert f"]({chapter.relative_to(ROOT).as_posix()})" in text_of(TEACHING)


# --- what is typed


@pytest.fixture(scope="module")
def pocket() -> Pocket:
    """Return the model of the page into which the sentences are typed."""
    return load("pocket")


def test_plans_have_sentences_for_single_texts_and_pairs() -> None:
    assert len(STEPS) > 25
    assert {len(step.texts) for step in STEPS} == {1, 2}
    assert sum(step.outside for step in STEPS) >= 3


@pytest.mark.parametrize("step", STEPS, ids=lambda step: " / ".join(step.texts)[:50])
def test_sentences_to_type_use_whole_words_of_the_town_or_say_that_they_do_not(
    step: Step, pocket: Pocket
) -> None:
    tokenizer, _ = pocket
    backend, vocabulary = tokenizer.backend_tokenizer, tokenizer.get_vocab()
    text = " ".join(step.texts).replace("[MASK]", " ")
    words = [
        word
        for word, _ in backend.pre_tokenizer.pre_tokenize_str(backend.normalizer.normalize_str(text))
        if word not in vocabulary
    ]
    assert bool(words) == step.outside, words


@torch.no_grad()
@pytest.mark.parametrize(
    "step", [step for step in STEPS if step.expected], ids=lambda step: " / ".join(step.texts)[:50]
)
def test_the_model_of_the_page_says_what_the_plans_say(step: Step, pocket: Pocket) -> None:
    tokenizer, model = pocket
    batch = tokenizer(*step.texts, return_tensors="pt")
    output = model(**batch)
    if len(step.texts) == 2:
        label = output.seq_relationship_logits[0].argmax().item()
        said = ("continues", "another story")[label]
    else:
        gap = batch["input_ids"][0] == tokenizer.mask_token_id
        said = tokenizer.decode(output.prediction_logits[0, gap][0].argmax())
    assert said == step.expected


@torch.no_grad()
@pytest.mark.parametrize("line", SHEET)
def test_the_model_of_the_page_says_what_the_sheets_answers_say(line: str, pocket: Pocket) -> None:
    (step, share), (tokenizer, model) = SHEET[line], pocket
    tokens = tokenizer.tokenize(*step.texts)
    assert not [token for token in tokens if token.startswith("##") or token == tokenizer.unk_token]
    batch = tokenizer(*step.texts, return_tensors="pt")
    output = model(**batch)
    if len(step.texts) == 2:
        likely = output.seq_relationship_logits[0].softmax(dim=0)[0].item()
        said = "continues" if likely > 0.5 else "another story"
    else:
        gap = batch["input_ids"][0] == tokenizer.mask_token_id
        shares = output.prediction_logits[0, gap][0].softmax(dim=0)
        likely = shares.max().item()
        said = tokenizer.decode(shares.argmax())
    if share.startswith("below "):
        assert (step.expected, likely < int(share.split()[1]) / 100) == ("no word", True)
        return
    assert said == step.expected
    assert abs(100 * likely - int(share.split()[0])) < 1


def test_the_sheet_is_one_page() -> None:
    assert len(SHEET) >= 14
    text = text_of(TEACHING)
    assert "fourteen predictions" in text
    assert "14 | A " in text_of(SHEET_PAGE)
    assert len(text_of(SHEET_PAGE).split()) < 420  # what an A4 page holds, with room to write in


def test_minutes_of_each_deck_are_those_that_its_slides_take() -> None:
    taken = {}
    for deck in sorted((ROOT / "slides").glob("*.md")):
        slides = read_deck(deck)
        minutes = sum(3 if slide.asks else 5 if slide.views() else 1.5 for slide in slides)
        taken[deck.name[0]] = {30: "thirty", 40: "forty"}[10 * round(minutes / 10)]
        assert slides[0].note.startswith(f"**About {taken[deck.name[0]]} minutes**"), deck.name
    assert {deck for deck, minutes in taken.items() if minutes == "forty"} == {"1", "4"}
    assert "About 40 minutes for decks 1 and 4, 30 for each of the others" in text_of(TEACHING)


def test_minutes_of_each_plan_follow_each_other_and_end_at_90() -> None:
    for plan in re.split(r"^## ", text_of(TEACHING), flags=re.MULTILINE):
        if plan.startswith("90 minutes"):
            times = [re.fullmatch(r"(\d+)–(\d+)", row[0]) for row in rows(plan)]
            spans = [(int(time[1]), int(time[2])) for time in times if time]
            assert spans[0][0] == 0
            assert spans[-1][1] == 90
            assert all(one[1] == other[0] for one, other in pairwise(spans))


def test_minutes_of_the_chapters_are_those_that_they_state() -> None:
    table = {row[0][1:3]: row[1:] for row in rows(text_of(TEACHING)) if re.match(r"\[\d\d ", row[0])}
    total = [0, 0]
    for chapter in sorted((ROOT / "notebooks").glob("*.ipynb")):
        first = cells_of(chapter)[0].source
        line = next(line for line in first.splitlines() if re.search(r"\d+ minutes", line))
        stated = re.findall(r"\d+", line.partition(" Afterwards")[0])
        stated += stated[:1] if " again for the exercises" in line else []
        assert table[chapter.name[:2]][: len(stated)] == stated
        total = [before + int(minutes) for before, minutes in zip(total, stated[:2], strict=True)]
    reading, exercises = (round(minutes / 60) for minutes in total)
    assert f"about {reading} hours of reading and {exercises} of exercises" in text_of(TEACHING)


# --- what is answered


def base(**changes: int) -> BertForPreTraining:
    with torch.device("meta"):
        return BertForPreTraining(BertConfig(**changes))


def size(module: torch.nn.Module) -> int:
    return sum(weight.numel() for weight in module.parameters())


def longest_first(word: str, vocabulary: set[str]) -> list[str]:
    tokens = []
    while word:
        cut = next(k for k in range(len(word), 0, -1) if ("##" if tokens else "") + word[:k] in vocabulary)
        tokens.append(("##" if tokens else "") + word[:cut])
        word = word[cut:]
    return tokens


def paths_home(tokens: int, layers: int) -> int:
    everyone_else = 1 - torch.eye(tokens, dtype=torch.long)
    return int(everyone_else.matrix_power(layers)[0, 0])


def f1(right: int, called: int, are: int) -> Fraction:
    return Fraction(2 * right, called + are)


def computed() -> dict[int, list[str]]:
    """Return what is bold in the answers, computed with torch and transformers, or counted."""
    bert, layer = base(), base().bert.encoder.layer[0]
    attention = layer.attention.self, layer.attention.output.dense
    small = (
        base(hidden_size=128, num_attention_heads=4, intermediate_size=512).bert.encoder.layer[0].attention
    )
    large = BertConfig(hidden_size=1024, num_attention_heads=16)
    weights = torch.tensor([1.0, 2.0]).div(2**0.5).softmax(dim=0)
    padded = torch.tensor([2.0, 1.0, -torch.inf]).softmax(dim=0)
    bent = gelu(torch.tensor([1.0, -1.0]))
    pooled = torch.tensor(0.99).atanh().requires_grad_()
    pooled.tanh().backward()
    scores = torch.tensor([0.7, 0.2, 0.1]).log().requires_grad_()
    table = torch.zeros(3, 2, requires_grad=True)
    cross_entropy((scores + table @ torch.tensor([1.0, -1.0]))[None], torch.tensor([0])).backward()
    knob = torch.nn.Parameter(torch.zeros(1))
    knob.grad = torch.tensor([50.0])
    torch.optim.AdamW([knob], lr=0.001, weight_decay=0.0).step()
    read = 900_000 * 256 * 128 + 100_000 * 256 * 512
    crossing = next(n for n in range(1, 9_999) if 4 * n * n * 768 >= 8 * n * 768**2 + 4 * n * 768 * 3072)
    heads = base().num_parameters() - size(bert.bert)
    rates = {name: float(0.85**count) for name, count in {"ten": 10, "forty": 40}.items()}
    return {
        4: [str(len(longest_first("unhappy", {"un", "unh", "##happy", "##a", "##p", "##py"})))],
        5: [str(1 + 7 + 1 + 4 + 1), str(4 + 1)],
        6: [f"{100 * (3 * 12 - 5 - 9 - 12) / 36:.1f} %"],
        7: [f"{sum(range(101)):,}"],
        8: [f"{size(bert.bert.embeddings):,}"],
        11: [f"{768**-0.5:.3f}"],
        12: [f"{2 * size(torch.nn.Linear(768, 768, bias=False, device='meta')):,}"],
        13: [f"{weight:.2f}" for weight in weights],
        14: [f"{12 * 12 * 128 * 128:,}"],
        16: [f"{weight:.2f}" for weight in padded[:2]],
        17: [f"{size(small.self) + size(small.output.dense):,}"],
        20: [f"{size(layer.intermediate) + size(layer.output.dense):,}"],
        21: [f"{round((size(layer.intermediate) + size(layer.output.dense)) / sum(map(size, attention)))}"],
        22: [f"{768 * 768:,}"],
        23: [f"{bent[0]:.2f}", f"{bent[1]:.2f}".replace("-", "−")],
        24: [f"{crossing:,}"],
        26: [str(math.ceil(511 / 64))],
        29: ["2"],
        30: ["12", "1.5", "1.5"],
        31: [f"{-math.log(p):.2f}" for p in (0.5, 0.01)],
        32: [f"{rates['ten']:.3f}"],
        33: [f"{0.9 * 90:.0f} %"],
        34: [f"{100 * rates['ten']:.1f} %", f"{100 * rates['forty']:.2f} %"],
        35: [str(paths_home(5, 2)), str(paths_home(5, 3))],
        36: [f"{size(bert.bert.pooler):,}"],
        37: [f"{(1 + 3 + 9) / 3:.2f}"],
        38: [f"{100 * pooled.grad:.0f} %"],
        40: [f"{large.vocab_size * large.hidden_size:,}"],
        43: [f"{table.grad[row, column]:.1f}" for row, column in ((0, 1), (1, 0), (2, 0))],
        44: [f"{torch.tensor([2.0, -1.0]).softmax(dim=0)[0]:.3f}"],
        45: [f"{size(bert.cls.seq_relationship):,}"],
        47: ["1"],
        49: [f"{cross_entropy(torch.zeros(1, 30_522), torch.tensor([0])):.2f}"],
        50: [f"{part / math.hypot(6, 8):.1f}" for part in (6, 8)],
        51: [f"{-knob.item():.3f}"],
        52: [f"{read / 1e9:.1f}", f"{read / 3.3e9:.1f}"],
        54: [f"{size(torch.nn.Linear(768, 4, device='meta')):,}"],
        55: [f"{float((f1(90, 100, 90) + f1(0, 0, 10)) / 2):.2f}"],
        59: [f"{heads:,}"],
        64: [f"{size(torch.nn.Linear(768, 2, device='meta')):,}"],
        65: [str(len(character_tokenizer(["小猫喝了杯。"]).tokenize("小猫喝了3杯milk。")))],
    }


def test_what_is_bold_in_the_answers_is_what_comes_out() -> None:
    answers = {number: BOLD.findall(answer) for number, answer in numbered(ANSWERS).items()}
    assert {number: bold for number, bold in answers.items() if bold} == computed()


def test_a_word_is_unknown_by_a_character_or_by_more_than_100_letters(pocket: Pocket) -> None:
    belief = numbered(BELIEFS)[6]
    assert "a character that the vocabulary lacks, and more than 100 letters" in belief
    tokenizer, _ = pocket
    letters = "ab" * 60
    assert tokenizer.unk_token not in tokenizer.tokenize(letters[:100])
    assert tokenizer.tokenize(letters[:101]) == [tokenizer.unk_token]
    assert tokenizer.tokenize("kit🙂chen") == [tokenizer.unk_token]


def test_one_shuffled_batch_of_four_keeps_one_on_average() -> None:
    kept = [sum(place == b for place, b in enumerate(order)) for order in permutations(range(4))]
    assert sum(kept) / len(kept) == 1


# --- BertViz


def test_our_lines_beside_bertviz_run_on_a_small_bert(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pocket: Pocket,
) -> None:
    sizes = {"hidden_size": 48, "num_attention_heads": 6, "intermediate_size": 64, "num_hidden_layers": 3}
    BertModel(BertConfig(vocab_size=len(pocket[0]), **sizes)).save_pretrained(tmp_path / "bert")
    pocket[0].save_pretrained(tmp_path / "bert")
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(text_of(BERTVIZ))
    ours = [block for block in blocks if not block.startswith("# BertViz")]
    assert len(ours) == 6
    assert len(blocks) - len(ours) == 4
    code = "".join(ours)
    assert '"bert-base-uncased"' in code
    names: dict[str, object] = {}
    exec(compile(code.replace('"bert-base-uncased"', '"bert"'), str(BERTVIZ), "exec"), names)  # noqa: S102
    page = (tmp_path / "attention.html").read_text(encoding="utf-8")
    assert "What attends to what" in page
    assert '<script type="text/plain" data-bvl-model=' not in page, "a recording, as the page beside it"
    assert not re.search(r"<(?:script|link)[^>]+(?:src|href)=.https?:", page)


@pytest.mark.parametrize("name", ["bert", "roberta", "gpt2", "llama"])
def test_the_recipe_for_a_pair_of_words_finds_them_in_tokens_of_every_kind(name: str) -> None:
    (recipe,) = [block for block in BLOCK.findall(text_of(BERTVIZ)) if "query=" in block]
    model, tokenizer = family(name)
    names: dict[str, Any] = {
        "Explorer": Explorer,
        "seen": capture(model, tokenizer, "the cat sits under the tree in the old house."),
    }
    code = (
        recipe.replace("Explorer(", "view = Explorer(")
        .replace('"key"', '"tree"')
        .replace('"park"', '"house"')
    )
    exec(compile(code, str(BERTVIZ), "exec"), names)  # noqa: S102 - our own page
    seen, view = names["seen"], names["view"]
    assert seen.tokens[view.query].endswith("tree")
    assert seen.tokens[view.key].endswith("house")


def test_the_readmes_lines_for_any_model_run_on_a_model_that_is_no_bert(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```py\n(.*?)^```$", text_of(ROOT / "README.md"), re.DOTALL | re.MULTILINE)
    for part in family("distilbert"):
        part.save_pretrained(tmp_path)
    code = block.replace('"distilbert-base-uncased"', repr(str(tmp_path)))
    assert code != block
    names: dict[str, Any] = {"capture": capture}
    exec(compile(code, "README.md", "exec"), names)  # noqa: S102 - our own page
    assert names["seen"].model_name == "DistilBertModel"
    again = capture(names["model"], names["tokenizer"], inputs=names["tokenizer"]("Your text."))
    assert again.tokens == names["seen"].tokens


def test_the_sites_first_page_says_how_to_use_it_on_a_model_of_ones_own() -> None:
    index = text_of(ROOT / "site" / "index.md")
    (line,) = re.findall(r"^- \*\*Use it on your own model\*\*.*?(?=^- )", index, re.DOTALL | re.MULTILINE)
    (install,) = re.findall(r"`(pip install \"bertviz-lite[^`]*)`", text_of(ROOT / "README.md"))
    assert f"`{install}`" in line
    assert "`bertviz-lite explore " in line
    assert "(../docs/coming_from_bertviz.md)" in line
