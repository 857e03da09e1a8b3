"""A text in the making: who and what is in it (``cast``), its tense and its sentences (``telling``)."""
