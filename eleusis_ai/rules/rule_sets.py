"""Generated rule sets: rules to train on and rules to test on, in files that travel with the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.grammar import FAMILIES
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.sampling import SampledRule, sample
from eleusis_ai.shipped import find_config

BARS = 20
"""Bars of the acceptance histogram, each 1/20 of the pack wide."""


class InvalidRuleSet(ValueError):
    """A file that holds no rule set."""


class SetRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of a set."""

    id: str
    """Family and number, such as ``guarded-17``; unique in its set."""
    expression: str = msgspec.field(name="rule")
    """The rule in the rule language, canonical; any card may start."""
    family: str
    """A name of ``grammar.FAMILIES``."""
    size: int
    """How many statements about cards were drawn."""
    acceptance: float
    """The mean share of the pack that is legal along 25 cards of random legal play."""
    signature: str
    """As ``Rule.signature``: equal exactly for equivalent rules."""

    @property
    def rule(self) -> Rule:
        """The rule itself; always the same object, so that its verdicts are worked out once."""
        return _rule(self.expression)


@cache
def _rule(expression: str) -> Rule:
    return Rule.parse(expression)


class RuleSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules no two of which are equivalent."""

    name: str
    """Such as ``train``."""
    seed: str
    """What the draw was named: ``sampling.sample`` draws the same again."""
    rules: tuple[SetRule, ...]
    """Family by family, in the order in which they were drawn."""

    def __str__(self) -> str:
        """Write the set as TOML, a rule a line."""
        lines = [f"name = {_quoted(self.name)}", f"seed = {_quoted(self.seed)}", "rules = ["]
        lines += [f"    {{ {', '.join(_fields(rule))} }}," for rule in self.rules]
        return "\n".join((*lines, "]", ""))


def _fields(rule: SetRule) -> Iterator[str]:
    yield f"id = {_quoted(rule.id)}"
    yield f"rule = {_quoted(rule.expression)}"
    yield f"family = {_quoted(rule.family)}"
    yield f"size = {rule.size}"
    yield f"acceptance = {rule.acceptance}"
    yield f"signature = {_quoted(rule.signature)}"


def _quoted(text: str) -> str:
    """Write a text as TOML's literal string; canonical rules have double quotes only."""
    assert "'" not in text, "a literal string ends at a single quote"
    return f"'{text}'" if '"' in text else f'"{text}"'


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a rule set's file holds, at a glance."""

    sha256: str
    """The hash of the file."""
    rules: int
    """How many there are."""
    families: dict[str, int]
    """How many of each family."""
    acceptance: dict[str, int]
    """How many from one share of the pack up to the next, such as ``0.25-0.30``."""


def load_rule_set(name: str | Path) -> RuleSet:
    """Read the rule set that ``name`` means: ``train``, ``test``, or a TOML file of your own.

    >>> train = load_rule_set("train")
    >>> len(train.rules), train.rules[0].id, train.rules[0].rule.lookback
    (2000, 'memoryless-1', 0)

    Raises:
        UnknownConfig: if there is no such set.
        InvalidRuleSet: if the file holds something else.
    """
    path = find_config("rules", name)
    try:
        return msgspec.toml.decode(path.read_bytes(), type=RuleSet)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidRuleSet(
            f"{path} holds no rule set: {error}; one that does is configs/rules/test.toml"
        ) from error


def make_rule_set(name: str, count: int, *, seed: str, without: Collection[str]) -> RuleSet:
    """Draw ``count`` rules, as many of each family as of the others, or one more.

    Signatures in ``without`` are left out.
    """
    seen = set(without)
    rules: list[SetRule] = []
    for place, family in enumerate(FAMILIES):
        share = count // len(FAMILIES) + (place < count % len(FAMILIES))
        for number, drawn in enumerate(sample(family, share, seed=seed, without=seen), 1):
            rules.append(_entry(number, drawn))
        seen.update(rule.signature for rule in rules)
    return RuleSet(name=name, seed=seed, rules=tuple(rules))


def _entry(number: int, drawn: SampledRule) -> SetRule:
    return SetRule(
        id=f"{drawn.family}-{number}",
        expression=str(drawn.rule),
        family=drawn.family,
        size=drawn.size,
        acceptance=drawn.acceptance,
        signature=drawn.signature,
    )


def manifest(rule_set: RuleSet) -> Manifest:
    """Count what ``rule_set`` holds."""
    bars = Counter(int(rule.acceptance * BARS) for rule in rule_set.rules)
    return Manifest(
        sha256=sha256(str(rule_set).encode()).hexdigest(),
        rules=len(rule_set.rules),
        families=dict(Counter(rule.family for rule in rule_set.rules)),
        acceptance={f"{bar / BARS:.2f}-{(bar + 1) / BARS:.2f}": bars[bar] for bar in sorted(bars)},
    )


@cache
def published_signatures() -> frozenset[str]:
    """Return the signatures of the catalogue's rules, the 26 of the LLM protocol among them.

    Each counts with its condition on the first card and without one.
    """
    return _signatures(rule for entry in load().values() for rule in (entry.rule, _rule(entry.expression)))


def _signatures(rules: Iterable[Rule]) -> frozenset[str]:
    return frozenset(rule.signature for rule in rules if rule.signature is not None)
