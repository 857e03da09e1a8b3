"""Check that the notebooks' outputs are true: `python tools/check_notebooks.py [PATH ...]`."""

from notebook_checks.check import main

if __name__ == "__main__":
    raise SystemExit(main())
