"""A notebook as one HTML file whose views are alive: ``python -m bertviz_lite.views.pages.book``."""
