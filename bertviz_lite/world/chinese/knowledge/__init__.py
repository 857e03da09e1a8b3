"""What the town knows: small stories and events, in the notation of ``grammar/notation.py``."""
