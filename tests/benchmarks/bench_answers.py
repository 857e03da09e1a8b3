"""How long the fill-in view and the pair view take to answer what was typed; at most 150 ms each."""

import statistics
import sys
import time
from collections.abc import Callable

from bertviz_lite import FillIn, PairView, load, stories
from bertviz_lite.evaluation.pair_probes import occlusion

RUNS = 15
AT_MOST_MS = 150


def milliseconds(ask: Callable[[int], object]) -> float:
    """Return the median time of a question; each run asks another one."""
    times = []
    for number in range(RUNS):
        start = time.perf_counter()
        ask(number)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main() -> int:
    """Print the times; fail if an answer takes too long."""
    tokenizer, model = load()
    fill_in = FillIn(model, tokenizer, "Anna lost her [MASK].")
    pair = PairView.from_stories(model, tokenizer, stories(seed=5, n=4))
    first, second = pair.first, pair.second

    def fill(number: int) -> None:
        fill_in.text = f"The {'old ' * number}farmer lost the [MASK] of her [MASK] in the garden."

    def continues(number: int) -> None:
        pair.second = second + "!" * (number + 1)

    answers = {"fill-in view": milliseconds(fill), "pair view": milliseconds(continues)}
    for name, median in answers.items():
        print(f"  {name:24} {median:6.0f} ms, at most {AT_MOST_MS}")
    words = milliseconds(lambda number: occlusion(model, tokenizer, first, second + "!" * (number + 1)))
    print(f"  {'all words of the pair':24} {words:6.0f} ms, after the answer")
    return int(max(answers.values()) > AT_MOST_MS)


if __name__ == "__main__":
    sys.exit(main())
