"""Tests of the data of pre-training."""
