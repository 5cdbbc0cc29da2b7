"""The catalogue: secret rules that people have published, with their sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from eleusis_ai.cards import CARDS, Card, cards_of
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule

STEPS = 25
"""Cards of the line along which rules are compared before anything is proved."""


class UnknownEntry(LookupError):
    """An id or a family that the catalogue does not have."""


class CatalogEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One published rule."""

    id: str
    """A short name, such as ``alternate-colour``."""
    text: str
    """The rule in words."""
    expression: str = msgspec.field(name="rule")
    """The rule in the rule language, canonical."""
    starter: str | None = None
    """The condition on the first card, canonical; None if any card may start."""
    family: str
    """What kind of rule it is, such as ``markov1``: one that looks at the last card."""
    source: str
    """Who published it, separated by semicolons."""
    in_llm_protocol: str | None = None
    """The rule of the LLM protocol that it equals; such rules are never used to fit a prior."""
    notes: str = ""
    """What else is to be known, such as how sources differ."""

    @property
    def rule(self) -> Rule:
        """The rule itself; always the same object, so that its verdicts are worked out once."""
        return _rule(self.expression, self.starter, self.text)


@cache
def _rule(expression: str, starter: str | None, text: str) -> Rule:
    return Rule.parse(expression, starter=starter, sentence=text)


class _Catalog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[CatalogEntry, ...]


@cache
def load() -> Mapping[str, CatalogEntry]:
    """Return the catalogue by id, in the order of its file; it is read at the first call."""
    text = files("eleusis_ai.rules").joinpath("catalog.toml").read_bytes()
    rules = msgspec.toml.decode(text, type=_Catalog).rules
    return MappingProxyType({entry.id: entry for entry in rules})


def known_families() -> tuple[str, ...]:
    """Return the families, in the order in which the catalogue first has them."""
    return tuple(dict.fromkeys(entry.family for entry in load().values()))


def select(
    *, families: Collection[str] | None = None, ids: Collection[str] | None = None
) -> tuple[CatalogEntry, ...]:
    """Return the entries of ``families`` and those of ``ids``, in catalogue order; all, if neither is given.

    Raises:
        UnknownEntry: if the catalogue lacks one of them.
    """
    if families is None and ids is None:
        return tuple(load().values())
    for family in families or ():
        _check("family", family, known_families())
    for id_ in ids or ():
        _check("rule", id_, load())
    return tuple(entry for entry in load().values() if entry.family in (families or ()) or entry.id in (ids or ()))


def same_as(rule: Rule) -> tuple[str, ...]:
    """Return the ids of the rules in the catalogue that are proved to be the same as ``rule``."""
    # One legal line tells most rules apart, without their machines.
    lines: list[tuple[Card, ...]] = [(), *((card,) for card in CARDS[::5])]
    while len(lines[-1]) < STEPS and (legal := cards_of(rule.mask(lines[-1]))):
        lines.append((*lines[-1], legal[7 * len(lines) % len(legal)]))
    masks = [(line, rule.mask(line)) for line in lines]
    alike = (entry for entry in load().values() if all(entry.rule.mask(line) == mask for line, mask in masks))
    answers = ((entry.id, equivalent(rule, entry.rule)) for entry in alike)
    return tuple(id_ for id_, answer in answers if answer.same and answer.exact)


def _check(what: str, came: str, known: Collection[str]) -> None:
    if came in known:
        return
    close = get_close_matches(came, known, 1)
    wanted = f"did you mean {close[0]!r}?" if close else f"write one of {', '.join(known)}"
    raise UnknownEntry(f"the catalogue has no {what} {came!r}; {wanted}")
