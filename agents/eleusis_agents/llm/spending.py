"""What was spent, in a file that several processes share; what is about to be spent counts as spent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from eleusis_agents.llm.failures import BudgetSpent, Unaccountable
from eleusis_agents.llm.files import locked, replace
from eleusis_agents.llm.settings import Settings


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """An account: answers that were paid for, and questions that are on their way."""

    questions: int = 0
    tokens: int = 0
    cost: float = 0.0


class Account:
    """The account of a folder, held to the budget of the settings."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._path = folder / "spending.json"
        self._settings = settings

    @property
    def spent(self) -> Spent:
        """What was spent so far.

        Raises:
            Unaccountable: if the file cannot be read.
        """
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Spent)
        except FileNotFoundError:
            return Spent()
        except (msgspec.DecodeError, OSError) as error:
            raise Unaccountable(
                f"{self._path} cannot be read as what was spent: {error}; write it anew, as in "
                f"{msgspec.json.encode(Spent()).decode()}"
            ) from None

    def reserve(self, tokens_in: int, tokens_out: int) -> None:
        """Count a question as the most it can cost.

        Raises:
            BudgetSpent: if that is more than the budget has left; nothing is counted then.
        """
        cost, tokens = self._settings.cost(tokens_in, tokens_out), tokens_in + tokens_out
        with self._open() as spent:
            for kind, had, wanted, budget in (
                ("", spent.cost, cost, self._settings.budget),
                (" tokens", spent.tokens, tokens, self._settings.budget_tokens),
            ):
                if budget is not None and had + wanted > budget:
                    raise BudgetSpent(
                        f"of a budget of {budget:g}{kind}, {had:.6g} are spent, and the next question may cost "
                        f"{wanted:.3g}; a higher budget goes on, and what was answered is not asked again"
                    )
            self._write(Spent(questions=spent.questions + 1, tokens=spent.tokens + tokens, cost=spent.cost + cost))

    def settle(self, tokens_in: int, tokens_out: int) -> None:
        """Put right what a question was counted as, by so many tokens more, or fewer."""
        cost = self._settings.cost(tokens_in, tokens_out)
        with self._open() as spent:
            settled = max(0.0, round(spent.cost + cost, 12))
            tokens = max(0, spent.tokens + tokens_in + tokens_out)
            self._write(Spent(questions=spent.questions, tokens=tokens, cost=settled))

    @contextmanager
    def _open(self) -> Iterator[Spent]:
        with locked(self._path):
            yield self.spent

    def _write(self, spent: Spent) -> None:
        replace(self._path, msgspec.json.encode(spent))
