"""How quick are verdicts and comparisons of rules, beside Python's own `eval` and a table of all verdicts?

Verdicts: along random legal lines of 20 cards each asks for the 52 verdicts after every card. `eval` judges the
same 52 cards by the same expression, compiled once, over plain card objects whose attributes are worked out
beforehand. The table holds every verdict of a rule of lookback 2, 52 x 52 x 52 bits in 64-bit words: it is filled
with `eval`, as it would be without this package, and then looked up. Ratios come first: the rest depends on the
machine.

Comparisons: of two rules that have only been read (cold), and again once their machines are made (warm); of
published rules in play, from a mainline of the first one on, which mostly differ at once. Signatures and reviews:
of every published rule, read anew.

Run it with: python benchmarks/rules.py [--quick]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from math import gcd
from random import Random
from statistics import median
from time import perf_counter
from types import CodeType, SimpleNamespace
from typing import Any

import numpy as np

from eleusis_ai import Card, Rule, equivalent, review
from eleusis_ai.cards import ALL_CARDS, CARDS, cards_of, parse_cards
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.vocabulary import ATTRIBUTES, CONSTANTS

SECONDS = 0.5
"""How long each way of judging works at a time."""
TURNS = 5
"""How often each has its turn; figures are medians over them."""
LINES = 50
LENGTH = 20
"""Cards of a line."""
RULES = {
    "lookback 1": "card.rank >= last.rank if last.is_black else card.rank <= last.rank",
    "lookback 2": "position < 2 or abs(card.rank - last.rank) != abs(last.rank - mainline[-2].rank)",
    "position": "(card.is_red, card.is_black, card.is_face)[position % 3] or card.suit == last.suit",
    "count": "(count(x.is_red for x in mainline) + card.rank) % 3 != 0",
}
PAIRS = {
    "lookback 1, same": ("card.color != last.color", "not card.is_red == last.is_red"),
    "lookback 1, one card in 2,704": (
        "card.rank > last.rank",
        "card.rank > last.rank or card == last and last == last",
    ),
    "lookback 2, same": (
        "position < 2 or abs(card.rank - last.rank) != abs(last.rank - mainline[-2].rank)",
        "not (position >= 2 and abs(last.rank - card.rank) == abs(mainline[-2].rank - last.rank))",
    ),
    "lookback 2, same, in play": (
        "card.rank > mainline[-2].rank or card.suit not in {last.suit, mainline[-2].suit}",
        "mainline[-2].rank < card.rank or card.suit != last.suit and mainline[-2].suit != card.suit",
    ),
    "lookback 2, different": (
        "position < 2 or card.rank > mainline[-2].rank or card.suit == last.suit",
        "position < 2 or card.rank > mainline[-2].rank or card.suit == last.suit and card.rank != K",
    ),
    "position, same": ("(card.is_red, card.is_black)[position % 2]", "card.is_red == (position % 2 == 0)"),
    "count, same": (
        "(count(x.is_red for x in mainline) + card.rank) % 6 < 3",
        "(sum(x.is_red for x in mainline) + card.rank) % 6 in {0, 1, 2}",
    ),
    "count, 980,000 pairs of states": (
        "sum(x.rank for x in mainline if x.is_red) % 1400 < 1399",
        "sum(x.rank for x in mainline if x.is_black) % 1400 < 1399",
    ),
}
Line = Sequence[Card]


def main() -> None:
    """Measure, and print one table after the other."""
    quick = "--quick" in sys.argv[1:]
    show_verdicts(turns=1 if quick else TURNS, seconds=SECONDS / 5 if quick else SECONDS)
    show_comparisons(turns=3 if quick else 3 * TURNS)
    show_reviews([entry.rule for entry in load().values()][:: 10 if quick else 1])


def show_verdicts(*, turns: int, seconds: float) -> None:
    """Compare three ways to judge 52 cards."""
    print(f"{'52 verdicts':<14}{'of eval':>9}{'of a table':>12}{'ours':>13}{'eval':>11}{'table':>13}   (a second)")
    table, spent = filled_table(RULES["lookback 2"])
    for name, text in RULES.items():
        ways = [Rule.parse(text).mask, judged_by_eval(text)]
        if name == "lookback 2":
            ways.append(looked_up(table))
        lines = legal_lines(ways[0])
        for mask in ways:
            assert [mask(line) for line in lines[:200]] == [ways[0](line) for line in lines[:200]]
        speeds = [[speed(mask, lines, seconds) for mask in ways] for _ in range(turns)]
        ours, plain, *looked = (median(column) for column in zip(*speeds, strict=True))
        beside = f"{ours / looked[0]:>11.2f}x" if looked else f"{'':>12}"
        figures = f"{ours:>13,.0f}{plain:>11,.0f}" + (f"{looked[0]:>13,.0f}" if looked else "")
        print(f"{name:<14}{ours / plain:>8.0f}x{beside}{figures}")
    began = perf_counter()
    rule = Rule.parse(RULES["lookback 2"])
    for line in pairs_of_cards():
        rule.mask(line)
    ours_spent = perf_counter() - began
    print(
        f"the table is filled in {spent:.2f} s, all {52 * 52:,} masks of ours in {ours_spent:.3f} s: "
        f"{spent / ours_spent:.0f}x; its words take {table.nbytes / 1e3:.0f} kB\n"
    )


def legal_lines(mask: Callable[[Line], int]) -> list[Line]:
    """Return random legal lines, with every beginning of two cards or more."""
    rng, lines = Random("benchmarks/rules"), list[Line]()
    for _ in range(LINES):
        line: tuple[Card, ...] = (rng.choice(CARDS),)
        while len(line) < LENGTH and (legal := mask(line)):
            line = (*line, rng.choice(cards_of(legal)))
            lines.append(line)
    return lines


def speed(mask: Callable[[Line], int], lines: Sequence[Line], seconds: float) -> float:
    """Return how often a second ``mask`` gives its 52 verdicts."""
    done, began = 0, perf_counter()
    while (spent := perf_counter() - began) < seconds:
        for line in lines[done % len(lines) :][:50]:
            mask(line)
            done += 1
    return done / spent


def judged_by_eval(text: str) -> Callable[[Line], int]:
    """Return the verdicts by Python's own evaluation of ``text``."""
    code = compile(text, "<rule>", "eval")

    def mask(line: Line) -> int:
        names = {**FUNCTIONS, "mainline": [PLAIN[card] for card in line], "position": len(line)}
        if line:
            names["last"] = PLAIN[line[-1]]
        return sum(1 << card for card in CARDS if holds(code, names, card))

    return mask


def holds(code: CodeType, names: dict[str, Any], card: Card) -> bool:
    """Evaluate a rule for one card; what fails is illegal."""
    names["card"] = PLAIN[card]
    try:
        return bool(eval(code, names))
    except (LookupError, ZeroDivisionError, ValueError):
        return False


PLAIN = [
    SimpleNamespace(**{name: attribute.values[card] for name, attribute in ATTRIBUTES.items()}, card=card)
    for card in CARDS
]
FUNCTIONS: dict[str, Any] = {
    **{name: constant.value for name, constant in CONSTANTS.items()},
    "gcd": gcd,
    "count": lambda values: sum(1 for value in values if value),
}


def pairs_of_cards() -> list[tuple[Card, Card]]:
    """Return all lines of two cards."""
    return [(one, two) for one in CARDS for two in CARDS]


def filled_table(text: str) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.uint64]], float]:
    """Work out all verdicts of a rule of lookback 2; return them, shape (52, 52), and the seconds it took."""
    began, mask = perf_counter(), judged_by_eval(text)
    table = np.array([mask(line) for line in pairs_of_cards()], dtype=np.uint64).reshape(52, 52)
    return table, perf_counter() - began


def looked_up(table: np.ndarray[tuple[int, int], np.dtype[np.uint64]]) -> Callable[[Line], int]:
    """Return the verdicts of a table, for lines of two cards or more."""
    masks = table.tolist()
    return lambda line: int(masks[line[-2]][line[-1]])


def show_comparisons(*, turns: int) -> None:
    """Measure how long it takes to compare two rules."""
    print(f"{'are two rules the same?':<34}{'warm is':>9}{'cold, ms':>11}{'warm, ms':>11}")
    for name, (one, two) in PAIRS.items():
        cold, warm = [], []
        after = parse_cards("7H 8S 2D") if name.endswith("in play") else None
        for _ in range(turns if "000" not in name else 3):
            a, b = Rule.parse(one), Rule.parse(two)
            cold.append(timed(lambda: equivalent(a, b, after)))  # noqa: B023
            assert a.machine is not None
            assert b.machine is not None
            warm.append(min(timed(lambda: equivalent(a, b, after)) for _ in range(3)))  # noqa: B023
        first, again = median(cold), median(warm)
        print(f"{name:<34}{first / again:>8.0f}x{1e3 * first:>11.3f}{1e3 * again:>11.3f}")
    stated_in_play(turns=100 * turns)


def stated_in_play(*, turns: int) -> None:
    """Measure comparisons of a secret rule with another one, from a mainline of the secret rule's on."""
    rng, cold, warm = Random("benchmarks/rules/stated"), [], []
    texts = [entry.expression for entry in load().values()]
    for _ in range(turns):
        secret, stated = Rule.parse(rng.choice(texts)), Rule.parse(rng.choice(texts))
        line: tuple[Card, ...] = ()
        for _ in range(rng.choice((1, 5, 20))):
            legal = secret.mask(line) if line else ALL_CARDS
            line = (*line, rng.choice(cards_of(legal))) if legal else line
        cold.append(timed(lambda: equivalent(secret, stated, line)))  # noqa: B023
        warm.append(timed(lambda: equivalent(secret, stated, line)))  # noqa: B023
    ratio = median(cold) / median(warm)
    told = f"{'two published rules in play':<34}{ratio:>8.0f}x{1e3 * median(cold):>11.3f}{1e3 * median(warm):>11.3f}"
    print(f"{told}   worst {1e3 * max(cold):.0f} ms\n")


def show_reviews(rules: Sequence[Rule]) -> None:
    """Measure signatures and reviews of rules of which nothing is known yet."""
    print(f"{f'of {len(rules)} published rules':<34}{'median, ms':>11}{'worst, ms':>11}")
    for name, work in (("signature", lambda rule: rule.signature), ("review", review)):
        spent = []
        for rule in rules:
            fresh = Rule.parse(str(rule), starter=None if rule.starter is None else str(rule.starter))
            spent.append(timed(lambda: work(fresh)))  # noqa: B023
        print(f"{name:<34}{1e3 * median(spent):>11.2f}{1e3 * max(spent):>11.0f}")


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that ``work`` takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


if __name__ == "__main__":
    main()
