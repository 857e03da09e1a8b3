"""The live model: a small BERT that learns agreement within a minute, its stories, exam and records."""
