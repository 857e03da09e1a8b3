"""What every room may use: printable tokens, files written whole or not at all, records in a PNG, threads."""
