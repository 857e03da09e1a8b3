"""What every room may use: readable text, files written whole or not at all, picture records, threads."""
