"""The prompt: what a seat sees, in words, and nothing else."""

from __future__ import annotations

import ast
import inspect
import re

import msgspec
import pytest
from hypothesis import assume, given, settings

from eleusis_agents.llm import prompt as module
from eleusis_agents.llm import terms
from eleusis_agents.llm.prompt import FORM, prompt
from eleusis_agents.llm.terms import LANGUAGE, terms_of
from eleusis_ai.cards import parse_cards
from eleusis_ai.contracts.tour import WAYS, tour
from eleusis_ai.moves import DecisionKind
from eleusis_ai.profiles import HOWELL, PROFILES, Profile, Stating
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator
from eleusis_ai.view import View
from tests.properties.rounds import RULES, STEADY, Table, on_paper, tables, true_call
from tests.properties.test_secrets import Places, rules_alike, unhinted
from tests.rulebook.table import ALTERNATE, at_once, deal, play


def told(view: View) -> str:
    return "\n".join(message.content for message in prompt(view))


def exchanged(round_: Round, table: Table) -> Round:
    """Return a round that differs from ``round_`` only in what the seat to decide cannot see."""
    assert round_.decision is not None
    first = round_.record().deal()
    places, one = Places(first), first.copy()
    for move in round_.moves:
        places.follow(one.turn, one.apply(move))
    hidden = places.hidden_from(round_.decision.seat)
    if round_.public().attempt is not None:  # what is on judgement lies open
        hidden = [place for place in hidden if place not in places.hands[round_.turn]]
    sources, deck = list(hidden), list(places.deck)
    generator(f"{table.seed}/prompt").shuffle(sources)
    for place, source in zip(hidden, sources, strict=True):
        deck[place] = places.deck[source]
    assert deck != list(places.deck) or len(hidden) < 3
    other = Round.deal(
        round_.profile, table.rule, seats=round_.seats, dealer=round_.dealer, deck=deck, first=first.turn,
        hint=round_.hint,
    )  # fmt: skip
    for move in round_.moves:
        other.apply(move)
    return other


@settings(STEADY, max_examples=40)
@given(tables())
def test_it_depends_on_nothing_that_the_seat_cannot_see(table: Table) -> None:
    round_ = table.broken_off()
    assume(round_.decision is not None)
    assert round_.decision is not None
    other = exchanged(round_, table)
    seat = round_.decision.seat
    assert prompt(round_.view(seat)) == prompt(other.view(seat))


@settings(STEADY, max_examples=20)
@given(tables())
def test_it_does_not_depend_on_the_secret_rule(table: Table) -> None:
    table = unhinted(table)
    round_ = table.broken_off()
    decision, record = round_.decision, round_.record()
    assume(decision is not None and decision.kind is not DecisionKind.PICK)  # a pick is the dealer's
    assert decision is not None
    suspects = [(len(round_.layout.mainline) + 1, card) for card in parse_cards("7H 8C AS 10D")]
    other_rule = next(rules_alike(round_, table.rule, suspects), None)
    assume(other_rule is not None)
    other = Round.deal(
        round_.profile, other_rule, seats=round_.seats, dealer=round_.dealer, deck=parse_cards(record.deck),
        first=record.first,
    )  # fmt: skip
    for move in round_.moves:
        other.apply(move)
    assert other.rule != round_.rule
    assert prompt(round_.view(decision.seat)) == prompt(other.view(decision.seat))


def test_it_is_told_what_the_seat_sees() -> None:
    table = deal("howell", ALTERNATE, "2C 3D 4S 5H", "8C 9C QS", starter="7H")
    play(table, "1: 2C", "2: 8C", "3: no play", "0: pick KH", "3: pass")
    view = table.view(1)
    text = told(view)
    assert "The table: 7H 2C(8C) KH" in text
    assert "with 2 cards on the mainline: no play of seat 3 wrong" in text
    assert "with 2 cards on the mainline: KH picked and played" in text
    assert "Your hand: 3D 4S 5H" in text
    assert "seat 1 3, seat 2 5, seat 3 8" in text
    assert ALTERNATE not in prompt(view)[1].content


def views_of_all_kinds() -> dict[DecisionKind, View]:
    """Return a view of each kind of decision, a dealer's who judges by hand among them."""
    found: dict[DecisionKind, View] = {}
    profile = at_once("howell", stating=Stating.AFTER_RIGHT)
    for seed in range(20):
        table = Table(profile, RULES["colors"], seed, 0.6)
        round_ = on_paper(table.deal())
        rng = table.rng
        while (decision := round_.decision) is not None:
            found.setdefault(decision.kind, round_.view(decision.seat))
            by_rule = decision.kind is DecisionKind.CALL and decision.seat == round_.dealer
            round_.apply(true_call(round_, table.rule) if by_rule else round_.legal_moves().sample(rng))
        if len(found) == len(DecisionKind):
            return found
    raise AssertionError(f"only {list(found)} came up")


def test_it_names_what_may_be_answered_to_every_kind_of_decision() -> None:
    views = views_of_all_kinds()
    assert set(views) == set(DecisionKind)
    for kind, view in views.items():
        answers = told(view).partition("You may answer: ")[2]
        assert answers, kind
        quoted = re.findall(r"'(.*?)'", answers)
        moves = view.legal_moves()
        texts = set(map(str, moves)) if moves.count < 1000 else None
        for text in quoted:
            assert texts is None or text in texts or text in ("state", "state card.is_red"), (kind, text)
        if kind in (DecisionKind.CALL, DecisionKind.PICK, DecisionKind.AFTER_TURN):
            assert set(quoted) == texts, kind


@pytest.mark.parametrize("profile", WAYS, ids=str)
def test_every_view_of_every_profile_can_be_told(profile: Profile) -> None:
    for views in tour(profile):
        for view in views:
            assert told(view).endswith((".", "'"))
            if view.public.hint is not None:
                assert view.public.hint.text in told(view)


def test_who_is_not_asked_is_told_nothing() -> None:
    table = deal("howell", ALTERNATE)
    with pytest.raises(LookupError, match="nothing to decide"):
        prompt(table.view(3))


NUMBERS = {
    "penalty_per_card": "you draw 7 cards",
    "no_play_reduction": "with 7 cards fewer",
    "no_play_penalty": "you draw 7 cards",
    "expulsion_from": "Once 7 cards are played",
    "emptied_bonus": "brings 7",
    "max_string": "at most 7",
    "turn_limit": "after 7 turns",
}


@pytest.mark.parametrize(("field", "sentence"), NUMBERS.items(), ids=list(NUMBERS))
def test_the_terms_say_the_numbers_of_the_profile(field: str, sentence: str) -> None:
    changed = msgspec.structs.replace(HOWELL, **{field: 7})
    assert sentence in terms_of(changed)
    assert terms_of(changed) != terms_of(HOWELL)


def test_profiles_that_differ_in_play_differ_in_their_terms() -> None:
    assert len({terms_of(profile) for profile in PROFILES.values()}) == len(PROFILES)
    assert "prophet" not in terms_of(PROFILES["no-prophet"])
    assert "no play" not in terms_of(PROFILES["original-1956"])


def test_no_profile_is_asked_for_its_name() -> None:
    for source in (module, terms):
        names = [
            node.attr for node in ast.walk(ast.parse(inspect.getsource(source))) if isinstance(node, ast.Attribute)
        ]
        assert "name" not in names


def test_the_rules_in_the_prompt_are_rules() -> None:
    examples = LANGUAGE.partition("Examples: ")[2].splitlines()
    assert len(examples) == 5
    for text in examples:
        assert str(Rule.parse(text)) == text


def test_the_form_allows_nothing_else() -> None:
    schema = FORM.schema
    assert schema["required"] == list(schema["properties"]) == ["thought", "rule", "confidence", "move"]
    assert schema["additionalProperties"] is False
