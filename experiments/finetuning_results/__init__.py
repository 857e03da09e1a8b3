"""What does pre-training bring, and what may go wrong in fine-tuning? Measured for chapter 11.

``python -m experiments.finetuning_results`` fine-tunes the pocket model on the town's tasks many times and
writes the recorded numbers "finetuning_results": some fifteen minutes of one core. A measurement that was
made is not made again; the folder ``--runs`` keeps them one by one, and the same command started several
times shares the work.

The parts of the file, each explained in its "notes":

``baselines``   each task by majority and by single words, without a model
``tasks``       each task with the standard head
``curve``       the feelings learned from 30 to 300 examples: pre-trained, frozen, random, word2vec + BiLSTM
                and word counts
``best_of_runs``   trainings that differ in their seed alone, on a small test set and on many new texts
``layers``      the names read off every layer by a linear map, nothing fine-tuned
``rates``       learning rates, too low to too high; and what the model has forgotten of pre-training
``imbalance``   when nearly all examples have one label

Left out: choosing a recipe for each size (all have the same one, but for the learning rate from random
weights), and the best possible scores.
"""
