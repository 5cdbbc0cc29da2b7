"""Answers that were paid for once, in a folder: a file for each question, with the question in it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from eleusis_agents.llm.failures import Unaccountable
from eleusis_agents.llm.files import locked, replace
from eleusis_agents.llm.question import Answer, Question


class _Kept(msgspec.Struct, frozen=True):
    question: Question
    answer: Answer


class Cache:
    """Answers in a folder; several processes may use it at once. Of two answers to a question the first is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "answers"

    def find(self, question: Question) -> Answer | None:
        """Return the answer to ``question``; None: it was never answered.

        Raises:
            Unaccountable: if the file of the answer holds something else.
        """
        path = self._path(question)
        try:
            return msgspec.json.decode(path.read_bytes(), type=_Kept).answer
        except FileNotFoundError:
            return None
        except (msgspec.DecodeError, OSError) as error:
            raise Unaccountable(
                f"{path} cannot be read as an answer: {error}; delete it, and the model is asked again"
            ) from None

    def keep(self, question: Question, answer: Answer) -> Answer:
        """Keep ``answer``, unless there is one already; return the one that is kept.

        Raises:
            Unaccountable: if the one that is there cannot be read.
        """
        with locked(self._folder):
            kept = self.find(question)
            if kept is None:
                replace(self._path(question), msgspec.json.format(msgspec.json.encode(_Kept(question, answer))))
        return kept or answer

    def _path(self, question: Question) -> Path:
        key = question.key
        return self._folder / key[:2] / f"{key}.json"
