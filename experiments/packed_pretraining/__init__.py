"""Train the pocket model on with packed rows, on a GPU.

The recipe's command (``bertviz_lite.training.pretraining``) gives each input a row of its own, padded: enough
for two cores. A GPU waits for it most of the time. Here every row of 128 positions is filled with whole
inputs that do not see each other, and a step is captured once as a CUDA graph and played again: 74,095 steps
of 32,768 positions took 522 seconds on an NVIDIA H200, 4.6 million tokens a second.
``python -m experiments.packed_pretraining --help`` has the settings of these as its defaults; four parts
more, on two cores, made the shipped weights (``written_by_hand/README.md``).

In the order in which a reader meets them::

    rows       whole inputs into rows of 128 positions
    producing  processes that cut, pair and pack the stories
    step       masks, both losses and both optimizers as one step
    __main__   the run: rates that rise and fall, and the model's folder

Left out: checkpoints (a run is minutes), the history and the card.
"""
