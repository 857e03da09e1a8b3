"""Programs that train for hours and write the recorded numbers; not in the wheel."""
