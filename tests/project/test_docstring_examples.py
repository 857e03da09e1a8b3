"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import bertviz_lite

MODULES = [
    module.name
    for module in pkgutil.walk_packages(bertviz_lite.__path__, "bertviz_lite.")
    if not module.name.endswith("__main__")
]


@pytest.mark.thorough
def test_every_example_in_a_docstring_is_true(capsys: pytest.CaptureFixture[str]) -> None:
    results = [doctest.testmod(importlib.import_module(name)) for name in MODULES]
    assert sum(result.failed for result in results) == 0, capsys.readouterr().out
    assert sum(result.attempted for result in results) > 40
