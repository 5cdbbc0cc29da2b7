"""No view depends on a secret: rounds that differ only in what a seat cannot see look the same to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec
import pytest
from hypothesis import given, settings

from eleusis_ai.cards import CARDS, Card, parse_cards
from eleusis_ai.events import (
    AttemptJudged,
    Drew,
    Event,
    NoPlayJudged,
    Picked,
    Refused,
    RuleStated,
    SeatPassed,
    StarterLaid,
)
from eleusis_ai.evidence import SomeLegal, evidence
from eleusis_ai.layout import Cards
from eleusis_ai.moves import DecisionKind, parse_rule
from eleusis_ai.profiles import PROFILES, HintTerms, Judging, Profile, ShownHand
from eleusis_ai.round import Round
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.protocol import write
from eleusis_ai.seats.transcript import Telling, question
from eleusis_ai.seeds import generator
from tests.properties.rounds import RULES, STEADY, Table, right_prefix, tables


def told(round_: Round, seat: int) -> list[str]:
    """Return the lines from which a program outside knows the round."""
    view = round_.view(seat)
    lines = [*Telling(seed=1, time_limit=1.0).situation(view)]
    if round_.decision is not None and round_.decision.seat == seat:
        lines.append(question(view.legal_moves(), 1))
    return list(map(write, lines))


def assert_same_to(seat: int, one: Round, other: Round) -> None:
    """Check that ``seat`` cannot tell the rounds apart, by what it sees or by what it may do."""
    assert one.view(seat) == other.view(seat)
    assert told(one, seat) == told(other, seat)
    if one.decision is not None and one.decision.seat == seat:
        assert one.view(seat).legal_moves() == other.view(seat).legal_moves()
        if one.decision.kind is not DecisionKind.PICK:  # a pick is the dealer's, who knows the rule
            assert one.legal_moves() == other.legal_moves()


class Places:
    """Follows each place of a deck through a round: who holds the card, and who has seen it."""

    def __init__(self, round_: Round) -> None:
        deck = parse_cards(round_.record().deck)
        size = round_.profile.dealt(round_.seats)
        stocked = 52 * round_.profile.packs
        self.profile, self.deck = round_.profile, deck
        self.hands: list[list[int]] = [[] for _ in range(round_.seats)]
        for index, seat in enumerate(round_.scientists):
            self.hands[seat] = list(range(index * size, (index + 1) * size))
        dealt = size * (round_.seats - 1)
        self.stock = deque(range(dealt, stocked))
        self.reserve = deque(range(stocked, len(deck)))
        self.seen: set[int] = set()
        """Places whose card lay open, or was turned before the first play."""
        for event in round_.record().deal().events:
            if isinstance(event, StarterLaid):
                while deck[place := self.stock.popleft()] != event.card:
                    self.stock.append(place)
                    self.seen.add(place)  # seen by nobody; yet another card there might have been a starter
                self.seen.add(place)

        if round_.profile.hand_size is None:
            self.stock.clear()  # what is left over is set aside, and seen by nobody
            for _ in range(min(52, len(self.reserve))):
                self.stock.append(self.reserve.popleft())

    def follow(self, turn: int, events: tuple[Event, ...]) -> None:
        """Do what ``events`` say."""
        for event in events:
            match event:
                case AttemptJudged(seat, cards) if self.hands[seat]:  # else a mistake card, which was seen before
                    self._lay(seat, cards)
                case NoPlayJudged(seat, hand, right):
                    assert tuple(self.deck[place] for place in self.hands[seat]) == hand
                    self.seen.update(self.hands[seat])
                    if right:
                        if self.profile.shown_hand is ShownHand.UNDER_STOCK:
                            self.stock.extend(self.hands[seat])
                        self.hands[seat] = []
                case Picked(card, played):
                    if played:
                        self._lay(turn, (card,))
                case Drew(seat, count):
                    for _ in range(count):
                        self.hands[seat].append(self.stock.popleft())
                        if not self.stock:
                            for _ in range(min(52, len(self.reserve))):
                                self.stock.append(self.reserve.popleft())

    def _lay(self, seat: int, cards: Cards) -> None:
        for card in cards:
            place = next(place for place in self.hands[seat] if self.deck[place] == card)
            self.hands[seat].remove(place)
            self.seen.add(place)

    def hidden_from(self, seat: int) -> list[int]:
        return sorted(set(range(len(self.deck))) - self.seen - set(self.hands[seat]))


@settings(STEADY, max_examples=40)
@given(tables())
def test_hidden_cards_may_be_exchanged(table: Table) -> None:
    """Permute hands, stock and reserve as far as a seat has not seen them: it cannot tell."""
    round_ = table.broken_off()
    first = round_.record().deal()
    places = Places(first)
    one = first.copy()
    for move in round_.moves:
        places.follow(one.turn, one.apply(move))
    rng = generator(f"{table.seed}/hidden")
    pending = round_.public().attempt
    for seat in rng.sample(range(round_.seats), 3):
        hidden = places.hidden_from(seat)
        if pending is not None:  # what is on judgement lies open
            hidden = [place for place in hidden if place not in places.hands[round_.turn]]
        exchanged = list(hidden)
        rng.shuffle(exchanged)
        deck = list(places.deck)
        for place, source in zip(hidden, exchanged, strict=True):
            deck[place] = places.deck[source]
        other = Round.deal(
            round_.profile, table.rule, seats=round_.seats, dealer=round_.dealer, deck=deck, first=first.turn,
            hint=round_.hint,
        )  # fmt: skip
        one = first.copy()
        assert_same_to(seat, one, other)
        looks = {0, rng.randrange(len(round_.moves) + 1), len(round_.moves) - 1}
        for index, move in enumerate(round_.moves):
            own = [event.seen_by(seat) for event in one.apply(move)]
            assert own == [event.seen_by(seat) for event in other.apply(move)]
            if index in looks:
                assert_same_to(seat, one, other)
        alike = all(
            getattr(one, part) == getattr(other, part) for part in ("hands", "mistakes", "stock", "reserve", "aside")
        )
        assert alike == (deck == list(places.deck))
        if round_.moves and len(round_.moves) < 10:
            assert not alike  # so early there is always something to hide


def flipped(rule: Rule, position: int, card: Card) -> Rule:
    """Return ``rule``, with the opposite verdict on one card at one position."""
    starter = None if rule.starter is None else str(rule.starter)
    there = f"position == {position} and card.rank == {card.rank} and card.suit == {card.suit}"
    return Rule.parse(f"({rule}) != ({there})", starter=starter)


def outcomes(round_: Round, rule: Rule) -> Iterator[object]:
    """Yield what ``rule`` makes of everything that was judged in ``round_``, as far as it is announced."""
    line: Cards = ()
    rejected: Cards = ()
    if round_.profile.mistake_cards:  # whose turn it is tells that one of his mistake cards is legal
        known = evidence(round_.view(round_.dealer))
        chances = [item for item in known if isinstance(item, SomeLegal)]
        yield [any(rule.allows(item.mainline, card) for card in item.hand) for item in chances]
    for event in round_.events:
        match event:
            case RuleStated(_, text):
                found = equivalent(rule, parse_rule(text), line, rejected)
                yield found.same, found.exact
            case StarterLaid(card, found_legal):
                yield found_legal and rule.allows(line, card)
                line = (*line, card)
            case AttemptJudged(_, cards, right, prefix):
                good = right_prefix(rule, line, cards, rejected)
                yield good if round_.profile.judging is Judging.CARD_BY_CARD else good == len(cards)
                joined = cards if right else cards[: prefix or 0]
                line += joined
                rejected += cards[len(joined) :]
            case NoPlayJudged(_, hand) | SeatPassed(_, hand):
                yield any(rule.allows(line, card, rejected) for card in hand)
            case Refused(card) | Picked(card, _):
                yield rule.allows(line, card, rejected)
                if isinstance(event, Picked) and event.played:
                    line = (*line, card)


def wrong_string_cards(round_: Round) -> Iterator[tuple[int, Card]]:
    """Yield the cards of wrong strings, each with the position at which it was meant to lie."""
    line = 0
    for event in round_.events:
        match event:
            case StarterLaid() | Picked(_, True):
                line += 1
            case AttemptJudged(_, cards, right, prefix):
                if not right and len(cards) > 1:
                    yield from enumerate(cards, line)
                line += len(cards) if right else prefix or 0


def rules_alike(round_: Round, rule: Rule, suspects: Iterable[tuple[int, Card]]) -> Iterator[Rule]:
    """Yield rules with the opposite verdict on one of the ``suspects``, and no announced verdict changed."""
    announced = list(outcomes(round_, rule))
    for position, card in suspects:
        other = flipped(rule, position, card)
        if list(outcomes(round_, other)) == announced:
            yield other


def unhinted(table: Table) -> Table:
    """Return the table without a hint, and without a restriction, which would have to be true of both rules."""
    profile = msgspec.structs.replace(table.profile, name="unhinted", hint=HintTerms.NONE, numbers_only=False)
    return Table(profile, table.rule, table.seed, table.wisdom)


def assert_alike(round_: Round, other_rule: Rule) -> None:
    """Play ``round_`` again beside the same round with ``other_rule``: no seat can tell them apart."""
    record = round_.record()
    one = record.deal()
    other = Round.deal(
        round_.profile, other_rule, seats=round_.seats, dealer=round_.dealer, deck=parse_cards(record.deck),
        first=record.first,
    )  # fmt: skip
    assert one.rule != other.rule
    moves = round_.moves[:-1] if round_.over else round_.moves  # when a round is over its rule is shown
    for move in moves:
        assert one.apply(move) == other.apply(move)
    for seat in range(round_.seats):
        assert_same_to(seat, one, other)
    assert list(evidence(one.view(0))) == list(evidence(other.view(0)))


@settings(STEADY, max_examples=40)
@given(tables())
def test_rules_that_judged_alike_look_alike(table: Table) -> None:
    table = unhinted(table)
    round_ = table.broken_off()
    rng = generator(f"{table.seed}/suspects")
    line = len(round_.layout.mainline)
    suspects = [(rng.randint(table.rule.starters, line + 1), rng.choice(CARDS)) for _ in range(30)]
    others = list(islice(rules_alike(round_, table.rule, suspects), 2))
    assert others
    for other in others:
        assert_alike(round_, other)


@pytest.mark.parametrize("profile", [each for each in PROFILES.values() if each.max_string != 1], ids=str)
def test_nobody_is_told_more_of_a_wrong_string(profile: Profile) -> None:
    """Judged whole: not which card was wrong. Judged card by card: nothing about those after the first wrong one."""
    compared = 0
    for seed in range(12):
        table = unhinted(Table(profile, RULES["colors"], seed, 0.5))
        round_ = table.played()
        for other in islice(rules_alike(round_, table.rule, wrong_string_cards(round_)), 3):
            assert_alike(round_, other)
            compared += 1
    assert compared > 12
