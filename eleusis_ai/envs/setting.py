"""A table as an environment sets it: profile, seats, rules and actions, and a round dealt on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gymnasium import spaces

from eleusis_ai.agent import Dealer
from eleusis_ai.cards import Card, parse_cards
from eleusis_ai.dealing import InvalidDeal, shuffled_deck
from eleusis_ai.envs.actions import Actions, InvalidStatements
from eleusis_ai.envs.encoding import MOST_SEATS, Observation, observation_space
from eleusis_ai.envs.play import Play
from eleusis_ai.envs.sources import Rules, dealer_of
from eleusis_ai.profiles import FirstPlayer, Profile, Stating, load_profile
from eleusis_ai.round import Round
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

DEALER = 0
"""The dealer's seat; the scientists are 1, 2, and so on, to his left."""


class InvalidOption(ValueError):
    """An option of ``reset`` that there is not, or a value that it does not take."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A table at which rounds are played by actions."""

    profile: Profile
    seats: int
    """Players, the dealer included."""
    dealer: Dealer
    """Chooses the secret rules, and a legal card where the judge must name one."""
    actions: Actions
    columns: int
    """Columns of the layout that are shown."""

    @classmethod
    def of(
        cls,
        profile: str | Profile,
        seats: int,
        rules: Rules,
        statements: Sequence[str | Rule] | None,
        columns: int,
    ) -> Setting:
        """Make a setting of what an environment is made with.

        Raises:
            ValueError: if the parts do not fit together, naming one that does.
        """
        if not isinstance(profile, Profile):
            profile = load_profile(profile)
        if not profile.min_seats <= seats <= min(profile.max_seats, MOST_SEATS):
            raise InvalidDeal(
                f"{seats} players, the dealer included, cannot play {profile} here; it takes {profile.min_seats} "
                f"to {min(profile.max_seats, MOST_SEATS)}, as seats={profile.min_seats}"
            )
        if columns < 1:
            raise ValueError(f"{columns} columns of the layout; at least 1 is shown, as columns=20")
        if profile.stating is Stating.NEVER and statements:
            raise InvalidStatements(f"{profile} never lets a rule be stated; leave `statements` out")
        if profile.stating is not Stating.NEVER and statements is None:
            statements = published(profile)
        return cls(profile, seats, dealer_of(rules), Actions(statements or ()), columns)

    @property
    def scientists(self) -> range:
        """The seats other than the dealer's."""
        return range(1, self.seats)

    def observation_space(self) -> spaces.Space[Observation]:
        """Return a new space of the observations."""
        return observation_space(
            self.profile,
            actions=self.actions.count,
            statements=len(self.actions.statements),
            columns=self.columns,
        )

    def deal(self, name: str, options: Mapping[str, Any]) -> Play:
        """Deal a round; all that is drawn by chance is drawn by generators whose names begin with ``name``.

        Args:
            name: Names the round.
            options: May give ``rule`` (what `Rules` allows), ``deck`` (cards, or their text) and ``first`` (a seat).

        Raises:
            ValueError: if the round cannot be dealt so.
        """
        rule_given, deck_given = options.get("rule"), options.get("deck")
        dealer = self.dealer if rule_given is None else dealer_of(rule_given)
        rule, hint = dealer.choose(self.profile, generator(f"{name}/rule"))
        deck: Sequence[Card]
        if deck_given is None:
            deck = shuffled_deck(self.profile, generator(f"{name}/deck"))
        else:
            deck = parse_cards(deck_given) if isinstance(deck_given, str) else tuple(map(Card, deck_given))
        lots = self.profile.first_player is FirstPlayer.LOT
        round_ = Round.deal(
            self.profile,
            rule,
            seats=self.seats,
            dealer=DEALER,
            deck=deck,
            first=options.get("first"),
            hint=hint,
            rng=generator(f"{name}/lot") if lots else None,
        )
        picks = generator(f"{name}/pick")
        return Play(round_, actions=self.actions, columns=self.columns, judge=dealer, picks=picks)


def published(profile: Profile) -> tuple[Rule, ...]:
    """Return the rules of the catalogue that may be stated in ``profile``, in its order, each once."""
    rules = dict.fromkeys(entry.rule for entry in load().values())
    return tuple(rule for rule in rules if profile.reads_rejected or not rule.reads_rejected)
