"""Every field of a profile matters: change one, in any published profile, and something is played or told otherwise.

Most fields show in the golden records of `tests/records`, played again with the changed profile. What no single
round can show (how long a match may be, what a table is told before it sits down) is observed by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cache
from io import StringIO
from random import Random
from typing import NoReturn

import msgspec
import pytest
from rich.console import Console

from eleusis_ai.cards import CARDS, Card
from eleusis_ai.dealing import InvalidDeal, shuffled_deck
from eleusis_ai.legal import IllegalMove
from eleusis_ai.match import InvalidMatch, play_match
from eleusis_ai.profiles import (
    PROFILES,
    HintTerms,
    InvalidProfile,
    Profile,
    ProphetTerms,
    Scoring,
    Stating,
    load_profile,
    profile_overrides,
)
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.registry import AgentSpec
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review
from eleusis_ai.scoring import match_points
from eleusis_ai.sheets import profile_sheet
from tests.records.rewrite import RECORDS, read, told

RED = Rule.parse("card.is_red")
REJECTED = Rule.parse("card.is_red if len(rejected) % 2 == 0 else card.is_black")
NO_RANKS = Hint.parse("no ranks")


PLAYED = {**PROFILES, "howell+cooperative": load_profile("cooperative")}
"""The published profiles, and one of them as a team: in no other are turns counted."""


@cache
def records(name: str) -> tuple[Record, ...]:
    """Return the golden records of a published profile."""
    return tuple(record for _, record in map(read, RECORDS) if record.profile == name)


def replayed(record: Record, profile: Profile) -> list[str]:
    """Tell how the round of ``record`` goes in ``profile``, as far as it goes."""
    lines: list[str] = []
    try:
        round_ = msgspec.structs.replace(record, profile=profile_overrides(profile)).deal()
        lines.extend(told(round_, record.moves))
    except (InvalidRecord, IllegalMove) as error:
        lines.append(type(error).__name__)
    return lines


def remarks(profile: Profile, name: str) -> object:
    return [profile.remarks(seats) for seats in range(4, 9)]


def may_be_dealt(profile: Profile, **parts: object) -> bool:
    rule = parts.pop("rule", RED)
    assert isinstance(rule, Rule)
    hint = parts.pop("hint", None)
    assert hint is None or isinstance(hint, Hint)
    try:
        Round.deal(profile, rule, seats=5, dealer=0, deck=CARDS * min(profile.packs, 2), first=1, hint=hint)
    except InvalidDeal:
        return False
    return True


def hints(profile: Profile, name: str) -> object:
    return may_be_dealt(profile, hint=NO_RANKS), may_be_dealt(profile)


def rejected_rules(profile: Profile, name: str) -> object:
    hint = None if profile.hint is HintTerms.NONE else NO_RANKS
    return may_be_dealt(profile, rule=REJECTED, hint=hint)


def beginners(profile: Profile, name: str) -> object:
    hint = None if profile.hint is HintTerms.NONE else NO_RANKS
    turns = []
    for seed in range(6):
        deck = shuffled_deck(PLAYED[name], Random(seed))
        turns.append(Round.deal(profile, RED, seats=6, dealer=0, deck=deck, hint=hint, rng=Random(seed)).turn)
    return turns


def decks(profile: Profile, name: str) -> object:
    return shuffled_deck(profile, Random(1))


class Begun(Exception):
    """A match was let begin."""


class OneWhoTells:
    """A dealer who tells that the match has begun."""

    def choose(self, profile: Profile, rng: Random) -> NoReturn:
        raise Begun

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        return legal[0]


def long_match(profile: Profile, name: str) -> object:
    specs = [AgentSpec(f"{seat}", "random") for seat in range(5)]
    try:
        play_match(profile, specs, dealers=[OneWhoTells()] * 5, seed=1, rounds=6)
    except Begun:
        return True
    except InvalidMatch:
        return False
    raise AssertionError("the first dealer tells that the match has begun")


def cut_match(profile: Profile, name: str) -> object:
    return match_points(profile, 5, [(0, (1, 2, 3, 4, 5))])


def sheet(profile: Profile, name: str) -> object:
    page = StringIO()
    Console(file=page, width=200).print(profile_sheet(profile))
    return page.getvalue()


def advice(profile: Profile, name: str) -> object:
    looks_back = Rule.parse("card.suit != mainline[-2].suit")
    return review(looks_back, profile=profile).advice


def number_rules(profile: Profile, name: str) -> object:
    return may_be_dealt(profile, hint=None if profile.hint is HintTerms.NONE else NO_RANKS)


def starters(profile: Profile, name: str) -> object:
    hint = None if profile.hint is HintTerms.NONE else Hint.parse("no suits")
    rule = Rule.parse("card.rank != mainline[-2].rank")
    deck = CARDS * min(profile.packs, 2)
    return Round.deal(profile, rule, seats=5, dealer=0, deck=deck, first=1, hint=hint).layout.mainline


def idle_turns(profile: Profile, name: str) -> object:
    """Play wrong cards until the round ends."""
    hint = None if profile.hint is HintTerms.NONE else Hint.parse("only the card")
    deck = shuffled_deck(PLAYED[name], Random(1))
    round_ = Round.deal(profile, Rule.parse("card.rank > 13"), seats=5, dealer=0, deck=deck, first=1, hint=hint)
    while round_.decision is not None:
        round_.apply(next(iter(round_.legal_moves())))
    return round_.end_reason, len(round_.moves)


OTHERWISE: dict[str, Callable[[Profile, str], object]] = {
    "name": sheet,
    "source": sheet,
    "best_seats": remarks,
    "lookback_advised": advice,
    "first_player": beginners,
    "reads_rejected": rejected_rules,
    "numbers_only": number_rules,
    "starter": starters,
    "idle_laps": idle_turns,
    "hint": hints,
    "reserve_packs": decks,
    "packs": decks,
    "rounds_as_agreed": long_match,
    "never_dealt_bonus": cut_match,
}
"""Where a change of a field shows if no golden record tells of it."""

NO_RECORD_TELLS = {
    *("name", "source", "best_seats", "lookback_advised", "rounds_as_agreed", "never_dealt_bonus"),
    "first_player",  # a record says who began
}
"""Fields that no record of a round can show."""

IDLE: dict[str, Callable[[Profile], bool]] = {
    "judging": lambda profile: profile.max_string == 1,
    "no_play_reduction": lambda profile: not profile.no_play,
    "no_play_penalty": lambda profile: not profile.no_play,
    "shown_hand": lambda profile: not profile.no_play,
    "legal_card": lambda profile: not profile.no_play,
    "no_play_expels": lambda profile: profile.prophet is None and profile.expulsion_from is None,
    "wrong_statement_turns": lambda profile: profile.turn_limit is None,
    "stated_bonus": lambda profile: profile.stating is Stating.NEVER or profile.scoring is Scoring.TEAM,
    "emptied_bonus": lambda profile: profile.scoring is Scoring.TEAM,
}
"""Fields that mean nothing where others have certain values."""

CHANGED: dict[str, list[object]] = {
    "name": ["other"],
    "source": ["another book"],
    "min_seats": [7],
    "max_seats": [5],
    "best_seats": [(7, 8), (4, 4)],
    "reserve_packs": [3, 1, 0],
    "hand_size": [13, None],
    "idle_laps": [1, 2],
    "turn_limit": [5, 10],
    "wrong_statement_turns": [0, 3],
    "stated_bonus": [0, 2],
    "max_string": [1, 2, None],
    "penalty_per_card": [1, 3],
    "no_play_reduction": [3, 5],
    "no_play_penalty": [4, 6],
    "expulsion_from": [10, None],
    "emptied_bonus": [2, 5],
    "never_dealt_bonus": [7],
    "lookback_advised": [1, 0],
    "mainline_from": [2, 60],
    "others_left": [5],
    "error_penalty": [4, 6],
    "prophet.expulsion_from": [5, None],
    "accepted_points": [0, 2],
    "rejected_points": [0, 3],
    "dealer_cap_per_card": [1, 0],
    "dealer_cap_over_prophet": [0, 3],
}
"""Other values, where there are not just two or a few to choose from."""


def changes() -> Iterator[tuple[str, str, object]]:
    """Yield each published profile with each of its fields, and a value it does not have there."""
    for name, profile in PLAYED.items():
        for field in Profile.__struct_fields__:
            if field not in ("prophet", "packs"):
                yield from ((name, field, value) for value in others(field, getattr(profile, field)))
        yield name, "packs", 2 if profile.packs == 3 else 3
        yield name, "prophet", ProphetTerms() if profile.prophet is None else None
        if profile.prophet is not None:
            for field in ProphetTerms.__struct_fields__:
                for value in others(field, getattr(profile.prophet, field), "prophet."):
                    yield name, f"prophet.{field}", value


def others(field: str, value: object, where: str = "") -> list[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, Enum):
        return [other for other in type(value) if other is not value]
    values = CHANGED.get(f"{where}{field}") or CHANGED[field]
    return [other for other in values if other != value]


def changed(name: str, field: str, value: object) -> Profile:
    profile = PLAYED[name]
    if not field.startswith("prophet."):
        return msgspec.structs.replace(profile, **{field: value})
    assert profile.prophet is not None
    terms = msgspec.structs.replace(profile.prophet, **{field.removeprefix("prophet."): value})
    return msgspec.structs.replace(profile, prophet=terms)


@cache
def as_published(name: str) -> list[list[str]]:
    return [replayed(record, PLAYED[name]) for record in records(name)]


@cache
def a_record_tells(name: str, field: str, value: object) -> bool:
    """Tell whether a golden record goes otherwise with the change, or no profile can be changed so."""
    try:
        profile = changed(name, field, value)
    except InvalidProfile:
        return True
    return any(
        replayed(record, profile) != lines for record, lines in zip(records(name), as_published(name), strict=True)
    )


@pytest.mark.parametrize(("name", "field", "value"), list(changes()))
def test_a_changed_field_shows(name: str, field: str, value: object) -> None:
    if a_record_tells(name, field, value):
        return
    if field in IDLE and IDLE[field](PLAYED[name]):
        return
    assert field in OTHERWISE, f"no golden record of {name} goes otherwise if {field} is {value}"
    observe = OTHERWISE[field]
    assert observe(changed(name, field, value), name) != observe(PLAYED[name], name)


def test_the_records_tell_of_all_that_a_round_can_show() -> None:
    told_of = {field for name, field, value in changes() if a_record_tells(name, field, value)}
    terms = {f"prophet.{field}" for field in ProphetTerms.__struct_fields__}
    assert told_of == (set(Profile.__struct_fields__) | terms) - NO_RECORD_TELLS


def test_every_field_is_changed_in_every_profile() -> None:
    fields = {(name, field) for name, field, _ in changes()}
    assert fields == {
        (name, field) for name in PLAYED for field in Profile.__struct_fields__
    } | {
        (name, f"prophet.{field}")
        for name, profile in PLAYED.items() if profile.prophet is not None
        for field in ProphetTerms.__struct_fields__
    }  # fmt: skip
    assert all(value != getattr(PLAYED[name], field) for name, field, value in changes() if "." not in field)


def test_what_means_nothing_tells_nothing() -> None:
    for name, field, value in changes():
        if field in IDLE and IDLE[field](PLAYED[name]):
            assert not a_record_tells(name, field, value)
