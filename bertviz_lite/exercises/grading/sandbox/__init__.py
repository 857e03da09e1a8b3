"""A process of its own for each answer, with limits on time and memory, and without the solution.

`parent` starts a helper once for all; the helper (`helper`) forks for each answer, where the system can, so
that torch is imported once. The child (`child`) makes the exercise's inputs, shuts its doors (`limits`,
`doors`), lets go of the solution (`stand_ins`), runs the student's statements, and does what it is asked:
"run input 2". What passes between them is JSON (`values`).
"""
