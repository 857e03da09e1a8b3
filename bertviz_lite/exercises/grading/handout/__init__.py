"""Student notebooks: a chapter without its solutions, outputs and folded answers, marked for nbgrader."""

from bertviz_lite.exercises.grading.handout.making import HandoutError, make_handout, write_handout
from bertviz_lite.exercises.grading.handout.nbgrader_course import add_to_course

__all__ = ["HandoutError", "add_to_course", "make_handout", "write_handout"]
