"""Texts that a tokenizer may trip over, in all scripts, with marks, emoji and tokens; and stories."""

from __future__ import annotations

import random
import unicodedata

from bertviz_lite.world import stories

LATIN = "abcXYZ ÀéîøÜßçñĂǆﬁﬀıİŁœ"
MARKED = "e\u0301 a\u030a\u0323 o\u0308\u0304 \u1e69 s\u0323\u0307 q\u0307\u0323 \u0344 ă\u0300 n\u0303\u0331"
GREEK = "Αθήνα ΟΔΟΣ σίσυφος ΐ Σ ς Ωμέγα ᾳ ῼ"
CYRILLIC = "Привет ЁЖИК й Й ї Ђ џ"
RIGHT_TO_LEFT = "שלום עולם שָׁלוֹם مرحبا بِكُمْ العالَم \u200f\u202e(ab)\u202c ﷺ ﻻ"
CHINESE = "你好世界 漢字𠀀 㐀 豈 﨩 中a文b 東京 々〆 カタカナ ひらがな ｶﾞ が が"
KOREAN = "안녕하세요 한국어 각 각"
INDIC = "नमस्ते क्षि বাংলা தமிழ் ไทย ภาษาไทย ລາວ မြန်မာ ខ្មែរ"
EMOJI = "😀 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 ❤️ 1️⃣ ☕︎ 🫠"
SPACES = "\t\n\r \x0b\x0c\x1c\x1f\x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
HIDDEN = (
    "\x00\x01\x7f\x80\xad\u200b\u200c\u200d\u2060\ufeff\ufffd\ufffe\ue000\U000e0001\U000f0000\u061c\u180e"
)
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~¡§«»¿–—‘’“”…‰′※⁂、。「」！？．；€£¥©®™°±×÷√∞≈¬ªº¹²"
MATHS = "𝐀𝑏𝒞𝟘 ℝ ℵ Å Ω ① Ⅷ ½ ﬀ ﹙ ＡＢｃ"
TOKENS = (
    "[MASK]",
    "[CLS]",
    "[SEP]",
    "[PAD]",
    "[UNK]",
    "[mask]",
    "[MASK",
    "MASK]",
    "[[MASK]]",
    "##s",
    "[ MASK ]",
)
SCRIPTS = (
    *(LATIN, MARKED, GREEK, CYRILLIC, RIGHT_TO_LEFT, CHINESE, KOREAN, INDIC),
    *(EMOJI, SPACES, HIDDEN, SIGNS, MATHS),
)


def story_texts(seed: int, count: int) -> list[str]:
    """Return sentences of stories that no training saw, in ones, twos and threes."""
    texts = []
    for number, story in enumerate(stories(seed=seed, n=count)):
        sentences = [str(sentence) for sentence in story.sentences]
        size = 1 + number % 3
        texts += [" ".join(sentences[i : i + size]) for i in range(0, len(sentences), size)]
    return texts[:count]


def odd_texts(seed: int, count: int) -> list[str]:
    """Return texts of pieces drawn from all scripts, single characters of all Unicode, words and tokens."""
    draw = random.Random(seed)
    known = ["", " ", "...", "?!", "\u0301", "\u200b", "[MASK]", "a" * 100, "a" * 101, "é" * 101, "x" * 300]
    known += [*SCRIPTS, *TOKENS, " ".join(TOKENS), "".join(TOKENS), SIGNS * 3]
    return known + [_odd_text(draw) for _ in range(count - len(known))]


def _odd_text(draw: random.Random) -> str:
    scripts = draw.choices(SCRIPTS, k=draw.randint(1, 4))
    pieces = []
    for _ in range(draw.randint(1, 30)):
        kind = draw.random()
        if kind < 0.6:
            script = draw.choice(scripts)
            start = draw.randrange(len(script))
            pieces.append(script[start : start + draw.randint(1, 6)])
        elif kind < 0.75:
            pieces.append(_any_character(draw))
        elif kind < 0.85:
            pieces.append(draw.choice(TOKENS))
        else:
            pieces.append(draw.choice(("the key", "Anna's", "lost", " ", "unhappily", "\n")))
    text = draw.choice(("", "", " ")).join(pieces)
    return unicodedata.normalize("NFD", text) if draw.random() < 0.25 else text


def _any_character(draw: random.Random) -> str:
    while True:
        code = draw.randrange(0x3000) if draw.random() < 0.5 else draw.randrange(0x110000)
        if not 0xD800 <= code < 0xE000:
            return chr(code)
