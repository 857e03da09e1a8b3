"""Make a chapter's translation, or bring it in step: `python tools/translate_notebook.py [PATH ...]`."""

from notebook_checks.translation.making import main

if __name__ == "__main__":
    raise SystemExit(main())
