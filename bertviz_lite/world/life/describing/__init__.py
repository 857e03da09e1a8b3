"""Descriptions: a few sentences of what is true in a scene, in the patterns in which people say it.

``reading`` reads the tables, ``drawing`` draws who and what is in a scene, ``nouns`` makes their noun phrases
and ``naming`` names them again, ``said`` knows what may be said of whom, ``writing`` makes
the sentences and ``opening`` what stands before them.
"""

from __future__ import annotations

from bertviz_lite.world.life.describing.writing import tell_description

__all__ = ["tell_description"]
