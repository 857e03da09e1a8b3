"""WordPiece by hand: normalise, split into words, cut a word into word pieces, and learn a vocabulary.

What the Rust code of ``tokenizers`` does for BERT, in Python that can be read and stepped through:

>>> vocabulary = {"un", "##wrap", "##ped", "##p"}
>>> [tried.piece for tried in search("unwrapped", vocabulary).tries][-3:]
['##wrapp', '##wrap', '##ped']
>>> search("unwrapped", vocabulary).tokens
('un', '##wrap', '##ped')

Left out: offsets, speed, and special tokens written into a text (``[MASK]``): a tokenizer takes these out
first.
"""

from bertviz_lite.data.wordpiece.learning import Learned, Merge, learn
from bertviz_lite.data.wordpiece.searching import Search, Try, search
from bertviz_lite.data.wordpiece.text import is_chinese, is_punctuation, normalise, split_words

__all__ = [
    "Learned",
    "Merge",
    "Search",
    "Try",
    "is_chinese",
    "is_punctuation",
    "learn",
    "normalise",
    "search",
    "split_words",
]
