"""The report as plain tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from bertviz_lite.world.balance.aims import RARE, aims
from bertviz_lite.world.balance.counting import Counts
from bertviz_lite.world.balance.patterns import covered
from bertviz_lite.world.balance.pronouns import CASES, PRONOUNS
from bertviz_lite.world.balance.used_words import ListedWord, listed_words
from bertviz_lite.world.balance.verbs import MODALS

_WIDTH = 110
_PER = 10_000
_FINITE = (
    ("be", "is", "are", "was", "were"),
    ("have", "has", "have", "had", ""),
    ("do", "does", "do", "did", ""),
    ("other", "-s", "base", "past", ""),
)
_FEATURES = (
    "question", "yes or no question", "wh question", "other question", "speech", "exclamation mark",
    "negation", "contraction", "passive", "progressive", "perfect", "modal", "relative clause",
    "relative clause with who", "relative clause with that", "relative clause with which",
    "relative clause with whose", "relative clause with whom", "relative clause with where",
)  # fmt: skip


def report(counts: Counts, *, words: int = 240) -> str:
    """Return the report; it shows at most ``words`` words of grammar, and rare words of a part of speech."""
    if not counts.sentences:
        return "no sentences"
    sections = {
        "Size": _size(counts),
        f"Words of grammar, per {_PER:,} sentences": _in_columns(_function_words(counts, words)),
        f"Finite verbs, per {_PER:,} sentences": _finite_verbs(counts),
        f"Personal pronouns, per {_PER:,} sentences": _pronouns(counts),
        "Sentences with at least one, %": _features(counts),
        f"Modal verbs and contractions, per {_PER:,} sentences": _in_columns(_modals(counts)),
        "Patterns": _patterns(counts),
        "Words of the list": _listed(counts, words),
        "Verdict": _verdict(counts),
    }
    return "\n\n".join("\n".join((name, "-" * len(name), *lines)) for name, lines in sections.items())


def _per(counts: Counts, number: int) -> str:
    return f"{_PER * number / counts.sentences:,.0f}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.1f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return lines of a table whose columns, but the first, are flush right."""
    rows = [head, *rows]
    widths = [max(len(row[place]) for row in rows) for place in range(len(head))]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _in_columns(entries: Sequence[tuple[str, str]]) -> list[str]:
    if not entries:
        return ["none"]
    left, right = (max(len(entry[side]) for entry in entries) for side in (0, 1))
    cells = [f"{name:<{left}} {value:>{right}}" for name, value in entries]
    across = max(_WIDTH // (left + right + 4), 1)
    down = -(-len(cells) // across)
    return ["   ".join(cells[row::down]).rstrip() for row in range(down)]


def _size(counts: Counts) -> list[str]:
    lengths = sorted(counts.lengths.elements())
    at = [lengths[min(len(lengths) * part // 100, len(lengths) - 1)] for part in (10, 50, 90)]
    nouns = counts.nouns
    mean = counts.words / counts.sentences
    share = _percent(nouns["plural"], nouns.total())
    return [
        f"{counts.sentences:,} sentences, {counts.words:,} words; {mean:.1f} words in a sentence",
        f"a tenth has at most {at[0]}, half {at[1]}, nine tenths {at[2]}, the longest {lengths[-1]}",
        f"nouns: {nouns['singular']:,} singular, {nouns['plural']:,} plural ({share} %)",
    ]


def _function_words(counts: Counts, most: int) -> list[tuple[str, str]]:
    return [(word, _per(counts, number)) for word, number in counts.function_words.most_common(most)]


def _finite_verbs(counts: Counts) -> list[str]:
    finite = counts.finite
    rows = []
    for lemma, singular, plural, past, past_plural in _FINITE:
        forms = (singular, plural, past, past_plural)
        numbers = [finite[lemma, form] if form else 0 for form in forms]
        cells = [
            f"{form} {_per(counts, number)}" if form else ""
            for form, number in zip(forms, numbers, strict=True)
        ]
        rows.append((lemma, *cells, _percent(numbers[1], numbers[0] + numbers[1])))
    head = ("", "present singular", "plural, I, you", "past", "past plural", "plural of present, %")
    all_past = sum(
        number for (_, form), number in finite.items() if form in ("was", "were", "had", "did", "past")
    )
    were = _percent(finite["be", "were"], finite["be", "was"] + finite["be", "were"])
    return [
        *_table(head, rows),
        f"am {_per(counts, finite['be', 'am'])}; were of was and were: {were} %",
        f"past of all finite verbs: {_percent(all_past, finite.total())} %",
    ]


def _pronouns(counts: Counts) -> list[str]:
    rows = []
    for name in PRONOUNS:
        numbers = [counts.pronouns[name, case] for case in CASES]
        rows.append((name, *(_per(counts, number) for number in (*numbers, sum(numbers)))))
    return _table(("", *CASES, "all"), rows)


def _features(counts: Counts) -> list[str]:
    return _in_columns([(name, _percent(counts.features[name], counts.sentences)) for name in _FEATURES])


def _modals(counts: Counts) -> list[tuple[str, str]]:
    rows = [(name, counts.modals[name]) for name in MODALS]
    rows += sorted(counts.contractions.items(), key=lambda entry: -entry[1])
    return [(name, _per(counts, number)) for name, number in rows]


def _patterns(counts: Counts) -> list[str]:
    patterns = counts.patterns
    once = sum(number == 1 for number in patterns.values())
    shares = ", ".join(
        f"{size:,}: {100 * share:.0f} %" for size, share in covered(patterns, (50, 100, 500, 1_000)).items()
    )
    return [
        f"{len(patterns):,} patterns among {counts.sentences:,} sentences; {once:,} of them occur once",
        f"share of the sentences that the commonest cover: {shares}",
        *(f"{_per(counts, number):>6}  {text}" for text, number in patterns.most_common(10)),
    ]


def _listed(counts: Counts, most: int) -> list[str]:
    words = listed_words()
    rare = counts.used.rare(words, RARE)
    never = [word for word, times in rare if not times]
    few = [(word, times) for word, times in rare if times]
    return [
        f"{len(words):,} words and names",
        f"never used in {counts.sentences:,} sentences: {len(never):,}",
        f"used fewer than {RARE} times: {len(rare):,}",
        *_by_part_of_speech("never", ((word, word.text) for word in never), most),
        *_by_part_of_speech("few", ((word, f"{word.text} {times}") for word, times in few), most),
    ]


def _by_part_of_speech(title: str, entries: Iterable[tuple[ListedWord, str]], most: int) -> Iterator[str]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for word, text in entries:
        groups[word.pos].append(text)
    for pos, texts in groups.items():
        more = f" … and {len(texts) - most} more" if len(texts) > most else ""
        yield from wrap(f"{title}, {pos}: {', '.join(texts[:most])}{more}", _WIDTH, subsequent_indent="    ")


def _verdict(counts: Counts) -> list[str]:
    rows = []
    missed: Counter[bool] = Counter()
    for aim in aims(counts):
        wanted = f"{aim.least:,g} or more" if aim.most == float("inf") else f"{aim.least:,g} to {aim.most:,g}"
        number = f"{aim.value:,.0f}" if aim.value >= 100 else f"{aim.value:.1f}"
        rows.append((aim.name, number, wanted, "yes" if aim.met else "NO"))
        missed[aim.met] += 1
    return [
        *_table(("", "is", "aim", "met"), rows),
        f"{missed[True]} of {missed.total()} aims are met",
    ]
