"""Agents, learners and dealers, found by registered name or by address ``module:Class``."""

from __future__ import annotations

import difflib
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

import msgspec

from eleusis_ai.agent import Agent, Dealer, Learner


class UnknownPart(LookupError):
    """A name or address under which no agent, learner or dealer is found."""


class InvalidOptions(ValueError):
    """Options that an agent, learner or dealer does not take."""


class MissingExtra(LookupError):
    """A part that needs a library which is installed with an extra only."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs a library that is not installed; pip install 'eleusis-ai[{extra}]' brings it")


class AgentSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which agent sits down, under which name."""

    id: str
    """Unique in a line-up."""
    use: str
    """A registered name, one with a level as in ``elimination:club``, an address ``module:Class``, or what plays
    outside, as in ``command:node bot.js``."""
    options: dict[str, Any] = {}
    """What the agent is made with."""


def registered(kind: str) -> dict[str, EntryPoint]:
    """Return what is registered under ``agents``, ``learners`` or ``dealers``, by name."""
    return {entry.name: entry for entry in sorted(_entries(kind), key=lambda entry: entry.name)}


def find(kind: str, use: str) -> Callable[..., object]:
    """Return the class behind a registered name, or an address ``module:Class``.

    A registered name may be followed by a level, as in ``elimination:club``: the class is then made with the option
    ``level``. An agent may also play outside: ``command:node bot.js`` is a program, ``ws://127.0.0.1:8765`` a server.

    Raises:
        UnknownPart: if there is none, or no such level; the message lists those that there are.
    """
    entries = registered(kind)
    name, colon, _ = use.partition(":")
    if kind == "agents" and plays_outside(use):
        return _outside(use)
    try:
        found = entries[name].load() if name in entries else _at_address(kind, use)
        if name in entries and colon:
            found = _at_level(found, kind, use)
    except ImportError as error:
        raise UnknownPart(f"{use!r} cannot be imported: {error}") from error
    if not callable(found):
        raise UnknownPart(f"{use!r} is {found!r}, not a class; an address is as in 'my_module:MyAgent'")
    return cast("Callable[..., object]", found)


def levels_of(part: object) -> tuple[str, ...]:
    """Return the levels of a class that has some, as its attribute ``levels`` lists them, the weakest first."""
    return tuple(getattr(part, "levels", ()))


def plays_outside(use: str) -> bool:
    """Tell whether an agent's name begins with a scheme that is registered, as ``command:`` is."""
    return use.partition(":")[0] in registered("schemes") and ":" in use


def make_agent(spec: AgentSpec | str, *, seat: int, seed: str) -> Agent:
    """Make the agent of ``spec`` for one round.

    Raises:
        UnknownPart: if there is no such agent.
        InvalidOptions: if it does not take the options.
    """
    if isinstance(spec, str):
        spec = AgentSpec(spec, spec)
    agent = _make("agents", spec.use, {"seat": seat, "seed": seed}, spec.options)
    if not isinstance(agent, Agent):
        raise UnknownPart(f"{spec.use!r} makes {type(agent).__name__}, which has no method `act(view)`")
    return agent


def make_dealer(use: str, options: Mapping[str, Any] | None = None) -> Dealer:
    """Make a dealer.

    Raises:
        UnknownPart: if there is no such dealer.
        InvalidOptions: if it does not take the options.
    """
    dealer = _make("dealers", use, {}, options or {})
    if not isinstance(dealer, Dealer):
        raise UnknownPart(f"{use!r} makes {type(dealer).__name__}, which has no `choose` and `pick`")
    return dealer


def make_learner(use: str, options: Mapping[str, Any] | None = None) -> Learner:
    """Make a learner.

    Raises:
        UnknownPart: if there is no such learner.
        InvalidOptions: if it does not take the options.
    """
    learner = _make("learners", use, {}, options or {})
    if not isinstance(learner, Learner):
        raise UnknownPart(f"{use!r} makes {type(learner).__name__}, which is no learner: see `Learner`")
    return learner


def _make(kind: str, use: str, given: Mapping[str, Any], options: Mapping[str, Any]) -> object:
    make = find(kind, use)
    if isinstance(make, partial) and (twice := sorted(make.keywords.keys() & options.keys())):
        raise InvalidOptions(
            f"{use!r} is made with options {dict(options)}, and names the {twice[0]} too; leave one out"
        )
    signature = _signature(make)
    try:
        signature.bind(**given, **options)
    except TypeError as error:
        takes = [name for name in signature.parameters if name not in given]
        raise InvalidOptions(
            f"{use!r} does not take options {dict(options)}: {error}; its options are {', '.join(takes) or 'none'}"
        ) from None
    return make(**given, **options)


_signature = lru_cache(inspect.signature)  # a tournament makes the same agents again and again


@cache  # as `_signature` has it: the same object again
def _outside(use: str) -> Callable[..., object]:
    """Return what makes an agent that plays outside; it is given what follows ``command:``, or a whole address."""
    scheme, _, rest = use.partition(":")
    make = cast("Callable[..., object]", registered("schemes")[scheme].load())
    return partial(make, use if rest.startswith("//") else rest)


@cache
def _entries(kind: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=f"eleusis.{kind}"))


def _at_level(make: object, kind: str, use: str) -> object:
    name, _, level = use.partition(":")
    levels = levels_of(make)
    if level in levels:
        return _levelled(cast("Callable[..., object]", make), level)
    if levels:
        raise UnknownPart(
            f"{name!r} has no level {level!r}; its levels are {', '.join(levels)}, as in '{name}:{levels[0]}'"
        )
    try:
        return _at_address(kind, use)  # a module of one's own may have the name of an agent
    except (UnknownPart, ImportError) as error:
        raise UnknownPart(f"{name!r} has no levels; as an address it does not do either: {error}") from None


@cache  # a part is looked up again and again, and the signature of the same object is known
def _levelled(make: Callable[..., object], level: str) -> Callable[..., object]:
    return partial(make, level=level)


def _at_address(kind: str, use: str) -> object:
    module, colon, name = use.partition(":")
    if not colon:
        names = list(registered(kind))
        close = difflib.get_close_matches(use, names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"registered are {', '.join(names)}."
        raise UnknownPart(f"{use!r} is not one of the {kind}; {hint} An address is as in 'my_module:MyClass'")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # a console script does not look in the folder it is started from
    try:
        return getattr(importlib.import_module(module), name)
    except AttributeError:
        raise UnknownPart(f"module {module!r} has no {name!r}; an address is as in 'my_module:MyClass'") from None
    except ValueError as error:
        raise UnknownPart(f"{use!r} is not an address: {error}; one is as in 'my_module:MyClass'") from None
