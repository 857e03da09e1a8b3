"""What has the model learned? Scores against the truth of the town, on stories that training has not seen.

``python -m bertviz_lite.evaluation.scores [folder]`` prints the table for a model folder (the pocket model
without one).

The seeds of the stories are set apart: training may use those below 900 million (``corpus.story_seeds``), and
these scores use those above.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.cloze import Cloze, guess, slot_clozes
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.pairs import Mix, pair_block
from bertviz_lite.data.pretraining.shards import Shard, fingerprint, story_seeds
from bertviz_lite.evaluation.probes import (
    best_head,
    largest_weights,
    person_relations,
    score_senses,
    sense_vectors,
    subject_relations,
)
from bertviz_lite.models import POCKET
from bertviz_lite.world import minimal_pairs, stories
from bertviz_lite.world.events.text import DETERMINED

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.world import MinimalPair, Story

EVALUATION_SEED = 900_000_000
NEEDED = {
    "agreement": 0.97,
    "pronoun": 0.95,
    "mention": 0.90,
    "consequence": 0.95,
    "next_part": 0.95,
    "minimal_pairs": 0.95,
    "senses": 0.95,
}
TITLES = {
    "agreement": "masked word: agreement",
    "pronoun": "masked word: pronoun",
    "mention": "masked word: already mentioned",
    "consequence": "masked word: consequence of a need",
    "masked_words": "all masked words (15 % of them)",
    "next_part": "true next part or another story's",
    "minimal_pairs": "minimal pairs",
    "senses": "sense of a two-sense word",
    "head.subject": "best head: verb -> subject",
    "head.person": "best head: pronoun -> its person",
}


@dataclass(frozen=True)
class Score:
    """One measured number.

    Attributes
    ----------
    value
        Share that is right, 0 to 1; not a number where there was nothing to ask.
    n
        Number of items.
    needed
        The least value that will do, or None.
    baselines
        The same share for simpler ways to answer, by name.
    details
        More numbers, by name: shares of parts, the layer or head that was chosen.
    """

    value: float
    n: int
    needed: float | None = None
    baselines: dict[str, float] = field(default_factory=dict)
    details: dict[str, float] = field(default_factory=dict)

    @property
    def passed(self) -> bool | None:
        """Whether the value reaches what is needed; None where nothing is."""
        return None if self.needed is None else self.value >= self.needed


class Scores(dict[str, Score]):
    """Scores by name; see ``TITLES`` for what the names mean."""

    @property
    def missed(self) -> list[str]:
        """Names of the scores below what is needed."""
        return [name for name, score in self.items() if score.passed is False]

    def to_json(self) -> str:
        """Return the scores as JSON text; numbers with four digits."""
        return json.dumps({name: _rounded(asdict(score)) for name, score in self.items()}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Scores:
        """Read what ``to_json`` wrote."""

        def number(value: float | None) -> float:
            return float("nan") if value is None else value

        read = {}
        for name, entry in json.loads(text).items():
            parts = {
                part: {title: number(value) for title, value in entry[part].items()}
                for part in ("baselines", "details")
            }
            read[name] = Score(**{**entry, "value": number(entry["value"]), **parts})
        return cls(read)

    def table(self) -> str:
        """Return a Markdown table, one row a score."""
        rows = ["| what | score | needed | beside it | items |", "| --- | --- | --- | --- | --- |"]
        for name, score in self.items():
            needed = (
                "" if score.needed is None else f"{score.needed:.2f} {'met' if score.passed else 'MISSED'}"
            )
            beside = ", ".join(f"{title} {value:.3f}" for title, value in score.baselines.items())
            rows.append(
                f"| {TITLES.get(name, name)} | {score.value:.4f} | {needed} | {beside} | {score.n:,} |"
            )
        return "\n".join(rows)


def _rounded(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {key: _rounded(entry) for key, entry in value.items()}
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, 4)
    return value


@dataclass(frozen=True)
class Size:
    """How much to ask.

    Attributes
    ----------
    stories
        Stories for the test half, and as many for choosing layers and heads and for centroids.
    per_kind
        Masked words at most for each kind of determined word.
    random_stories
        Stories for the random masks.
    head_stories
        Stories for attention.
    minimal_pairs
        Pairs of each kind.
    counted
        Training stories counted for the unigram and bigram guesses.
    """

    stories: int = 2_000
    per_kind: int = 1_200
    random_stories: int = 400
    head_stories: int = 300
    minimal_pairs: int = 100
    counted: int = 4_000


FULL = Size()
QUICK = Size(stories=700, per_kind=200, random_stories=60, head_stories=80, minimal_pairs=20, counted=1_000)


@dataclass(frozen=True)
class Questions:
    """All that is asked, encoded once for many models that share a tokenizer.

    Attributes
    ----------
    test, choosing
        Stories that are scored, and stories that only choose (layer, head) and give centroids.
    fitting
        Share of the test stories that fit into the model and are therefore used.
    corpus
        The test stories as a corpus, for pairs.
    pairs
        Minimal pairs.
    words
        Counts of training text: for ``count_words``.
    size
        How much.
    """

    test: list[EncodedStory]
    choosing: list[EncodedStory]
    fitting: float
    corpus: Corpus
    pairs: list[MinimalPair]
    words: Neighbours
    size: Size

    @classmethod
    def make(
        cls,
        tokenizer: PreTrainedTokenizerFast,
        size: Size = FULL,
        seed: int = EVALUATION_SEED,
        training_seed: int = 0,
    ) -> Questions:
        """Write the stories and encode them.

        Raises
        ------
        ValueError
            Where ``seed`` may be one that training uses.
        """
        if seed < EVALUATION_SEED:
            raise ValueError(f"seed={seed}: training may have used it; take {EVALUATION_SEED:,} or more")
        told = stories(seed, size.stories)
        test = encode_stories(told, tokenizer)
        sentences = [[str(sentence) for sentence in story.sentences] for story in told]
        return cls(
            test=test,
            choosing=encode_stories(stories(seed + 1, size.stories), tokenizer),
            fitting=len(test) / len(told),
            corpus=Corpus([Shard.of(sentences, tokenizer.backend_tokenizer)]),
            pairs=minimal_pairs(seed + 2, size.minimal_pairs),
            words=Neighbours.count(stories(story_seeds(training_seed, 0), size.counted)),
            size=size,
        )

    def fingerprints(self) -> set[int]:
        """Return a fingerprint of each story that is asked about, to compare with ``Corpus.fingerprints``."""
        return {fingerprint(str(encoded.story)) for encoded in [*self.test, *self.choosing]}


def score(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    questions: Questions | None = None,
    *,
    quick: bool = False,
) -> Scores:
    """Measure a ``BertForPreTraining``.

    Parameters
    ----------
    model
        The model; its mode and kind of attention are left as they were.
    tokenizer
        Its tokenizer.
    questions
        What to ask; made for this tokenizer when missing.
    quick
        Without ``questions``: ask less, for a first impression.

    Returns
    -------
    Scores
        See ``TITLES``.
    """
    questions = questions or Questions.make(tokenizer, QUICK if quick else FULL)
    mask_id = tokenizer.mask_token_id
    return Scores(
        score_determined(model, questions, mask_id)
        | {
            "masked_words": score_masked_words(model, questions, mask_id),
            "next_part": score_next_part(model, tokenizer, questions),
            "minimal_pairs": score_minimal_pairs(model, tokenizer, questions.pairs),
            "senses": _score_senses(model, questions),
        }
        | _score_heads(model, questions)
    )


def score_determined(model: BertForPreTraining, questions: Questions, mask_id: int) -> dict[str, Score]:
    """Hide one determined word at a time in its whole story; every piece must be the model's first choice.

    The baseline is the best guess from the words left and right of it.
    """
    results = {}
    for kind in DETERMINED:
        found = [
            (story, number)
            for story in questions.test
            for number, word in enumerate(story.story.words)
            if word.determined == kind
        ]
        # Spread over all stories rather than the first ones.
        rng = np.random.default_rng(0)
        chosen = sorted(rng.permutation(len(found))[: questions.size.per_kind].tolist())
        asked = [found[index] for index in chosen]
        right = _all_right(
            model, [Cloze.word(story.input_ids, *story.spans[number]) for story, number in asked], mask_id
        )
        by_guess = questions.words.share_right([(story.story, number) for story, number in asked])
        results[kind] = Score(
            right, len(asked), NEEDED[kind], {"both neighbours": by_guess["both neighbours"]}
        )
    return results


def _all_right(model: BertForPreTraining, clozes: Sequence[Cloze], mask_id: int) -> float:
    results = guess(model, clozes, mask_id)
    return float(np.mean([result.right for result in results])) if results else float("nan")


def score_masked_words(
    model: BertForPreTraining, questions: Questions, mask_id: int, rate: float = 0.15
) -> Score:
    """Hide 15 % of the words of each story at once, no punctuation; all pieces of a word must be right."""
    rng = np.random.default_rng(1)
    clozes, words, bounds = [], [], []
    for story in questions.test[: questions.size.random_stories]:
        numbers = [number for number, word in enumerate(story.story.words) if word.pos != "PUNCT"]
        chosen = [number for number in numbers if rng.random() < rate]
        if not chosen:
            continue
        hidden = np.concatenate([np.arange(*story.spans[number]) for number in chosen])
        clozes.append(Cloze(story.input_ids, hidden))
        words += [(story.story, number) for number in chosen]
        bounds.append(np.cumsum([story.spans[number][1] - story.spans[number][0] for number in chosen]))
    right = [
        bool(part.all())
        for result, ends in zip(guess(model, clozes, mask_id), bounds, strict=True)
        for part in np.split(result.best == result.answers, ends[:-1])
    ]
    value = float(np.mean(right)) if right else float("nan")
    return Score(value, len(words), baselines=questions.words.share_right(words))


def score_next_part(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, questions: Questions
) -> Score:
    """Tell true pairs (label 0) from pairs with another story's second part (label 1), half of each.

    The score is for parts of three sentences or more: a part of one sentence often names nobody ("He was
    glad."), and then nothing says which story it is from. The details say how the model fares on those too.
    """
    shares = {}
    count = 0
    mixes = {"whole": Mix(0, 0, 0, fewest=3), "anywhere": Mix(0, 0, 0), "short": Mix(0, 1, 0)}
    for name, mix in mixes.items():
        chosen = np.arange(min(len(questions.corpus), 1_000))
        block = pair_block(questions.corpus, chosen, np.random.default_rng(2), mix)
        kept = np.flatnonzero(block.labels >= 0)
        rows, firsts = [], []
        for index in kept:
            first = questions.corpus.token_ids(block.a_first[index], block.a_last[index])
            second = questions.corpus.token_ids(block.b_first[index], block.b_last[index])
            cls, sep = [tokenizer.cls_token_id], [tokenizer.sep_token_id]
            rows.append(np.concatenate([cls, first, sep, second, sep]).astype(np.int64))
            firsts.append(len(first) + 2)
        predicted = np.zeros(len(rows), np.int64)
        with ready(model):
            for batch in batches([len(row) for row in rows]):
                input_ids, attention_mask = pad([rows[index] for index in batch], model.device)
                positions = torch.arange(input_ids.shape[1], device=model.device)
                starts = torch.tensor([firsts[index] for index in batch], device=model.device)
                token_type_ids = (positions >= starts[:, None]).long() * attention_mask
                pooled = model.bert(
                    input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
                ).pooler_output
                predicted[batch] = model.cls.seq_relationship(pooled).argmax(-1).cpu().numpy()
        shares[name] = float((predicted == block.labels[kept]).mean())
        if name == "whole":
            count = len(rows)
    details = {"cut after any sentence": shares["anywhere"], "two to four sentences in all": shares["short"]}
    return Score(shares["whole"], count, NEEDED["next_part"], {"chance": 0.5}, details)


def score_minimal_pairs(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, pairs: Sequence[MinimalPair]
) -> Score:
    """Compare the probability of the right and the wrong form in the same place."""
    clozes, owners = [], []
    for number, pair in enumerate(pairs):
        for side, word in enumerate((pair.right, pair.wrong)):
            for cloze in slot_clozes(pair.before, word, pair.after, tokenizer):
                clozes.append(cloze)
                owners.append((number, side))
    sums = np.zeros((len(pairs), 2))
    for (number, side), guesses in zip(owners, guess(model, clozes, tokenizer.mask_token_id), strict=True):
        sums[number, side] += guesses.log_probability.sum()
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for pair, (right, wrong) in zip(pairs, sums, strict=True):
        by_kind[pair.kind].append(bool(right > wrong))
    details = {kind: float(np.mean(results)) for kind, results in sorted(by_kind.items())}
    value = float(np.mean([result for results in by_kind.values() for result in results]))
    return Score(value, len(pairs), NEEDED["minimal_pairs"], {"chance": 0.5}, details)


def _score_senses(model: BertForPreTraining, questions: Questions) -> Score:
    result = score_senses(sense_vectors(model, questions.choosing), sense_vectors(model, questions.test))
    details = {f"layer {layer}": value for layer, value in enumerate(result.by_layer)}
    details |= {"chosen layer": result.layer, "words": len(result.by_word)} | result.by_word
    return Score(
        result.accuracy, result.occurrences, NEEDED["senses"], {"static embedding": result.static}, details
    )


def _score_heads(model: BertForPreTraining, questions: Questions) -> dict[str, Score]:
    half = questions.size.head_stories
    encoded = [
        story for two in zip(questions.choosing[:half], questions.test[:half], strict=False) for story in two
    ]
    subjects, persons = subject_relations(encoded), person_relations(encoded)
    # Both relations are read off the same attention: the model runs once.
    found = largest_weights(model, encoded, [*subjects, *persons])
    bounds = {"head.subject": slice(len(subjects)), "head.person": slice(len(subjects), None)}
    scores = {}
    for (name, part), relations in zip(bounds.items(), (subjects, persons), strict=True):
        result = best_head(relations, *(places[part] for places in found))
        details = {
            "layer": result.layer,
            "head": result.head,
            "with [CLS] and [SEP]": result.with_special,
            "offset of the guess": result.offset,
        }
        scores[name] = Score(
            result.accuracy, result.occurrences, None, {"fixed offset": result.guess}, details
        )
    return scores


class Neighbours:
    """Guesses from counts of training text: the most frequent word, alone and beside its neighbours."""

    START = "<start>"

    def __init__(self) -> None:
        self.alone: Counter[str] = Counter()
        self.left: dict[str, Counter[str]] = defaultdict(Counter)
        self.both: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    @classmethod
    def count(cls, told: Sequence[Story]) -> Neighbours:
        """Count the words of some stories, lower-cased; only words, not punctuation, are guessed."""
        counts = cls()
        for story in told:
            texts = counts._texts(story)
            for number, word in enumerate(story.words):
                if word.pos == "PUNCT":
                    continue
                before, text, after = texts[number : number + 3]
                counts.alone[text] += 1
                counts.left[before][text] += 1
                counts.both[before, after][text] += 1
        return counts

    def _texts(self, story: Story) -> list[str]:
        return [self.START, *(word.text.lower() for word in story.words), self.START]

    def share_right(self, words: Sequence[tuple[Story, int]]) -> dict[str, float]:
        """Return the share of words, given as story and number, that each guess gets right.

        "left neighbour" falls back on the most frequent word, and "both neighbours" on "left neighbour",
        where the training text has nothing like it.
        """
        hits = {"most frequent word": 0, "left neighbour": 0, "both neighbours": 0}
        commonest = _first(self.alone)
        for story, number in words:
            before, text, after = self._texts(story)[number : number + 3]
            by_left = _first(self.left.get(before, Counter())) or commonest
            by_both = _first(self.both.get((before, after), Counter())) or by_left
            hits["most frequent word"] += text == commonest
            hits["left neighbour"] += text == by_left
            hits["both neighbours"] += text == by_both
        return {name: count / len(words) if words else float("nan") for name, count in hits.items()}


def _first(counts: Counter[str]) -> str | None:
    return min(counts, key=lambda text: (-counts[text], text)) if counts else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table for a model; the exit status is 1 where a needed value is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.evaluation.scores", description=main.__doc__
    )
    parser.add_argument("folder", nargs="?", type=Path, default=POCKET)
    parser.add_argument("--quick", action="store_true", help="ask less, for a first impression")
    options = parser.parse_args(arguments)
    from transformers import AutoTokenizer, BertForPreTraining

    if not (options.folder / "config.json").is_file():
        print(f"{options.folder} holds no model (no config.json)", file=sys.stderr)
        return 2
    tokenizer: Any = AutoTokenizer.from_pretrained(options.folder)
    model = BertForPreTraining.from_pretrained(options.folder)
    scores = score(model, tokenizer, quick=options.quick)
    print(scores.table())
    for name, result in scores.items():
        if result.details:
            print(f"{name}:", ", ".join(f"{part} {value:.4g}" for part, value in result.details.items()))
    return 1 if scores.missed else 0


if __name__ == "__main__":
    sys.exit(main())
