"""A rule looked over before it is dealt: how often cards are right, dead ends, and the advice of the sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, cards_of, cards_text
from eleusis_ai.profiles import Profile, StarterTerms
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

STEPS = 25
"""Cards judged along one random line when acceptance is measured."""
GOOD_ACCEPTANCE = (0.25, 0.40)
"""The share of right cards that makes a good rule, by the sources."""
MOST_LOOKBACK = 6
"""The farthest card back that a rule should look at, by Abbott."""
LINES = 100
"""Random lines played of a rule that looks too far back to be worked out."""
LONG_LINES = 5
"""More lines for such a rule, which look for a dead end only."""
LONG_STEPS = 100
"""Cards on one of the long lines."""
MOST_MISSES = 52
"""Cards that fall while none is legal, before a line counts as stuck under a rule on rejected cards."""
MOST_REJECTED = 500
"""Rejected cards on one random line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What can be said about a rule before play.

    A line starts with a card that the rule allows as the first, each of them as likely as the others, and goes
    on with cards drawn evenly from the legal ones, for 25 cards or until it is stuck.
    """

    acceptance: float
    """The mean share of the pack that is legal along such lines, 0 to 1."""
    dead_end: tuple[Card, ...] | None
    """A mainline after which no card is legal, the shortest known; None if there is none, or none was found."""
    proved: bool
    """Whether all lines were looked at, so that the figures are exact, or some random ones."""
    never_legal: tuple[Card, ...]
    """The cards that were legal nowhere along the lines."""
    stuck_starters: tuple[Card, ...]
    """Cards that the rule does not let start, and after which none is legal: a dead end if one is turned."""
    lookback: int | None
    """As ``Rule.lookback``."""
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
        ends = "none" if self.dead_end is None else f"after {cards_text(self.dead_end)}"
        how = "proved" if self.dead_end_proved else f"in {LINES + LONG_LINES} random lines"
        back = "the whole line" if self.lookback is None else f"{self.lookback}"
        return "\n".join(
            [
                f"acceptance: {self.acceptance:.0%}{'' if self.proved else ' (from random lines)'}",
                f"dead end: {ends} ({how})",
                f"cards looked back at: {back}",
                *(f"refused: {reason}" for reason in self.refusals),
                *(f"advice: {sentence}" for sentence in self.advice),
            ]
        )


def review(rule: Rule, *, profile: Profile | None = None) -> Review:
    """Look ``rule`` over, for play by ``profile`` or in general; the same rule always gets the same review.

    A rule that looks at the last card alone is worked out in full. Of any other rule random lines are played,
    from a generator that is seeded with the rule's text.
    """
    alone = rule.lookback is not None and rule.lookback <= 1 and not rule.uses_position
    acceptance, dead_end, legal = _work_out(rule) if alone else _try_out(rule)
    never_legal = cards_of(ALL_CARDS & ~legal)
    starters = _first(rule)
    stuck = tuple(card for card in CARDS if card not in starters and not rule.mask((card,)))
    return Review(
        acceptance=round(acceptance, 9),
        dead_end=dead_end,
        proved=alone,
        never_legal=never_legal,
        stuck_starters=stuck,
        lookback=rule.lookback,
        refusals=tuple(_refusals(rule, dead_end, stuck, profile)),
        advice=tuple(_advice(rule, round(acceptance, 9), never_legal, stuck, profile)),
    )


def _refusals(
    rule: Rule, dead_end: tuple[Card, ...] | None, stuck: tuple[Card, ...], profile: Profile | None
) -> Iterator[str]:
    if dead_end is not None:
        yield f"after {cards_text(dead_end)} no card is ever legal"
    if profile is not None and rule.reads_rejected and not profile.reads_rejected:
        yield f"it looks at rejected cards, which {profile} does not allow"
    if profile is not None and stuck and profile.starter is not StarterTerms.FIT:
        yield f"{profile} may turn {stuck[0]} as the starter, after which no card is ever legal"


def _advice(
    rule: Rule,
    acceptance: float,
    never_legal: tuple[Card, ...],
    stuck: tuple[Card, ...],
    profile: Profile | None,
) -> Iterator[str]:
    low, high = GOOD_ACCEPTANCE
    if not low <= acceptance <= high:
        much = "few" if acceptance < low else "many"
        yield f"too {much} cards are right: {acceptance:.0%}, and {low:.0%} to {high:.0%} is good"
    most = MOST_LOOKBACK if profile is None else profile.lookback_advised
    if most is not None and (rule.lookback is None or rule.lookback > most):
        much = "the whole line" if rule.lookback is None else f"{rule.lookback} cards"
        yield f"it looks back at {much}; more than {most} {'card is' if most == 1 else 'cards are'} advised against"
    if len(never_legal) == 52:
        yield "no card is ever legal"
    elif never_legal:
        yield f"never legal: {cards_text(never_legal)}"
    if stuck and profile is None:
        yield f"where any card may be turned as the starter, nothing is legal after {cards_text(stuck)}"


def _first(rule: Rule) -> tuple[Card, ...]:
    """Return the cards that may start; if the rule lets none, the top card starts, whichever it is."""
    return cards_of(rule.mask(()) or ALL_CARDS)


def _work_out(rule: Rule) -> tuple[float, tuple[Card, ...] | None, int]:
    """Return acceptance, shortest dead end and all legal cards, exactly, for a rule on the last card alone."""
    masks = [rule.mask((card,)) for card in CARDS]
    following = [cards_of(mask) for mask in masks]
    starters = _first(rule)
    chances = [0.0] * 52
    for card in starters:
        chances[card] = 1 / len(starters)
    right = lines = 0.0
    for _ in range(STEPS):
        after = [0.0] * 52
        for card, chance in zip(CARDS, chances, strict=True):
            lines += chance
            right += chance * len(following[card]) / 52
            for next_card in following[card]:
                after[next_card] += chance / len(following[card])
        chances = after

    paths: dict[Card, tuple[Card, ...]] = {card: (card,) for card in starters}
    legal, dead_end = 0, None
    waiting = list(starters)
    for card in waiting:
        legal |= masks[card]
        if not masks[card] and dead_end is None:
            dead_end = paths[card]
        for next_card in following[card]:
            if next_card not in paths:
                paths[next_card] = (*paths[card], next_card)
                waiting.append(next_card)
    return right / lines, dead_end, legal


def _try_out(rule: Rule) -> tuple[float, tuple[Card, ...] | None, int]:
    """Return acceptance, shortest dead end found and all cards found legal, from random lines."""
    rng = generator(f"review/{rule!r}")
    starters = _first(rule)
    right = judged = legal = 0
    dead_end: tuple[Card, ...] | None = None
    for steps in (STEPS,) * LINES + (LONG_STEPS,) * LONG_LINES:
        line, masks, stuck = _play(rule, rng.choice(starters), steps, rng)
        for mask in masks:
            legal |= mask
            right += mask.bit_count() if steps == STEPS else 0
        judged += 52 * len(masks) if steps == STEPS else 0
        if stuck and (dead_end is None or len(line) < len(dead_end)):
            dead_end = line
    return right / judged, dead_end, legal


def _play(rule: Rule, start: Card, steps: int, rng: Random) -> tuple[tuple[Card, ...], list[int], bool]:
    """Play one random line; return it, the masks on the way, and whether it ended for want of a legal card.

    Where rejected cards matter they are drawn too, and a line is stuck only if that does not free it.
    """
    line, rejected, masks, misses = [start], list[Card](), list[int](), 0
    patience = MOST_MISSES if rule.reads_rejected else 0
    while len(line) <= steps and len(rejected) < MOST_REJECTED:
        mask = rule.mask(line, rejected)
        masks.append(mask)
        misses = 0 if mask else misses + 1
        if misses > patience:
            return tuple(line), masks, True
        card = rng.choice(CARDS if patience else cards_of(mask))
        (line if mask >> card & 1 else rejected).append(card)
    return tuple(line), masks, False
