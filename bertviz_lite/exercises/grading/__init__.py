"""A class that hands in: student notebooks, and what each student's answers are worth.

`handout` makes student notebooks of chapters; `python -m bertviz_lite.exercises.grading FOLDER` grades what
comes back.

How an answer is graded:

1. `notebooks` reads the student's file as text. Nothing in it is run here, and no output of it is believed.
2. `slicing` finds the statements that the answer needs: the function, its helpers, the imports that they use.
3. `sandbox` runs these in a process of their own, with limits. It has the exercise's inputs and no solution.
4. The exercise itself, in this process, compares what comes back with its own solution: the same `check` and
   the same sentences that students read. A check that a student has replaced is replaced elsewhere.
5. `tampering` and `copying` say whether the answer is the student's own.

It keeps honest people honest. Against somebody who breaks out of a Python process, use a machine of its own.
"""
