"""The exam in people's own words: what a model and its simple rivals earn in it."""
