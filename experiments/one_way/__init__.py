"""What does reading both ways at once bring? Measured on pocket models that have learned to read one way.

``python -m experiments.one_way --bf16`` trains the pocket model on for a while, three times: with each
token seeing only what is on its left, in every layer, only what is on its right, or everything. Then it masks
words of other texts and records, as "one_way", what the three guess, and what the two one-way models guess
together. That takes two minutes on a GPU, and about forty on a core of its own, with bfloat16.
Chapter 05 reads these numbers: the training takes too long for a notebook.

Left out: one-way models trained from nothing. These here start from weights that had both sides.
"""
