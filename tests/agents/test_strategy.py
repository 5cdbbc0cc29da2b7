"""Each decision in positions where one answer is plainly the best."""

from __future__ import annotations

import pytest

from eleusis_agents.strategy import Strategy
from eleusis_ai.agent import Learner
from eleusis_ai.moves import DecisionKind
from eleusis_ai.profiles import ProphetTerms
from eleusis_ai.registry import InvalidOptions
from eleusis_ai.round import Round
from tests.agents.stand_ins import Believer, Guesser
from tests.rulebook.table import ALTERNATE, EVERY, RED, at_once, deal, house, play, wrong_string

SURE = Believer(RED)
UNSURE = Guesser({}, other=0.5)


def answer(table: Round, learner: Learner) -> str:
    assert table.decision is not None
    return str(Strategy().move(table.view(table.decision.seat), learner))


class TestPlay:
    @pytest.mark.parametrize("profile", EVERY)
    @pytest.mark.parametrize(
        ("hand", "move"),
        [
            ("2C 3D 4C 5C 6C", "3D"),
            ("2C 3S 4C 5C 6C", "no play"),
            ("2C 3S", "no play"),
            ("2D 3D 4C 5C 6C", "2D 3D"),
            ("2D 3D 4D 5D", "2D 3D 4D 5D"),
        ],
        ids=["the legal card", "none is legal", "a small hand, none is legal", "all legal cards", "the whole hand"],
    )
    def test_a_rule_that_is_known(self, profile: str, hand: str, move: str) -> None:
        assert answer(deal(profile, RED, hand), SURE) == move

    @pytest.mark.parametrize(("profile", "length"), [("abbott", 4), ("howell", 6), ("late-prophet", 4)])
    def test_strings_are_as_long_as_the_profile_allows(self, profile: str, length: int) -> None:
        assert len(answer(deal(profile, RED, "2D 3D 4D 5D 6D 7D"), SURE).split()) == length

    def test_cards_are_put_in_order(self) -> None:
        assert answer(deal("howell", ALTERNATE, "2D 4D 3S 5C"), Believer(ALTERNATE)) == "3S 2D 5C 4D"

    def test_the_likelier_of_two_cards(self) -> None:
        assert answer(deal("howell", RED, "2C 3C"), Guesser({"2C": 0.6, "3C": 0.9})) == "3C"

    def test_of_equal_cards_the_earlier(self) -> None:
        assert answer(deal("howell", RED, "KC 3C 4C"), Guesser({}, other=0.5)) == "KC"

    def test_differences_beyond_nine_digits_are_none(self) -> None:
        assert answer(deal("howell", RED, "2C 3C"), Guesser({"2C": 0.5, "3C": 0.5 + 1e-13})) == "2C"

    def test_a_string_early_its_safe_card_alone_in_danger(self) -> None:
        """A wrong string costs two cards; where expulsion is in force it costs all further turns."""
        hand, learner = "2C 3C 4C 5C 6C 7C 8C 9C", Guesser({"2C": 0.97, "3C": 0.8})
        assert answer(deal("howell", RED, hand), learner) == "2C 3C"
        in_danger = deal(house("howell", expulsion_from=0), RED, hand)
        assert in_danger.danger
        assert answer(in_danger, learner) == "2C"

    def test_a_wrong_no_play_that_does_not_expel_is_the_smaller_danger(self) -> None:
        hand, learner = "2C 3C 4C 5C 6C 7C 8C 9C", Guesser({"2C": 0.55})
        moves = {
            expels: answer(deal(house("howell", expulsion_from=0, no_play_expels=expels), RED, hand), learner)
            for expels in (True, False)
        }
        assert moves == {True: "2C", False: "no play"}


class TestProphet:
    @pytest.mark.parametrize(("learner", "move"), [(SURE, "prophet"), (UNSURE, "pass")], ids=["sure", "unsure"])
    @pytest.mark.parametrize("profile", ["abbott", "howell", "late-prophet"])
    def test_who_knows_the_rule_becomes_prophet(self, profile: str, learner: Learner, move: str) -> None:
        table = deal(at_once(profile), RED, "2C 3D " + "4C " * 10)
        play(table, "1: 3D")
        assert answer(table, learner) == move

    def test_a_term_that_brings_nothing_is_not_wanted(self) -> None:
        terms = ProphetTerms(accepted_points=0, rejected_points=0)
        table = deal(house("howell", prophet=terms), RED, "2C 3D " + "4C " * 10)
        play(table, "1: 3D")
        assert answer(table, SURE) == "pass"


class TestCall:
    @pytest.mark.parametrize("profile", ["abbott", "howell", "late-prophet"])
    @pytest.mark.parametrize(
        ("cards", "call"),
        [("5D", "right"), ("5C", "wrong"), ("5D 6D", "right")],
        ids=["a right card", "a wrong card", "a right string"],
    )
    def test_an_attempt(self, profile: str, cards: str, call: str) -> None:
        table = self.in_office(profile)
        play(table, f"2: {cards}")
        assert answer(table, SURE) == call

    @pytest.mark.parametrize("profile", ["abbott", "howell"])
    def test_a_wrong_string(self, profile: str) -> None:
        table = self.in_office(profile)
        play(table, "2: 5D 5C")
        assert answer(table, SURE) == "wrong"

    @pytest.mark.parametrize(
        ("cards", "call"), [("5C 5D", "wrong after 0"), ("5D 5C", "wrong after 1"), ("5D 6D 5C 7D", "wrong after 2")]
    )
    def test_a_wrong_string_card_by_card(self, cards: str, call: str) -> None:
        table = self.in_office("late-prophet")
        play(table, f"2: {cards}")
        assert answer(table, SURE) == call

    @pytest.mark.parametrize("profile", ["abbott", "howell", "late-prophet"])
    def test_the_more_probable_verdict(self, profile: str) -> None:
        table = self.in_office(profile)
        play(table, "2: 5C")
        assert answer(table, Guesser({"5C": 0.51})) == "right"
        assert answer(table, Guesser({"5C": 0.49})) == "wrong"

    def test_a_string_of_likely_cards_may_be_unlikely(self) -> None:
        table = self.in_office("howell")
        play(table, "2: 5C 5D 6D")
        assert answer(table, Guesser({"5C": 0.7, "5D": 0.7, "6D": 0.7})) == wrong_string("howell")

    @pytest.mark.parametrize("profile", ["abbott", "howell", "late-prophet"])
    @pytest.mark.parametrize(
        ("learner", "call"),
        [
            (Believer("card.is_face"), "right"),
            (SURE, "wrong 5D"),
            (Guesser({"5C": 0.3, "6D": 0.6, "5D": 0.2}), "wrong 6D"),
            (Guesser({"5C": 0.1, "6D": 0.2}), "right"),
        ],
        ids=["none is legal", "one is", "the likeliest is named", "most likely none"],
    )
    def test_no_play(self, profile: str, learner: Learner, call: str) -> None:
        table = self.in_office(profile)
        play(table, "2: no play")
        assert answer(table, learner) == call

    @staticmethod
    def in_office(profile: str) -> Round:
        table = deal(at_once(profile), RED, "2C 3D 4C 4C 4C", "5C 5D 6D 7D 8C")
        play(table, "1: 3D", "1: prophet")
        return table


def test_the_dealer_s_decisions_are_not_a_strategy_s() -> None:
    table = deal("howell", RED, "2D 3C")
    play(table, "1: no play")
    assert table.decision is not None
    assert table.decision.kind is DecisionKind.PICK
    with pytest.raises(LookupError, match="dealer"):
        answer(table, SURE)


class TestOptions:
    def test_never_prophet(self) -> None:
        table = deal(at_once("howell"), RED, "2C 3D " + "4C " * 10)
        play(table, "1: 3D")
        view = table.view(1)
        assert str(Strategy.of({"prophet": False}).move(view, SURE)) == "pass"
        assert str(Strategy().move(view, SURE)) == "prophet"

    def test_no_strings(self) -> None:
        view = deal("howell", RED, "2D 3D 4C 5C 6C").view(1)
        assert str(Strategy.of({"strings": False}).move(view, SURE)) == "2D"

    def test_no_information(self) -> None:
        """A card that is all but sure is worth more than an even one unless what is learned counts."""
        view = deal("howell", RED, "2C 3C 4C 5C 6C 7C 8C 9C").view(1)
        curious, plain = Strategy.of({"information": 100}), Strategy.of({"information": 0})
        assert str(plain.move(view, Guesser({"2C": 0.99, "3C": 0.5}, other=0.0))) == "2C"
        assert str(curious.move(view, Guesser({"2C": 0.99, "3C": 0.5}, other=0.0))) == "3C"

    @pytest.mark.parametrize(
        ("options", "told"),
        [({"prophets": False}, "strategy has no 'prophets'"), ({"beam": "wide"}, "Expected `int`")],
    )
    def test_what_it_does_not_take(self, options: dict[str, object], told: str) -> None:
        with pytest.raises(InvalidOptions, match=told):
            Strategy.of(options)
