"""A language model behind an endpoint: what it said before is found again, and what it costs is counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from time import monotonic, sleep

from eleusis_agents.llm.cache import Cache
from eleusis_agents.llm.client import Client
from eleusis_agents.llm.failures import EndpointFailure, Passing
from eleusis_agents.llm.log import Entry, write
from eleusis_agents.llm.patience import wait_after
from eleusis_agents.llm.question import Answer, Form, Message, Question
from eleusis_agents.llm.settings import Settings
from eleusis_agents.llm.spending import Account


class Model:
    """Answers questions: from the cache, or else over the network, within the budget and with patience."""

    def __init__(
        self,
        settings: Settings,
        rng: Callable[[], Random],
        *,
        sleep: Callable[[float], None] = sleep,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Store the parts; ``rng`` is called for a generator when a wait is to be drawn."""
        self._settings = settings
        self._rng = rng
        self._sleep, self._clock = sleep, clock
        self._client = Client(settings, clock)
        folder = None if settings.cache is None else Path(settings.cache)
        self._cache = None if folder is None else Cache(folder)
        self._account = None if folder is None else Account(folder, settings)
        self._lost: EndpointFailure | None = None

    def question(self, messages: tuple[Message, ...], form: Form) -> Question:
        """Return the question that ``messages`` make, as the settings have it."""
        settings = self._settings
        return Question(
            base_url=settings.base_url,
            model=settings.model,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            messages=messages,
            form=form,
        )

    def kept(self, question: Question) -> Answer | None:
        """Return the answer that was kept; None: there is none. Nothing is sent.

        Raises:
            Unaccountable: if it cannot be read.
        """
        return None if self._cache is None else self._cache.find(question)

    def ask(self, question: Question) -> Answer:
        """Return the answer to ``question``.

        Raises:
            EndpointFailure: if there is none to be had; after that no other question is sent.
        """
        found = self.kept(question)
        if found is not None:
            self._note(question, "kept", found)
            return found
        if self._lost is not None:
            raise self._lost.with_traceback(None)
        began, tries = self._clock(), 0
        while True:
            try:
                answer = self._paid(question)
            except Passing as failure:
                if tries == min(self._settings.retries, failure.most_retries):
                    self._lose(question, failure, began, tries)
                    raise
                self._sleep(wait_after(failure, tries, self._settings, self._rng()))
                tries += 1
            except EndpointFailure as failure:
                self._lose(question, failure, began, tries)
                raise
            else:
                self._note(question, "answered", answer, seconds=self._clock() - began, retries=tries)
                return answer if self._cache is None else self._cache.keep(question, answer)

    def _paid(self, question: Question) -> Answer:
        """Ask once, and count what it takes: the most it can be until it is known."""
        most = question.most_tokens_in, question.max_tokens
        if self._account is None:
            return self._client.ask(question)
        self._account.reserve(*most)
        try:
            answer = self._client.ask(question)
        except EndpointFailure as failure:
            if not (isinstance(failure, Passing) and failure.billed):
                self._account.settle(-most[0], -most[1])
            raise
        used = _used(question, answer)
        self._account.settle(used[0] - most[0], used[1] - most[1])
        return answer

    def _lose(self, question: Question, failure: EndpointFailure, began: float, retries: int) -> None:
        self._lost = failure
        self._note(question, type(failure).__name__, None, seconds=self._clock() - began, retries=retries)

    def _note(
        self, question: Question, outcome: str, answer: Answer | None, *, seconds: float = 0.0, retries: int = 0
    ) -> None:
        if self._settings.log is None:
            return
        tokens = (0, 0) if answer is None else _used(question, answer)
        entry = Entry(
            model=self._settings.model,
            question=question.key,
            outcome=outcome,
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            cost=0.0 if outcome == "kept" else round(self._settings.cost(*tokens), 9),
            seconds=round(seconds, 3),
            retries=retries,
        )
        write(Path(self._settings.log), entry)


def _used(question: Question, answer: Answer) -> tuple[int, int]:
    """Return the tokens of question and answer; where the endpoint did not count, the most they can be."""
    return (
        question.most_tokens_in if answer.tokens_in is None else answer.tokens_in,
        question.max_tokens if answer.tokens_out is None else answer.tokens_out,
    )
