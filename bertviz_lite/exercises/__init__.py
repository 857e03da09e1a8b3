"""Exercises that say what is wrong: `check` an answer, `hint`, and a folded `solution`.

>>> from bertviz_lite.chapters.chapter_02 import exercises
>>> exercises.read_word.check(...)
read_word: not answered yet. For a hint: exercises.read_word.hint()
Verdict(passed=None)

To write the exercises of a chapter, write the solutions and the typical mistakes as plain functions; the rest
(checking, feedback, folded solutions, their tests) follows from those (see `chapters/chapter_02`); in short:

    @exercise(cases=lambda: [Case(3), Case(5)], hints=("What is 2 + 2?",))
    def double(number: int) -> int:
        '''Give twice the number.'''
        return 2 * number

    double.mistake("That is the square.", lambda number: number**2)
"""

from bertviz_lite.exercises.cases import Case, normal, uniform
from bertviz_lite.exercises.checking import Exercise, Verdict
from bertviz_lite.exercises.course_model import loaded
from bertviz_lite.exercises.making import exercise, question
from bertviz_lite.exercises.solutions import Solution

__all__ = ["Case", "Exercise", "Solution", "Verdict", "exercise", "loaded", "normal", "question", "uniform"]
