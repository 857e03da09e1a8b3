"""Exercises of chapter 12, the whole BERT: the repair of each patient."""
