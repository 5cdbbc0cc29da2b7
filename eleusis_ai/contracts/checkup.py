"""A contract checked in a process of its own, so that nothing that is checked takes the checker with it."""

from __future__ import annotations

import difflib
import inspect
import multiprocessing
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from eleusis_ai.agent import Agent, Dealer, Learner
from eleusis_ai.contracts.agents import AgentContract
from eleusis_ai.contracts.broken import ContractBroken, told
from eleusis_ai.contracts.dealers import DealerContract
from eleusis_ai.contracts.learners import LearnerContract
from eleusis_ai.contracts.programs import ProgramContract
from eleusis_ai.registry import (
    AgentSpec,
    InvalidOptions,
    UnknownPart,
    find,
    make_agent,
    make_dealer,
    make_learner,
    plays_outside,
    registered,
)

CONTRACTS = {
    "agents": AgentContract,
    "dealers": DealerContract,
    "learners": LearnerContract,
    "programs": ProgramContract,
}
"""The contract of each kind."""
KINDS = tuple(kind for kind in CONTRACTS if kind != "programs")
"""What may be asked for; a program is told by its name."""
TELLING = {"agents": "act", "dealers": "choose", "learners": "observe"}
"""The method by which the kind of a class is told."""


class Finding(NamedTuple):
    """What came of one check."""

    kind: str
    """``agents``, ``dealers``, ``learners`` or ``programs``."""
    check: str
    """What must hold, in a sentence."""
    problem: str | None
    """What is wrong, in a sentence; None: it holds."""


class Job(NamedTuple):
    """What is to be checked."""

    use: str
    """A registered name, or an address ``module:Class``."""
    kind: str | None = None
    """``agents``, ``dealers`` or ``learners``; None: the first of these that has the name, or that has the
    methods of the class."""
    options: Mapping[str, Any] = {}
    """What it is made with."""


class Lost(ContractBroken):
    """The process in which something was checked has ended, or does not answer."""


def checks(kind: str) -> dict[str, str]:
    """Return the methods of a kind's contract, in order, each with the sentence that it checks."""
    methods = {name: method for name, method in vars(CONTRACTS[kind]).items() if name.startswith("test_")}
    return {name: inspect.getdoc(method) or name for name, method in methods.items()}


def check_up(job: Job, *, limit: float) -> Iterator[Finding]:
    """Check one by one what an agent, a dealer or a learner must keep.

    There are no more checks after one that shows that it cannot be made, that takes longer than ``limit``
    seconds, or that ends the process.

    Raises:
        UnknownPart: if there is nothing of that name or address, or no such kind.
    """
    if job.kind not in (None, *KINDS):
        raise UnknownPart(f"{job.kind!r} is not a kind that is checked; the kinds are {', '.join(KINDS)}")
    with _process(job, limit) as hear:
        try:
            kind: str = hear()
        except ContractBroken as broken:
            yield Finding(job.kind or "agents", "It can be imported.", str(broken))
            return
        known: set[str] = set()
        for number, sentence in enumerate(checks(kind).values()):
            try:
                hear()
            except ContractBroken as broken:
                yield Finding(kind, sentence, f"as above, {broken.what}" if broken.what in known else str(broken))
                known.add(broken.what)
                if number == 0 or isinstance(broken, Lost):
                    return
            else:
                yield Finding(kind, sentence, None)


def verdict(findings: Sequence[Finding]) -> str:
    """Return what came of all the checks of one check-up, as what is said of the thing checked."""
    kind, wrong = findings[0].kind, sum(finding.problem is not None for finding in findings)
    if not wrong:
        return f"keeps the contract of {kind}: all {len(findings)} checks hold"
    untried = len(checks(kind)) - len(findings)
    plural = "" if len(findings) == 1 else "s"
    rest = f"; {untried} more could not be tried" if untried else ""
    return f"breaks the contract of {kind}: {wrong} of {len(findings)} check{plural} failed{rest}"


def options_from(text: str) -> dict[str, Any]:
    """Read options as a config has them, such as ``{ rule = "card.is_red" }``.

    Raises:
        InvalidOptions: if ``text`` is not a table of TOML.
    """
    try:
        options = tomllib.loads(f"options = {text}")["options"]
    except tomllib.TOMLDecodeError as error:
        raise InvalidOptions(f"{text!r} is not TOML: {error}; {_AS_IN}") from None
    if not isinstance(options, dict):
        raise InvalidOptions(f"{text!r} is not a table; {_AS_IN}")
    return options


_AS_IN = """options are as in '{ rule = "card.is_red" }'"""


@contextmanager
def _process(job: Job, limit: float) -> Iterator[Callable[[], Any]]:
    """Start a process that checks; yield what hears its next word, or raises it."""
    spawn = multiprocessing.get_context("spawn")
    pipe, far_end = spawn.Pipe(duplex=False)
    process = spawn.Process(target=_check, args=(far_end, job))
    process.start()
    far_end.close()

    def hear() -> Any:
        try:
            if not pipe.poll(limit):
                raise Lost(f"it takes longer than {limit:g} seconds; --limit gives it more")
            word = pipe.recv()
        except EOFError:
            process.join()
            raise Lost(f"it ends the process it runs in, with exit code {process.exitcode}") from None
        if isinstance(word, Exception):
            raise word
        return word

    try:
        pipe.recv()  # how long the process takes to start is no part of a check
        yield hear
    finally:
        process.kill()
        process.join()
        pipe.close()


def _check(pipe: Connection, job: Job) -> None:
    """Send None when the process has started, then the kind, then for each check None or how it is broken."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    pipe.send(None)
    try:
        with told("when it is imported"):
            kind = job.kind or _kind_of(job.use)
            if kind == "programs":
                make_agent(_spec(job), seat=1, seed="nothing is played with this one")
            else:
                find(kind, job.use)
    except ContractBroken as broken:
        pipe.send(broken.__cause__ if isinstance(broken.__cause__, UnknownPart) else broken)
        return
    pipe.send(kind)
    contract = _BY_NAME[kind](job)
    for name in checks(kind):
        try:
            with told("while it is checked"):
                getattr(contract, name)()
        except ContractBroken as broken:
            pipe.send(broken)
        else:
            pipe.send(None)


def _kind_of(use: str) -> str:
    """Return the kind of a name or address; of an unknown name, the kind that has one like it."""
    if plays_outside(use):
        return "programs"
    kinds = {name: kind for kind in reversed(KINDS) for name in registered(kind)}
    if ":" not in use:
        return next((kinds[name] for name in difflib.get_close_matches(use, kinds, n=1)), "agents")
    found = find("agents", use)
    return next((kind for kind, method in TELLING.items() if hasattr(found, method)), "agents")


def _spec(job: Job) -> AgentSpec:
    return AgentSpec(job.use, job.use, dict(job.options))


class _Agent(AgentContract):
    def __init__(self, job: Job) -> None:
        self._spec = _spec(job)

    def make(self, *, seat: int, seed: str) -> Agent:
        return make_agent(self._spec, seat=seat, seed=seed)


class _Program(_Agent, ProgramContract):
    pass


class _Dealer(DealerContract):
    def __init__(self, job: Job) -> None:
        self._job = job

    def make(self) -> Dealer:
        return make_dealer(self._job.use, self._job.options)


class _Learner(LearnerContract):
    def __init__(self, job: Job) -> None:
        self._job = job

    def make(self) -> Learner:
        return make_learner(self._job.use, self._job.options)


_BY_NAME: dict[str, Callable[[Job], AgentContract | DealerContract | LearnerContract]] = {
    "agents": _Agent,
    "dealers": _Dealer,
    "learners": _Learner,
    "programs": _Program,
}
