"""The composing grammar: lines of the tables in, words with marks out.

The parts, from the ground up::

    text         words, sentences and stories with their marks
    notation     how a line of a table is read
    numbers      how numbers are written
    beings       whom and what a story speaks of, and the words for them
    discourse    who is spoken of now: name, pronoun, or nothing at all
    voice        把, 被 or plain order
    drafts       words before the story is laid out
    telling      sentence by sentence
"""
