"""What the command line tells of rules, profiles and agents, as tables and lists."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from enum import Enum

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Group
from rich.table import Table
from rich.text import Text

from eleusis_ai.contracts.checkup import Finding
from eleusis_ai.layout import Cards
from eleusis_ai.picture import Picture, picture
from eleusis_ai.profiles import OVERLAYS, PROFILES, Profile, ProphetTerms, load_profile
from eleusis_ai.registry import UnknownPart, find, levels_of, registered
from eleusis_ai.rules.catalog import CatalogEntry
from eleusis_ai.rules.glimpses import glimpses
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import Review, review
from eleusis_ai.rules.sampling import SampledRule
from eleusis_ai.shipped import config_names


def rules_table(entries: Iterable[CatalogEntry]) -> Table:
    """List rules of the catalogue."""
    table = Table("id", "family", "rule", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for entry in entries:
        table.add_row(entry.id, entry.family, entry.text)
    return table


def rule_sheet(entry: CatalogEntry, *, language: str | None = None) -> Group:
    """Tell all that the catalogue holds of a rule, and its review; ``language`` has the rule said in it too."""
    facts = {
        "rule": entry.expression,
        "first card": entry.starter,
        "in words": None if language is None else entry.rule.sentence(language),
        "family": entry.family,
        "source": entry.source,
        "LLM protocol": entry.in_llm_protocol,
        "notes": entry.notes,
    }
    grid = _grid()
    for name, fact in facts.items():
        if fact:
            grid.add_row(name, fact)
    told = Text(f"\n{review(entry.rule)}\n")
    return Group(Text(f"{entry.id}: {entry.text}", "bold"), grid, told, _pictures(pictures_of(entry.rule)))


def samples_table(samples: Iterable[SampledRule]) -> Table:
    """List random rules by family and number."""
    table = Table("id", "rule", "accepts", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for number, sampled in enumerate(samples, 1):
        table.add_row(f"{sampled.family}-{number}", str(sampled.rule), f"{sampled.acceptance:.0%}")
    return table


def review_sheet(rule: Rule, found: Review, pictures: Iterable[Picture], *, language: str = "en") -> Group:
    """Tell how a rule reads in ``language``, what its review found, and show what is legal."""
    grid = _grid()
    grid.add_row("rule", str(rule))
    if rule.starter is not None:
        grid.add_row("first card", str(rule.starter))
    grid.add_row("in words", rule.sentence(language))
    return Group(grid, Text(f"\n{found}\n"), _pictures(pictures))


def pictures_of(rule: Rule, after: Cards | None = None, *, number: int = 2) -> list[Picture]:
    """Return the picture of ``rule`` after one mainline, or else ``number`` pictures that tell much of it."""
    lines = glimpses(rule, number) if after is None else [after]
    return [picture(rule, line) for line in lines]


def profiles_table() -> Table:
    """List the published profiles, then the shipped ones, then the variants that may be laid over any."""
    table = Table("profile", "players", "prophet", "follows", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in (*PROFILES, *config_names("profiles")):
        profile = load_profile(name)
        players = f"{profile.min_seats} to {profile.max_seats}"
        table.add_row(name, players, "yes" if profile.prophet else "no", profile.source)
    for overlay, changes in OVERLAYS.items():
        prophet = "no" if "prophet" in changes else ""
        table.add_row(f"+{overlay}", "", prophet, f"laid over any of these, as in howell+{overlay}")
    return table


def profile_sheet(profile: Profile) -> Group:
    """Tell every field of a profile, as it stands in TOML, with its meaning, and remarks on table sizes."""
    table = Table("field", "value", "meaning", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, value, meaning in _fields(profile):
        if name not in ("name", "source") and not isinstance(value, ProphetTerms):
            table.add_row(name, _toml(value), meaning)
    if profile.prophet is not None:
        table.add_row("\n[prophet]")
        for name, value, meaning in _fields(profile.prophet):
            table.add_row(name, _toml(value), meaning)
    remarks = [
        f"{seats} players: {remark}"
        for seats in range(profile.min_seats, profile.max_seats + 1)
        for remark in profile.remarks(seats)
    ]
    return Group(Text(f"{profile.name}: {profile.source}\n", "bold"), table, *map(Text, remarks and ["", *remarks]))


def parts_table(kind: str) -> Table:
    """List what is registered under ``agents``, ``learners`` or ``dealers``, with the options it takes."""
    table = Table(kind, "options", "what it is", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in registered(kind):
        try:
            part = find(kind, name)
        except UnknownPart as error:
            table.add_row(name, "", str(error))
            continue
        options = [option for option in inspect.signature(part).parameters if option not in ("seat", "seed")]
        caption = (inspect.getdoc(part) or "").partition("\n")[0]
        if levels := levels_of(part):
            caption += f" Levels, as in {name}:{levels[0]}: {', '.join(levels)}."
        table.add_row(name, ", ".join(options) or "none", caption)
    return table


def finding_row(finding: Finding) -> Table:
    """Tell what came of a check: that it holds, or what is wrong."""
    grid = _grid()
    wrong = finding.problem is not None
    grid.add_row(Text("WRONG" if wrong else "ok   ", "bold red" if wrong else "green"), finding.check)
    if finding.problem is not None:
        grid.add_row("", finding.problem)
    return grid


def _pictures(pictures: Iterable[Picture]) -> Columns:
    return Columns(list(pictures), padding=(0, 4))


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    return grid


def _fields(struct: Profile | ProphetTerms) -> Iterator[tuple[str, object, str]]:
    """Yield each field with its value and its docstring, which is read from the source."""
    body = ast.parse(textwrap.dedent(inspect.getsource(type(struct)))).body[0]
    assert isinstance(body, ast.ClassDef), "the source of a class is a class"
    for line, after in zip(body.body, body.body[1:], strict=False):
        match line, after:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(value=ast.Constant(str(meaning))):
                yield name, getattr(struct, name), " ".join(meaning.split())


def _toml(value: object) -> str:
    """Write a value as a profile's TOML has it, in which ``none`` stands for None."""
    if value is None:
        return "none"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
