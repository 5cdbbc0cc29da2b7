"""Some rules of the space side by side, with weights, judged all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.doubts import Choice
from eleusis_agents.learners.predicates import Masks
from eleusis_agents.learners.situations import FREE
from eleusis_agents.learners.space import Space
from eleusis_ai.cards import ALL_CARDS
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule


class Candidates:
    """Rules of the space."""

    def __init__(
        self, rules: Space, choices: Sequence[tuple[int, Choice]], weights: Sequence[float] | NDArray[np.float64]
    ) -> None:
        """Store rules as guards and their predicates."""
        self.choices = choices
        """For each rule its guard, and the predicates that are chosen."""
        self.weights = np.asarray(weights, np.float64)
        """Shape (rules,)."""
        self._space = rules
        self._guard = np.array([guard for guard, _ in choices], np.intp)
        spelled = [rules.spelled(guard, chosen) for guard, chosen in choices]
        width = max(map(len, spelled), default=1)
        padded = np.array([(*several, *several[:1] * (width - len(several))) for several in spelled], np.intp)
        used, places = np.unique(padded, return_inverse=True)
        self._predicates = rules.predicates.only(used)
        self._chosen = places.reshape(-1, width)
        self._back = np.array([rules.guards[guard].anchor == 2 for guard, _ in choices], np.bool_)

    def __len__(self) -> int:
        return len(self.choices)

    def rule(self, index: int) -> Rule:
        """Return one of the rules."""
        return self._space.rule(*self.choices[index])

    def masks(self, mainline: Cards) -> Masks:
        """Return the legal cards after ``mainline`` by each rule: shape (rules,)."""
        branch = self._space.situations.branches(mainline)[self._guard]
        chosen = self._chosen[np.arange(len(branch)), np.maximum(branch, 0)]
        found: Masks = self._predicates.masks(mainline)[chosen]
        if self._back.any():
            found[self._back] = self._predicates.masks(mainline[:-1])[chosen[self._back]]
        found[branch == FREE] = ALL_CARDS
        return found
