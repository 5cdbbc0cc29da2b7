"""What a tournament is made of: read from TOML, checked before anything is played."""

from __future__ import annotations

import difflib
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec

from eleusis_ai.profiles import load_profile, profile_from, profile_overrides
from eleusis_ai.registry import AgentSpec
from eleusis_ai.shipped import find_config


class InvalidConfig(ValueError):
    """A text that is not a tournament, or a tournament that cannot be played."""


class Form(StrEnum):
    """How a tournament's rounds are laid out."""

    LEAGUE = "league"
    """The agents play each other."""
    DUPLICATE = "duplicate"
    """Each agent in turn is the hero, on every chair of every deal, against the same others; he alone is rated."""
    MATCHES = "matches"
    """The agents play each other, and each deals in turn."""
    GAUNTLET = "gauntlet"
    """One agent sits on every chair of every deal among others."""


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
    schedule: Form = Form.LEAGUE
    """How the rounds are laid out."""
    rotate: bool = True
    """Whether each deal is replayed until every agent has sat on every chair equally often; a duplicate and a
    gauntlet always do so."""
    dealer: DealerSpec
    """Who chooses the rules."""
    dealers: dict[str, DealerSpec] = {}
    """How agents deal in a match, by id; those that are not here deal as ``dealer`` does."""
    agents: Annotated[tuple[AgentSpec, ...], msgspec.Meta(min_length=1)]
    """Who plays; a list shorter than the table is repeated."""
    others: tuple[AgentSpec, ...] = ()
    """Who sits around a duplicate's hero, or a gauntlet's agent; a list shorter than the table is repeated."""
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
        for problem in self._misfits():
            raise InvalidConfig(problem)

    def _misfits(self) -> Iterator[str]:
        """Yield, in a sentence each, which keys do not go with the schedule or with each other."""
        form, ids = self.schedule, [agent.id for agent in self.agents]
        around = form in (Form.DUPLICATE, Form.GAUNTLET)
        for kind, players in (("agents", self.agents), ("of others", self.others)):
            twice = [name for name, times in Counter(agent.id for agent in players).items() if times > 1]
            if twice:
                yield f"two {kind} have the id {twice[0]!r}; ids are unique, as in id = '{twice[0]}-2' for the second"
        if self.others and not around:
            yield (
                f"others sit in a duplicate or a gauntlet only, and the schedule is {str(form)!r}; leave the key "
                'out, or write schedule = "duplicate"'
            )
        if self.dealers and form is not Form.MATCHES:
            yield (
                f"dealers deal in matches only, and the schedule is {str(form)!r}; leave the key out, "
                'or write schedule = "matches"'
            )
        if not self.rotate and around:
            yield f"rotate is false, and a {form} is always rotated; leave the key out"
        if form is Form.GAUNTLET and len(self.agents) != 1:
            yield (
                f"{len(self.agents)} agents in a gauntlet, which one agent runs against others; write the rest as "
                f"others, as in {_EXAMPLES['others']}"
            )
        if form is Form.GAUNTLET and not self.others:
            yield f"a gauntlet without others; name them, as in {_EXAMPLES['others']}"
        for other in self.others:
            if other.id in ids and (form is Form.GAUNTLET or other not in self.agents):
                yield f"an agent and one of others have the id {other.id!r}; write id = '{other.id}-2' for one"
        for name in self.dealers:
            if name not in ids:
                close = difflib.get_close_matches(name, ids, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"their ids are {', '.join(ids)}"
                yield f"dealers.{name} is no agent of the tournament; {hint}"
        if not around and not self.rotate and len(self.agents) > self.chairs * self.deals:
            yield (
                f"{len(self.agents)} agents on {self.chairs} chairs in {self.deals} deals without rotation: some "
                "would never play; write rotate = true"
            )

    @property
    def chairs(self) -> int:
        """How many agents sit at a table."""
        return self.seats if self.schedule is Form.MATCHES else self.seats - 1

    @property
    def table(self) -> tuple[AgentSpec, ...]:
        """Who sits around the hero of a duplicate, or the agent of a gauntlet."""
        return self.others or self.agents

    @property
    def players(self) -> tuple[AgentSpec, ...]:
        """Every agent that plays, once."""
        known = {agent.id for agent in self.agents}
        return (*self.agents, *(other for other in self.others if other.id not in known))

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
        fields: As they stand in TOML. An agent's ``id`` may be left out: then it is its ``use``. In place of ``use``
            it may have a ``command``, a program and its arguments; then it is called after the last of them.
        folder: Where a profile that is a file is looked for first.

    Raises:
        InvalidConfig: if a key is unknown or a value does not do.
        InvalidProfile: if the profile is not one.
    """
    if not isinstance(fields, Mapping):
        raise InvalidConfig(f"not a tournament but {type(fields).__name__}; {_SHOW}")
    _check_keys(fields, TournamentConfig, "")
    filled = dict(fields)
    _check_form(filled.get("schedule", Form.LEAGUE))
    if isinstance(filled.get("dealer"), dict):
        _check_keys(filled["dealer"], DealerSpec, "dealer.")
    if isinstance(filled.get("dealers"), dict):
        for name, dealer in filled["dealers"].items():
            if isinstance(dealer, dict):
                _check_keys(dealer, DealerSpec, f"dealers.{name}.")
    for key in ("agents", "others"):
        if isinstance(filled.get(key), list):
            filled[key] = [_with_id(agent, f"{key}[{index}].") for index, agent in enumerate(filled[key])]
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
    "schedule": 'schedule = "league"',
    "rotate": "rotate = true",
    "dealer": 'dealer = { use = "catalog", options = {} }',
    "dealers": 'dealers = { me = { use = "designer", options = {} } }',
    "agents": 'agents = [{ id = "me", use = "random", options = {} }]',
    "others": 'others = [{ use = "tree" }]',
    "time_limit": "time_limit = 2.5",
}
_COMMAND = 'write a program and its arguments as in command = ["node", "bot.js"]'
_SHOW = f"one that is has the keys {', '.join(_EXAMPLES)}"


def _check_keys(fields: Mapping[str, Any], kind: type[msgspec.Struct], where: str, *others: str) -> None:
    known = (*kind.__struct_fields__, *others)
    for key in fields:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {where}{close[0]}?" if close else f"keys are {', '.join(known)}"
            raise InvalidConfig(f"{where}{key} is not a key of a tournament; {hint}")


def _check_form(form: object) -> None:
    if form not in list(Form):
        close = difflib.get_close_matches(str(form), Form, n=1)
        hint = f"did you mean {str(close[0])!r}?" if close else f"there are {', '.join(Form)};"
        raise InvalidConfig(f"schedule is {form!r}; {hint} write it as in {_EXAMPLES['schedule']}")


def _with_id(agent: object, where: str) -> object:
    if not isinstance(agent, dict):
        return agent
    _check_keys(agent, AgentSpec, where, "command")
    if "command" in agent:
        agent = _as_use(agent, where)
    return {"id": agent["use"]} | agent if "use" in agent else agent


def _as_use(agent: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return an agent that has a command as one that has a name.

    Raises:
        InvalidConfig: if it has a name too, or the command is none.
    """
    rest = dict(agent)
    words = rest.pop("command")
    if "use" in rest:
        raise InvalidConfig(f"{where}use and {where}command are there, and an agent has one of them; {_COMMAND}")
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        raise InvalidConfig(f"{where}command is {words!r:.60}; {_COMMAND}")
    named = next((word for word in reversed(words) if not word.startswith("-")), words[0])
    return {"id": Path(named).stem} | rest | {"use": f"command:{shlex.join(words)}"}


def _reworded(problem: str, fields: Mapping[str, Any]) -> str:
    """Say what msgspec found as what came, what was wanted, and one that is right."""
    problem, _, path = problem.replace("`", "").partition(" - at $.")
    if missing := re.fullmatch(r"Object missing required field (\w+)", problem):
        path = f"{path}.{missing[1]}" if path else missing[1]
        problem = f"{path} is missing"
    elif "[...]" in path:  # msgspec does not say which key of a table it was
        problem = f"{path} is wrong; {problem[0].lower()}{problem[1:]}"
    else:
        value: Any = fields
        for step in re.findall(r"\w+", path):
            value = value[int(step)] if step.isdigit() else value[step]
        problem = f"{path} is {value!r:.60}; {problem[0].lower()}{problem[1:]}"
    return f"{problem}; write it as in {_EXAMPLES[re.findall('[a-z_]+', path)[0]]}"
