from __future__ import annotations

from contextlib import suppress

from eleusis_ai.agent import Agent, Beliefs, Dealer, Explains, Learner
from eleusis_ai.registry import MissingExtra, make_agent, make_dealer, make_learner, registered


class Mute:
    """Has nothing that is asked of anybody."""


def test_what_is_registered_is_what_it_says() -> None:
    for name in registered("agents"):
        assert isinstance(make_agent(name, seat=1, seed="s"), Agent)
    for name in registered("dealers"):
        assert isinstance(make_dealer(name, {"rule": "card.is_red"} if name == "fixed" else {}), Dealer)
    for name in registered("learners"):
        with suppress(MissingExtra):  # what it says then, the tests of the estimators tell
            assert isinstance(make_learner(name), Learner)


def test_what_is_none_of_them() -> None:
    for protocol in (Agent, Dealer, Learner, Explains):
        assert not isinstance(Mute(), protocol)


def test_beliefs_are_a_value() -> None:
    assert Beliefs((0.5,) * 52, (("card.is_red", 0.5),)) == Beliefs((0.5,) * 52, (("card.is_red", 0.5),))
