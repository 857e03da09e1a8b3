"""Figures of chapter 13: nearness, rules, senses by layer, sizes of models, thresholds for a cosine."""
