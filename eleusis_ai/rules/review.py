"""A rule looked over before it is dealt: how often cards are right, dead ends, and the advice of the sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, cards_of, cards_text
from eleusis_ai.profiles import PROFILES, Profile, StarterTerms
from eleusis_ai.rules.course import LINES, LONG_LINES, Course, Situation, course, starter_cards
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.numbers import uses_numbers_only
from eleusis_ai.rules.sight import looks_at

GOOD_ACCEPTANCE = (0.25, 0.40)
"""The share of right cards that makes a good rule, by the sources."""
MOST_LOOKBACK = 6
"""The farthest card back that a rule should look at, by Abbott."""
TELLING = 0.05
"""How much the acceptance must differ between situations that are told."""
MOST_SITUATIONS = 3
"""Ways to part the situations that are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What can be said about a rule before play.

    A line starts with a card that the rule allows as the first, each of them as likely as the others, and goes
    on with cards drawn evenly from the legal ones, for 25 cards or until it is stuck.
    """

    acceptance: float
    """The mean share of the pack that is legal along such lines, 0 to 1."""
    interval: tuple[float, float]
    """Where the acceptance is with a probability of 95 %, by the spread between lines; both ends are the
    acceptance where it is exact."""
    situations: tuple[tuple[Situation, ...], ...]
    """The acceptance by situation, such as after a red card and after a black one: each way to part them on which
    it differs by more than 5 in a hundred, three at most, the most telling first."""
    dead_end: tuple[Card, ...] | None
    """A mainline after which no card is legal, the shortest known; None if there is none, or none was found."""
    turned_dead_end: tuple[Card, ...] | None
    """Such a mainline from a card that the rule does not let start: a dead end if that card is turned."""
    proved: bool
    """Whether all lines were looked at, so that the figures are exact, or some random ones."""
    never_legal: tuple[Card, ...]
    """The cards that were legal nowhere along the lines."""
    stuck_starters: tuple[Card, ...]
    """Cards that the rule does not let start, and after which none is legal: a dead end if one is turned."""
    lookback: int | None
    """How many of the last cards count, by the verdicts where they tell; None if the whole line does."""
    position: bool
    """Whether the number of cards on the mainline counts too."""
    exceptions: tuple[Card, ...]
    """A few cards that are treated unlike the rest, as `likeness.exceptions` finds them."""
    cards_to_identify: float | None
    """Judged cards that a player needed to find the rule, as measured by the caller; infinite: it was not found."""
    allowed_in: tuple[str, ...]
    """The published profiles that have nothing against the rule."""
    published_as: tuple[str, ...]
    """The rules of the catalogue that are proved to be the same, by their ids."""
    refusals: tuple[str, ...]
    """Why a dealer must not use the rule, as sentences; empty for a rule that may be dealt."""
    advice: tuple[str, ...]
    """What the sources advise against, as sentences."""

    @property
    def dead_end_proved(self) -> bool:
        """Whether ``dead_end`` is certain: one was found, or all lines were looked at."""
        return self.proved or self.dead_end is not None

    @property
    def ok(self) -> bool:
        """Whether a dealer may use the rule."""
        return not self.refusals

    def __str__(self) -> str:
        return "\n".join(
            [
                *(f"{name}: {fact}" for name, fact in self.facts),
                *(f"refused: {reason}" for reason in self.refusals),
                *(f"advice: {sentence}" for sentence in self.advice),
            ]
        )

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What was found, refusals and advice aside, as names and texts; only what is worth telling."""
        low, high = self.interval
        how = "exact" if self.proved else f"{low:.0%} to {high:.0%}; from {LINES} random lines"
        ends = "none" if self.dead_end is None else f"after {cards_text(self.dead_end)}"
        proved = "proved" if self.dead_end_proved else f"in {LINES + LONG_LINES} random lines"
        facts = [("acceptance", f"{self.acceptance:.0%} ({how})")]
        told = (", ".join(f"{part.text}: {part.acceptance:.0%}" for part in parts) for parts in self.situations)
        facts += [("by situation", each) for each in told]
        facts.append(("dead end", f"{ends} ({proved})"))
        back = "the whole line" if self.lookback is None else str(self.lookback)
        counted = self.position and self.lookback is not None
        facts.append(("cards looked back at", f"{back}, and how many there are" if counted else back))
        if self.exceptions:
            facts.append(("treated unlike the rest", cards_text(self.exceptions)))
        if self.cards_to_identify is not None:
            about = f"about {self.cards_to_identify:.0f}" if isfinite(self.cards_to_identify) else "not found"
            facts.append(("judged cards until it is found", about))
        if self.published_as:
            facts.append(("published as", ", ".join(self.published_as)))
        facts.append(("allowed in", ", ".join(self.allowed_in) or "no published profile"))
        return tuple(facts)


def review(rule: Rule, *, profile: Profile | None = None, cards_to_identify: float | None = None) -> Review:
    """Look ``rule`` over, for play by ``profile`` or in general; the same rule always gets the same review.

    A rule with a finite machine is worked out in full. Of any other rule random lines are played, from a generator
    that is seeded with the rule's text. ``cards_to_identify`` is what the caller knows about how hard the rule is
    to find; it is only told.
    """
    from eleusis_ai.rules.catalog import same_as  # who judges cards needs no catalogue

    played = course(rule)
    stuck = _stuck(rule)
    lookback, position = looks_at(rule)
    telling = [parts for parts in played.situations if _difference(parts) > TELLING]
    return Review(
        acceptance=played.acceptance,
        interval=played.interval,
        situations=tuple(telling[:MOST_SITUATIONS]),
        dead_end=played.dead_end,
        turned_dead_end=played.turned_dead_end,
        proved=played.exact,
        never_legal=cards_of(ALL_CARDS & ~played.legal),
        stuck_starters=stuck,
        lookback=lookback,
        position=position,
        exceptions=played.exceptions,
        cards_to_identify=cards_to_identify,
        allowed_in=tuple(name for name, each in PROFILES.items() if not any(_refusals(rule, played, each))),
        published_as=same_as(rule),
        refusals=tuple(_refusals(rule, played, profile)),
        advice=tuple(_advice(played, lookback, stuck, profile)),
    )


def _difference(parts: tuple[Situation, ...]) -> float:
    shares = [part.acceptance for part in parts]
    return max(shares) - min(shares)


def _stuck(rule: Rule) -> tuple[Card, ...]:
    starters = starter_cards(rule)
    return tuple(card for card in CARDS if card not in starters and not rule.mask((card,)))


def _refusals(rule: Rule, played: Course, profile: Profile | None) -> Iterator[str]:
    if played.dead_end is not None:
        yield f"after {cards_text(played.dead_end)} no card is ever legal"
    if profile is None:
        return
    if rule.reads_rejected and not profile.reads_rejected:
        yield f"it looks at rejected cards, which {profile} does not allow"
    if profile.numbers_only and not uses_numbers_only(rule):
        yield f"it uses more than the ranks of the card and of the last one, which is all that {profile} allows"
    if played.turned_dead_end is not None and profile.starter is not StarterTerms.FIT:
        first, *others = played.turned_dead_end
        after = f"and after {cards_text(played.turned_dead_end)}" if others else "after which"
        yield f"{profile} may turn {first} as the starter, {after} no card is ever legal"


def _advice(played: Course, lookback: int | None, stuck: tuple[Card, ...], profile: Profile | None) -> Iterator[str]:
    acceptance, never_legal = played.acceptance, cards_of(ALL_CARDS & ~played.legal)
    low, high = GOOD_ACCEPTANCE
    if not low <= acceptance <= high:
        much = "few" if acceptance < low else "many"
        yield f"too {much} cards are right: {acceptance:.0%}, and {low:.0%} to {high:.0%} is good"
    most = MOST_LOOKBACK if profile is None else profile.lookback_advised
    if most is not None and (lookback is None or lookback > most):
        much = "the whole line" if lookback is None else f"{lookback} cards"
        yield f"it looks back at {much}; more than {most} {'card is' if most == 1 else 'cards are'} advised against"
    if len(never_legal) == 52:
        yield "no card is ever legal"
    elif never_legal:
        yield f"never legal: {cards_text(never_legal)}"
    if profile is None and (stuck or played.turned_dead_end):
        after = cards_text(stuck or played.turned_dead_end or ())
        yield f"where any card may be turned as the starter, nothing is legal after {after}"
