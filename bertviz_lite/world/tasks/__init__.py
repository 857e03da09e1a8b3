"""Labelled sets from the town, to teach a model a task: ``sets`` makes them, the other files what they need."""
