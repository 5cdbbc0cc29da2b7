"""A person's rule looked over before it is dealt: what it says, whether it may be dealt, and the hints true of it."""

from __future__ import annotations

from dataclasses import dataclass

from eleusis_ai.profiles import HintTerms, Profile
from eleusis_ai.rules.hints import Hint, InvalidHint, hints_for
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import Review, review
from eleusis_ai.seats.web.entries import RuleGiven
from eleusis_ai.seats.web.requests import Deal, Refused


@dataclass(frozen=True, slots=True)
class LookedOver:
    """A rule, and what can be said of it."""

    rule: Rule
    review: Review
    hints: tuple[Hint, ...]
    """The hints that may be given with it, where the profile has hints."""
    refusals: tuple[str, ...]
    """Why it may not be dealt; empty: it may."""


def look_over(text: str, starter: str | None, profile: Profile) -> LookedOver:
    """Look a rule over; this may take half a second.

    Raises:
        Refused: if it is no rule, showing the place.
    """
    try:
        rule = Rule.parse(text, starter=starter or None)
    except InvalidRule as error:
        raise Refused("rule", str(error)) from None
    found = review(rule, profile=profile)
    hints = () if profile.hint is HintTerms.NONE else hints_for(rule)
    missing = profile.hint is HintTerms.REQUIRED and not hints
    refused = (f"{profile} requires a hint, and there is none that is true of it",) if missing else ()
    return LookedOver(rule, found, hints, found.refusals + refused)


def rule_given(request: Deal, profile: Profile) -> RuleGiven:
    """Return what a dealer's request writes into the log; this may take half a second.

    Raises:
        Refused: if the rule or the hint may not be given.
    """
    hint = _hint(request.hint, profile)
    if request.rule is None:
        if request.starter is not None:
            raise Refused("rule", "whoever judges by hand keeps the first card's condition on paper too")
        return RuleGiven(hint=None if hint is None else str(hint))
    found = look_over(request.rule, request.starter, profile)
    rule = found.rule
    if found.refusals:
        raise Refused("rule", f"{rule} may not be dealt: {found.refusals[0]}; one that may: card.color != last.color")
    if hint is not None and hint not in found.hints and not hint.holds(rule):
        known = ", ".join(f"'{each}'" for each in found.hints) or "none is known"
        raise Refused("hint", f"the hint '{hint}' is not true of the rule; true ones: {known}")
    return RuleGiven(
        rule=str(rule),
        starter=None if rule.starter is None else str(rule.starter),
        hint=None if hint is None else str(hint),
    )


def _hint(text: str | None, profile: Profile) -> Hint | None:
    """Read the hint that is given.

    Raises:
        Refused: if it is none, or ``profile`` wants it otherwise.
    """
    if text is None:
        if profile.hint is HintTerms.REQUIRED:
            raise Refused("hint", f"{profile} requires a hint, such as 'no ranks'; the review lists true ones")
        return None
    if profile.hint is HintTerms.NONE:
        raise Refused("hint", f"{profile} has no hints; leave it out")
    try:
        return Hint.parse(text)
    except InvalidHint as error:
        raise Refused("hint", str(error)) from None
