"""People at a real table gather for an evening with the companion, or come back to one that was kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from eleusis_ai.profiles import HintTerms, Profile, load_profile, profile_overrides
from eleusis_ai.rules.hints import Hint
from eleusis_ai.seats.companion import Companion
from eleusis_ai.seats.diary import read_diary
from eleusis_ai.seats.evening import Ask, Entry, Evening, Party
from eleusis_ai.seats.setting import InvalidSetting
from eleusis_ai.seats.talk import Talk
from eleusis_ai.seats.terminal import INTERRUPTED, LEFT

ME = "me"
"""What the companion's own seat is called."""
RESERVED = (ME, "i", "stock")
"""Words that mean something else at this table."""
LONGEST = 20
"""Letters in a name, at most."""
WELCOME = "Type ? at any time: it says how to answer, and what else may be typed."


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What an evening was asked for with; what is None, and has to be known, the people are asked for."""

    profile: str = "howell"
    """The way to play."""
    agent: str = "elimination"
    """Who plays for the companion."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What the agent is made with."""
    names: str | None = None
    """The others, clockwise, with commas between; from the companion's left if ``seat`` is None."""
    dealer: str | None = None
    """The name of who deals first."""
    seats: int | None = None
    """Players, the companion included."""
    seat: int | None = None
    """The companion's, among the names."""
    hint: str | None = None
    """The first dealer's."""
    noise: bool = False
    """Whether a verdict may be false."""
    seed: int = 0
    """Names what the agent draws by chance."""


def gather(wishes: Wishes, talk: Talk, *, save: Path | None) -> int:
    """Begin an evening, kept in ``save``; return the exit code.

    Raises:
        InvalidSetting: if the file is there already, or the wishes do not go together.
        InvalidProfile: if there is no such profile.
        InvalidHint: if the hint is none.
        UnknownPart: if there is no such agent.
        InvalidOptions: if it does not take what it is made with.
    """
    if save is not None and save.exists():
        raise InvalidSetting(f"{save} is there already; go on with it by --resume {save}, or name another file")
    try:
        party = _party(wishes, talk)
    except (EOFError, KeyboardInterrupt) as left:
        talk.say("", "You leave; nothing has been told yet.")
        return LEFT if isinstance(left, EOFError) else INTERRUPTED
    evening = Evening(party)
    if wishes.hint is not None:
        if evening.profile.hint is HintTerms.NONE:
            raise InvalidSetting(f"{evening.profile} has no hints; leave out --hint, or play --profile abbott")
        evening.take(Entry(Ask.HINT, party.dealer, str(Hint.parse(wishes.hint))))
    path = save or _free_path()
    companion = Companion(talk, evening, path)
    for remark in evening.profile.remarks(len(party.names)):
        talk.say(f"Note: {remark}.")
    around = ", ".join((*party.names[party.seat + 1 :], *party.names[: party.seat]))
    talk.say(f"I sit down. From my left round there are {around}; {party.names[party.dealer]} deals.")
    talk.say(f"The evening is kept in {path}.", WELCOME, "")
    return companion.sit()


def go_on(path: Path, talk: Talk) -> int:
    """Go on with the evening that is kept in ``path``; return the exit code.

    Raises:
        InvalidDiary: if the file is damaged, naming the line.
        OSError: if it cannot be read.
    """
    return Companion(talk, read_diary(path), path).sit()


def _party(wishes: Wishes, talk: Talk) -> Party:
    """Find out who sits at the table.

    Raises:
        InvalidSetting, InvalidProfile: as `gather`.
        EOFError: if the people leave.
    """
    profile, seats = load_profile(wishes.profile), wishes.seats
    if seats is not None and not profile.min_seats <= seats <= profile.max_seats:
        raise InvalidSetting(f"{_seats_of(profile)}, and not by {seats}; write --seats {profile.min_seats}")
    others = _asked(talk, profile, seats) if wishes.names is None else _others(wishes.names, profile, seats)
    at = wishes.seat or 0
    if not 0 <= at <= len(others):
        raise InvalidSetting(f"there is no seat {at} for me; seats are 0 to {len(others)}, as in --seat 0")
    around = (*others[:at], ME, *others[at:])
    dealer = _asked_dealer(talk, others) if wishes.dealer is None else wishes.dealer
    found = [index for index, name in enumerate(around) if name.lower() == dealer.strip().lower()]
    if not found or found == [at]:
        me = " I cannot deal, since I have no hands to lay cards with:" if found else ""
        raise InvalidSetting(f"{dealer!r} does not deal here;{me} one of {', '.join(others)} does")
    return Party(
        profile=profile_overrides(profile),
        names=around,
        seat=at,
        dealer=found[0],
        agent=wishes.agent,
        options=dict(wishes.options),
        noise=wishes.noise,
        seed=wishes.seed,
    )


def _others(text: str, profile: Profile, seats: int | None) -> tuple[str, ...]:
    """Read the names of the others.

    Raises:
        InvalidSetting: if one is no name, or they are too few or too many.
    """
    names = tuple(" ".join(name.split()) for name in text.split(","))
    for name in names:
        if not name or len(name) > LONGEST or not name.replace(" ", "").isalpha() or name.lower() in RESERVED:
            raise InvalidSetting(f"{name[:40]!r} is no name here; names are letters, as in Ann, Bob, Cem")
    if len({name.lower() for name in names}) < len(names):
        raise InvalidSetting(f"two people have one name in {text!r}; tell them apart, as in Ann, Anna")
    players = len(names) + 1
    if seats is not None and players != seats:
        raise InvalidSetting(f"{players} players with me, and {seats} were asked for; name {seats - 1} others")
    if not profile.min_seats <= players <= profile.max_seats:
        raise InvalidSetting(f"{_seats_of(profile)}, and with me there are {players}")
    return names


def _asked(talk: Talk, profile: Profile, seats: int | None) -> tuple[str, ...]:
    while True:
        talk.say("Who sits at the table, from my left round? Names, as in: Ann, Bob, Cem")
        typed = talk.ask()
        if typed.lower() == "quit":
            raise EOFError
        try:
            return _others(typed, profile, seats)
        except InvalidSetting as error:
            talk.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")


def _asked_dealer(talk: Talk, others: tuple[str, ...]) -> str:
    while True:
        talk.say("Who deals first?")
        typed = talk.ask()
        if typed.lower() == "quit":
            raise EOFError
        if typed.lower() in [name.lower() for name in others]:
            return typed
        talk.say(f"Type a name: {', '.join(others)}.")


def _seats_of(profile: Profile) -> str:
    return f"{profile} is played by {profile.min_seats} to {profile.max_seats}, the dealer and me included"


def _free_path() -> Path:
    """Return the first file for an evening in ``runs`` that is not there yet."""
    paths = (Path("runs") / f"companion-{number}.jsonl" for number in count(1))
    return next(path for path in paths if not path.exists())
