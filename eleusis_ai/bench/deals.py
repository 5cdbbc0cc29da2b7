"""The solo protocol's rules and deals, and what language models made of them, as they were published."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from eleusis_ai.cards import parse_cards
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

SOURCE = 'D. Louapre, "Can LLMs Play the Game of Science?", Hugging Face, February 2026 (code MIT, article CC-BY 4.0)'
"""Where the protocol, its deals and its rounds come from."""

_Row = TypeVar("_Row")


class ProtocolRule(msgspec.Struct, frozen=True):
    """One of the 26 secret rules."""

    id: str
    text: str
    """The rule in words."""
    expression: str = msgspec.field(name="rule")
    """The rule in the rule language."""
    starter: str | None = None
    """The condition on the first card; None: any card may start."""

    @property
    def rule(self) -> Rule:
        """The rule itself."""
        return _rule(self.expression, self.starter, self.text)


@cache
def _rule(expression: str, starter: str | None, text: str) -> Rule:
    return Rule.parse(expression, starter=starter, sentence=text)


class _DealTexts(msgspec.Struct, frozen=True):
    rule: str
    batch: int
    hand: str
    starter: str
    draw: str


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """A secret rule, the cards dealt, and those that will be drawn."""

    rule: str
    """The id of one of the 26."""
    batch: int
    """Which of the rule's three deals, from 0."""
    hand: Cards
    """12 cards."""
    starter: Cards
    """The one card that lies on the mainline; it is legal."""
    draw: Cards
    """What is drawn, the first first; more than a round needs."""

    @property
    def secret(self) -> Rule:
        """The rule that judges."""
        return protocol_rules()[self.rule].rule


class ModelRound(msgspec.Struct, frozen=True, kw_only=True):
    """What one model made of one deal."""

    model: str
    rule: str
    batch: int
    win: int | None
    """The turn in which it stated the rule, from 1; None: it never did."""
    first: int | None
    """The first turn in which its tentative rule was right."""
    wrong: int
    """Statements that were wrong."""
    accepted: int
    """Cards that were legal."""


def _lines(name: str) -> list[str]:
    return files("eleusis_ai.bench").joinpath("llm_protocol", name).read_text(encoding="utf-8").splitlines()


def _rows(name: str, kind: type[_Row]) -> list[_Row]:
    return [msgspec.json.decode(line, type=kind) for line in _lines(name)]


@cache
def protocol_rules() -> dict[str, ProtocolRule]:
    """Return the 26 rules by id, in the published order."""
    return {rule.id: rule for rule in _rows("rules.jsonl", ProtocolRule)}


@cache
def load_deals() -> tuple[Deal, ...]:
    """Return the 78 deals, rule by rule."""
    return tuple(
        Deal(
            rule=row.rule,
            batch=row.batch,
            hand=parse_cards(row.hand),
            starter=parse_cards(row.starter),
            draw=parse_cards(row.draw),
        )
        for row in _rows("deals.jsonl", _DealTexts)
    )


@cache
def model_rounds() -> tuple[ModelRound, ...]:
    """Return the 1,248 published rounds, model by model."""
    return tuple(
        ModelRound(
            model=row["model"],
            rule=row["rule"],
            batch=int(row["batch"]),
            win=int(row["win"]) if row["win"] else None,
            first=int(row["first"]) if row["first"] else None,
            wrong=int(row["wrong"]),
            accepted=int(row["accepted"]),
        )
        for row in csv.DictReader(_lines("rounds.csv"))
    )
