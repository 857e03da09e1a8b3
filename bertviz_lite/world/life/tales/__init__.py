"""A script as a storyteller tells it: who plays it, how it begins and ends, how its sentences hang together.

The parts, from the ground up::

    traits    who the people of a script are, what it speaks of again, its words and its tense
    plans     a script made ready with these
    news      good and bad news, and what goes against the clause before it
    kinship   what people of a family are to one another
    townsfolk people of an age or a job, with names and without
    players   who plays which role: the first person, and what the others are to her or him
    joining   two clauses in a sentence: but, when, while, after, before, and
    present   what is so before the story and after it, told in the present
    openings  who a story is about, and when it happens
    endings   closing sentences, and what a thing looks like
    storyteller  a script step by step
    scripts   a story: a script, and another one where the first is short
"""
