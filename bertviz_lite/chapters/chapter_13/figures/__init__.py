"""Figures of chapter 13: senses by layer, sizes of models, thresholds for a cosine."""
