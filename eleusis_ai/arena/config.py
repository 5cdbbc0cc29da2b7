"""What a tournament is made of: read from TOML, checked before anything is played."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from eleusis_ai.profiles import load_profile, profile_from, profile_overrides
from eleusis_ai.registry import AgentSpec
from eleusis_ai.shipped import find_config


class InvalidConfig(ValueError):
    """A text that is not a tournament, or a tournament that cannot be played."""


class DealerSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which dealer chooses the rules."""

    use: str
    """A registered name, or an address ``module:Class``."""
    options: dict[str, Any] = {}
    """What the dealer is made with."""

    @property
    def name(self) -> str:
        """What the logs call the dealer: the registered name, or the class."""
        return self.use.rpartition(":")[2]


class TournamentConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament, complete: the same config gives the same records to the byte."""

    name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    """What the tournament is called; its folder is named after it."""
    profile: str | dict[str, Any]
    """A published name, or a base and what differs from it."""
    seats: int
    """Players, the dealer included."""
    seed: int
    """Names everything that is drawn by chance."""
    deals: Annotated[int, msgspec.Meta(ge=1)]
    """How many deals are played; a deal is a rule, a deck and who begins."""
    rotate: bool = True
    """Whether each deal is replayed until every agent has sat on every chair equally often."""
    dealer: DealerSpec
    """Who chooses the rules."""
    agents: Annotated[tuple[AgentSpec, ...], msgspec.Meta(min_length=1)]
    """Who plays; a list shorter than the table is repeated."""
    time_limit: Annotated[float, msgspec.Meta(gt=0, le=86_400)] | None = None
    """Seconds an agent may think about a decision: an answer that comes later does not count, and an agent that
    takes ten times as long is out of the round. None: as long as it likes, and a hang is a hang."""

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together.

        Raises:
            InvalidConfig: naming the key, what it is and what would do.
        """
        profile = profile_from(self.profile)
        if not profile.min_seats <= self.seats <= profile.max_seats:
            raise InvalidConfig(
                f"seats is {self.seats}; {profile.name} takes {profile.min_seats} to {profile.max_seats} players, "
                f"the dealer included, as in seats = {profile.min_seats}"
            )
        twice = [name for name, times in Counter(agent.id for agent in self.agents).items() if times > 1]
        if twice:
            raise InvalidConfig(
                f"two agents have the id {twice[0]!r}; ids are unique, as in id = '{twice[0]}-2' for the second"
            )
        if not self.rotate and len(self.agents) >= self.seats:
            raise InvalidConfig(
                f"{len(self.agents)} agents on {self.seats - 1} chairs without rotation: some would never play; "
                "write rotate = true"
            )

    @property
    def seatings(self) -> int:
        """How many rounds are played of each deal."""
        return len(self.agents) if self.rotate else 1

    @property
    def remarks(self) -> tuple[str, ...]:
        """What one should know before such a table sits down."""
        return profile_from(self.profile).remarks(self.seats)


def load_config(name: str | Path, *, seed: int | None = None) -> TournamentConfig:
    """Read a tournament: a TOML file, a ``config.json`` of an earlier run, or a shipped name.

    Args:
        name: A path or a shipped name.
        seed: In place of the seed that the file has; None: that one.

    Raises:
        UnknownConfig: if there is no such file or name.
        InvalidConfig: if it is not a tournament; the message names the file.
        InvalidProfile: if its profile is not one.
    """
    path = find_config("tournaments", name)
    try:
        text = path.read_text(encoding="utf-8")
        fields = msgspec.json.decode(text) if path.suffix == ".json" else tomllib.loads(text)
        if seed is not None and isinstance(fields, dict):
            fields["seed"] = seed
        return config_from(fields, folder=path.parent)
    except (tomllib.TOMLDecodeError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidConfig(f"{path} is not {'JSON' if path.suffix == '.json' else 'TOML'}: {error}") from None
    except InvalidConfig as error:
        raise InvalidConfig(f"{path}: {error}") from None


def config_from(fields: Mapping[str, Any], *, folder: Path | None = None) -> TournamentConfig:
    """Make a tournament from its keys and values.

    Args:
        fields: As they stand in TOML. An agent's ``id`` may be left out: then it is its ``use``.
        folder: Where a profile that is a file is looked for first.

    Raises:
        InvalidConfig: if a key is unknown or a value does not do.
        InvalidProfile: if the profile is not one.
    """
    if not isinstance(fields, Mapping):
        raise InvalidConfig(f"not a tournament but {type(fields).__name__}; {_SHOW}")
    _check_keys(fields, TournamentConfig, "")
    filled = dict(fields)
    if isinstance(filled.get("dealer"), dict):
        _check_keys(filled["dealer"], DealerSpec, "dealer.")
    if isinstance(filled.get("agents"), list):
        filled["agents"] = [_with_id(agent, f"agents[{index}].") for index, agent in enumerate(filled["agents"])]
    if isinstance(profile := filled.get("profile"), str):
        beside = Path(folder or "", profile)
        filled["profile"] = profile_overrides(load_profile(beside if beside.is_file() else profile))
    try:
        return msgspec.convert(filled, TournamentConfig)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, ValueError):
            raise error.__cause__ from None
        raise InvalidConfig(_reworded(str(error), filled)) from None


_EXAMPLES = {
    "name": 'name = "quick"',
    "profile": 'profile = "howell"',
    "seats": "seats = 5",
    "seed": "seed = 1",
    "deals": "deals = 40",
    "rotate": "rotate = true",
    "dealer": 'dealer = { use = "catalog", options = {} }',
    "agents": 'agents = [{ id = "me", use = "random", options = {} }]',
    "time_limit": "time_limit = 2.5",
}
_SHOW = f"one that is has the keys {', '.join(_EXAMPLES)}"


def _check_keys(fields: Mapping[str, Any], kind: type[msgspec.Struct], where: str) -> None:
    known = kind.__struct_fields__
    for key in fields:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {where}{close[0]}?" if close else f"keys are {', '.join(known)}"
            raise InvalidConfig(f"{where}{key} is not a key of a tournament; {hint}")


def _with_id(agent: object, where: str) -> object:
    if not isinstance(agent, dict):
        return agent
    _check_keys(agent, AgentSpec, where)
    return {"id": agent["use"]} | agent if "use" in agent else agent


def _reworded(problem: str, fields: Mapping[str, Any]) -> str:
    """Say what msgspec found as what came, what was wanted, and one that is right."""
    problem, _, path = problem.replace("`", "").partition(" - at $.")
    if missing := re.fullmatch(r"Object missing required field (\w+)", problem):
        path = f"{path}.{missing[1]}" if path else missing[1]
        problem = f"{path} is missing"
    else:
        value: Any = fields
        for step in re.findall(r"\w+", path):
            value = value[int(step)] if step.isdigit() else value[step]
        problem = f"{path} is {value!r:.60}; {problem[0].lower()}{problem[1:]}"
    return f"{problem}; write it as in {_EXAMPLES[re.findall('[a-z_]+', path)[0]]}"
