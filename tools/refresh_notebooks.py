"""Run notebooks again and write them in their normal form: `python tools/refresh_notebooks.py [PATH ...]`."""

from notebook_checks.refresh import main

if __name__ == "__main__":
    raise SystemExit(main())
