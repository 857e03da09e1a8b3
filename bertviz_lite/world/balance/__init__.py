"""How balanced a town's texts are: which words, forms and patterns they use, and how often.

The parts, from the ground up::

    parts         the parts of a sentence that a reader takes apart: questions, speech
    verbs         finite verbs by tense and number; passives, progressives, perfects, modals
    pronouns      personal pronouns by person, number and case
    patterns      a sentence with its content words replaced by their parts of speech
    used_words    how often the words of the town's list are used
    counting      all of it, counted over sentences
    aims          what a text needs so that a language can be learned from it
    report        tables to read

``python -m bertviz_lite.world.balance --town second`` prints the report. It reads the gold marks. Left out:
what the sentences mean.
"""
