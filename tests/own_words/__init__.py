"""Sentences that people wrote in the town's words, to be answered by a model; see README.md."""
