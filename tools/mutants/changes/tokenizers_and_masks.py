"""BERT's tokenizer, and the collator that masks tokens for training."""

from mutants.changes.places import COLLATOR, TEMPLATES, TOKENIZER, WORD_PIECES
from mutants.mutant import Mutant, tests_of

_SINGLE = '{str(self.cls_token)}:0 $A:0 {str(self.sep_token)}:0",\n            pair'
_PAIR = "$B:1 {str(self.sep_token)}:1"
_SHARES = (
    "mask_replace_prob: float = 0.8\n    random_replace_prob: float = 0.1\n"
    '    pad_to_multiple_of: int | None = None\n    return_tensors: str = "pt"\n    seed'
)
_CHAPTER_06 = ("notebooks/06_masking.ipynb",)

TOKENIZERS = (
    Mutant(
        "capitals-kept",
        "letters stay large",
        TOKENIZER,
        "lowercase=do_lower_case",
        "lowercase=False",
        WORD_PIECES,
    ),
    Mutant(
        "accents-kept",
        "accents stay on their letters",
        TOKENIZER,
        "strip_accents=strip_accents,\n            lowercase",
        "strip_accents=False,\n            lowercase",
        WORD_PIECES,
    ),
    Mutant(
        "chinese-not-set-apart",
        "a Chinese character is no word of its own",
        TOKENIZER,
        "handle_chinese_chars=tokenize_chinese_chars",
        "handle_chinese_chars=False",
        WORD_PIECES,
    ),
    Mutant(
        "cut-at-spaces-only",
        "punctuation stays on its word",
        TOKENIZER,
        "pre_tokenizers.BertPreTokenizer()",
        "pre_tokenizers.WhitespaceSplit()",
        WORD_PIECES,
    ),
    Mutant(
        "short-words-only",
        "a word of more than eight letters is unknown",
        TOKENIZER,
        "WordPiece(self._vocab, unk_token=str(unk_token))",
        "WordPiece(self._vocab, unk_token=str(unk_token), max_input_chars_per_word=8)",
        WORD_PIECES,
    ),
    Mutant(
        "pieces-written-with-one-sign",
        "pieces inside a word are looked up with # and not ##",
        TOKENIZER,
        "WordPiece(self._vocab, unk_token=str(unk_token))",
        'WordPiece(self._vocab, unk_token=str(unk_token), continuing_subword_prefix="#")',
        WORD_PIECES,
    ),
    Mutant(
        "second-text-in-segment-0",
        "both texts of a pair are in segment 0",
        TOKENIZER,
        _PAIR,
        _PAIR.replace(":1", ":0"),
        TEMPLATES,
    ),
    Mutant(
        "pair-without-last-sep",
        "a pair ends without [SEP]",
        TOKENIZER,
        " $B:1 {str(self.sep_token)}:1",
        " $B:1",
        TEMPLATES,
    ),
    Mutant(
        "text-without-cls",
        "a single text begins without [CLS]",
        TOKENIZER,
        _SINGLE,
        _SINGLE.replace("{str(self.cls_token)}:0 ", ""),
        tests_of("data/test_vocabulary.py", "test_a_single_text_stands_between_cls_and_sep_in_segment_0"),
    ),
)

MASKS = (
    Mutant(
        "nine-tenths-masked",
        "90 of 100 chosen tokens become [MASK], not 80",
        COLLATOR,
        _SHARES,
        _SHARES.replace("0.8", "0.9"),
        _CHAPTER_06,
    ),
    Mutant(
        "never-a-random-word",
        "no chosen token becomes a random one",
        COLLATOR,
        "inputs[indices_random] = random_words[indices_random]",
        "pass",
        _CHAPTER_06,
    ),
)
