"""The error for a text that is not a rule, with the place and what was wanted there."""

from __future__ import annotations

_SHOWN = 100


class InvalidRule(ValueError):
    """A text that is not a rule; printed, it shows the text, a caret under the place, and a right one."""

    def __init__(
        self,
        text: str,
        wanted: str,
        *,
        at: int = 0,
        width: int = 1,
        example: str = "card.color != last.color",
    ) -> None:
        self.text = text
        """What came."""
        self.wanted = wanted
        """What is wrong with it and what was wanted, as a sentence."""
        self.at = at
        """The column of the first wrong character, from 0."""
        self.width = width
        """How many characters are wrong."""
        self.example = example
        """A rule that is right."""
        super().__init__(text, wanted)

    def __str__(self) -> str:
        first = max(0, self.at - _SHOWN // 2) if len(self.text) > _SHOWN else 0
        shown = self.text[first : first + _SHOWN]
        line = "".join(character if character.isprintable() else "�" for character in shown)
        before, after = "…" if first else "", "…" if first + _SHOWN < len(self.text) else ""
        at = self.at - first
        carets = "^" * max(1, min(self.width, len(line) - at))
        return (
            f"{before}{line}{after}\n{' ' * (len(before) + at)}{carets}\n{self.wanted}\nfor example: {self.example}"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.text, self.wanted, self.at, self.width, self.example)


def _restore(text: str, wanted: str, at: int, width: int, example: str) -> InvalidRule:
    return InvalidRule(text, wanted, at=at, width=width, example=example)
