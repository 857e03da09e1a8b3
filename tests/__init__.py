"""Tests: one file per module, the notebook checks, browser tests and benchmarks."""
