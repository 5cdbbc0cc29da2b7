"""What `eleusis play` was asked for, as a value whose text is the command that asks for it again."""

from __future__ import annotations

import re
import shlex

import msgspec

from eleusis_ai.rules.catalog import select
from eleusis_ai.rules.language import Rule

ME = "me"
"""Stands in place of a dealer's name where the person deals."""
YOU = "you"
"""What the person's seat is called."""
COMMAND = "eleusis play"
"""What the text of a setting begins with."""
FIXED = "fixed"
"""The dealer that takes a rule."""


class InvalidSetting(ValueError):
    """Options that do not go together, or a text that is not a setting."""


class Setting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a table is laid: everything but the person's moves.

    >>> str(Setting(agents=("random",), seed=7))
    'eleusis play --agents random --seed 7'
    """

    profile: str = "howell"
    seats: int | None = None
    """Players, the dealer included; None: as many as are named, and no fewer than the profile wants."""
    agents: tuple[str, ...] = ("elimination", "tree", "random")
    """Names or addresses of who sits in the other chairs, from the left; repeated if they are too few."""
    dealer: str = "catalog"
    """A registered name or an address; ``me``: the person deals."""
    family: str | None = None
    """The part of the catalogue that the dealer ``catalog`` deals from."""
    rule: str | None = None
    """A rule, or the id of one in the catalogue: for the dealers ``me`` and ``fixed``."""
    starter: str | None = None
    """The condition on the first card that goes with ``rule``."""
    by_hand: bool = False
    """Whether the person judges by a rule on paper."""
    give_hint: str | None = None
    """The hint that is given with ``rule``, or by a person who judges by hand."""
    seed: int
    """Names all that is drawn by chance."""

    def __post_init__(self) -> None:
        """Refuse options that do not go together.

        Raises:
            InvalidSetting: saying which, and what would do.
        """
        problem = self._problem()
        if problem is not None:
            raise InvalidSetting(problem)

    def _problem(self) -> str | None:
        if not all(self.agents):
            return "--agents has an empty name; write them with commas between, as in --agents tree,random"
        if self.by_hand and self.dealer != ME:
            return "--by-hand is for a person who deals; add --dealer me"
        if self.by_hand and self.rule is not None:
            return "--by-hand keeps the rule on paper; leave out --rule, or leave out --by-hand"
        if self.dealer == ME and not self.by_hand and self.rule is None:
            return (
                "--dealer me needs your rule: --rule 'card.color != last.color', an id of the catalogue, or --by-hand"
            )
        if self.rule is not None and self.dealer not in (ME, FIXED):
            return f"--rule is for --dealer me or --dealer fixed; {self.dealer} chooses its own"
        if self.dealer == FIXED and self.rule is None:
            return "--dealer fixed deals one rule; name it, as in --rule 'card.color != last.color'"
        if self.starter is not None and self.rule is None:
            return "--starter goes with --rule; give both, or neither"
        if self.give_hint is not None and self.dealer not in (ME, FIXED):
            return f"--give-hint is for --dealer me or --dealer fixed; {self.dealer} gives its own"
        if self.family is not None and self.dealer in (ME, FIXED):
            return f"--family is for --dealer catalog; --dealer {self.dealer} deals the rule you name"
        return None

    @property
    def deals(self) -> bool:
        """Whether the person deals."""
        return self.dealer == ME

    def given_rule(self) -> Rule:
        """Return the rule that was named, by its text or by its id in the catalogue.

        Raises:
            InvalidRule: if it is a text, and no rule.
            UnknownEntry: if it looks like an id, and the catalogue does not have it.
            InvalidSetting: if it is an id, and a condition on the first card was given as well.
        """
        assert self.rule is not None, "only a table with a rule of the person's own asks for it"
        if not re.fullmatch(r"[a-z][a-z0-9-]*", self.rule):
            return Rule.parse(self.rule, starter=self.starter)
        if self.starter is not None:
            raise InvalidSetting(f"{self.rule} has its own condition on the first card; leave out --starter")
        return select(ids=[self.rule])[0].rule

    def __str__(self) -> str:
        words = []
        for field in msgspec.structs.fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                option = "--" + field.name.replace("_", "-")
                text = ",".join(value) if isinstance(value, tuple) else str(value)
                words += [option] if value is True else [option, text]
        return f"{COMMAND} {shlex.join(words)}"

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Read a setting from the command that asks for it.

        Raises:
            InvalidSetting: if ``text`` is none.
        """
        try:
            words = iter(shlex.split(text))
        except ValueError:
            words = iter(())
        if [next(words, ""), next(words, "")] != COMMAND.split():
            raise InvalidSetting(f"{text!r} is not a setting; one that is: '{COMMAND} --seed 7'")
        fields: dict[str, object] = {}
        for word in words:
            name = word.removeprefix("--").replace("-", "_")
            value = True if name == "by_hand" else next(words, "")
            fields[name] = value.split(",") if name == "agents" and isinstance(value, str) else value
        try:
            return msgspec.convert(fields, cls, strict=False)
        except msgspec.ValidationError as error:
            raise InvalidSetting(f"{text!r} is not a setting: {error}; one that is: '{COMMAND} --seed 7'") from None
