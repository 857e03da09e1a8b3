"""Tests of what is shown of a trace."""
