"""Labelled sets from the town, for teaching a model a task."""

from bertviz_lite.world.tasks.sets import *  # noqa: F403
