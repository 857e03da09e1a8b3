"""Figures of chapter 13: nearness, senses by layer, sizes of models, thresholds for a cosine."""
