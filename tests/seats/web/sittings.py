"""Tables to test with, made of entries alone: persons in the chairs, and rounds played by lot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eleusis_ai.cards import Card, cards_text
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.profiles import HintTerms, Profile
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.web.entries import MoveMade, PersonJoined, RoundBegun, RuleGiven, TableFounded
from eleusis_ai.seats.web.frames import private_part, public_part, state_frame
from eleusis_ai.seats.web.setting import TableSetting
from eleusis_ai.seats.web.sitting import Phase, Sitting
from eleusis_ai.seats.web.tokens import mark_of
from eleusis_ai.seeds import generator
from tests.properties.rounds import Table, true_hints


def gathered(profile: str, seats: int, *, dealer: int = 0, program: bool = False) -> Sitting:
    """Found a table with a person in each chair, or a program in the dealer's."""
    agents = tuple("random" if program and seat == dealer else None for seat in range(seats))
    setting = TableSetting(profile=profile, seats=seats, first_dealer=dealer, agents=agents)
    sitting = Sitting(TableFounded(setting=setting, seed="seed", host=mark_of("host")))
    for seat, agent in enumerate(agents):
        if agent is None:
            sitting.apply(PersonJoined(seat, f"Person {seat}", mark_of(f"token {seat}")))
    return sitting


def sitting_of(table: Table, *, named: str | None = None, program: bool = False) -> Sitting:
    """Gather whom ``table`` needs, before the first round.

    Args:
        table: How it is played.
        named: The published profile that stands for the table's own, if that is none.
        program: Whether a program deals.
    """
    rng = generator(f"{table.seed}/chairs")
    seats = rng.randint(table.profile.min_seats, table.profile.max_seats)
    sitting = gathered(named or table.profile.name, seats, dealer=rng.randrange(seats), program=program)
    sitting.profile = table.profile
    return sitting


def deal(sitting: Sitting, rule: Rule | None, deck: Sequence[Card]) -> None:
    """Begin the next round, with a true hint where one is required."""
    sitting.apply(RoundBegun(sitting.next_dealer, cards_text(deck)))
    required = sitting.profile.hint is HintTerms.REQUIRED
    hint = None if not required else "no ranks" if rule is None else str(true_hints(rule)[0])
    starter = None if rule is None or rule.starter is None else str(rule.starter)
    sitting.apply(RuleGiven(rule=None if rule is None else str(rule), starter=starter, hint=hint))


def deck_of(profile: Profile, name: object) -> tuple[Card, ...]:
    return shuffled_deck(profile, generator(f"{name}/deck"))


def moves(sitting: Sitting, table: Table) -> Iterator[MoveMade]:
    """Yield the moves of the round in play, each before it is made, until it is over."""
    rng = table.rng
    while sitting.phase is Phase.PLAYING:
        assert sitting.round is not None
        yield MoveMade(str(table.answer(sitting.round, rng)))


def told(sitting: Sitting, seat: int | None) -> bytes:
    """Return what a seat is sent of a table, or a spectator."""
    private = None if seat is None else private_part(sitting, seat)
    return state_frame(sitting.number, public_part(sitting), private)
