from __future__ import annotations

import pytest

from eleusis_ai.contracts.tour import WAYS, tour
from eleusis_ai.events import NoPlayJudged, ProphetOverthrown, SeatExpelled, SeatPassed, StageTwoBegan
from eleusis_ai.evidence import HintGiven, NotTheRule, SomeIllegal, SomeLegal, Verdict, evidence
from eleusis_ai.moves import Attempt, DecisionKind, NoPlay
from eleusis_ai.profiles import LATE_PROPHET, PROFILES, Profile, Stating
from eleusis_ai.view import View

every_profile = pytest.mark.parametrize("profile", WAYS, ids=str)


def views(profile: Profile) -> list[View]:
    return [view for shown in tour(profile) for view in shown]


@every_profile
def test_every_decision_of_scientists_and_prophets_comes_up(profile: Profile) -> None:
    kinds = {view.legal_moves().kind for view in views(profile)}
    prophet = {DecisionKind.AFTER_TURN, DecisionKind.CALL} if profile.prophet else set()
    states = {DecisionKind.STATE_RULE} if profile.stating is not Stating.NEVER else set()
    assert kinds == {DecisionKind.PLAY} | prophet | states


@pytest.mark.parametrize("profile", [profile for profile in PROFILES.values() if profile.prophet], ids=str)
def test_prophets_judge_all_there_is(profile: Profile) -> None:
    calls = [view for view in views(profile) if view.legal_moves().kind is DecisionKind.CALL]
    assert any(isinstance(view.public.attempt, NoPlay) for view in calls)
    assert {len(view.public.attempt.cards) > 1 for view in calls if isinstance(view.public.attempt, Attempt)} == {
        False,
        True,
    }
    prefixes = {call.prefix for view in calls for call in view.legal_moves().calls} - {None}
    assert bool(prefixes) == (profile is LATE_PROPHET)


def test_every_kind_of_evidence_comes_up() -> None:
    items = [item for profile in WAYS for shown in tour(profile) for item in evidence(shown[-1])]
    assert {type(item) for item in items} == {Verdict, SomeIllegal, SomeLegal, HintGiven, NotTheRule}
    assert {item.legal for item in items if isinstance(item, Verdict)} == {False, True}
    assert any(isinstance(item, Verdict) and not item.mainline for item in items)


def test_much_happens() -> None:
    events = [event for profile in WAYS for shown in tour(profile) for event in shown[-1].events]
    for kind in (ProphetOverthrown, SeatExpelled, StageTwoBegan, SeatPassed):
        assert any(isinstance(event, kind) for event in events)
    assert {event.right for event in events if isinstance(event, NoPlayJudged)} == {False, True}


@every_profile
def test_it_is_the_same_each_time(profile: Profile) -> None:
    assert tour(profile) == tour(profile)
    assert all(view.decision is not None and view.decision.seat == view.seat for view in views(profile))
