"""What a learner's opinion of a card rests on: its likeliest rule, or how often such a card was right before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from eleusis_ai.agent import Learner
from eleusis_ai.cards import Card
from eleusis_ai.evidence import Evidence, Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

LEAST = 0.2
"""Chance of a rule below which nothing rests on it alone."""
LONGEST = 90
"""Characters of a rule's sentence above which it is not said."""
SUPPORT = 2
"""Cards that have to speak for what is said of a sort; each that speaks against it counts three times."""


def ground(mainline: Cards, card: Card, known: Sequence[Evidence], learner: Learner, *, right: bool) -> str:
    """Return what speaks for taking ``card`` after ``mainline`` for right, or for wrong, to stand behind a sentence.

    Args:
        mainline: The cards that lie there.
        card: The card to be judged.
        known: What the learner remembers.
        learner: Asked for its rules.
        right: What the card is taken for.
    """
    verdicts = [item for item in known if isinstance(item, Verdict)]
    found = _by_rule(mainline, card, verdicts, learner, right=right) or _by_likes(
        mainline, card, verdicts, right=right
    )
    return f"; {found}" if found else ""


def _by_rule(
    mainline: Cards, card: Card, verdicts: Sequence[Verdict], learner: Learner, *, right: bool
) -> str | None:
    """Tell of the likeliest rule, if it is likely and takes the card for the same."""
    rule, weight = next(iter(learner.explain()), ("", 0.0))
    if not isinstance(rule, Rule) or weight < LEAST or len(rule.text) > LONGEST or not verdicts:
        return None
    if rule.allows(mainline, card) != right:
        return None
    fits = sum(rule.allows(item.mainline, item.card) == item.legal for item in verdicts)
    share = "all" if fits == len(verdicts) > 1 else f"{fits} of"
    return f"the likeliest rule I know fits {share} {len(verdicts)} cards I remember: {rule.text.rstrip('.')}"


def _by_likes(mainline: Cards, card: Card, verdicts: Sequence[Verdict], *, right: bool) -> str | None:
    """Tell how such cards were judged, of the sort of cards that speaks for it most clearly."""
    clearest, found = SUPPORT - 1, None
    one, other = ("right", "wrong") if right else ("wrong", "right")
    for name, alike in _sorts(mainline, card, verdicts):
        for_it = alike.count(right)
        against = len(alike) - for_it
        if for_it - 3 * against > clearest:
            clearest = for_it - 3 * against
            rest = f"{other} {_times(against)}" if against else f"never {other}"
            found = f"{name} has been {one} {_times(for_it)} and {rest}"
    return found


def _sorts(mainline: Cards, card: Card, verdicts: Sequence[Verdict]) -> Iterator[tuple[str, list[bool]]]:
    """Yield sorts of cards that ``card`` after ``mainline`` is of, and whether those that were judged are legal."""
    for word, sort in _WORDS:
        own = word(card)
        alike = [item for item in verdicts if word(item.card) == own]
        yield sort.format(own), [item.legal for item in alike]
        if mainline:
            before = word(mainline[-1])
            after = [item for item in alike if item.mainline and word(item.mainline[-1]) == before]
            yield f"{own} after {before}", [item.legal for item in after]


def _times(count: int) -> str:
    return ("never", "once", "twice")[count] if count < 3 else f"{count} times"


_WORDS: tuple[tuple[Callable[[Card], str], str], ...] = (
    (lambda card: str(card.color), "a {} card"),
    (lambda card: "odd" if card.rank % 2 else "even", "an {} card"),
    (lambda card: "a face" if card.rank > 10 else "a number", "{}"),
    (lambda card: card.suit.symbol, "a {}"),
)
"""What is said of a card, and the name of such cards."""
