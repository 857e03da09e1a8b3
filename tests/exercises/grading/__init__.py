"""Tests of what a class gets and hands in."""
