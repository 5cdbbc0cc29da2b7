"""An agent that asks a language model.

Idea: the model is told what the seat sees, in words, and answers with a move and its guess at the rule. Source: the
prompt follows D. Louapre, "Can LLMs Play the Game of Science?" (2026), in spirit. Remembers: the last guess; what the
model is told comes from the view alone. Cost: a request over the network for each decision, and what the endpoint
charges for it.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from random import Random
from typing import Any

from eleusis_agents.llm.failures import NoAnswer
from eleusis_agents.llm.model import Model
from eleusis_agents.llm.prompt import FORM, prompt
from eleusis_agents.llm.reply import Guess, guess_in, move_in, object_in
from eleusis_agents.llm.settings import Settings
from eleusis_agents.llm.solo import FORM as SOLO_FORM
from eleusis_agents.llm.solo import commitment_in, solo_prompt
from eleusis_agents.llm.talk import talk
from eleusis_ai.agent import Beliefs
from eleusis_ai.bench.solo import Commitment, NoCommitment, SoloView
from eleusis_ai.cards import CARDS
from eleusis_ai.moves import Move
from eleusis_ai.seeds import generator
from eleusis_ai.view import View


class LlmAgent:
    """Asks a language model, behind any endpoint like OpenAI's; docs/how-to/llm.md has the options."""

    def __init__(self, *, seat: int, seed: str, **options: Any) -> None:  # noqa: ARG002 - every agent is told its seat
        """Take the fields of `Settings` that differ, as in ``model="gpt-oss:120b"``.

        Raises:
            InvalidOptions: if an option is unknown, or does not do.
            MissingExtra: if urllib3 is not installed.
        """
        self._settings = Settings.of(options)
        self._seed = seed
        self._model = Model(self._settings, lambda: self._rng)
        self._guess: Guess | None = None

    @property
    def name(self) -> str:
        """What tables of a benchmark call it."""
        return self._settings.model

    def act(self, view: View) -> Move:
        """Answer the decision that is pending in ``view``.

        Raises:
            NoAnswer: if the model gives no legal answer.
            EndpointFailure: if no answer can be had.
        """

        def read(content: str) -> Move:
            reply = object_in(content, "move")
            self._guess = guess_in(reply) or self._guess
            move = move_in(reply)
            if problem := view.legal_moves().problem(move):
                raise NoAnswer(problem)
            return move

        return talk(self._model, prompt(view), FORM, read, tries=self._settings.tries)

    def beliefs(self, view: View) -> Beliefs:
        """Return what the model last took for the rule, or now, if the cache has its answer; nothing is sent."""
        self._recall(view)
        right, wrong = len(view.layout.mainline), len(view.layout.rejected)
        share = (right + 1) / (right + wrong + 2)
        guess = self._guess
        if guess is None:
            return Beliefs((share,) * len(CARDS), ())
        chance = guess.confidence / 10
        if guess.rule is None:
            return Beliefs((share,) * len(CARDS), ((guess.text, chance),))
        mask = guess.rule.mask(view.layout.mainline, view.layout.rejected)
        legal = tuple(chance * (mask >> card & 1) + (1 - chance) * share for card in CARDS)
        return Beliefs(legal, ((str(guess.rule), chance),))

    def commit(self, view: SoloView) -> Commitment:
        """Return what the model commits to in a turn of the solo protocol.

        Raises:
            NoCommitment: if it gives no answer that can be used.
            EndpointFailure: if no answer can be had.
        """
        try:
            return talk(
                self._model,
                solo_prompt(view),
                SOLO_FORM,
                lambda content: commitment_in(content, view),
                tries=self._settings.tries,
            )
        except NoAnswer as error:
            raise NoCommitment(str(error)) from None

    def _recall(self, view: View) -> None:
        """Take the guess from the answer to what is asked in ``view``, if it was kept."""
        if view.decision is None or view.decision.seat != view.seat:
            return
        answer = self._model.kept(self._model.question(prompt(view), FORM))
        if answer is not None:
            with suppress(NoAnswer):
                self._guess = guess_in(object_in(answer.content, "move")) or self._guess

    @cached_property
    def _rng(self) -> Random:
        return generator(f"{self._seed}/waits")
