"""The parts behind `bertviz_lite.capture`: read the text, run and record, check the maps, hold the result."""
