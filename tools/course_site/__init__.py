"""The course as a site: which pages it has, and how each is made ready for Sphinx. See ``build_site.py``."""
