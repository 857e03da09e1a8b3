"""Build the course as a site, to build/site: ``make site``.

Every chapter with live views, the page for phones, glossary, results, the API from docstrings. The first time
each chapter is run for its views, which takes some minutes each; a chapter that has not changed is not run
again. Warnings of Sphinx, links that lead nowhere and what would be loaded from elsewhere are errors.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from course_site.dead_links import dead_links
from course_site.pages import SiteError
from course_site.staging import Staging, environment, write_sitemap

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build" / "site"
MOST_MEGABYTES = 60


def build(alive: list[str] | None) -> None:
    """Build the site.

    Raises
    ------
    SiteError
        If something is wrong with it; the message says what.
    """
    staging = Staging(ROOT)
    staging.write(alive)
    command = [
        *(sys.executable, "-m", "sphinx", "--builder=html", "--fail-on-warning", "--keep-going", "--quiet"),
        f"--doctree-dir={ROOT / 'build' / 'site_doctrees'}",
        f"--conf-dir={ROOT / 'site'}",
        *(str(staging.source), str(SITE)),
    ]
    shutil.rmtree(SITE, ignore_errors=True)
    if subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode:
        raise SiteError("Sphinx has warnings: see above.")
    for source_map in SITE.rglob("*.map"):  # the theme's, for who mends the theme: 3.5 MB
        source_map.unlink()
    write_sitemap(SITE)
    if problems := dead_links(SITE):
        raise SiteError("\n".join(problems))
    megabytes = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file()) / 1e6
    if megabytes > MOST_MEGABYTES:
        raise SiteError(f"The site has {megabytes:.0f} MB, and may have {MOST_MEGABYTES}.")
    print(f"{len(staging.pages)} pages and the one for phones, {megabytes:.1f} MB: {SITE / 'index.html'}")


def main() -> int:
    """Build the site; the exit status says whether it is whole."""
    parser = argparse.ArgumentParser(prog="python tools/build_site.py", description=build.__doc__)
    parser.add_argument(
        "--alive", nargs="*", help="only these chapters get live views, the others pictures: 03_attention"
    )
    try:
        build(parser.parse_args().alive)
    except SiteError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
