"""Chapter 14, from the course to the library."""
