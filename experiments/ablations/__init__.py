"""What does one decision of the recipe change? Small BERTs trained from nothing, each with one thing changed.

``python -m experiments.ablations --bf16`` trains the variants of ``VARIANTS`` one after the other on the same
number of inputs, scores each of them on the same stories, which none has read, and writes the recorded
numbers "ablations". The chapters on masking, the two heads and pre-training read them: the training takes too
long for a notebook.

A variant that is finished is not trained again; ``--only`` names the ones to be trained. Two of them differ
in the seed alone: the difference between those two is random, and a difference of the same size means
nothing.

Left out: more than two seeds, and the full length of training. What helps early need not help in the end.
"""
