"""What every agent keeps."""

from __future__ import annotations

import gc
import pickle
import sys
import timeit
from collections.abc import Sequence
from copy import deepcopy
from itertools import zip_longest

from eleusis_ai.agent import Agent, Attends, Beliefs, Explains
from eleusis_ai.cards import cards_text
from eleusis_ai.contracts.broken import ContractBroken, best_first, quiet, told
from eleusis_ai.contracts.tour import RULES, WAYS, deal, tour
from eleusis_ai.legal import answer_text
from eleusis_ai.moves import Move
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator
from eleusis_ai.view import View

QUICK = 0.05
"""Seconds that making an agent may take."""
SEED = "contract/deal/0/seating/0/agent/mine"
"""A seed as agents are given them."""


class AgentContract:
    """What every agent keeps; a subclass says how to ``make`` it."""

    profiles: Sequence[Profile] = WAYS
    """The ways to play in which the agent is checked."""

    def make(self, *, seat: int, seed: str) -> Agent:
        """Make the agent that is checked."""
        raise NotImplementedError("`make(self, *, seat, seed)` returns the agent that is to be checked")

    def test_is_made(self) -> None:
        """It is made for any seat, with any seed."""
        for seat, seed in ((0, SEED), (7, "1"), (3, "another seed")):
            with told(f"made with seat={seat}, seed={seed!r}"):
                agent: object = self.make(seat=seat, seed=seed)
            if not isinstance(agent, Agent):
                raise ContractBroken(f"it is {agent!r:.80}, which has no method `act(view)`")

    def test_class_is_found_by_name(self) -> None:
        """Its class is found by its name, so that another process can make it."""
        made = type(self.make(seat=1, seed=SEED))
        try:
            pickle.dumps(made)
        except (pickle.PicklingError, AttributeError):
            raise ContractBroken(
                f"{made.__qualname__} is not found in the module {made.__module__}; write the class at its top level"
            ) from None

    def test_constructor_only_stores(self) -> None:
        """It is made in no time: its constructor only stores."""
        seconds = min(timeit.repeat(lambda: self.make(seat=1, seed=SEED), number=1, repeat=5))
        if seconds > QUICK:
            raise ContractBroken(f"making it takes {seconds:.2f} seconds each time; it may take {QUICK}")

    def test_answers_every_decision(self) -> None:
        """It answers every kind of decision in every profile with a legal move."""
        for profile in self.profiles:
            for views in tour(profile):
                agents = self._agents(profile)
                for view in views:
                    _answer(agents[view.seat], view)

    def test_plays_whole_rounds(self) -> None:
        """It plays whole rounds at the smallest and the largest table."""
        for profile in self.profiles:
            for seats in sorted({profile.min_seats, profile.max_seats}):
                round_ = deal(profile, Rule.parse(RULES[0]), f"contract/{seats}", seats=seats)
                agents, picks = self._table(profile), generator("contract/pick")
                while (decision := round_.decision) is not None:
                    if decision.seat == round_.dealer:
                        round_.apply(round_.legal_moves().sample(picks))
                    else:
                        round_.apply(_answer(agents[decision.seat], round_.view(decision.seat)))
                for seat, agent in enumerate(agents[: round_.seats]):
                    if isinstance(agent, Attends):
                        with told(f"in {profile}, when the round is over"):
                            agent.ended(round_.view(seat))

    def test_picks_up_in_mid_round(self) -> None:
        """It can be made anew in the middle of a round."""
        for profile in self.profiles:
            self._pick_up(profile)

    def test_same_seed_same_moves(self) -> None:
        """It answers the same when it has the same seed and sees the same."""
        for profile in self.profiles:
            views = _of_one_seat(profile)
            for view, first, again in zip(views, self._moves(views), self._moves(views), strict=True):
                _same_move(view, first, again, "made twice with one seed it answers")

    def test_does_not_lean_on_others(self) -> None:
        """It answers the same whatever others of its class do at other tables."""
        for profile in self.profiles:
            views, others = _of_one_seat(profile), _of_one_seat(self.profiles[0], first=True)
            alone = self._moves(views)
            if alone != self._moves(views):
                return  # what it does by chance is told by `test_same_seed_same_moves`
            agent = self.make(seat=views[0].seat, seed=SEED)
            other = self.make(seat=others[0].seat, seed=SEED)
            moves = []
            for view, elsewhere in zip_longest(views, others):
                if elsewhere is not None:
                    _answer(other, elsewhere)
                if view is not None:
                    moves.append(_answer(agent, view))
            for view, first, again in zip(views, alone, moves, strict=True):
                _same_move(view, first, again, "alone, and beside another of its class, it answers")

    def test_leaves_views_alone(self) -> None:
        """It does not change the views it is shown."""
        for profile in self.profiles:
            agents = self._agents(profile)
            for view in tour(profile)[0][::5]:
                before = deepcopy(view)
                _answer(agents[view.seat], view)
                if view != before:
                    raise ContractBroken(f"{_situation(before)}: it changes the view that it is shown")

    def test_lets_views_go(self) -> None:
        """It does not keep every view it is shown."""
        views = _of_one_seat(self.profiles[0])
        before = [sys.getrefcount(view) for view in views]
        agent = self.make(seat=views[0].seat, seed=SEED)
        self._moves(views, agent)
        gc.collect()
        kept = sum(now > then for now, then in zip([sys.getrefcount(view) for view in views], before, strict=True))
        if kept > 2:
            raise ContractBroken(
                f"of {len(views)} views, each with the whole round so far, it still holds {kept}; it may hold one"
            )

    def test_prints_nothing(self) -> None:
        """It prints nothing: the terminal belongs to the table."""
        with quiet():
            self._moves(_of_one_seat(self.profiles[0]))

    def test_explains_itself(self) -> None:
        """It tells its beliefs, if it has any, as probabilities and as rules."""
        view = tour(self.profiles[0])[0][-1]
        agent = self.make(seat=view.seat, seed=SEED)
        if not isinstance(agent, Explains):
            return
        with told(f"{_situation(view)}, at `beliefs(view)`"):
            beliefs: object = agent.beliefs(view)
        if not isinstance(beliefs, Beliefs):
            raise ContractBroken(f"`beliefs(view)` returns {beliefs!r:.80}; it returns a `Beliefs`")
        if len(beliefs.legal) != 52 or not all(0 <= chance <= 1 for chance in beliefs.legal):
            raise ContractBroken(f"`beliefs(view).legal` is {beliefs.legal!r:.80}; it has 52 numbers of 0 to 1")
        best_first(beliefs.rules, "beliefs(view).rules", (str,))

    def _table(self, profile: Profile) -> list[Agent]:
        """Return who plays whole rounds, one a seat."""
        return self._agents(profile)

    def _pick_up(self, profile: Profile) -> None:
        for view in tour(profile)[-1][::5]:
            _answer(self.make(seat=view.seat, seed=SEED), view, "made anew ")

    def _agents(self, profile: Profile) -> list[Agent]:
        """Make one agent a seat."""
        return [self.make(seat=seat, seed=f"{SEED}/{seat}") for seat in range(profile.max_seats)]

    def _moves(self, views: Sequence[View], agent: Agent | None = None) -> list[Move]:
        """Return what an agent answers to the ``views`` of its seat, one after the other."""
        agent = agent or self.make(seat=views[0].seat, seed=SEED)
        return [_answer(agent, view) for view in views]


def _situation(view: View) -> str:
    """Tell in what situation a seat is asked."""
    action = "" if view.public.attempt is None else f", to judge {view.public.attempt}"
    line = cards_text(view.layout.mainline[-3:])
    return f"in {view.profile}, {view.decision}{action}, mainline ending {line}, hand {cards_text(view.hand)}"


def _answer(agent: Agent, view: View, how: str = "") -> Move:
    """Return the agent's answer, which must be legal."""
    __tracebackhide__ = True
    with told(how + _situation(view)):
        move = agent.act(view)
    problem = view.legal_moves().problem(move)
    if problem is not None:
        kind = "" if isinstance(move, Move) else f" (a {type(move).__name__}, which is no move)"
        raise ContractBroken(f"it answers {answer_text(move)}{kind}, and {problem}", how + _situation(view))
    return move


def _of_one_seat(profile: Profile, *, first: bool = False) -> list[View]:
    """Return what one seat of the last round of a tour is shown, or of the first one."""
    views = tour(profile)[0 if first else -1]
    return [view for view in views if view.seat == views[0].seat]


def _same_move(view: View, first: Move, again: Move, how: str) -> None:
    __tracebackhide__ = True
    if first != again:
        raise ContractBroken(f"{_situation(view)}: {how} {first!s:.80} and {again!s:.80}")
