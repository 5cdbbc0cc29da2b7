from __future__ import annotations

from rich.console import Console

from eleusis_ai.arena.outcomes import Outcome
from eleusis_ai.arena.ratings import rank
from eleusis_ai.arena.report.ranking_tables import ranking_tables
from tests.arena.test_ratings import POINTS, made
from tests.arena.test_tally import MATCH, played


def shown(outcomes: list[Outcome]) -> list[str]:
    console = Console(width=80, force_terminal=False)
    with console.capture() as capture:
        console.print(ranking_tables(rank(outcomes)))
    lines = capture.get().splitlines()
    assert max(map(len, lines)) <= 80
    return lines


def test_standings_pairs_and_strengths_are_laid_out() -> None:
    points = {agent: [*deals, *deals, *deals] for agent, deals in POINTS.items()}
    lines = [line.split() for line in shown(list(made(points)))]
    assert ["a", "6.50", "±", "1.09", "50%", "50%", "33%", "17%", "0%", "?"] in lines
    assert any(line[:4] == ["a", "over", "b", "+2.33"] and line[-1] == "*" for line in lines)
    assert any(line[:2] == ["a", "+140"] for line in lines)
    assert any(line[:2] == ["b", "-140"] and "before" not in line for line in lines)


def test_it_says_when_only_heroes_are_rated() -> None:
    heroes = [
        played(f"deal {deal} seating 0 hero {agent}", (agent, points), ("x", 99), rated=0)
        for deal, rows in enumerate([(7, 5), (1, 3)])
        for agent, points in zip("ab", rows, strict=True)
    ]
    assert "Only the hero's seat is rated" in " ".join(shown(heroes))
    assert "hero" not in " ".join(shown(list(made(POINTS))))


def test_it_says_who_won_matches_and_that_one_deal_tells_nothing_of_spread() -> None:
    lines = "\n".join(shown(MATCH))
    assert "a won 1 of its 2 places in matches" in lines
    assert "unbounded: one deal" in lines


def test_of_many_pairs_only_neighbours_are_shown() -> None:
    many = {f"agent {place}": [(place, place + 1), (place + 2, place), (place, 9)] for place in range(9)}
    lines = shown(list(made(many)))
    assert sum(line.startswith("agent ") and " over " in line for line in lines) == 8
    assert "Of the 36 pairs, those of neighbours" in " ".join(lines)


def test_who_never_won_is_told() -> None:
    beaten = {"a": [(9, 9), (8, 8), (9, 7)], "b": [(1, 2), (0, 1), (1, 0)]}
    assert "imagined" in " ".join(shown(list(made(beaten))))
