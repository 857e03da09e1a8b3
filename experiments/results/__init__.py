"""The recorded numbers of all chapters in one document, docs/results.md."""
