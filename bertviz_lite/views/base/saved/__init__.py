"""What a page of its own holds, and what it says around its view."""
