"""What does one decision of the recipe change? Small BERTs trained from nothing, each with one thing changed.

``python -m experiments.ablations --bf16 --jobs 2`` trains each variant of ``second_town`` with three seeds,
fine-tunes all of them for two tasks, and writes the recorded numbers "ablations_second". The chapters on
masking, the two heads and pre-training read them: the training takes too long for a notebook. For whole-word
masking in Chinese, see ``chinese_masking``.

All variants get the same number of inputs, and are measured on the same stories, which none has read. The
texts of training are made once and shared. What a run leaves, the model and what was measured, stays in its
folder: the same command goes on where it was killed, and does nothing twice. ``--only``, ``--seeds`` and
``--steps`` choose what is run; to measure a finished model again, remove its ``result.json``.

The files, from the ground up::

    variants      what a variant can change
    second_town   the recipe, and its variants
    texts         the training text
    second_head   inputs for other second heads; how well they tell pairs apart
    training      one run
    tasks         fine-tuning for a task
    measuring     everything that is measured of a model
    plans         what is trained and measured, in English and in Chinese
    work          a run from nothing to its numbers
    queue         several runs side by side, under one progress bar
    chinese_town  the four arms of whole-word masking in Chinese
    fewer_layers  one, two and three layers: the live model of chapter 10, a command of its own

How much of a difference is random, only seeds can tell: see ``BySeed``.

Left out: the full length of training. What helps early need not help in the end.
"""
