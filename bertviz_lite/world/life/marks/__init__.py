"""Which words of a finished text leave only one word, judged by the whole of it."""

from bertviz_lite.world.life.marks.determined import keep_sure_marks

__all__ = ["keep_sure_marks"]
