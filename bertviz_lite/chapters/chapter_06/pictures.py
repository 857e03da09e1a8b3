"""The pictures of chapter 06 as its cells show them: each with its finding as title, and its alt text."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.chapters.chapter_06 import figures
from bertviz_lite.chapters.chapter_06.lies import belief, border
from bertviz_lite.chapters.chapter_06.recipes import COINS
from bertviz_lite.plots import bars, show

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from torch import Tensor

    from bertviz_lite.chapters.chapter_06.lies import Told
    from bertviz_lite.chapters.chapter_06.nothing_hidden import Trained

    Shares = Mapping[str, npt.NDArray[np.float64]]

__all__ = [
    "belief_by_gap",
    "believed_lies",
    "both_skills",
    "chosen_counts",
    "costs",
    "hidden_and_seen",
    "losses",
    "right_by_rate",
    "three_coins",
    "ways_back",
]


def ways_back(tokens: Sequence[str], reads: Mapping[str, npt.ArrayLike], token: int) -> None:
    """Show on which ways a token comes back to its own place in two layers; `reads` as for the figure."""
    title = "Two sides, two layers: the word comes back by way of the others"
    axes = figures.ways_back(tokens, reads, token=token, title=title)
    show(axes, alt=f"Two nets of four tokens and two layers. {title}.")


def three_coins(became: Mapping[str, str]) -> None:
    """Show the three coins, with an example of each outcome, as `sight.became` returns them."""
    outcomes = ["not chosen,\nnot scored", f"become [MASK]\n{became['mask']}"]
    outcomes += [f"a random token\n{became['random']}", f"stay as they are\n{became['keep']}"]
    title = "On average, 150 of 1,000 tokens are chosen: 120 hidden, 15 random, 15 kept"
    ax = figures.three_coins((0.15, 0.8, 0.5), outcomes, of=1_000, title=title)
    show(ax, alt=f"Three coins; below them four boxes with 850, 120, 15 and 15. {title}.")


def costs(answers: Mapping[str, float], alone: Mapping[str, float]) -> None:
    """Show -ln p as a curve, and on it what a model gave to the true tokens of two rounds of questions."""
    every = {**answers, **alone}
    worst, best = min(every, key=every.__getitem__), max(every, key=every.__getitem__)
    title = f"The less it expected the truth, the dearer: “{worst}” costs {-math.log(every[worst]):.1f}, "
    title += f"“{best}” {-math.log(every[best]):.2f}"
    ax = figures.cost_curve(answers, alone, title=title)
    show(ax, alt=f"A curve that falls steeply at first, then slowly, with a dot for each answer. {title}.")


def losses(ends: Mapping[str, Trained], vocab_size: int) -> None:
    """Show how the loss falls in the trainings of `nothing_hidden`, by their names in the chapter."""
    told = [f"{name}: loss {end.loss:.2f}, {end.hidden:.1%} right" for name, end in ends.items()]
    worst = min(ends.values(), key=lambda end: end.loss)
    title = f"The lower loss, {worst.loss:.2f}, goes with {worst.hidden:.1%} right behind [MASK]"
    blind = math.log(vocab_size)
    curves = {name: end.losses for name, end in ends.items()}
    ax = figures.loss_curves(curves, {name: end.hidden for name, end in ends.items()}, blind, title=title)
    alt = f"A curve for each training over the steps. {title}. {'; '.join(told)}. "
    show(ax, alt=alt + f"All tokens equally probable: ln {vocab_size:,} = {blind:.2f}.")


def hidden_and_seen(named: Mapping[str, Shares]) -> None:
    """Show what the models name hidden and in plain sight; `named` as `recipes.share_named` returns it."""
    asked = {question: named[question] for question in ("hidden", "in plain sight")}
    title = f"A model trained only on gaps names {asked['in plain sight']['100/0/0'].mean():.0%} "
    title += "of what it sees"
    axes = figures.named_by_seed(asked, said=COINS, title=title)
    show(axes, alt=f"Two questions, four bars for each, a dot for each seed. {title}.")


def both_skills(named: Mapping[str, Shares]) -> None:
    """Show what the models name in plain sight against what they find behind random tokens."""
    seen, behind, ours = named["in plain sight"], named["behind a random token"], "80/10/10"
    title = f"Of four recipes, only {ours} does both: {seen[ours].mean():.0%} named in sight, "
    title += f"{behind[ours].mean():.0%} found behind random tokens"
    hidden = float(named["hidden"][ours].mean())
    ax = figures.both_skills(seen, behind, strong=ours, hidden=hidden, said=COINS, title=title)
    rest = f"80/0/20 names {seen['80/0/20'].mean():.0%} and finds {behind['80/0/20'].mean():.1%}"
    rest += f"; the other two are at the left. A line: {ours} names {hidden:.2f} where the word is hidden"
    show(ax, alt=f"Four groups of three dots. {title}. {rest}.")


def believed_lies(swaps: Mapping[str, str], told: Mapping[str, Told]) -> None:
    """Show how probable a model finds lies in the place of true tokens: `swaps` has true → lie."""
    pairs = [f"{lie}, for {true}" for true, lie in swaps.items()]
    seen = {lie: told[lie].seen for lie in swaps.values()}
    believed = " and ".join(f"“{lie}” ({p:.0%})" for lie, p in seen.items() if p > 0.5)
    title = f"It believes {believed}, the others at most {max(p for p in seen.values() if p <= 0.5):.0%}"
    label = "p of the lie: how probable the model finds it"
    ax = bars(list(seen.values()), pairs, title=title, label=label, reference={"one half": 0.5})
    show(ax, alt=f"A bar for each of five lies. {title}.")


def belief_by_gap(near: Mapping[float, Tensor], told: Mapping[str, Told], vocab_size: int) -> None:
    """Show how much a model believes what it reads, over what it gives to that in a gap.

    `near` as `lies.by_gap` returns it; `told` are words that have their name beside them.
    """
    ends = border(near)
    at = f"between {_one_in(ends[0])} and {_one_in(ends[1])}" if ends else "nowhere"
    title = f"A perfect reader's border: 1 in {vocab_size:,}; the model's medians cross one half {at}"
    groups = [np.asarray(pairs) for pairs in near.values() if len(pairs)]
    named = {word: (one.gap, one.seen, one.truth == one.gap) for word, one in told.items()}
    across = np.geomspace(figures.LEAST, 1, 300)
    curve = across, np.array([belief(p, vocab_size) for p in across.tolist()])
    ax = figures.belief_by_gap(groups, named, curve, edge=1 / vocab_size, title=_unbroken(title))
    alt = "Over p in the gap, a curve that rises from 0 to 1, and medians of words that were put in. "
    off = [word for word, one in told.items() if (one.gap > 1 / vocab_size) != (one.seen > 0.5)]
    show(ax, alt=alt + f"{title}. On the wrong side: {', '.join(off) or 'none'} of the words with a name.")


def right_by_rate(levels: Sequence[float], found: Mapping[str, Sequence[float]]) -> None:
    """Show questions and right answers over the rate; `found` as `rates.by_rate` returns it."""
    right = dict(zip(levels, found["right in a text"], strict=True))
    best = sorted(sorted(right, key=right.__getitem__)[-2:])
    title = f"Right answers in a text: {right[0.15]:.1f} at BERT's 15%, but "
    title += " and ".join(f"{right[level]:.1f} at {level:.0%}" for level in best)
    ax = figures.answers_by_rate(levels, found, title=title)
    alt = f"Over the rate, questions rise, right answers rise, then fall. {title}. Right, of the questions: "
    shares = ", ".join(
        f"{share:.0%} at {level:.0%}" for level, share in zip(levels, found["right"], strict=True)
    )
    show(ax, alt=f"{alt}{shares}.")


def chosen_counts(tossed: npt.ArrayLike, fixed: int) -> None:
    """Show how many tokens coins chose in rows of 100, and the one count of the paper's code."""
    low, high = np.min(np.asarray(tossed)), np.max(np.asarray(tossed))
    title = f"Coins choose {low} to {high} of 100 tokens; the paper's code {fixed}"
    ax = figures.chosen_counts(tossed, fixed, title=title)
    show(ax, alt=f"A bell over the number of chosen tokens. {title}.")


def _one_in(p: float) -> str:
    return f"1 in {1 / p:,.0f}"


def _unbroken(title: str) -> str:
    """Keep a title's odds, 1 in so many, on one line."""
    return re.sub(r"\b1 in (?=\d)", "1\N{NO-BREAK SPACE}in\N{NO-BREAK SPACE}", title)
