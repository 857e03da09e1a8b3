"""Rules on a notebook's file, which need no kernel."""
