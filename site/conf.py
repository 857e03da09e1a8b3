"""Sphinx's configuration of the site; ``make site`` makes the pages ready and calls Sphinx."""

import re
from pathlib import Path

from course_site.links import SCHEME
from course_site.pages import ADDRESS, CHAPTERS, HOME, IN_CHINESE

import bertviz_lite

ROOT = Path(__file__).resolve().parent.parent

project = "bertviz-lite"
author = "The bertviz-lite contributors"
project_copyright = f"{author}; text CC BY 4.0, code MIT"
release = version = bertviz_lite.__version__
html_title = "bertviz-lite"
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinxext.opengraph",
    "course_site.formulas",
]
exclude_patterns = ["first_view.html"]
suppress_warnings = ["config.cache"]

# Chapters are shown as they are stored: they were run before.
nb_execution_mode = "off"
nb_merge_streams = False
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "mailto": None, SCHEME: "{{path}}#{{fragment}}"}
# Formulas are drawn by the browser: no MathJax.
html_math_renderer = "mathml"

autodoc_member_order = "bysource"
autodoc_typehints = "none"
add_module_names = False
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "sphinx_book_theme"
html_baseurl = ADDRESS
html_context = {"default_mode": "auto"}
templates_path = ["templates"]
html_static_path = ["static"]
html_extra_path = [str(ROOT / "build" / "site_beside")]
html_css_files = ["site.css"]
html_favicon = "static/icon.svg"
html_logo = "static/icon.svg"
html_copy_source = False
html_show_sourcelink = False
# A page from a disk may not fetch: without summaries the search needs nothing but its index.
html_show_search_summary = False
html_sidebars = {"**": ["door.html", "sbt-sidebar-nav.html"]}
html_theme_options = {
    "navbar_persistent": [],  # the search has its place beside the text
    "repository_url": HOME,
    "use_repository_button": True,
    "use_issues_button": True,
    "use_download_button": False,
    "use_fullscreen_button": False,
    "home_page_in_toc": True,
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "logo": {"text": "bertviz-lite", "alt_text": "bertviz-lite, first page"},
}

ogp_site_url = ADDRESS
ogp_image = f"{ADDRESS}attention_explorer.png"
ogp_image_alt = "The attention explorer: from where the word “he” takes what it needs."
ogp_social_cards = {"enable": False}


def _finish(app, page, template, context, doctree) -> None:  # noqa: ANN001, ARG001
    """Give pages with views their style sheet and Chinese ones their language; a heading has words."""
    if page == "index" or page.startswith(CHAPTERS):
        context["css_files"] = [*context["css_files"], "views/views.css"]
    if page == IN_CHINESE or page.startswith(f"{CHAPTERS}/{IN_CHINESE}/"):
        context["language"] = "zh"
    if "body" in context:
        context["body"] = re.sub(r'<th class="[^"]*head"><p></p></th>', "<td></td>", context["body"])


def setup(app) -> None:  # noqa: ANN001
    """Tell Sphinx."""
    app.connect("html-page-context", _finish)
