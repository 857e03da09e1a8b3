"""Chapters in other languages, held in step with their originals.

A translation has its original's file name and lies in a folder beside it that is named by its language:
`notebooks/zh/03_attention.ipynb`. It has the original's cells, by their ids and in their order. Code, outputs
and metadata are the original's, and are copied by `making`; the prose is the translator's. Each cell of prose
names in its metadata the text it was made from, so that `rules` can list those whose original has changed.
As code and outputs are proved equal, a translation is not run again: what a run says of its original holds.
"""
