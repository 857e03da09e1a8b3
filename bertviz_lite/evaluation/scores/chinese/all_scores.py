"""All scores of a model of Chinese in one call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.data.cloze import Cloze, guess
from bertviz_lite.evaluation.scores.chinese.counts import Accepts
from bertviz_lite.evaluation.scores.chinese.texts import ChineseSet
from bertviz_lite.evaluation.scores.minimal_pairs import score_minimal_pairs
from bertviz_lite.evaluation.scores.next_part import score_next_part
from bertviz_lite.evaluation.scores.probed import probed_senses
from bertviz_lite.evaluation.scores.results import NEEDED, Score, Scores
from bertviz_lite.world.chinese.grammar.text import Sentence, Story, Word
from bertviz_lite.world.chinese.lexicon import entry
from bertviz_lite.world.chinese.minimal import pronoun

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.data.encoded_stories import EncodedStory

_NEEDED = NEEDED | {"classifier": 0.95}

Wanted = Callable[[Story, Sentence, int], bool]


def _is_classifier(_: Story, sentence: Sentence, index: int) -> bool:
    return sentence.words[index].noun is not None and sentence.words[index].head is not None


def _is_pronoun(text: Story, sentence: Sentence, index: int) -> bool:
    """Return whether the one it speaks of is said to be a man or a woman, and nobody else could be meant."""
    return pronoun(text, sentence, index) is not None


def _determined(kind: str) -> Wanted:
    return lambda _, sentence, index: sentence.words[index].determined == kind


WANTED: dict[str, Wanted] = {
    "classifier": _is_classifier,
    "pronoun": _is_pronoun,
    "mention": _determined("mention"),
    "consequence": _determined("consequence"),
    "count": _determined("count"),
}
"""The kinds of words that are hidden one at a time."""


def accepts(word: Word, guessed: str) -> bool:
    """Return whether a guess is right: the word itself, or another classifier that the noun takes."""
    if guessed == word.text:
        return True
    return word.noun is not None and guessed in entry(word.noun).classifiers


def score_chinese(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: ChineseSet
) -> Scores:
    """Measure a model of Chinese; see ``TITLES`` and ``CHINESE_TITLES`` of ``results``."""
    scores = {
        kind: _hidden(model, tokenizer, evaluation_set, words, _NEEDED.get(kind))
        for kind, words in hidden_words(evaluation_set).items()
    }
    return Scores(
        scores
        | {
            "masked_words": _masked_words(model, tokenizer, evaluation_set),
            "next_part": score_next_part(model, tokenizer, evaluation_set),
            "minimal_pairs": _minimal_pairs(model, tokenizer, evaluation_set),
            "senses": probed_senses(model, evaluation_set),
        }
    )


Chosen = list[tuple["EncodedStory", int]]


def hidden_words(evaluation_set: ChineseSet) -> dict[str, Chosen]:
    """Return the words of each kind that are hidden: the number of each in its text."""
    found: dict[str, Chosen] = {kind: [] for kind in WANTED}
    for encoded in evaluation_set.test:
        text: Any = encoded.story
        for number, word in enumerate(text.words):
            for kind, wanted in WANTED.items():
                if wanted(text, text.sentences[word.sentence], word.index):
                    found[kind].append((encoded, number))
    rng = np.random.default_rng(0)
    most = evaluation_set.size.per_kind
    return {
        kind: [words[index] for index in sorted(rng.permutation(len(words))[:most].tolist())]
        for kind, words in found.items()
    }


def _hidden(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    evaluation_set: ChineseSet,
    words: Chosen,
    needed: float | None,
) -> Score:
    """Hide one word at a time; all its characters must be the first choices."""
    clozes = [Cloze.word(encoded.input_ids, *encoded.spans[number]) for encoded, number in words]
    guesses = guess(model, clozes, tokenizer.mask_token_id)
    texts: list[tuple[Any, Any]] = [(encoded.story, encoded.story.words[number]) for encoded, number in words]
    right = [
        accepts(word, "".join(tokenizer.convert_ids_to_tokens(one.best.tolist())))
        for (_, word), one in zip(texts, guesses, strict=True)
    ]
    return Score(_mean(right), len(right), needed, evaluation_set.counts.accuracies(texts, accepts))


def guess_at_once(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    evaluation_set: ChineseSet,
    rate: float = 0.15,
) -> tuple[Chosen, NDArray[np.bool_]]:
    """Hide a share of the words of each text at once, no punctuation.

    Returns
    -------
    tuple of list and ndarray
        The hidden words, and for each whether all its characters are the first choices.
    """
    rng = np.random.default_rng(1)
    clozes, hidden, bounds = [], Chosen(), []
    for encoded in evaluation_set.test[: evaluation_set.size.random_stories]:
        words: list[Any] = encoded.story.words
        chosen = [number for number, word in enumerate(words) if word.pos != "PUNCT" and rng.random() < rate]
        if not chosen:
            continue
        spans = [encoded.spans[number] for number in chosen]
        clozes.append(Cloze(encoded.input_ids, np.concatenate([np.arange(*span) for span in spans])))
        hidden += [(encoded, number) for number in chosen]
        bounds.append(np.cumsum([last - first for first, last in spans])[:-1])
    guesses = guess(model, clozes, tokenizer.mask_token_id)
    right = [
        part.all()
        for one, ends in zip(guesses, bounds, strict=True)
        for part in np.split(one.best == one.answers, ends)
    ]
    return hidden, np.array(right)


def _masked_words(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: ChineseSet
) -> Score:
    hidden, right = guess_at_once(model, tokenizer, evaluation_set)
    texts: list[tuple[Any, Any]] = [
        (encoded.story, encoded.story.words[number]) for encoded, number in hidden
    ]
    same: Accepts = lambda word, guessed: word.text == guessed  # noqa: E731
    baselines = evaluation_set.counts.accuracies(texts, same)
    return Score(_mean(right.tolist()), len(right), baselines=baselines)


def _minimal_pairs(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: ChineseSet
) -> Score:
    """Add what the rivals earn to the score, all together and by kind."""
    pairs = evaluation_set.pairs
    score = score_minimal_pairs(model, tokenizer, pairs)
    rivals = evaluation_set.counts.of_pairs(pairs)
    best = max(rivals, key=lambda name: _mean(rivals[name]))
    by_kind: dict[str, list[float]] = defaultdict(list)
    for pair, earned in zip(pairs, rivals[best], strict=True):
        by_kind[pair.kind].append(earned)
    details = score.details | {f"{kind}, {best}": _mean(earned) for kind, earned in sorted(by_kind.items())}
    baselines = score.baselines | {name: _mean(earned) for name, earned in rivals.items()}
    return Score(score.value, score.n, score.needed, baselines, details)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
