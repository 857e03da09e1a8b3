"""Whole-word masking in Chinese: which characters are hidden together.

``python -m experiments.ablations --town chinese --bf16 --jobs 2`` trains small BERTs of Chinese, three seeds
each, that read the same texts and have the same share of characters hidden, and differ in one thing: whether
characters are hidden one by one, by the words that the town marks, by the words that a segmenter finds which
has learned from bare text, or by pieces as long as words that are put anywhere. It writes the recorded
numbers "chinese_masking".

    boundaries    which characters go on with a word, in each arm; how many words an arm finds
    segmenter     a segmenter that learns from bare text
    labelled      two labelled sets: names, and feelings
    measuring     everything that is measured of a model

``python -m experiments.chinese_words`` adds, without training, how far the words of each arm are the
town's, and hidden words by their length.

The arms and the run are in ``ablations`` (``chinese_town``). Cui et al. (2021, Pre-training with whole word
masking for Chinese BERT) found on ten tasks of people's texts, with segmented words, gains from none to about
two points over characters one by one.
"""
