"""Tests of the public names, all together."""
