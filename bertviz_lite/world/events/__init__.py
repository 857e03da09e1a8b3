"""What there is in the town and what happens in it: people, places, things, scenes, episodes, plots."""
