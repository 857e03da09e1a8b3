"""What every view shares, in Python, JavaScript and CSS."""
