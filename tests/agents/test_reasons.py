"""Why a move is made: what is said, and that it is what was weighed."""

from __future__ import annotations

import re

import pytest

from eleusis_agents.elimination import EliminationAgent
from eleusis_agents.forecast import Forecast
from eleusis_agents.grounds import ground
from eleusis_agents.inference import LearningAgent
from eleusis_agents.learners.elimination import EliminationLearner
from eleusis_agents.levels import LEVELS
from eleusis_agents.reasons import percent, reason
from eleusis_agents.strategy import Strategy
from eleusis_agents.tree import TreeAgent
from eleusis_ai.agent import Learner, Reasons
from eleusis_ai.cards import Card, parse_cards
from eleusis_ai.evidence import Verdict
from eleusis_ai.match import play_round
from eleusis_ai.moves import Attempt, NoPlay, parse_move
from eleusis_ai.profiles import load_profile
from eleusis_ai.registry import make_agent
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from tests.agents.stand_ins import Believer, Guesser
from tests.rulebook.table import ALTERNATE, RED, at_once, deal, house, play

SURE = Believer(RED)


def why(table: Round, learner: Learner, move: str | None = None, strategy: Strategy | None = None) -> str:
    """Return the reason for ``move``, by default for that of the strategy."""
    assert table.decision is not None
    strategy, view = strategy or Strategy(), table.view(table.decision.seat)
    return reason(view, parse_move(move) if move else strategy.move(view, learner), learner, strategy)


class TestPlay:
    @pytest.mark.parametrize(
        ("hand", "learner", "said"),
        [
            ("2C 3D 4C 5C 6C", SURE, "I play 3♦: I am sure that it is right"),
            ("2D 3D 4C 5C", SURE, "I play 2♦ 3♦ at once: I am sure that both are right"),
            ("2D 3D 4D 5C", SURE, "I play 2♦ 3♦ 4♦ at once: I am sure that all 3 are right"),
            (
                "2C 3C",
                Guesser({"2C": 0.6, "3C": 0.93}),
                "I play 3♣: I think it is right with 93%, and no other card of mine is likelier",
            ),
            ("2C 3S 4C 5C 6C", SURE, "I declare no play: I am sure that no card of my hand is right"),
            (
                "2C 3C 4C 5C 6C",
                Guesser({"2C": 0.1}),
                "I declare no play: I think no card of my hand is right with 90%; the likeliest, 2♣, is so with 10%",
            ),
        ],
    )
    def test_what_is_said(self, hand: str, learner: Learner, said: str) -> None:
        assert why(deal("howell", RED, hand), learner).startswith(said)

    def test_a_test_is_called_one(self) -> None:
        table, learner = deal("howell", RED, "2C 3C 4C 5C 6C 7C 8C 9C"), Guesser({"2C": 0.99, "3C": 0.5})
        curious = why(table, learner, strategy=Strategy(information=100))
        assert (
            curious
            == "I test 3♣: I think it is right with 50%, and learn 1.00 bits by that; no other play tells more."
        )
        assert why(table, learner, strategy=Strategy(information=0)).startswith("I play 2♣: I think")

    def test_the_danger_is_told(self) -> None:
        table = deal(house("howell", expulsion_from=0), RED, "2C 3C")
        assert why(table, Guesser({"2C": 0.6, "3C": 0.93})).endswith(" A mistake would expel me.")
        assert "expel" not in why(deal("howell", RED, "2C 3C"), Guesser({"2C": 0.6, "3C": 0.93}))

    @pytest.mark.parametrize(
        ("move", "said"),
        [
            ("2C", "I would not play 2♣: I think it is right with 0%. I play 3♦: I am sure"),
            ("3D 2C", "I would not play 3♦ 2♣: I think it is right with 0%. I play"),
            ("no play", "I would not declare no play: I think it is right with 0%. I play"),
        ],
    )
    def test_what_another_plays_is_told_from_what_it_would(self, move: str, said: str) -> None:
        assert why(deal("howell", RED, "2C 3D 4C 5C"), SURE, move).startswith(said)


class TestOtherDecisions:
    def test_prophet(self) -> None:
        table = deal(at_once("howell"), RED, "2C 3D " + "4C " * 10)
        play(table, "1: 3D")
        assert re.fullmatch(
            r"I become prophet: I think that I judge rightly to the end with 100%, and expect \d+\.\d points of it, "
            r"against \d+\.\d of playing on\.",
            why(table, SURE),
        )
        assert why(table, SURE, "pass").startswith("I would not answer 'pass'. I become prophet")
        unsure = why(table, Guesser({}, other=0.5))
        assert unsure.startswith(
            "I do not become prophet: I think that I would judge rightly to the end with under 1%"
        )
        assert why(table, SURE, strategy=Strategy(prophet=False)) == "I do not become prophet: I never do."

    @pytest.mark.parametrize(
        ("profile", "played", "said"),
        [
            ("howell", "5D", "I say that 5♦ is right: I am sure that it is so"),
            ("howell", "5C", "I say that 5♣ is wrong: I am sure that it is so"),
            ("howell", "5D 5C", "I say that 5♦ 5♣ is wrong: I am sure that it is so."),
            ("late-prophet", "5D 6D 5C", "I say that 5♣ is wrong: I am sure that it is so."),
            ("late-prophet", "5C 5D", "I say that the first card is wrong: I am sure that it is so."),
            ("howell", "no play", "I say wrong, and name 5♦ as right: I am sure that it is so."),
        ],
    )
    def test_calls(self, profile: str, played: str, said: str) -> None:
        table = deal(at_once(profile), RED, "2C 3D 4C 4C 4C", "5C 5D 6D 7D 8C")
        play(table, "1: 3D", "1: prophet", f"2: {played}")
        assert why(table, SURE).startswith(said)

    def test_statements(self) -> None:
        table = deal("cooperative", RED, "2C 3D 4C 5C")
        play(table, "1: 3D")
        said = why(table, SURE)
        assert said == (
            "I state the likeliest rule I know, 'Only red cards': I am sure that it is right, and a wrong one costs "
            "1 turn."
        )
        assert why(table, Guesser({})) == "I state no rule: I know none that is likely enough."
        many = Believer(RED, *(f"card.rank == {rank}" for rank in range(2, 11)))
        assert "I state no rule: the likeliest I know is '" in why(table, many)
        assert "I think it is right with 11%" in why(table, many)

    def test_a_dealer_by_hand_has_no_rule_of_its_own(self) -> None:
        table = deal("howell", RED, "2D 3C")
        play(table, "1: no play")
        assert "no rule of my own" in EliminationAgent(seat=0, seed="s").reason(table.view(0), parse_move("pick 2D"))


LINE = parse_cards("7H 2C 8D KS")
ITEMS = tuple(Verdict(LINE[:at], LINE[at], legal=True) for at in range(1, 4))


class TestGround:
    def test_the_likeliest_rule(self) -> None:
        said = ground(LINE, Card.parse("3H"), ITEMS, Believer(ALTERNATE), right=True)
        assert said == f"; the likeliest rule I know fits all 3 cards I remember: {Rule.parse(ALTERNATE).text[:-1]}"
        said = ground(LINE, Card.parse("3H"), ITEMS, Believer(RED), right=True)
        assert said == "; the likeliest rule I know fits 1 of 3 cards I remember: Only red cards"

    def test_how_such_cards_were_judged(self) -> None:
        """Red after black was right once, black after red twice; no sort of cards was wrong."""
        assert ground(LINE[:3], Card.parse("3C"), ITEMS, Guesser({}), right=True) == (
            "; a black card has been right twice and never wrong"
        )
        wrong = [*ITEMS, *(Verdict(LINE, Card.parse(card), legal=False) for card in ("2S", "9S", "4C"))]
        assert ground(LINE, Card.parse("JS"), wrong, Guesser({}), right=False) == (
            "; black after black has been wrong 3 times and never right"
        )

    def test_what_speaks_against_it_is_no_ground(self) -> None:
        assert ground(LINE, Card.parse("3S"), ITEMS, Believer(ALTERNATE), right=True) == (
            "; a black card has been right twice and never wrong"
        )
        assert ground(LINE, Card.parse("3S"), (), Believer(RED), right=False) == ""

    def test_what_was_forgotten_is_no_ground(self) -> None:
        table = deal("no-prophet", RED, *(["2D 3D 4D 5D 6D 7D", "8D 9D 10D JD QD"] * 2))
        played = ("1: 2D", "2: 8D", "3: 3D", "4: 9D", "1: 4D", "2: 10D", "3: 5D", "4: JD")
        play(table, *played)
        view = table.view(1)
        remembered, whole = (
            re.search(r"fits all (\d+) cards", agent.reason(view, parse_move("6D")))
            for agent in (EliminationAgent(seat=1, seed="", level=level) for level in ("beginner", "master"))
        )
        assert remembered is not None
        assert whole is not None
        assert LEVELS["beginner"].memory is not None
        assert int(remembered[1]) <= LEVELS["beginner"].memory < int(whole[1]) == 8


@pytest.mark.parametrize("profile", ["howell", "late-prophet", "cooperative"])
def test_every_move_of_a_round_has_a_reason_with_the_chance_it_was_weighed_by(profile: str) -> None:
    terms, rule = load_profile(profile), Rule.parse("card.suit == last.suit or card.rank == last.rank")
    names = ("elimination:club", "tree", "elimination:beginner", "tree")
    agents = [make_agent(name, seat=seat, seed="why") for seat, name in enumerate(names, start=1)]
    record = play_round(terms, rule, [None, *agents], dealer=0, seed="why")
    asked = {seat: make_agent(name, seat=seat, seed="why") for seat, name in enumerate(names, start=1)}
    round_, plays = record.deal(), 0
    for move in map(parse_move, record.moves):
        assert round_.decision is not None
        seat = round_.decision.seat
        if seat != round_.dealer:
            agent, view = asked[seat], round_.view(seat)
            assert isinstance(agent, LearningAgent)
            said = agent.reason(view, move)
            assert 20 < len(said) <= 400
            assert not said.startswith("I would not"), said
            assert said.endswith(".")
            if isinstance(move, Attempt | NoPlay):
                chance = _chance(agent, view.layout.mainline, move, view.hand)
                assert percent(chance) in said or (chance == 1 and "I am sure that" in said)
                plays += 1
        round_.apply(move)
    assert plays > 5


def _chance(
    agent: LearningAgent, mainline: tuple[Card, ...], move: Attempt | NoPlay, hand: tuple[Card, ...]
) -> float:
    forecast = Forecast(agent._learner, mainline)
    return forecast.none_legal(hand) if isinstance(move, NoPlay) else forecast.prefixes(move.cards)[-1]


def test_who_has_reasons() -> None:
    for agent in (EliminationAgent(seat=1, seed=""), TreeAgent(seat=1, seed="")):
        assert isinstance(agent, Reasons)
    assert not isinstance(make_agent("random", seat=1, seed=""), Reasons)


@pytest.mark.parametrize(
    ("chance", "said"),
    [(0.0, "0%"), (0.001, "under 1%"), (0.934, "93%"), (0.9949, "99%"), (0.9951, "over 99%"), (1.0, "100%")],
)
def test_what_is_not_certain_is_not_rounded_to_certainty(chance: float, said: str) -> None:
    assert percent(chance) == said


def test_an_elimination_learner_remembers_what_it_has_not_forgotten() -> None:
    items = list(ITEMS)
    learner, short = EliminationLearner(), EliminationLearner(memory=1)
    learner.observe(items)
    short.observe(items)
    assert (learner.remembered(), short.remembered()) == (items, items[-1:])
