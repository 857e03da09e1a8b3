"""Words drawn as rows of boxes: cut in several ways, and as their pieces grow."""
