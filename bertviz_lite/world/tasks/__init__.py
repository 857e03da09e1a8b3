"""Labelled sets from the town, to teach a model a task; ``sets`` makes them with the help of the others."""
