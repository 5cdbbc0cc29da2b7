"""What is asked for when a table is made: the way to play, who sits where, and who deals."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec

from eleusis_ai.agent import Dealer
from eleusis_ai.profiles import InvalidProfile, Profile, profile_from
from eleusis_ai.registry import make_dealer

DEALERS = ("catalog", "designer", "generated")
"""The programs that may deal where an agent sits in the dealer's chair."""
LONGEST_PACE = 5.0
"""The longest pause before an agent's move, in seconds."""
MOST_TABLES = 25
"""Tables of a class."""

Name = Annotated[str, msgspec.Meta(max_length=60)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=63)]


class InvalidTable(ValueError):
    """A table that cannot be laid as asked."""


class TableSetting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a table is laid; the same for all its rounds."""

    profile: Name = "howell"
    """The name of a published profile, with overlays as in ``howell+cooperative``."""
    seats: Seat
    """Players, the dealer included."""
    agents: Annotated[tuple[Name | None, ...], msgspec.Meta(max_length=16)] = ()
    """Which agent sits in each chair at first; None, and what is missing at the end: the chair is open."""
    first_dealer: Seat = 0
    """The seat that deals the first round."""
    passes: bool = True
    """Whether the deal passes to the left after each round that was played to its end."""
    dealer: Name = "catalog"
    """The program that deals where an agent sits in the dealer's chair: one of `DEALERS`."""
    family: Name | None = None
    """The kind of rule that the program deals; None: any. The designer has no kinds."""
    hint: Name | None = None
    """The agent that advises persons who ask; None: nobody does."""
    pace: Annotated[float, msgspec.Meta(ge=0, le=LONGEST_PACE)] = 1.0
    """Seconds before an agent's move, so that people can follow."""

    def __post_init__(self) -> None:
        """Refuse what no table could be laid for.

        Raises:
            InvalidTable: saying what, and what would do.
        """
        problem = self._problem()
        if problem is not None:
            raise InvalidTable(problem)

    def _problem(self) -> str | None:
        try:
            way = self.way
        except InvalidProfile as error:
            return str(error)
        if not way.min_seats <= self.seats <= way.max_seats:
            return f"{way} is played by {way.min_seats} to {way.max_seats}, the dealer included, not by {self.seats}"
        if len(self.agents) > self.seats:
            return f"{len(self.agents)} chairs are named at a table of {self.seats}; name one agent or null a seat"
        if self.first_dealer >= self.seats:
            return f"there is no seat {self.first_dealer} to deal; seats are 0 to {self.seats - 1}"
        if self.dealer not in DEALERS:
            return f"{self.dealer!r} does not deal here; {', '.join(DEALERS)} do"
        if self.family is not None and self.dealer == "designer":
            return "the designer has no families of rules; leave the family out, or let 'catalog' deal"
        return None

    @property
    def way(self) -> Profile:
        """The profile in force."""
        return profile_from(self.profile)

    @property
    def chairs(self) -> tuple[str | None, ...]:
        """The agent of each chair at first; None: it is open."""
        return self.agents + (None,) * (self.seats - len(self.agents))

    def check_agents(self, offered: Collection[str]) -> None:
        """Refuse agents that are not among those that the server offers.

        Raises:
            InvalidTable: naming one, and those that are.
        """
        for agent in (*self.agents, self.hint):
            if agent is not None:
                check_agent(agent, offered)

    def make_dealer(self) -> Dealer:
        """Make the program that deals.

        Raises:
            UnknownFamily, UnknownEntry: if it has no rules of the family.
        """
        return make_dealer(self.dealer, {} if self.family is None else {"families": [self.family]})


class ClassSetting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the tables of a class are laid, all of them alike."""

    table: TableSetting
    tables: Annotated[int, msgspec.Meta(ge=1, le=MOST_TABLES)] = 1
    """Tables that are made when the class is opened; more may follow."""
    pupils_make: bool = False
    """Whether pupils may make tables too."""


def check_agent(agent: str, offered: Collection[str]) -> None:
    """Refuse an agent that the server does not offer: a name from outside is never looked up.

    Raises:
        InvalidTable: naming it, and those that are offered.
    """
    if agent not in offered:
        raise InvalidTable(f"{agent!r} does not play here; {', '.join(offered)} do")
