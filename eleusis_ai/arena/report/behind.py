"""The rounds behind a number: what they are about, and what each was chosen for."""

from __future__ import annotations

from eleusis_ai.arena.report.digest import Digest, Subject
from eleusis_ai.arena.report.examples import Example
from eleusis_ai.arena.report.figures import MINUS

_TITLES = {
    "points": "{1}: points",
    "run": "{1}: points in {2}",
    "family": "{1}: points under {2} rules",
    "rules": "{1} rules",
    "pair": "{1} and {2} at one table",
    "won": "{1}: rounds won",
    "expelled": "{1}: rounds in which it was expelled",
    "kept": "{1}: prophet to the end",
    "fell": "{1}: overthrown as prophet",
    "judged": "{1}: plays judged right as prophet",
    "prophet": "{1}: points in rounds in which it was prophet",
    "no prophet": "{1}: points in rounds in which it was not prophet",
    "time": "{1}: milliseconds a decision",
    "fault": "{1}: {2}",
    "curve": "{1}: probability given to the verdicts, {2} cards seen judged",
}
"""What the rounds behind a number are about, by the kind of subject."""
_VALUES = {
    "rules": "{0:.1f} points a seat",
    "pair": "{0:+.3g} points for the first",
    "judged": "{0:.0f} judged right",
    "time": "{0:.3g} ms",
    "fault": "{0:.0f} moves",
    "curve": "{0:.2f}",
}
"""What a round was chosen for; points, if nothing stands here."""


def title_of(digest: Digest, subject: Subject) -> str:
    """Return what the rounds behind a number are about."""
    kind, *parts = subject
    if kind == "run":
        parts[1] = digest.runs[int(parts[1])].name
    return _TITLES[kind].format(kind, *parts)


def said_of(subject: Subject, example: Example) -> str:
    """Return what a round was chosen for."""
    return _VALUES.get(subject[0], "{0:.0f} points").format(example.value).replace("-", MINUS)
