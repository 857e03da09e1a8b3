"""Take BERT's input embedding apart: token + position + segment, then LayerNorm.

``BertEmbeddings`` looks up one vector in each of three tables, adds them and normalises the sum. With the
standard deviation of the sum held at its value, LayerNorm is linear, so the result splits *exactly* into
what each part brings:

    normalised = gain * (total - mean(total)) / std + bias
               = gain * (token - mean(token)) / std          (contribution of the token)
               + gain * (position - mean(position)) / std    (of the position)
               + gain * (segment - mean(segment)) / std      (of the segment)
               + bias                                        (of LayerNorm itself)

because the mean of a sum is the sum of the means. Left out: dropout, which does nothing in eval mode, and
models whose embeddings are not BERT's (RoBERTa counts its positions differently, DistilBERT has no
segments).
"""

from bertviz_lite.evaluation.embeddings.lookup import input_parts
from bertviz_lite.evaluation.embeddings.parts import PART_NAMES, InputParts
from bertviz_lite.evaluation.embeddings.word_table import WordTable

__all__ = ["PART_NAMES", "InputParts", "WordTable", "input_parts"]
