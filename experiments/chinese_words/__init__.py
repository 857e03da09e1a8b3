"""What is told of the words of the Chinese arms, without training: `python -m experiments.chinese_words`."""
