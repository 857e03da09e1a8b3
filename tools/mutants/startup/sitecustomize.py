"""Python imports this file as it starts, where this folder is on PYTHONPATH: tests, kernels, children."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
try:
    from mutants.changed_import import install
finally:
    sys.path.pop()

install()
