"""How long importing takes: the simulated town must not pay for torch."""

import statistics
import subprocess
import sys
import time

RUNS = 5


def seconds_to_import(module: str) -> float:
    """Return the median time, in seconds, in which a new Python imports ``module`` and ends."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> int:
    """Print the times; fail if the town takes half as long as torch."""
    modules = ["sys", "bertviz_lite", "bertviz_lite.world", "torch", "bertviz_lite.models.loading"]
    seconds = {module: seconds_to_import(module) for module in modules}
    print("Median seconds of a Python that imports one module and ends:")
    for module, median in seconds.items():
        print(f"  {module:20} {median:6.2f}")
    return int(seconds["bertviz_lite.world"] > seconds["torch"] / 2)


if __name__ == "__main__":
    sys.exit(main())
