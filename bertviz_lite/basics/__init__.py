"""What every room may use: tokens as printable text, files written whole or not at all, torch's threads."""
