"""Write the glossary from what the chapters say: `python tools/glossary.py`."""

from notebook_checks.glossary_page import main

if __name__ == "__main__":
    raise SystemExit(main())
