from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from eleusis_ai.arena.outcomes import Outcome, SeatOutcome
from eleusis_ai.arena.ratings import rank
from eleusis_ai.arena.schedule import InvalidKey
from eleusis_ai.arena.tally import Comparisons, PartedDeal, Tally


def played(key: str, *seats: tuple[str, int], rated: int | None = None, dealt: bool = False) -> Outcome:
    """Make what came of a round: ``rated`` is the hero's chair; with ``dealt`` the last seat was the dealer's."""
    made = [
        SeatOutcome(
            agent=agent,
            points=points,
            rated=rated is None or chair == rated,
            dealt=dealt and chair == len(seats) - 1,
        )
        for chair, (agent, points) in enumerate(seats)
    ]
    return Outcome(key=key, seats=tuple(made))


def compared(*rounds: Outcome) -> Comparisons:
    tally = Tally()
    tally.add(rounds)
    return tally.comparisons()


def test_all_seats_of_a_table_are_compared_and_a_tie_is_half_a_win() -> None:
    found = compared(played("deal 4 seating 0", ("a", 9), ("b", 9), ("c", 2)))
    assert found.won.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [0, 0, 0]]
    assert found.half_wins.tolist() == [[3, 3, 0]]
    assert found.designs[found.design[0]].tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_an_agent_with_several_seats_is_not_compared_with_itself() -> None:
    found = compared(played("deal 0 seating 0", ("a", 9), ("b", 5), ("a", 1)))
    assert found.won.tolist() == [[0, 1], [1, 0]]
    assert found.designs[0].tolist() == [[0, 2], [2, 0]]


def test_deals_of_the_same_line_ups_share_a_design() -> None:
    rounds = [
        played(f"deal {deal} seating {seating}", *((("a", 1), ("b", 2)) if seating != deal else (("b", 1), ("a", 2))))
        for deal in range(2)
        for seating in range(2)
    ]
    found = compared(*rounds, played("deal 2 seating 0", ("a", 1), ("b", 2)))
    assert found.design.tolist() == [0, 0, 1]
    assert found.designs[:, 0, 1].tolist() == [2, 1]


def test_heroes_are_compared_where_they_had_the_same_deal_and_chair() -> None:
    rounds = [
        played("deal 0 seating 0 hero a", ("a", 7), ("x", 99), rated=0),
        played("deal 0 seating 0 hero b", ("b", 5), ("x", 99), rated=0),
        played("deal 0 seating 1 hero a", ("x", 99), ("a", 1), rated=1),
        played("deal 0 seating 1 hero b", ("x", 99), ("b", 1), rated=1),
    ]
    result = rank(rounds)
    assert result.heroes
    assert [(standing.agent, standing.seat_rounds) for standing in result.standings] == [("a", 2), ("b", 2)]
    assert compared(*rounds).won.tolist() == [[0, 1.5], [0.5, 0]]


MATCH = [
    played("deal 0 seating 0 round 0", ("b", 3), ("a", 4), ("a", 5), dealt=True),
    played("deal 0 seating 0 round 1", ("a", 1), ("a", 9), ("b", 9), dealt=True),
    played("deal 0 seating 0 round 2", ("a", 5), ("b", 2), ("a", 5), dealt=True),
]
"""Three rounds of players a, b, a, whose totals are 19, 14 and 10, the deal passing to the left."""


def test_players_of_a_match_are_compared_by_their_totals() -> None:
    result, found = rank(MATCH), compared(*MATCH)
    by_agent = {standing.agent: standing for standing in result.standings}
    assert (by_agent["a"].matches, by_agent["a"].matches_won) == (2, 1)
    assert (by_agent["b"].matches, by_agent["b"].matches_won) == (1, 0)
    assert (by_agent["a"].seat_rounds, by_agent["a"].dealt, by_agent["a"].scientist_rounds) == (6, 2, 4)
    assert by_agent["b"].points == pytest.approx(14 / 3), "a dealer's points count"
    assert found.won.tolist() == [[0, 1], [1, 0]]


def test_a_match_that_is_not_over_has_no_winner() -> None:
    result = rank(MATCH[:2])
    assert [standing.matches for standing in result.standings] == [0, 0]
    assert result.strengths is None


def test_deals_may_come_in_any_order_but_whole() -> None:
    late, early = (played(f"deal {deal} seating 0", ("a", deal), ("b", 2)) for deal in (3, 1))
    tally = Tally()
    tally.add([late, early])
    means = tally.deal_means()["a"]
    assert (means.deals.tolist(), means.means.tolist()) == ([1, 3], [1, 3])
    with pytest.raises(PartedDeal, match="deal 3 stand apart"):
        rank([late, early, late])


def test_a_key_that_is_none_is_told() -> None:
    with pytest.raises(InvalidKey, match="deal three"):
        rank([played("deal three", ("a", 1))])


def test_no_rounds_make_an_empty_ranking() -> None:
    result = rank([])
    assert (result.standings, result.pairs, result.strengths) == ((), (), None)


def test_what_is_kept_is_a_few_bytes_a_deal_and_agent() -> None:
    tally = Tally()
    tally.add(played(f"deal {deal} seating 0", ("a", 1), ("b", 2)) for deal in range(1000))
    kept: list[NDArray[np.generic]] = [*tally.deal_means()["a"], tally.comparisons().half_wins[:, 0]]
    assert sum(column.nbytes for column in kept) <= 12 * 1000
