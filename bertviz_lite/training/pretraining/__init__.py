"""Make the pocket model from nothing: ``python -m bertviz_lite.training.pretraining``.

The steps: write stories, learn a vocabulary from them, cut them into pairs, mask tokens, and train a
``BertForPreTraining`` to guess the masked tokens and to distinguish true pairs from false ones.
``transformers``' Trainer runs the loop, so ``accelerate launch -m bertviz_lite.training.pretraining …`` runs
the same program in several processes, on several GPUs and hosts (``--batch-size`` is per process; the global
batch is that times the number of processes).

A run that was killed goes on from its last checkpoint when the same command is given again, and ends with the
weights that it would have had.
"""
