"""What the town knows, and what it tells: stories whose every word carries the truth about itself."""
