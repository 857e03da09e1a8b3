"""A script as a storyteller tells it: who plays it, how it begins and ends, how its sentences hang together.

The parts, from the ground up::

    plans     a script, read once: its roles, what is spoken of again, the words that it uses
    players   the people of the town who play the roles, and what they are to the first of them
    joining   two clauses in a sentence: but, when, while, after, before, and
    openings  who a story is about, and when it happens
    endings   closing sentences, and what a thing looks like
"""
