"""The path of one tensor as a picture."""
