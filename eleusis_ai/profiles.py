"""The published ways to play, as data: one `Profile` each, and profiles of a user's own from TOML."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from eleusis_ai.shipped import find_config


class InvalidProfile(ValueError):
    """A profile that cannot be played, or a text that is not one."""


class HintTerms(Enum):
    """Whether the dealer gives a hint before play."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class StarterTerms(Enum):
    """How the first cards of the mainline are found."""

    AS_TURNED = "as-turned"
    """Exactly one, the top card of the stock, whatever it is."""
    TURNED_THEN_FIT = "turned-then-fit"
    """The top card; if the rule needs more, one more, drawn until it is legal."""
    FIT = "fit"
    """As many as the rule needs, each drawn until it is legal; unfit cards go under the stock."""


class FirstPlayer(Enum):
    """Who plays first."""

    LOT = "lot"
    """A scientist drawn by lot."""
    COUNTED = "counted"
    """The rank of the last starter is counted round the scientists, the dealer's left being one."""
    LEFT = "left"
    """The dealer's left."""


class Judging(Enum):
    """How a string is judged."""

    WHOLE = "whole"
    """One wrong card sends all of it to the sideline, and nobody is told which card it was."""
    CARD_BY_CARD = "card-by-card"
    """The correct prefix joins the mainline; the first wrong card and the rest go to the sideline."""


class ShownHand(Enum):
    """Where the hand shown for a right no play goes."""

    ABOVE = "above"
    """Face up above the last accepted card; it stays on the table."""
    UNDER_STOCK = "under-stock"
    """Under the stock, in the order of the hand."""
    OUT = "out"
    """Out of play."""


class LegalCard(Enum):
    """What the judge does with a legal card of the hand shown for a wrong no play."""

    PLAYED = "played"
    """It is played onto the mainline."""
    POINTED_OUT = "pointed-out"
    """It is named, and stays in the hand."""


class MarkerPlace(Enum):
    """Where a new prophet's marker lies."""

    OWN_LAST = "own-last"
    """On the last card he played himself, right or wrong; after a no play, on the last accepted card."""
    LAST_ACCEPTED = "last-accepted"
    """On the last accepted card."""


class Stating(Enum):
    """After which of its actions a seat may state the rule."""

    NEVER = "never"
    """After none."""
    AFTER_RIGHT = "after-right"
    """After a right attempt, or a right no play."""
    AFTER_ANY = "after-any"
    """After any."""


class Scoring(Enum):
    """What a scientist's cards are worth at the end."""

    UNDER_LARGEST = "under-largest"
    """A point for each card fewer than the largest hand has."""
    UNDER_DEALT = "under-dealt"
    """A point for each card fewer than he was dealt, at least none."""
    UNDER_OTHERS = "under-others"
    """The cards of all other scientists less his own for each of them, at least none; the bonus of an emptied hand
    is shared by those with the fewest cards. The dealer is paid so for the leader's mistake cards alone, as they
    lie at the end of stage one."""
    TEAM = "team"
    """Nothing; if the rule was stated everybody gets a point for each turn that is left."""


class ProphetTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a scientist may be prophet, and what it is worth."""

    mainline_from: int = 0
    """Cards the mainline must have before anybody may declare."""
    others_left: int = 2
    """Scientists not expelled who must be left besides the one who declares."""
    error_penalty: int = 5
    """Cards an overthrown prophet draws."""
    marker: MarkerPlace = MarkerPlace.LAST_ACCEPTED
    """Where the marker lies."""
    expulsion_from: int | None = 20
    """Cards laid since the declaration from which a wrong play expels; None: never."""
    accepted_points: int = 1
    """Points for each card accepted since the declaration, for a prophet in office at the end."""
    rejected_points: int = 2
    """Points for each card rejected since the declaration, for a prophet in office at the end."""
    dealer_cap_per_card: int | None = 2
    """With a prophet in office at the end: the dealer's most for each card up to the declaration."""
    dealer_cap_over_prophet: int | None = None
    """With a prophet in office at the end: how much more than that prophet the dealer gets at most."""


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to play, complete: whatever the published descriptions differ in is a field here."""

    name: str
    """What the profile is called; unique among those in use."""
    source: str
    """The description it follows."""
    min_seats: int = 4
    """Fewest players, the dealer included."""
    max_seats: int = 8
    """Most players, the dealer included."""
    best_seats: tuple[int, int] | None = None
    """The fewest and most players the source recommends; None: it does not say."""
    packs: int = 3
    """52-card packs in the stock, before the deal."""
    reserve_packs: int = 0
    """Further packs that become the stock, one after the other, when it has been dealt to its last card."""
    hand_size: int | None = 14
    """Cards dealt to each scientist; None: all but the starter, evenly, and those left over are set aside."""
    hint: HintTerms = HintTerms.NONE
    """Whether the dealer gives a hint."""
    starter: StarterTerms = StarterTerms.FIT
    """How the starters are found."""
    first_player: FirstPlayer = FirstPlayer.COUNTED
    """Who plays first."""
    max_string: int | None = None
    """Most cards in one attempt; None: any number."""
    judging: Judging = Judging.WHOLE
    """How a string is judged."""
    penalty_per_card: int = 2
    """Cards drawn for each card of a wrong attempt."""
    mistake_cards: bool = False
    """Whether a wrong card lies face up before its player, to be played in stage two, when all hands are played."""
    no_play: bool = True
    """Whether a seat may declare no play."""
    no_play_reduction: int = 4
    """How much smaller the new hand is after a right no play; a hand of no more than this ends the round."""
    shown_hand: ShownHand = ShownHand.UNDER_STOCK
    """Where the hand goes that was shown for a right no play."""
    legal_card: LegalCard = LegalCard.PLAYED
    """What happens to the judge's card after a wrong no play."""
    no_play_penalty: int = 5
    """Cards drawn for a wrong no play."""
    prophet: ProphetTerms | None = ProphetTerms()
    """The prophet's terms; None: there is no prophet."""
    expulsion_from: int | None = 30
    """Cards played from which a wrong play expels while there is no prophet; None: never."""
    starters_count: bool = True
    """Whether starters count as cards played, for expulsion and for the dealer's cap."""
    no_play_expels: bool = True
    """Whether a wrong no play expels, as a wrong attempt does."""
    ends_on_last_card: bool = False
    """Whether the round ends once the stock is empty; otherwise it ends when a draw cannot be covered."""
    idle_laps: int | None = None
    """Laps without a right card after which the round ends; None: it goes on."""
    turn_limit: int | None = None
    """Turns after which the round ends; a turn is one action of one seat. None: any number."""
    stating: Stating = Stating.NEVER
    """After which of its actions a seat may state the rule; a right statement ends the round."""
    wrong_statement_turns: int = 0
    """Turns that a wrong statement costs, where turns are limited."""
    scoring: Scoring = Scoring.UNDER_LARGEST
    """What a scientist's cards are worth."""
    emptied_bonus: int = 4
    """Points for a legally emptied hand."""
    stated_bonus: int = 0
    """Points for the one who stated the rule."""
    rounds_as_agreed: bool = False
    """Whether a match may have more rounds than players."""
    never_dealt_bonus: int = 0
    """Points for each player who had not dealt when a match was cut short."""
    reads_rejected: bool = False
    """Whether the secret rule may look at rejected cards."""
    numbers_only: bool = False
    """Whether the secret rule may use nothing but the ranks of the card and of the last accepted card."""
    lookback_advised: int | None = None
    """How many cards the source advises a rule to look back at most; None: any number."""

    def __post_init__(self) -> None:
        """Refuse numbers that no table could play.

        Raises:
            InvalidProfile: naming the field, its value and one that is right.
        """
        _refuse_less(self, _LEAST)
        if self.prophet is not None:
            _refuse_less(self.prophet, _LEAST_TERMS, "prophet.")
        if self.max_seats < self.min_seats:
            raise InvalidProfile(
                f"max_seats is {self.max_seats} and min_seats {self.min_seats}; "
                "max_seats must be at least as large, as in howell: 4 and 8"
            )
        if self.mistake_cards:
            _refuse_others(self, _WITH_MISTAKE_CARDS)
        if self.turn_limit is None and self.scoring is Scoring.TEAM:
            raise InvalidProfile("scoring is team, and turn_limit none; a team's points are turns left, as of 40")
        dealt = (self.max_seats - 1) * (self.hand_size or 1)
        if self.packs * 52 <= dealt:
            raise InvalidProfile(
                f"{self.packs} packs cannot deal {dealt} cards to {self.max_seats - 1} scientists and "
                f"keep a starter; packs = {dealt // 52 + 1} would do"
            )

    def __str__(self) -> str:
        return self.name

    def dealt(self, seats: int) -> int:
        """Return how many cards each scientist is dealt at a table of ``seats``."""
        return self.hand_size or (self.packs * 52 - 1) // (seats - 1)

    def remarks(self, seats: int) -> tuple[str, ...]:
        """Return what players should know before they sit down ``seats`` at this profile."""
        remarks = []
        if self.best_seats and not self.best_seats[0] <= seats <= self.best_seats[1]:
            low, high = self.best_seats
            remarks.append(f"{self.name} is best with {low} to {high} players; this table has {seats}")
        stock = self.packs * 52 - (seats - 1) * self.dealt(seats) - 1
        short = stock < (seats - 1) * self.penalty_per_card
        if self.prophet and self.prophet.mainline_from and short and not self.reserve_packs:
            remarks.append(
                f"with {seats} players a stock of {stock} is left after the deal, which one wrong card each uses up: "
                f"it never lasts to a prophet, who needs {self.prophet.mainline_from} cards on the mainline"
            )
        return tuple(remarks)


def _refuse_less(struct: Profile | ProphetTerms, least: Mapping[str, int], where: str = "") -> None:
    """Raise InvalidProfile if a field of ``struct`` is smaller than its number in ``least``."""
    for field, number in least.items():
        value = getattr(struct, field)
        if value is not None and value < number:
            raise InvalidProfile(f"{where}{field} is {value}; it must be at least {number}, as {field} = {number}")


def _refuse_others(profile: Profile, wanted: Mapping[str, object]) -> None:
    """Raise InvalidProfile if a field of ``profile`` is another than ``wanted`` where there are mistake cards."""
    for field, value in wanted.items():
        if getattr(profile, field) != value:
            told = "none" if value is None else str(value).lower()
            raise InvalidProfile(f"with mistake_cards, {field} must be {told}: wrong cards stay with their player")


_WITH_MISTAKE_CARDS: dict[str, object] = {
    "max_string": 1,
    "penalty_per_card": 0,
    "no_play": False,
    "prophet": None,
    "expulsion_from": None,
    "reads_rejected": False,
}
_LEAST_TERMS = {
    "mainline_from": 0,
    "others_left": 1,  # a prophet alone would wait for ever for somebody to judge
    "error_penalty": 0,
    "expulsion_from": 0,
    "accepted_points": 0,
    "rejected_points": 0,
    "dealer_cap_per_card": 0,
    "dealer_cap_over_prophet": 0,
}
_LEAST = {
    "min_seats": 3,
    "packs": 1,
    "reserve_packs": 0,
    "hand_size": 1,
    "max_string": 1,
    "penalty_per_card": 0,
    "no_play_reduction": 1,
    "no_play_penalty": 0,
    "expulsion_from": 0,
    "idle_laps": 1,
    "turn_limit": 1,
    "wrong_statement_turns": 0,
    "emptied_bonus": 0,
    "stated_bonus": 0,
    "never_dealt_bonus": 0,
    "lookback_advised": 0,
}

ABBOTT = Profile(
    name="abbott",
    source="Abbott's New Eleusis, as described in French",
    min_seats=5,
    packs=2,
    reserve_packs=4,
    hint=HintTerms.OPTIONAL,
    starter=StarterTerms.TURNED_THEN_FIT,
    first_player=FirstPlayer.LOT,
    max_string=4,
    shown_hand=ShownHand.ABOVE,
    prophet=ProphetTerms(marker=MarkerPlace.OWN_LAST, expulsion_from=30),
    expulsion_from=40,
    starters_count=False,
    no_play_expels=False,
    rounds_as_agreed=True,
    never_dealt_bonus=10,
    lookback_advised=6,
)

HOWELL = Profile(name="howell", source="New Eleusis after Howell, as described in French")

NO_PROPHET = Profile(
    name="no-prophet",
    source="Eleusis without a prophet, as described in Portuguese",
    packs=2,
    reserve_packs=4,
    hint=HintTerms.REQUIRED,
    starter=StarterTerms.AS_TURNED,
    max_string=4,
    prophet=None,
    starters_count=False,
    never_dealt_bonus=10,
    reads_rejected=True,
)

LATE_PROPHET = Profile(
    name="late-prophet",
    source="Eleusis with a late prophet, as described in Italian",
    best_seats=(5, 6),
    packs=2,
    starter=StarterTerms.AS_TURNED,
    first_player=FirstPlayer.LEFT,
    max_string=4,
    judging=Judging.CARD_BY_CARD,
    shown_hand=ShownHand.OUT,
    legal_card=LegalCard.POINTED_OUT,
    prophet=ProphetTerms(mainline_from=20, rejected_points=1, dealer_cap_per_card=None, dealer_cap_over_prophet=5),
    expulsion_from=None,
    starters_count=False,
    ends_on_last_card=True,
    rounds_as_agreed=True,
    lookback_advised=1,
)

ORIGINAL_1956 = Profile(
    name="original-1956",
    source="Abbott's first Eleusis of 1956",
    min_seats=3,
    packs=1,
    hand_size=None,
    starter=StarterTerms.AS_TURNED,
    first_player=FirstPlayer.LEFT,
    max_string=1,
    penalty_per_card=0,
    mistake_cards=True,
    no_play=False,
    prophet=None,
    expulsion_from=None,
    idle_laps=5,
    scoring=Scoring.UNDER_OTHERS,
    emptied_bonus=6,
)

EXPRESS_2006 = Profile(
    name="express-2006",
    source="Golden's Eleusis Express of 2006",
    min_seats=3,
    packs=2,
    hand_size=12,
    hint=HintTerms.OPTIONAL,
    starter=StarterTerms.AS_TURNED,
    first_player=FirstPlayer.LEFT,
    max_string=1,
    penalty_per_card=1,
    no_play_reduction=1,
    no_play_penalty=1,
    prophet=None,
    expulsion_from=None,
    ends_on_last_card=True,
    stating=Stating.AFTER_RIGHT,
    scoring=Scoring.UNDER_DEALT,
    emptied_bonus=3,
    stated_bonus=6,
)

PROFILES: Mapping[str, Profile] = {
    profile.name: profile for profile in (ABBOTT, HOWELL, NO_PROPHET, LATE_PROPHET, ORIGINAL_1956, EXPRESS_2006)
}
"""The published profiles by name."""

OVERLAYS: Mapping[str, Mapping[str, Any]] = {
    "cooperative": {
        "prophet": None,
        "expulsion_from": None,
        "turn_limit": 40,
        "stating": Stating.AFTER_ANY,
        "wrong_statement_turns": 1,
        "scoring": Scoring.TEAM,
    },
    "numbers-only": {"numbers_only": True},
}
"""Variants that may be laid over any profile, as in ``abbott+numbers-only``: the fields that they change. One that
stands alone lies over howell."""


def overlaid(profile: Profile, overlay: str) -> Profile:
    """Return ``profile`` with the variant ``overlay`` laid over it, and named so.

    Raises:
        InvalidProfile: if there is no such variant, or it lies there already.
    """
    if overlay not in OVERLAYS:
        raise InvalidProfile(f"{overlay!r} cannot be laid over a profile; {' and '.join(OVERLAYS)} can")
    if overlay in profile.name.split("+"):
        raise InvalidProfile(f"{overlay} lies over {profile.name} already; once is enough")
    return msgspec.structs.replace(profile, name=f"{profile.name}+{overlay}", **OVERLAYS[overlay])


def load_profile(name: str | Path) -> Profile:
    """Return a published profile by name, or read a TOML file: a ``base`` and what differs from it.

    ``name`` may also be a shipped file of ``configs/profiles``. After any of these ``+`` and the name of one of
    `OVERLAYS` lays it over the profile, as in ``abbott+cooperative``. In TOML, which has no null, ``"none"``
    stands for None (``max_string = "none"``: strings of any length; ``prophet = "none"``: no prophet).

    Raises:
        InvalidProfile: if there is no such profile or file, or what it says is not a profile.
    """
    base, plus, overlay = str(name).rpartition("+")
    if plus and not Path(name).is_file():
        return overlaid(load_profile(base), overlay)
    if str(name) in OVERLAYS:
        return overlaid(HOWELL, str(name))
    if str(name) in PROFILES:
        return PROFILES[str(name)]
    try:
        path = find_config("profiles", name, others=(*PROFILES, *OVERLAYS))
    except LookupError as error:
        raise InvalidProfile(str(error)) from None
    try:
        profile = profile_from(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidProfile(f"{path} is not TOML: {error}") from None
    except InvalidProfile as error:
        raise InvalidProfile(f"{path}: {error}") from None
    if _named(profile.name) not in (None, profile):
        raise InvalidProfile(f'{path}: it differs from {profile.name} and needs a name of its own, as name = "house"')
    return profile


def profile_from(overrides: str | Mapping[str, Any]) -> Profile:
    """Make a profile from a published name, or from a ``base`` and the fields that differ from it.

    A published name may have overlays, as in ``howell+cooperative``.

    Raises:
        InvalidProfile: if a key is unknown or a value is of the wrong kind.
    """
    if isinstance(overrides, str):
        return _published(overrides)
    base = _published(overrides.get("base", "howell"))
    fields = msgspec.to_builtins(base)
    changes = {key: value for key, value in overrides.items() if key != "base"}
    _merge(fields, changes)
    try:
        return msgspec.convert(fields, Profile)
    except msgspec.ValidationError as error:
        raise InvalidProfile(f"not a profile: {error}") from None


def profile_overrides(profile: Profile) -> str | dict[str, Any]:
    """Return what ``profile_from`` reads back: a published name, or ``howell`` and the differences."""
    if _named(profile.name) == profile:
        return profile.name
    base = msgspec.to_builtins(HOWELL)
    fields = msgspec.to_builtins(profile)
    if isinstance(fields["prophet"], dict):
        fields["prophet"] = _differences(fields["prophet"], base["prophet"])
    return {"base": "howell"} | _differences(fields, base | {"prophet": {}})


def _named(name: str) -> Profile | None:
    """Return what a published name means, overlays included; None: nothing."""
    first, *overlays = name.split("+")
    if first in OVERLAYS:
        first, overlays = "howell", [first, *overlays]
    profile = PROFILES.get(first)
    if profile is None or len({*overlays} & OVERLAYS.keys()) < len(overlays):
        return None
    for overlay in overlays:
        profile = overlaid(profile, overlay)
    return profile


def _published(name: object) -> Profile:
    profile = _named(name) if isinstance(name, str) else None
    if profile is None:
        over = " and ".join(f"+{overlay}" for overlay in OVERLAYS)
        raise InvalidProfile(
            f"{name!r} is not a published profile; they are {', '.join(PROFILES)}; {over} may be laid over any"
        )
    return profile


def _differences(fields: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    differing = {key: "none" if value is None else value for key, value in fields.items() if value != base[key]}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in differing.items()}


def _merge(fields: dict[str, Any], changes: Mapping[str, Any], where: str = "") -> None:
    for key, value in changes.items():
        if key not in fields:
            close = difflib.get_close_matches(key, fields, n=1) or ["hand_size"]
            raise InvalidProfile(
                f"{where}{key!r} is not a field of a profile; did you mean {where}{close[0]!r}? "
                "`eleusis profiles show howell` lists them all"
            )
        if isinstance(value, Mapping) and isinstance(fields[key], dict):
            _merge(fields[key], value, f"{key}.")
        elif isinstance(value, Mapping) and key == "prophet":
            fields[key] = msgspec.to_builtins(ProphetTerms())
            _merge(fields[key], value, f"{key}.")
        elif value == "none" and key not in ("name", "source", "hint"):
            fields[key] = None
        else:
            fields[key] = value
