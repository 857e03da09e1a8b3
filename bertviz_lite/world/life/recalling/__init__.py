"""Texts in which one of several named things comes back, and only the text says which.

Left out: what usually goes with what. All nouns that fit a place are equally likely there, so that nothing
but reading the text tells which of them returns.
"""

from bertviz_lite.world.life.recalling.recalling import tell_recall

__all__ = ["tell_recall"]
