"""Write the page of claims from what the chapters settle: `python tools/claims.py`."""

from notebook_checks.claims_page import main

if __name__ == "__main__":
    raise SystemExit(main())
