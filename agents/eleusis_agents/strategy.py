"""The strategy that every learner plays by: probabilities in, moves out, valued in points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import log2
from typing import Any, NamedTuple, Self

import msgspec

from eleusis_agents.forecast import Forecast
from eleusis_agents.statements import Statement, best_statement
from eleusis_ai.agent import Learner
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Attempt, BecomeProphet, Call, DecisionKind, Move, NoPlay, Pass, StateRule
from eleusis_ai.profiles import LegalCard, Scoring
from eleusis_ai.registry import InvalidOptions
from eleusis_ai.view import View

HOPEFUL = 0.7
"""Chance of the likeliest card of a hand from which on no play is not thought of."""
SHED = 0.6
"""Cards that the smallest hand gets rid of in one lap, for each card that may be played at once, at most."""
LOST = 100.0
"""What it is worth not to empty a hand where that loses the round: more than anything else."""
LATE = 4.0
"""Turns left from which on information is worth less and less."""


class Option(NamedTuple):
    """A move that is thought of."""

    move: Move
    value: float
    """The points that are expected of it."""
    chance: float | None = None
    """That it goes well: the play is right, the call true, the rule the secret one, the office kept; None: it cannot
    go wrong."""
    told: float = 0.0
    """Points of ``value`` that the verdict's information is worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """How chances are turned into moves. Every option is valued by the points it is expected to bring.

    The seat's own points rise by one for each card it gets rid of, and fall by one for each it takes; what the
    others do is not foreseen, save for how long the round may last.
    """

    information: float = 0.6
    """Points that one bit about the rule is worth while many turns are left."""
    pace: float = 1.5
    """Cards by which the smallest hand shrinks in one lap of the table; how long the round lasts."""
    gain: float = 1.25
    """Points that a turn still to come is worth."""
    beam: int = 6
    """Strings of each length that are looked at."""
    least_chance: float = 0.6
    """Chance of being right below which a string is not made longer."""
    cards_ahead: float = 1.7
    """Cards that are laid before the round ends, for each card of the smallest hand that a prophet judges."""
    after_fall: float = 0.6
    """Share of what playing on is worth that is left to a prophet once he is overthrown."""
    least_stated: float = 0.05
    """Chance of being right below which a rule is not stated, even where a wrong statement costs nothing."""
    strings: bool = True
    """Whether more than one card is ever played at once."""
    no_play: bool = True
    """Whether no play is ever declared."""
    prophet: bool = True
    """Whether the seat ever becomes prophet."""

    @classmethod
    def of(cls, options: Mapping[str, Any], base: Self | None = None) -> Self:
        """Make a strategy from the fields that differ from ``base``, as they stand in a config; None: from all.

        Raises:
            InvalidOptions: if a field is unknown or a value does not do.
        """
        names = [field.name for field in fields(cls)]
        for name in options:
            if name not in names:
                raise InvalidOptions(f"strategy has no {name!r}; it has {', '.join(names)}, as in information = 0")
        try:
            return msgspec.convert(({} if base is None else asdict(base)) | dict(options), cls)
        except msgspec.ValidationError as error:
            raise InvalidOptions(f"strategy {dict(options)}: {error}; one that does: {{ information = 0 }}") from None

    def move(self, view: View, learner: Learner) -> Move:
        """Return the most valuable answer to the decision pending in ``view``; the earliest of equals.

        ``learner`` must have observed all of ``evidence(view)``.

        Raises:
            LookupError: if the decision is none of a scientist's or prophet's.
        """
        return best(self.options(view, learner)).move

    def options(self, view: View, learner: Learner) -> list[Option]:
        """Return the moves that are thought of, as they come in ``legal_moves``, with what decides between them.

        Raises:
            LookupError: if the decision is none of a scientist's or prophet's.
        """
        forecast = Forecast(learner, view.layout.mainline)
        match view.legal_moves().kind:
            case DecisionKind.PLAY:
                return list(self._plays(view, forecast))
            case DecisionKind.AFTER_TURN:
                return list(self._careers(view, forecast))
            case DecisionKind.STATE_RULE:
                return list(self._statements(view, best_statement(view, learner)))
            case DecisionKind.CALL:
                calls = view.legal_moves().calls
                return [Option(call, chance, chance) for call in calls for chance in [_truth(call, view, forecast)]]
            case kind:
                raise LookupError(f"a {kind.value} is the dealer's; a strategy answers for scientists and prophets")

    def weigh(self, view: View, learner: Learner, move: Attempt | NoPlay) -> Option:
        """Return a play as an option, whether it is thought of or not."""
        forecast = Forecast(learner, view.layout.mainline)
        if isinstance(move, NoPlay):
            return self._no_play(view, forecast.none_legal(view.hand))
        return self._attempt(view, move.cards, forecast.prefixes(move.cards)[-1])

    def _careers(self, view: View, forecast: Forecast) -> Iterator[Option]:
        """Yield playing on and becoming prophet."""
        yield Option(Pass(), self._playing_on(view))
        if self.prophet:
            yield self._office(view, forecast)

    def _plays(self, view: View, forecast: Forecast) -> Iterator[Option]:
        """Yield attempts and no play, as they come in ``legal_moves``."""
        moves = view.legal_moves()
        hand = moves.hand
        chances = {card: float(forecast.cards[card]) for card in dict.fromkeys(hand)}
        for card, chance in chances.items():
            yield self._attempt(view, (card,), chance)
        likeliest = max(chances.values())
        if self.strings and likeliest >= self.least_chance:
            for cards, chance in forecast.strings(hand, moves.longest, beam=self.beam, least=self.least_chance):
                yield self._attempt(view, cards, chance)
        if self.no_play and moves.no_play and (likeliest < HOPEFUL or view.profile.scoring is Scoring.TEAM):
            yield self._no_play(view, forecast.none_legal(hand))

    def _attempt(self, view: View, cards: Cards, chance: float) -> Option:
        profile, held, length, told = view.profile, len(view.hand), len(cards), self._told(view, chance)
        if profile.scoring is Scoring.TEAM:
            return Option(Attempt(cards), told - (LOST * chance if length == held else 0.0), chance, told)
        right = length + (profile.emptied_bonus if length == held else 0)
        more = 0 if profile.mistake_cards else length * (profile.penalty_per_card - 1)
        expelled = self._playing_on(view, held + more) if view.public.danger else 0.0
        return Option(Attempt(cards), chance * right - (1 - chance) * (more + expelled) + told, chance, told)

    def _no_play(self, view: View, chance: float) -> Option:
        profile, held, told = view.profile, len(view.hand), self._told(view, chance)
        right = min(held, profile.no_play_reduction)
        if profile.scoring is Scoring.TEAM:
            return Option(NoPlay(), told - (LOST * chance if right == held else 0.0), chance, told)
        if right == held:
            right += profile.emptied_bonus
        more = profile.no_play_penalty - (profile.legal_card is LegalCard.PLAYED)
        danger = view.public.danger and profile.no_play_expels
        expelled = self._playing_on(view, held + more) if danger else 0.0
        return Option(NoPlay(), chance * right - (1 - chance) * (more + expelled) + told, chance, told)

    def _statements(self, view: View, likeliest: Statement | None) -> Iterator[Option]:
        """Yield silence, and the likeliest rule: a turn that is saved against those that a wrong statement costs.

        Each turn tells a bit at most, so that as many turns as there are bits of doubt would be needed to be sure.
        Where turns are not counted a wrong statement costs nothing, and whoever waits leaves it to others.
        """
        yield Option(Pass(), 0.0)
        if likeliest is not None and likeliest.chance >= self.least_stated:
            cost = view.profile.wrong_statement_turns if view.profile.scoring is Scoring.TEAM else 0
            saved = likeliest.chance * (1 + likeliest.doubt)
            value = saved - (1 - likeliest.chance) * cost
            yield Option(StateRule(likeliest.rule), value, likeliest.chance)

    def _told(self, view: View, chance: float) -> float:
        """Return what the verdict's information is worth."""
        if not 0 < chance < 1:
            return 0.0
        bits = -chance * log2(chance) - (1 - chance) * log2(1 - chance)
        return self.information * bits * min(1.0, self._turns_left(view) / LATE)

    def _turns_left(self, view: View) -> float:
        """Return the turns that a seat may expect before the round ends."""
        public, longest = view.public, view.profile.max_string
        cards = [public.hand_sizes[seat] or len(public.mistakes[seat]) for seat in (view.seat, *_rivals(view))]
        return min(cards) / (self.pace if longest is None else min(self.pace, SHED * longest))

    def _playing_on(self, view: View, held: int | None = None) -> float:
        """Return the points that turns to come are worth to a seat that holds ``held`` cards."""
        held = len(view.hand) if held is None else held
        return min(float(held), self.gain * self._turns_left(view))

    def _office(self, view: View, forecast: Forecast) -> Option:
        """Return becoming prophet, which is worth what a term brings."""
        terms = view.profile.prophet
        assert terms is not None, "only a profile with a prophet asks for one"
        accepted, rejected = len(view.layout.mainline), len(view.layout.rejected)
        share = (accepted + 1) / (accepted + rejected + 2)
        per_card = share * terms.accepted_points + (1 - share) * terms.rejected_points
        calls = self.cards_ahead * min(view.public.hand_sizes[seat] for seat in _rivals(view))
        stays = forecast.foresight(calls)
        fallen = self.after_fall * self._playing_on(view) - terms.error_penalty
        return Option(BecomeProphet(), stays * per_card * calls + (1 - stays) * fallen, stays)


def _rivals(view: View) -> list[int]:
    """Return the other seats that still play."""
    public = view.public
    return [seat for seat in public.scientists if seat not in (view.seat, public.prophet, *public.expelled)]


def _truth(call: Call, view: View, forecast: Forecast) -> float:
    """Return the chance that ``call`` is the truth about the action under judgement."""
    attempt = view.public.attempt
    if not isinstance(attempt, Attempt):
        if call.right:
            return forecast.none_legal(view.public.shown)
        assert call.card is not None, "a prophet who calls a no play wrong names a card"
        return float(forecast.cards[call.card])
    chances = forecast.prefixes(attempt.cards)
    if call.right:
        return chances[-1]
    if call.prefix is None:
        return 1 - chances[-1]
    return chances[call.prefix] - chances[call.prefix + 1]


def best(options: Sequence[Option]) -> Option:
    """Return the option of the highest value; of values equal to 9 digits the first."""
    return max(options, key=lambda option: float(f"{option.value:.9g}"))
