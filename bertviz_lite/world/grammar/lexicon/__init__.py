"""The words of the town: which there are, their kinds and their forms."""
