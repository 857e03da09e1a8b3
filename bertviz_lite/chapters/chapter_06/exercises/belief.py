"""Which words in sight a reader who knows the coins believes."""

from bertviz_lite.exercises import question

_RIGHT = {
    "A": "believed",
    "B": "doubted",
    "C": "believed",
    "D": "believed",
    "E": "believed",
    "F": "doubted",
}


@question(
    hints=(
        "Two ways lead to this word in sight: it stayed, or chance drew it. How probable is each?",
        "It stayed: the share that stays, times p. Chance drew it: the share of random tokens, over V.",
        "A: 10 % of 1/1,000 against 10 % of 1/3,750. In E and F, one way is closed. Which is larger?",
    ),
    note="Chance may also draw the true word. So where none stays (F), sight tells nothing: p remains 1/100.",
)
def word_in_sight() -> dict[str, str]:
    """Say of each word in sight whether a perfect reader believes it (more than one half), or doubts it."""
    sizes = {"A": 3_750, "B": 3_750, "C": 30_522, "D": 3_750, "E": 3_750, "F": 3_750}
    in_gap = {"A": 1 / 1_000, "B": 1 / 10_000, "C": 1 / 10_000, "D": 1 / 10_000, "E": 1e-6, "F": 0.01}
    random_and_stays = {"A": (10, 10), "B": (10, 10), "C": (10, 10), "D": (2, 18), "E": (0, 20), "F": (20, 0)}
    answer = {}
    for case, (random, stays) in random_and_stays.items():
        stayed, drawn = stays * in_gap[case], random / sizes[case]
        answer[case] = "believed" if stayed > drawn else "doubted"
    return answer


word_in_sight.mistake(
    "No p is above one half, true. But the rival isn't one half: it's the probability that chance drew this "
    "very word.",
    dict.fromkeys("ABCDEF", "doubted"),
)
word_in_sight.mistake(
    "You compare p with 1/3,750 everywhere: read the other two columns too.",
    _RIGHT | {"C": "doubted", "D": "doubted", "E": "doubted", "F": "believed"},
)
word_in_sight.mistake(
    "B: 1/10,000 is less than 1/3,750, so chance draws this word more often than the text has it.",
    _RIGHT | {"B": "believed"},
)
word_in_sight.mistake(
    "C: the larger the vocabulary, the less probable one word of it is by chance.",
    _RIGHT | {"C": "doubted"},
)
word_in_sight.mistake(
    "D: the two ways aren't equally frequent here: nine words stay for each random one.",
    _RIGHT | {"D": "doubted"},
)
word_in_sight.mistake(
    "E: no token is ever random here, so what is in sight is true, however improbable.",
    _RIGHT | {"E": "doubted"},
)
word_in_sight.mistake(
    "F: where none stays, chance has drawn every such word. So it tells nothing, and its p is as in the gap.",
    _RIGHT | {"F": "believed"},
)
word_in_sight.mistake(
    "E and F are the wrong way round: in 80/0/20 none is random, in 80/20/0 none stays.",
    _RIGHT | {"E": "doubted", "F": "believed"},
)
