"""Exercises that say what is wrong: one module a chapter, one object an exercise.

>>> from bertviz_lite.exercises import chapter_02 as exercises
>>> exercises.lengths.check(...)
lengths: not answered yet. For a hint: exercises.lengths.hint()
Verdict(passed=None)

To write the exercises of a chapter, write the solutions and the typical mistakes as plain functions; the rest
(checking, feedback, folded solutions, their tests) follows from those. `chapter_02` is an example; in short:

    @exercise(cases=lambda: [Case(3), Case(5)], hints=("What is 2 + 2?",))
    def double(number: int) -> int:
        '''Give twice the number.'''
        return 2 * number

    double.mistake("That is the square.", lambda number: number**2)
"""

from bertviz_lite.exercises._exercise import Case, Exercise, Solution, Verdict, exercise, loaded, question

__all__ = ["Case", "Exercise", "Solution", "Verdict", "exercise", "loaded", "question"]
