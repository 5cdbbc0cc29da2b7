from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from eleusis_ai.cards import CARDS, Card
from eleusis_ai.dealing import InvalidDeal
from eleusis_ai.legal import IllegalMove
from eleusis_ai.match import InvalidMatch, MatchResult, play_match, play_out, play_round
from eleusis_ai.moves import Attempt, Call, DecisionKind, Move, NoPlay, Pick
from eleusis_ai.profiles import ABBOTT, HOWELL, LATE_PROPHET, NO_PROPHET, Profile
from eleusis_ai.registry import AgentSpec
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator
from eleusis_ai.view import View

HERE = "tests.test_match"
RED = Rule.parse("card.is_red")


class Sampler:
    """Draws its moves."""

    def __init__(self, *, seat: int, seed: str) -> None:
        self.seat, self.rng = seat, generator(seed)

    def act(self, view: View) -> Move:
        assert view.seat == self.seat
        assert view.decision is not None
        assert view.decision.seat == self.seat
        return view.legal_moves().sample(self.rng)


class Stubborn:
    """Declares no play and never says anything else."""

    def __init__(self, *, seat: int, seed: str) -> None:
        pass

    def act(self, view: View) -> Move:
        return NoPlay()


class HandJudge:
    """A dealer who judges by hand: red is right."""

    def act(self, view: View) -> Move:
        assert view.decision is not None
        if view.decision.kind is DecisionKind.PICK:
            return Pick(next(card for card in view.public.shown if card.is_red))
        action = view.public.attempt
        if isinstance(action, Attempt):
            return Call(right=all(card.is_red for card in action.cards))
        return Call(right=not any(card.is_red for card in view.public.shown))


class RedDealer:
    """Deals red, with a hint where one is required; picks the last legal card."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return RED, hints_for(RED)[0] if profile is NO_PROPHET else None

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        assert all(card.is_red for card in legal)
        return legal[-1]


def samplers(seats: int, dealer: int, seed: str = "s") -> list[Sampler | None]:
    return [None if seat == dealer else Sampler(seat=seat, seed=f"{seed}/{seat}") for seat in range(seats)]


SPECS = [AgentSpec(f"player {number}", f"{HERE}:Sampler") for number in range(5)]


def match(profile: Profile = HOWELL, rounds: int | None = None, seed: str = "1") -> MatchResult:
    return play_match(profile, SPECS, dealers=[RedDealer()] * 5, seed=seed, rounds=rounds)


def test_a_round_is_played_to_its_end() -> None:
    record = play_round(HOWELL, RED, samplers(5, 2), dealer=2, seed="7")
    round_ = record.replay()
    assert round_.over
    assert (round_.seats, round_.dealer, round_.rule) == (5, 2, RED)
    assert record.scores == round_.scores()


def test_the_same_seed_plays_the_same_round() -> None:
    one, same, other = (play_round(ABBOTT, RED, samplers(5, 2), dealer=2, seed=seed) for seed in ("7", "7", "8"))
    assert str(one) == str(same)
    assert one.deck != other.deck


def test_the_deck_is_that_of_the_seed_unless_it_is_given() -> None:
    given = [*CARDS * 3]
    record = play_round(HOWELL, RED, samplers(4, 0), dealer=0, seed="7", deck=given, first=3)
    assert record.deck.split() == list(map(str, given))
    assert record.first == 3


def test_a_dealer_picks_and_otherwise_lots_are_drawn() -> None:
    def picks(judge: RedDealer | None, seed: str) -> list[str]:
        agents = [None, *(Stubborn(seat=seat, seed="") for seat in range(1, 4))]
        played = play_out(LATE_PROPHET, RED, agents, dealer=0, seed=seed, deck=CARDS * 2, judge=judge)
        return [move for move in played.record().moves if move.startswith("pick")]

    assert len(picks(None, "1")) > 3
    assert picks(None, "1") == picks(None, "1")
    assert picks(None, "1") != picks(None, "2")
    assert picks(RedDealer(), "1") == picks(RedDealer(), "2")


def test_a_dealer_by_hand_sits_at_the_table() -> None:
    agents = [HandJudge(), *samplers(4, 0)[1:]]
    starters = [next(card for card in CARDS[42:] if not card.is_red)]
    record = play_round(HOWELL, None, agents, dealer=0, seed="3", deck=CARDS * 3, starters=starters)
    assert record.rule is None
    assert record.replay().over
    assert {"right", "wrong"} <= set(record.moves)


def test_nobody_sits_there() -> None:
    with pytest.raises(InvalidMatch, match="must be answered, and nobody sits there; only a dealer's may be None"):
        play_round(HOWELL, RED, [None] * 4, dealer=0, seed="1")
    starters = [CARDS[50]]
    with pytest.raises(InvalidMatch, match="seat 0: call must be answered"):
        play_round(HOWELL, None, samplers(4, 0), dealer=0, seed="3", deck=CARDS * 3, starters=starters)


def test_an_agent_that_answers_wrongly_is_named() -> None:
    agents = [None, *(Stubborn(seat=seat, seed="") for seat in range(1, 4))]
    with pytest.raises(
        IllegalMove, match=r"Stubborn answered no play: seat \d: after turn: no play is not an answer"
    ):
        play_round(HOWELL, RED, agents, dealer=0, seed="1")


def test_a_round_that_cannot_be_dealt() -> None:
    with pytest.raises(InvalidDeal, match="no-prophet requires a hint"):
        play_round(NO_PROPHET, RED, samplers(4, 0), dealer=0, seed="1")


@pytest.mark.parametrize("profile", [ABBOTT, HOWELL, NO_PROPHET, LATE_PROPHET], ids=str)
def test_in_a_match_every_player_deals_once(profile: Profile) -> None:
    result = match(profile)
    dealers = [record.dealer for record in result.records]
    assert sorted(dealers) == [0, 1, 2, 3, 4]
    assert dealers == [(dealers[0] + number) % 5 for number in range(5)]
    assert result.players == tuple(f"player {number}" for number in range(5))
    points = [record.scores or () for record in result.records]
    assert result.totals == tuple(map(sum, zip(*points, strict=True)))
    assert result.winners == tuple(
        player for player, total in zip(result.players, result.totals, strict=True) if total == max(result.totals)
    )
    for number, record in enumerate(result.records):
        assert record.key == f"deal {number}"
        assert record.agents == result.players
        assert record.replay().over


def test_the_first_dealer_is_drawn() -> None:
    assert {match(rounds=1, seed=f"{seed}").records[0].dealer for seed in range(30)} == {0, 1, 2, 3, 4}
    assert match(seed="4") == match(seed="4")


@pytest.mark.parametrize(("profile", "bonus"), [(ABBOTT, 10), (HOWELL, 0), (NO_PROPHET, 10), (LATE_PROPHET, 0)])
def test_a_match_cut_short(profile: Profile, bonus: int) -> None:
    result = match(profile, rounds=3)
    dealt = {record.dealer for record in result.records}
    assert len(dealt) == 3
    for seat in range(5):
        points = sum(record.scores[seat] for record in result.records if record.scores)
        assert result.totals[seat] == points + (0 if seat in dealt else bonus)


@pytest.mark.parametrize("profile", [ABBOTT, LATE_PROPHET], ids=str)
def test_a_match_may_be_as_long_as_agreed(profile: Profile) -> None:
    dealers = [record.dealer for record in match(profile, rounds=6).records]
    assert len(dealers) == 6
    assert dealers[5] == dealers[0]


@pytest.mark.parametrize(
    ("profile", "rounds", "about"),
    [
        (HOWELL, 6, "a match of 6 rounds; howell with 5 players has 1 to 5"),
        (NO_PROPHET, 6, "a match of 6 rounds; no-prophet with 5 players has 1 to 5"),
        (HOWELL, 0, "a match of 0 rounds"),
        (ABBOTT, 0, "a match of 0 rounds"),
        (ABBOTT, -1, "a match of -1 rounds"),
    ],
)
def test_no_match_of_so_many_rounds(profile: Profile, rounds: int, about: str) -> None:
    with pytest.raises(InvalidMatch) as error:
        match(profile, rounds=rounds)
    assert about in str(error.value)


def test_no_match_without_a_dealer_for_each_player() -> None:
    with pytest.raises(InvalidMatch, match="5 players and 4 dealers; give one dealer a player"):
        play_match(HOWELL, SPECS, dealers=[RedDealer()] * 4, seed="1")


def test_equal_totals_win_together() -> None:
    assert MatchResult(players=("a", "b", "c"), records=(), totals=(7, 3, 7)).winners == ("a", "c")
