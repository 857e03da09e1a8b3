"""Numbers of several seeds: each is found where it is recorded, and a gain is clear or is not."""

from __future__ import annotations

from typing import Any

import pytest

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.evaluation.recorded.by_seed import BySeed


def variant(beside: str, *seeds: tuple[float, int]) -> dict[str, Any]:
    return {
        "what": f"unlike {beside}",
        "beside": beside,
        "parameters": 7,
        "seeds": [
            {
                "scores": {"next_part": [value, 1_000]},
                "losses": [[1, 5.0, 1.0], [2, value, 0.5]],
                "own": [right, 40],
            }
            for value, right in seeds
        ],
    }


RESULTS = {
    "recipe": {"steps": 2},
    "variants": {
        "base": variant("base", (0.50, 10), (0.52, 20), (0.51, 30)),
        "better": variant("base", (0.60, 20), (0.63, 30), (0.60, 40)),
        "mixed": variant("better", (0.61, 20), (0.60, 30), (0.66, 40)),
    },
}


def test_a_number_is_found_for_each_seed() -> None:
    found = BySeed(RESULTS)
    assert found.names == ["base", "better", "mixed"]
    assert (found.what("better"), found.beside("mixed"), found.parameters("base")) == (
        "unlike base",
        "better",
        7,
    )
    assert found.values("base", "scores", "next_part", 0).tolist() == [0.50, 0.52, 0.51]
    assert found.values("base", "scores", "next_part").tolist() == [0.50, 0.52, 0.51], "a share is no count"
    assert found.values("better", "losses", -1, 1).tolist() == [0.60, 0.63, 0.60]
    assert found.values("mixed", "own").tolist() == [0.5, 0.75, 1.0]


def test_a_gain_is_clear_where_seeds_agree_and_it_is_larger_than_their_spread() -> None:
    better, mixed = (BySeed(RESULTS).gain(name, "scores", "next_part", 0) for name in ("better", "mixed"))
    assert better.each.tolist() == pytest.approx([0.10, 0.11, 0.09])
    assert (better.mean, better.spread) == (pytest.approx(0.10), pytest.approx(0.02))
    assert better.clear
    assert mixed.each.tolist() == pytest.approx([0.01, -0.03, 0.06])
    assert not mixed.clear


@pytest.mark.parametrize(
    ("name", "path", "message"),
    [
        ("worse", ("own",), "'worse' is no variant: there is base, better, mixed."),
        ("base", ("scores", "mention", 0), "nothing of that name; there is next_part."),
        ("base", ("own", 0, 0), "nothing of that name; there is a int."),
        ("base", ("scores",), "not a number; go on to one of its parts."),
    ],
)
def test_what_is_not_there_is_said(name: str, path: tuple[str | int, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        BySeed(RESULTS).values(name, *path)
