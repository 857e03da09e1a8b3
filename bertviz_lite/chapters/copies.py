"""A reader's copies of the chapters, to run and change.

The copies have no outputs, which would give away what a chapter asks to predict, and the chapters themselves
stay as they are: an update of the course meets no changes of the reader's. A copy whose cells were only run
follows its chapter; one that holds the reader's own work is never touched.
"""

from __future__ import annotations

from pathlib import Path

from bertviz_lite.basics.notebook_files import course_files, in_its_file, read, sources, without_outputs

__all__ = ["copy_chapters", "is_unchanged"]

AS_COPIED = ".as_copied"  # beside the copies: what each was when it was made


def copy_chapters(chapters: Path, copies: Path) -> list[str]:
    """Make the copies that are missing, and renew those that the reader has not changed.

    Parameters
    ----------
    chapters
        The folder of the chapters; those in Chinese are in ``zh`` below it, and so are their copies.
    copies
        The reader's folder.

    Returns
    -------
    list of str
        A line for each copy that is behind its chapter, and why it was left.
    """
    left = []
    for chapter in course_files(chapters):
        name = chapter.relative_to(chapters)
        copy, as_copied = copies / name, copies / AS_COPIED / name
        for file in (copy, as_copied):
            file.parent.mkdir(parents=True, exist_ok=True)
        bare = in_its_file(without_outputs(read(chapter)))
        if as_copied.exists() and as_copied.read_text(encoding="utf-8") == bare and copy.exists():
            continue
        if copy.exists() and not is_unchanged(copy, as_copied):
            left.append(
                f"{copies.name}/{name.as_posix()} has your changes and is left as it is; "
                "its chapter is newer. Rename your copy to get the new one beside it."
            )
            continue
        copy.write_text(bare, encoding="utf-8")
        as_copied.write_text(bare, encoding="utf-8")
    return left


def is_unchanged(copy: Path, as_copied: Path) -> bool:
    """Say whether a reader has only run the cells of a copy."""
    try:
        return sources(read(copy)) == sources(read(as_copied))
    except (OSError, ValueError, KeyError, TypeError):
        return False  # whatever it is now, it is the reader's
