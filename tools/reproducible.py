"""The settings under which outputs are the same on every machine.

They are read when a library is loaded, so they must be set before Python starts a kernel, or before torch is
imported. Standard library only.
"""

import os
from collections.abc import Mapping

# One instruction set, the oldest: the width of a vector register changes sums and float32 random numbers.
OLDEST_PROCESSOR = {
    "ATEN_CPU_CAPABILITY": "default",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "MKL_CBWR": "COMPATIBLE",
}
ANY_PROCESSOR = {
    # one thread: the order of a sum, and so its last digits, do not depend on the number of cores
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # sets of strings come in one order
    "PYTHONHASHSEED": "0",
    # nothing that moves, nothing from a network
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def set_environment(settings: Mapping[str, str]) -> None:
    """Put the settings into this process' environment, for it (before torch is imported) and its children."""
    os.environ.update(settings)
