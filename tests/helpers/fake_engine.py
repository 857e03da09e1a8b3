"""A model for views without torch: two layers of two seeded heads in numpy; its tokens are words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bertviz_lite.capture.errors import CaptureError
from bertviz_lite.capture.forward_pass import Maps, Pass
from bertviz_lite.capture.tokens import Tokens, word_numbers
from bertviz_lite.views.engine.interface import Encoded, Facts, TextWord

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "a", "cat", "dog", "sits", "sleeps", "she", ".")
_LAYERS, _HEADS, _SIZE = 2, 2, 8

Floats = npt.NDArray[np.float64]


class FakeEngine:
    """Satisfies ``Engine``; it counts in `passes` how often it ran."""

    def __init__(self, *, predicts: bool = True, positions: int = 24) -> None:
        draw = np.random.default_rng(0)
        self.table = draw.normal(size=(len(WORDS), _SIZE))
        self.places = draw.normal(size=(positions, _SIZE)) / 2
        self.matrices = draw.normal(size=(_LAYERS, _HEADS, 3, _SIZE, _SIZE)) / 2
        self.verdict = draw.normal(size=_SIZE)
        self.predicts = predicts
        self.passes = 0

    @property
    def facts(self) -> Facts:
        return Facts(
            "FakeBert",
            num_layers=_LAYERS,
            positions=len(self.places),
            vocab_size=len(WORDS),
            special_ids=(0, 1, 2, 3, 4),
            mask_token="[MASK]",
            mask_id=4,
            unknown_token="[UNK]",
            cls_token="[CLS]",
            sep_token="[SEP]",
        )

    def names(self, input_ids: Iterable[int]) -> list[str]:
        return [WORDS[number] for number in input_ids]

    def id_of(self, token: str) -> int | None:
        return WORDS.index(token) if token in WORDS else None

    def tokenize(self, text: str) -> list[str]:
        return [word if word in WORDS else "[UNK]" for word in text.split()]

    def encode(self, text: str, text_pair: str | None = None) -> Encoded:
        texts = [text] if text_pair is None else [text, text_pair]
        names, segments, words = ["[CLS]"], [0], []
        for segment, part in enumerate(texts):
            if not part.strip():
                raise CaptureError("text is empty: there is nothing to attend to.")
            for word, token in zip(part.split(), self.tokenize(part), strict=True):
                words.append(TextWord(word, len(names), len(names) + 1, segment))
                names.append(token)
            names.append("[SEP]")
            segments += [segment] * (len(names) - len(segments))
        return Encoded(_tokens(names, np.array(segments)), tuple(words))

    def run(
        self,
        encoded: Encoded,
        edits: Mapping[int, str] | None = None,
        heads_off: Sequence[tuple[int, int]] = (),
    ) -> Pass:
        tokens = encoded.tokens
        names = list(tokens.tokens)
        for position, token in (edits or {}).items():
            if token not in WORDS:
                raise CaptureError(f"{token!r} is not in the vocabulary.")
            names[position] = token
        if edits:
            tokens = _tokens(names, tokens.segments)
        weights, states = self._forward(tokens.input_ids, heads_off)
        logits = (states[-1] @ self.table.T).astype(np.float32) if self.predicts else None
        return Pass({"self": Maps(weights, tokens, tokens)}, "FakeBert", logits)

    def read_layers(self, encoded: Encoded, positions: Sequence[int]) -> Floats:
        if not self.predicts:
            raise TypeError("FakeBert has no language-model head.")
        _, states = self._forward(encoded.tokens.input_ids, ())
        return np.stack([state[list(positions)] @ self.table.T for state in states])

    def judge_pair(self, encoded: Encoded, hidden: Sequence[Sequence[int]] = ((),)) -> Floats:
        odds = []
        for positions in hidden:
            input_ids = np.array(encoded.tokens.input_ids)
            input_ids[list(positions)] = 4
            odds.append(float(self._forward(input_ids, ())[1][-1][0] @ self.verdict))
        return np.array(odds)

    def read_steps(self, encoded: Encoded, layer: int | None = None) -> dict[str, npt.NDArray[np.float32]]:
        """Return made-up vectors of a BERT's shapes; what goes in and out of a layer is its own."""
        ids = encoded.tokens.input_ids
        assert ids is not None
        _, states = self._forward(ids, ())
        made = np.random.default_rng(0 if layer is None else layer + 1)
        rows, size = len(ids), self.table.shape[1]
        names = ["word_embeddings", "position_embeddings", "token_type_embeddings", "embeddings", "transform"]
        steps = {
            name: made.normal(size=(rows, size)) for name in names if self.predicts or name != "transform"
        }
        steps |= {"embeddings": states[0], "seq_relationship_logits": made.normal(size=2)}
        steps |= {"pooler_output": np.tanh(made.normal(size=size))}
        if layer is not None:
            names = ["query", "key", "value", "context", "projected", "attended", "down"]
            steps = {name: made.normal(size=(rows, size)) for name in names}
            steps |= {name: made.normal(size=(rows, 4 * size)) for name in ("up", "activated")}
            steps |= {"input": states[layer], "output": states[layer + 1]}
        return {name: numbers.astype(np.float32) for name, numbers in steps.items()}

    def _forward(
        self, input_ids: npt.NDArray[np.int64] | None, heads_off: Sequence[tuple[int, int]]
    ) -> tuple[tuple[npt.NDArray[np.float32], ...], list[Floats]]:
        """Return the weights of every layer, and the vectors before the first and after every layer."""
        assert input_ids is not None
        if len(input_ids) > len(self.places):
            raise CaptureError(
                f"text has {len(input_ids)} tokens, FakeBert has {len(self.places)} positions."
            )
        self.passes += 1
        states, maps = [self.table[input_ids] + self.places[: len(input_ids)]], []
        for layer in range(_LAYERS):
            now, heads = states[-1], []
            added = np.zeros_like(now)
            for head in range(_HEADS):
                query, key, value = (now @ matrix for matrix in self.matrices[layer, head])
                scores = query @ key.T / np.sqrt(_SIZE)
                weights = np.exp(scores - scores.max(axis=1, keepdims=True))
                weights /= weights.sum(axis=1, keepdims=True)
                heads.append(weights)
                if (layer, head) not in heads_off:
                    added = added + weights @ value
            states.append(now + added)
            maps.append(np.stack(heads).astype(np.float32))
        return tuple(maps), states


def _tokens(names: Sequence[str], segments: npt.NDArray[np.int64]) -> Tokens:
    special = np.array([name in ("[CLS]", "[SEP]") for name in names])
    return Tokens(
        tuple(names),
        input_ids=np.array([WORDS.index(name) for name in names]),
        segments=np.array(segments),
        special=special,
        attention_mask=np.ones(len(names), dtype=bool),
        words=word_numbers(names, special, np.array(segments)),
    )
