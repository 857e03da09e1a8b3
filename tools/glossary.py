"""Write the glossary from what the chapters say, and the one in Chinese: `python tools/glossary.py`."""

import sys

from notebook_checks.glossary_page import main
from notebook_checks.translation.glossary import main as main_in_chinese

if __name__ == "__main__":
    raise SystemExit(main() or (main_in_chinese([]) if len(sys.argv) == 1 else 0))
