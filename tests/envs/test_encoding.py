"""What the arrays hold is what a view says, in rounds in which everything happens."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from eleusis_ai.cards import cards_text
from eleusis_ai.contracts.tour import RULES, WAYS, deal
from eleusis_ai.envs.actions import Actions, action_table
from eleusis_ai.envs.encoding import observation_space, solo_space
from eleusis_ai.envs.features import (
    ACCEPTED,
    ATTEMPT_CARDS,
    HINT_FEATURES,
    IN_STRINGS,
    KEYS,
    PHASES,
    PLANES,
    REJECTED,
    SEAT_FEATURES,
    SHOWN_ILLEGAL,
    SHOWN_LEGAL,
    SOLO_KEYS,
    TABLE_FEATURES,
)
from eleusis_ai.envs.play import IllegalAction, Play
from eleusis_ai.envs.sources import RulesDealer
from eleusis_ai.evidence import SomeIllegal, Verdict, evidence
from eleusis_ai.moves import Attempt, DecisionKind
from eleusis_ai.profiles import HOWELL, Profile, load_profile
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator
from eleusis_ai.view import View

COLUMNS = 30
STATED = ("card.is_red", *RULES)


def play(profile: Profile, number: int) -> Play:
    """Begin a round of a profile."""
    seats = max(5, profile.min_seats)
    round_ = deal(profile, Rule.parse(RULES[number % 2]), f"encoding/{number}", seats=seats)
    rule = round_.rule
    assert rule is not None
    picks = generator(f"encoding/{number}/pick")
    actions = Actions(STATED if profile.stating.value != "never" else ())
    return Play(round_, actions=actions, columns=COLUMNS, judge=RulesDealer((rule,)), picks=picks)


def walk(profile: Profile, number: int) -> list[tuple[View, dict[str, np.ndarray]]]:
    """Play a round by legal actions, and return what each decision's seat saw, both ways."""
    table, rng, seen = play(profile, number), generator(f"encoding/{number}/actions"), []
    while (seat := table.seat) is not None:
        if not table.building:
            seen.append((table.round.view(seat), table.observe(seat)))
        table.act(chosen(table, rng))
    return seen


def chosen(table: Play, rng: Random) -> int:
    legal = [action for action, allowed in enumerate(table.mask) if allowed]
    finish = 52 in legal and rng.random() < 0.6
    return 52 if finish else rng.choice(legal)


def counts(cards: object) -> list[int]:
    assert isinstance(cards, tuple)
    return [cards.count(card) for card in range(52)]


@pytest.mark.parametrize("profile", WAYS, ids=str)
def test_arrays_say_what_the_view_says(profile: Profile) -> None:
    space = observation_space(
        profile,
        actions=play(profile, 0)._actions.count,
        statements=len(play(profile, 0)._actions.numbers),
        columns=COLUMNS,
    )
    for view, shown in [pair for number in range(4) for pair in walk(profile, number)]:
        public = view.public
        assert shown in space
        line = view.layout.mainline[::-1][:COLUMNS]
        assert shown["layout"][: len(line), ACCEPTED].argmax(axis=1).tolist() == list(line)
        assert shown["layout"][:, ACCEPTED].sum() == len(line)
        assert shown["hand"].tolist() == counts(view.hand)
        judged = public.attempt.cards if isinstance(public.attempt, Attempt) else ()
        assert shown["attempt"].sum() == min(len(judged), ATTEMPT_CARDS)
        assert shown["attempt"].argmax(axis=1)[: len(judged)].tolist() == list(judged[:ATTEMPT_CARDS])
        assert shown["shown"].tolist() == counts(public.shown)
        for at in range(public.seats):
            row = dict(zip(SEAT_FEATURES, shown["seats"][(at - view.seat) % public.seats].tolist(), strict=True))
            assert row == {
                "present": 1,
                "dealer": at == public.dealer,
                "cards": public.hand_sizes[at],
                "mistakes": len(public.mistakes[at]),
                "prophet": at == public.prophet,
                "was prophet": at in public.former_prophets,
                "expelled": at in public.expelled,
                "turn": at == public.turn,
            }
        assert not shown["seats"][public.seats :].any()
        numbers = dict(zip(TABLE_FEATURES, shown["table"].tolist(), strict=True))
        assert numbers["stock"] == public.stock_size
        assert numbers["accepted"] == len(view.layout.mainline)
        assert (numbers["accepted since"], numbers["rejected since"]) == (
            public.accepted_since,
            public.rejected_since,
        )
        assert numbers["played at declaration"] == public.played_at_declaration
        assert numbers["expulsion"] == public.danger
        assert (numbers["marker"] > 0) == (public.marker is not None)
        assert (numbers["turns left"], numbers["stage"]) == (public.turns_left or 0, public.stage)
        if profile.mistake_cards:
            assert [shown["mistakes"][(at - view.seat) % public.seats].tolist() for at in range(public.seats)] == [
                counts(cards) for cards in public.mistakes
            ]


@pytest.mark.parametrize("profile", WAYS, ids=str)
def test_the_planes_are_the_evidence(profile: Profile) -> None:
    """Each verdict and each rejected string that the evidence has lies in its plane, and nothing else does."""
    for number in range(4):
        for view, shown in walk(profile, number)[-1:]:
            line = len(view.layout.mainline)
            illegal, strings = set(), set()
            for item in evidence(view):
                if isinstance(item, Verdict) and not item.legal:
                    illegal.add((line - len(item.mainline), item.card))
                if isinstance(item, SomeIllegal):
                    column = line - len(item.pairs[0][0])
                    strings |= {(column, card) for _, card in item.pairs}
            layout = shown["layout"]
            found = set(zip(*np.nonzero(layout[:, REJECTED] + layout[:, SHOWN_ILLEGAL]), strict=True))
            assert found == {(column, card) for column, card in illegal if column < COLUMNS}
            hung = set(zip(*np.nonzero(layout[:, IN_STRINGS]), strict=True))
            if profile.judging.value == "whole":
                assert hung == {(column, card) for column, card in strings if column < COLUMNS}


def test_a_card_pointed_out_is_shown_to_be_legal() -> None:
    found = [shown["layout"][:, SHOWN_LEGAL].sum() for _, shown in walk(load_profile("late-prophet"), 1)]
    assert found[-1] > 0


def test_every_phase_comes_up_and_its_actions_are_the_legal_moves() -> None:
    phases = set()
    for profile in WAYS:
        for number in range(3):
            for view, shown in walk(profile, number):
                phases.add(list(PHASES)[int(shown["phase"].argmax())])
                assert view.decision is not None
                moves = view.legal_moves()
                if view.decision.kind in (DecisionKind.AFTER_TURN, DecisionKind.CALL):
                    assert shown["action_mask"].sum() == moves.count
                elif view.decision.kind is DecisionKind.PLAY:
                    assert shown["action_mask"].sum() == len(set(moves.hand)) + moves.no_play
                else:
                    assert shown["action_mask"].sum() == 1 + len(STATED)
    assert phases == set(PHASES) - {"string", "wait"}


def test_old_columns_are_dropped_and_long_lines_have_room() -> None:
    deck = tuple(card for card in deal(HOWELL, Rule.parse("True"), "long", seats=5)._deal.deck)  # type: ignore[union-attr]  # it was dealt
    round_ = Round.deal(HOWELL, Rule.parse("True"), seats=5, dealer=0, deck=deck)
    table = Play(round_, actions=Actions(), columns=3, judge=RulesDealer((Rule.parse("True"),)), picks=Random(1))
    hand = table.round.hands
    for seat in hand[1:]:
        if table.over or table.seat is None:
            break
        for card in table.round.hands[table.seat][:13]:
            table.act(card)
        table.act(52)
        while table.seat is not None and table.mask[55]:
            table.act(55)
        assert seat
    line = table.round.layout.mainline
    assert len(line) == 1 + 4 * 13
    assert table.observe(1)["layout"][:, ACCEPTED].argmax(axis=1).tolist() == list(line[::-1][:3])


def test_a_hint_is_shown() -> None:
    for text, wanted in {
        "no suits": {"no suits": 1},
        "lookback 2": {"lookback": 3},
        "attributes parity color": {"attribute parity": 1, "attribute color": 1},
        "acceptance 25 50": {"acceptance from": 25, "acceptance to": 50},
    }.items():
        profile = load_profile("no-prophet")
        rule = Rule.parse(
            {"no suits": "card.rank > 6", "lookback 2": "card.is_red"}.get(text, "card.is_red and card.is_odd")
        )
        deck = deal(HOWELL, rule, "hint", seats=5)._deal.deck  # type: ignore[union-attr]  # it was dealt
        round_ = Round.deal(profile, rule, seats=5, dealer=0, deck=deck[:104], hint=Hint.parse(text))
        table = Play(round_, actions=Actions(), columns=3, judge=RulesDealer((rule,)), picks=Random(1))
        found = dict(zip(HINT_FEATURES, table.observe(1)["hint"].tolist(), strict=True))
        assert {name: value for name, value in found.items() if value} == wanted


def test_illegal_actions_are_told() -> None:
    table = play(HOWELL, 0)
    with pytest.raises(
        IllegalAction, match=r"action 52 \(finish\) is not legal now, seat \d: play; one that is: \d+ \("
    ):
        table.act(52)
    with pytest.raises(IllegalAction, match="action -1 is not legal now"):
        table.act(-1)


def test_the_tables_of_the_docs_name_every_key_and_action() -> None:
    original = observation_space(load_profile("original-1956"), actions=63, statements=1, columns=2)
    assert set(KEYS) == set(original)  # type: ignore[call-overload]  # a Dict
    assert set(SOLO_KEYS) == set(solo_space(actions=60, statements=8, columns=2))  # type: ignore[call-overload]
    assert [row for row, _ in action_table(["card.is_red"])][-1] == "63"
    assert len(PLANES) == 5
    actions = Actions(STATED)
    assert [actions.text(number) for number in (0, 51, 52, 53, 56, 60, 63)] == [
        *("AC", "KS", "finish", "no play", "right", "wrong after 2", "state card.is_red")
    ]
    assert cards_text(()) == ""
