"""Exercises of chapter 10, pre-training: one loss from several processes."""

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [
        Case([2.0, 4.0], [10, 30]),
        Case([1.0, 1.0, 7.0], [5, 5, 2]),
        Case([3.0, 5.0], [8, 8]),
        Case([2.5], [4]),
    ],
    hints=(
        "A mean times its count is a sum.",
        "Add up the sums, and divide by all masked tokens together.",
    ),
    note="The mean of the means is the same only where all processes have equally many.",
)
def global_loss(means: list[float], counts: list[int]) -> float:
    """Give the mean loss over all masked tokens of a step, from each process's mean and its count of them."""
    return sum(mean * count for mean, count in zip(means, counts, strict=True)) / sum(counts)


global_loss.mistake(
    "That is the mean of the means: a process with few masked tokens counts as much as one with many.",
    lambda means, _: sum(means) / len(means),
)
global_loss.mistake(
    "That is the sum over all masked tokens; divide it by their number.",
    lambda means, counts: sum(mean * count for mean, count in zip(means, counts, strict=True)),
)
global_loss.mistake(
    "The sum is divided by the number of processes; divide it by that of all masked tokens.",
    lambda means, counts: sum(mean * count for mean, count in zip(means, counts, strict=True)) / len(counts),
)
