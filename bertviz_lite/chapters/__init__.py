"""Material of single chapters: their exercises, and code that only one of them uses."""
