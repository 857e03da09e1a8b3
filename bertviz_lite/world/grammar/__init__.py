"""English that composes: from what is meant to sentences in any tense, person, number and word order.

The parts, from the ground up::

    words         the words of the town, their kinds and their forms
    tokens        a word in the making, with its marks; a finished sentence
    referents     someone or something that is spoken of, and what the text has mentioned so far
    notation      clauses as the tables write them, "A | put on | A's hat"
    verb_groups   has not been lost, doesn't open, will find
    noun_phrases  a red kite, it, Anna's kite, the kite near the boxes
    clauses       statements, questions, negations, passives, relative clauses

Left out: what is said (``life``).
"""
