"""Whole rounds and matches, played by agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from eleusis_ai.agent import Agent, Attends, Dealer
from eleusis_ai.cards import Card
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.layout import Cards
from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import DecisionKind, Pick
from eleusis_ai.profiles import Profile
from eleusis_ai.record import Record
from eleusis_ai.registry import AgentSpec, make_agent
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.scoring import match_points, winners
from eleusis_ai.seeds import generator


class InvalidMatch(ValueError):
    """A match that cannot be played as asked."""


Turn = Callable[[Round, Agent], None]
"""How an agent is asked for its answer to the pending decision of a round, and the answer made."""


def take_turn(round_: Round, agent: Agent) -> None:
    """Ask ``agent`` and make its answer as it comes.

    Raises:
        IllegalMove: if it is not legal, naming the agent's class.
    """
    assert round_.decision is not None, "an agent is asked where a decision is pending"
    move = agent.act(round_.view(round_.decision.seat))
    try:
        round_.apply(move)
    except IllegalMove as error:
        raise IllegalMove(f"{type(agent).__name__} answered {move!s:.80}: {error}") from None


def play_out(
    profile: Profile,
    rule: Rule | None,
    agents: Sequence[Agent | None],
    *,
    dealer: int,
    seed: str | int,
    deck: Sequence[Card] | None = None,
    first: int | None = None,
    starters: Sequence[Card] | None = None,
    hint: Hint | None = None,
    judge: Dealer | None = None,
    turn: Turn = take_turn,
) -> Round:
    """Play a round to its end, and return it as it lies on the table.

    Args:
        profile: The way to play.
        rule: The secret rule; None: the agent at the dealer's seat judges by hand.
        agents: One a seat; None at the dealer's, unless he judges by hand.
        dealer: The dealer's seat.
        seed: Names what is drawn by chance: deck, lot, and the dealer's picks.
        deck: The deck; None: shuffled from ``seed``.
        first: The seat that begins, in place of the profile's way of choosing it.
        starters: The starter cards, needed when ``rule`` is None.
        hint: The dealer's hint.
        judge: Picks legal cards from shown hands; None: one of them is drawn by lot.
        turn: How agents are asked; a tournament's referee stands in for those that give no legal answer.

    Raises:
        InvalidDeal: if the round cannot be dealt.
        IllegalMove: if an agent answers with a move that is not legal, naming its seat.
    """
    if deck is None:
        deck = shuffled_deck(profile, generator(f"{seed}/deck"))
    round_ = Round.deal(
        profile,
        rule,
        seats=len(agents),
        dealer=dealer,
        deck=deck,
        first=first,
        starters=starters,
        hint=hint,
        rng=generator(f"{seed}/lot"),
    )
    picks = generator(f"{seed}/pick")
    while (decision := round_.decision) is not None:
        if (agent := agents[decision.seat]) is not None:
            turn(round_, agent)
        elif decision.kind is DecisionKind.PICK:
            legal: Cards = round_.legal_moves().hand
            round_.apply(Pick(judge.pick(legal, picks) if judge else picks.choice(legal)))
        else:
            raise InvalidMatch(f"{decision} must be answered, and nobody sits there; only a dealer's may be None")
    for seat, agent in enumerate(agents):
        if isinstance(agent, Attends):
            agent.ended(round_.view(seat))
    return round_


def play_round(
    profile: Profile,
    rule: Rule | None,
    agents: Sequence[Agent | None],
    *,
    dealer: int,
    seed: str | int,
    deck: Sequence[Card] | None = None,
    first: int | None = None,
    starters: Sequence[Card] | None = None,
    hint: Hint | None = None,
) -> Record:
    """Play a round to its end, and return its record; arguments and errors are those of `play_out`."""
    return play_out(
        profile, rule, agents, dealer=dealer, seed=seed, deck=deck, first=first, starters=starters, hint=hint
    ).record()


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """A match that was played: every player's points, round by round."""

    players: tuple[str, ...]
    """The players' names, by seat."""
    records: tuple[Record, ...]
    """The rounds, in order."""
    totals: tuple[int, ...]
    """Points of each player over all rounds, with what the profile gives those who never dealt."""

    @property
    def winners(self) -> tuple[str, ...]:
        """Those with the highest total; several where they tie: all of them win."""
        return tuple(self.players[seat] for seat in winners(self.totals))


def play_match(
    profile: Profile,
    specs: Sequence[AgentSpec],
    *,
    dealers: Sequence[Dealer],
    seed: str | int,
    rounds: int | None = None,
) -> MatchResult:
    """Play a match: the deal passes to the left until every player has dealt once.

    Args:
        profile: The way to play.
        specs: The players' agents, by seat.
        dealers: How each player deals when it is his turn, by seat.
        seed: Names what is drawn by chance, the first dealer included.
        rounds: How many rounds; None: as many as players; fewer: the match is cut short.

    Raises:
        InvalidMatch: if there is not one dealer a player, or the profile does not allow ``rounds``.
    """
    seats = len(specs)
    if len(dealers) != seats:
        raise InvalidMatch(f"{seats} players and {len(dealers)} dealers; give one dealer a player")
    if rounds is None:
        rounds = seats
    if rounds < 1 or (rounds > seats and not profile.rounds_as_agreed):
        raise InvalidMatch(f"a match of {rounds} rounds; {profile.name} with {seats} players has 1 to {seats}")
    first_dealer = generator(f"{seed}/first-dealer").randrange(seats)
    records = []
    for number in range(rounds):
        dealer = (first_dealer + number) % seats
        name = f"{seed}/deal/{number}"
        rule, hint = dealers[dealer].choose(profile, generator(f"{name}/rule"))
        agents = [
            None if seat == dealer else make_agent(spec, seat=seat, seed=f"{name}/seating/0/agent/{spec.id}")
            for seat, spec in enumerate(specs)
        ]
        record = play_out(profile, rule, agents, dealer=dealer, seed=name, hint=hint, judge=dealers[dealer]).record()
        records.append(msgspec.structs.replace(record, key=f"deal {number}", agents=tuple(spec.id for spec in specs)))
    return MatchResult(
        players=tuple(spec.id for spec in specs),
        records=tuple(records),
        totals=match_points(profile, seats, ((record.dealer, record.scores) for record in records if record.scores)),
    )
