"""The town in English: words, phrases and sentences for its events.

``wordings`` says what each kind of event may sound like, in the notation of ``notation``; ``constructions``
varies it; ``teller`` puts sentences together from noun phrases (``phrases``), word forms (``grammar``) and
words (``lexicon``).

A renderer for another language would stand beside this package and offer the same: a ``Teller`` whose
``tell`` turns events into sentences. It needs words for the identifiers of ``town``, ``scene``, ``episodes``
and ``plot``, and wordings for all kinds of events. Left out: all that is true in any language.
"""

from bertviz_lite.world.english.teller import Teller

__all__ = ["Teller"]
