"""Teach the pocket model a task: a head of the standard kind, ``transformers``' Trainer, and an honest score.

Four kinds of examples (``world.tasks``), and for each the model class that ``transformers`` has for it::

    Labelled   BertForSequenceClassification    a label for a text, read off the pooled vector
    Pair       BertForSequenceClassification    the same for two texts, [CLS] A [SEP] B [SEP]
    Tagged     BertForTokenClassification       a label for every word, read off its first token
    Question   BertForQuestionAnswering         first and last token of the answer; [CLS] where there is none

>>> from bertviz_lite.models.loading import load
>>> from bertviz_lite.world.tasks.sets import feelings, split
>>> tokenizer, pocket = load("pocket")
>>> train, test = split(feelings, 8, 20)
>>> tuned = fine_tune(pocket, tokenizer, train, recipe=FineTuning(epochs=1), progress=False)
>>> type(tuned.model).__name__, tuned.steps
('BertForSequenceClassification', 1)

Left out: early stopping, several devices, and answers longer than ``LONGEST_ANSWER`` tokens.
"""

from bertviz_lite.training.finetuning.heads import HEADS, new_model, with_old_heads
from bertviz_lite.training.finetuning.recipe import FineTuning
from bertviz_lite.training.finetuning.trainer import Tuned, fine_tune

__all__ = ["HEADS", "FineTuning", "Tuned", "fine_tune", "new_model", "with_old_heads"]
