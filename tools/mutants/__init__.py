"""Mutants: small wrong changes to `transformers` and to the package. The tests must notice each.

A change replaces one piece of a module's source while Python imports it, in a process of its own: no file
is changed. `python tools/mutants --help`.
"""
