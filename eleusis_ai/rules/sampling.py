"""Random rules, family by family: each of them playable, none with an idle part, no two equivalent."""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from math import fsum
from random import Random

import numpy as np

from eleusis_ai.cards import CARDS, Card, cards_of
from eleusis_ai.rules.grammar import FAMILIES, MOST_STATEMENTS, Family
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.machine import Machine
from eleusis_ai.seeds import generator

STEPS = 25
"""Cards along which acceptance is measured, as a review does."""
BAND = (0.15, 0.65)
"""The acceptance of a rule, from and to, if nobody asks for another."""
LINES = 24
"""Random lines of legal play along which each part of a rule must show."""
LENGTH = 12
"""Cards on one of these lines."""
MOST_DRAWS = 2_000
"""Rules drawn in search of one."""


class UnknownFamily(LookupError):
    """A family that the grammar does not have."""


class NoSuchRule(ValueError):
    """What is asked of random rules cannot be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledRule:
    """One random rule, with what is proved about it."""

    rule: Rule
    """The rule; it has a finite machine, and no mainline that can be reached is a dead end."""
    family: str
    """The part of the grammar it was drawn from."""
    size: int
    """How many statements about cards were drawn."""
    acceptance: float
    """The mean share of the pack that is legal along 25 cards of random legal play; exact, to 6 digits."""
    signature: str
    """As ``Rule.signature``."""


def sample(
    family: str,
    n: int,
    *,
    seed: int | str,
    size: int | None = None,
    accept: tuple[float, float] = BAND,
    without: Collection[str] = (),
) -> Iterator[SampledRule]:
    """Yield ``n`` rules of ``family``, no two of them equivalent; the same on any machine.

    Rule k is drawn by a generator named ``seed/family/k``. Whatever card starts, no line of legal play comes to a
    dead end; and no part of a rule is idle: held for true, or for false, it makes another rule.

    Args:
        family: A name of ``grammar.FAMILIES``.
        n: How many.
        seed: Names the draw.
        size: Statements about cards in each; default: drawn too, so that small rules come up as well.
        accept: Least and largest acceptance, 0 to 1.
        without: Signatures of rules that are not wanted.

    Raises:
        UnknownFamily: if there is no such family.
        NoSuchRule: if no rule can be found, or ``size`` does not suit the family.
    """
    kind = _family(family)
    _check(family, kind, size, accept)
    seen = set(without)
    for number in range(n):
        rng = generator(f"{seed}/{family}/{number}")
        for _ in range(MOST_DRAWS):
            statements = rng.randint(kind.least, kind.usual) if size is None else size
            found = _judged(kind.draw(rng, statements), family, statements, accept)
            if found and found.signature not in seen and not _has_idle_part(found.rule, rng):
                break
        else:
            low, high = accept
            raise NoSuchRule(
                f"no other rule of the family {family!r} with acceptance {low:.0%} to {high:.0%} in {MOST_DRAWS:,} "
                f"draws, after {number} were found; ask for fewer, or for another size or acceptance, such as 0.1 0.8"
            )
        seen.add(found.signature)
        yield found


def _family(name: str) -> Family:
    if name in FAMILIES:
        return FAMILIES[name]
    close = get_close_matches(name, FAMILIES, 1)
    wanted = f"did you mean {close[0]!r}?" if close else f"write one of {', '.join(FAMILIES)}"
    raise UnknownFamily(f"there is no family {name!r} to draw from; {wanted}")


def _check(name: str, family: Family, size: int | None, accept: tuple[float, float]) -> None:
    low, high = accept
    if not 0 <= low < high <= 1:
        raise NoSuchRule(f"acceptance from {low} to {high} is no band; write two shares of the pack, as in 0.2 0.5")
    if size is not None and not family.least <= size <= MOST_STATEMENTS:
        raise NoSuchRule(
            f"a rule of the family {name!r} has {family.least} to {MOST_STATEMENTS} statements, not {size}; "
            f"write one of these, as in --size {family.least}"
        )


def _judged(text: str, family: str, size: int, accept: tuple[float, float]) -> SampledRule | None:
    """Return the rule ``text`` if it is worth having, unless a part of it is idle."""
    try:
        rule = Rule.parse(text)
    except InvalidRule:  # a rule may grow beyond the language's limits
        return None
    machine = rule.machine
    if machine is None or not machine.masks.all() or not _remembers(machine, family):
        return None
    acceptance = round(_acceptance(machine), 6)
    if not accept[0] <= acceptance <= accept[1]:
        return None
    return SampledRule(rule=rule, family=family, size=size, acceptance=acceptance, signature=machine.signature)


def _acceptance(machine: Machine) -> float:
    """Return the mean share of legal cards along random legal play."""
    legal = np.array([[mask >> card & 1 for card in CARDS] for mask in machine.masks.tolist()], dtype=bool)
    sizes = legal.sum(axis=1)
    followed = np.where(legal, machine.moves, 0).ravel()
    chances = np.bincount(machine.moves[0][legal[0]], minlength=len(sizes)) / sizes[0]
    total = 0.0
    for _ in range(STEPS):
        total += fsum((chances * sizes).tolist())
        shares = np.where(legal, (chances / sizes)[:, None], 0.0).ravel()
        chances = np.bincount(followed, weights=shares, minlength=len(sizes))
    return total / STEPS / 52


def _remembers(machine: Machine, family: str) -> bool:
    """Tell whether the verdicts need as much of the past as the family's name says."""
    if family == "memoryless":
        return True
    after = [set(machine.masks[states[states >= 0]].tolist()) for states in machine.moves.T]
    if family in ("transition", "guarded"):
        return len(set.union(*after)) > 1
    return any(len(masks) > 1 for masks in after)


def _has_idle_part(rule: Rule, rng: Random) -> bool:
    """Tell whether some part does not show along random lines of legal play, so that it might as well be left out."""
    lines = list(_prefixes(rule, rng))
    masks = [rule.mask(line) for line in lines]
    return any(
        all(other.mask(line) == mask for line, mask in zip(lines, masks, strict=True)) for other in _simpler(rule)
    )


def _prefixes(rule: Rule, rng: Random) -> Iterator[tuple[Card, ...]]:
    for _ in range(LINES):
        line: tuple[Card, ...] = ()
        for _ in range(LENGTH):
            line = (*line, rng.choice(cards_of(rule.mask(line))))
            yield line


def _simpler(rule: Rule) -> Iterator[Rule]:
    """Yield the rules in which one part, something true or false, is held for true or for false.

    The rule language is a part of Python's, which parses a rule and writes it here.
    """
    tree = ast.parse(str(rule), mode="eval")
    for number, part in enumerate(ast.walk(tree)):
        if not _is_truth(part):
            continue
        for held in (True, False):
            changed = copy.deepcopy(tree)
            twin = next(node for place, node in enumerate(ast.walk(changed)) if place == number)
            assert isinstance(twin, ast.expr), "what is true or false is an expression"
            text = ast.unparse(_Held(twin, held=held).visit(changed))
            try:
                yield Rule.parse(text)
            except InvalidRule:  # such as True on either side of a sign that wants a number
                continue


class _Held(ast.NodeTransformer):
    """Puts a constant in the place of one part."""

    def __init__(self, part: ast.expr, *, held: bool) -> None:
        self.part = part
        self.held = held

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.Constant(self.held) if node is self.part else self.generic_visit(node)


def _is_truth(part: ast.AST) -> bool:
    match part:
        case ast.BoolOp() | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Attribute(attr=name):
            return name.startswith("is_")
        case ast.Call(func=ast.Name(id="any" | "all")):
            return True
    return False
