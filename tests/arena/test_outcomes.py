from __future__ import annotations

import msgspec

from eleusis_ai.arena.outcomes import Career, Outcome
from eleusis_ai.arena.ratings import rank
from eleusis_ai.cards import CARDS
from eleusis_ai.moves import BecomeProphet, Call, Pass
from eleusis_ai.profiles import HOWELL
from eleusis_ai.record import Record
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule


def round_of_two_prophets() -> Record:
    """Play a round in which seat 1 is prophet and errs at once, and seat 2 is prophet to the end."""
    every_card_is_right = Rule.parse("card.rank < 14")
    round_ = Round.deal(HOWELL, every_card_is_right, seats=5, dealer=0, deck=CARDS * 3, first=1)
    while round_.decision is not None:
        moves = round_.legal_moves()
        if BecomeProphet() in moves:
            round_.apply(BecomeProphet() if round_.decision.seat in (1, 2) else Pass())
        elif Call(right=True) in moves:
            round_.apply(Call(right=round_.prophet == 2))
        else:
            round_.apply(next(iter(moves)))
    line_up = ("dealer", "fallen", "seer", "third", "fourth")
    return msgspec.structs.replace(round_.record(), key="deal 4 seating 1", agents=line_up)


def test_what_came_of_a_seat_is_replayed_from_the_record() -> None:
    record = round_of_two_prophets()
    found = {seat.agent: seat for seat in Outcome.of(record).seats}
    assert list(found) == ["fallen", "seer", "third", "fourth"]
    assert record.scores is not None
    assert tuple(seat.points for seat in found.values()) == record.scores[1:]
    assert [name for name, seat in found.items() if seat.won] == ["seer"]


def test_a_career_begins_with_the_mainline_as_it_lay_and_counts_right_judgements() -> None:
    record = round_of_two_prophets()
    careers = {seat.agent: seat.career for seat in Outcome.of(record).seats}
    plays = [text for text in record.moves if text.startswith("right")]
    assert careers["fallen"] == Career(declared=2, right=0, fell=True)
    assert careers["seer"] is not None
    assert not careers["seer"].fell
    assert careers["seer"].right == len(plays) > 0
    assert careers["third"] is careers["fourth"] is None


def test_around_a_hero_nobody_is_rated() -> None:
    record = msgspec.structs.replace(round_of_two_prophets(), key="deal 4 seating 1 hero seer")
    assert [seat.agent for seat in Outcome.of(record).seats if seat.rated] == ["seer"]


def test_in_a_match_the_dealers_points_count() -> None:
    record = msgspec.structs.replace(round_of_two_prophets(), key="deal 4 seating 1 round 0")
    assert record.scores is not None
    dealer = Outcome.of(record).seats[-1]
    assert (dealer.agent, dealer.points, dealer.dealt) == ("dealer", record.scores[0], True)


def test_a_log_is_ranked_without_the_dealer() -> None:
    result = rank([Outcome.of(round_of_two_prophets())])
    assert result.standings[0].agent == "seer"
    assert "dealer" not in result.deal_means
