"""Reading and writing rules: canonical text, equality, what a rule looks at, and the limits."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eleusis_ai.cards import parse_cards
from eleusis_ai.rules.language import InvalidRule, Rule

RULES_OF_THE_DESIGN = (
    "card.color != last.color",
    "card.is_black if last.is_odd else card.is_red",
    "1 <= abs(card.rank - last.rank) <= 3",
    "card.suit == last.suit or card.rank == last.rank",
    "card.rank >= last.rank if last.is_black else card.rank <= last.rank",
    "(card.is_red, card.is_black, card.is_face)[position % 3]",
    'card.suit == after(last.suit, "HSCD")',
    "count(c.is_red for c in mainline[-3:]) <= 1",
    "card.rank in {4, 6, 8, 9, Q, A}",
    "{D: card.suit != D, H: card.rank == last.rank}[last.suit]",
    "{D: True}.get(last.suit, card.is_red)",
    "run(x.color for x in mainline) < 3",
    "card.is_odd != (card in mainline)",
)


@pytest.mark.parametrize("text", RULES_OF_THE_DESIGN)
def test_rules_of_the_design_are_canonical_already(text: str) -> None:
    assert str(Rule.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  card.color!=last.color ", "card.color != last.color"),
        ("mainline[-1].is_red", "last.is_red"),
        ("mainline[ - 2 ].is_red", "mainline[-2].is_red"),
        ("mainline[0].is_red", "mainline[0].is_red"),
        ("len(mainline) > 2", "position > 2"),
        ("len(mainline[-3:]) > 2", "len(mainline[-3:]) > 2"),
        ("((card.is_red) or (last.is_red)) or (card.is_odd)", "card.is_red or last.is_red or card.is_odd"),
        ("card.is_red and (last.is_red or card.is_odd)", "card.is_red and (last.is_red or card.is_odd)"),
        ("(card.is_red and last.is_red) or card.is_odd", "card.is_red and last.is_red or card.is_odd"),
        ("not (card.is_red and last.is_red)", "not (card.is_red and last.is_red)"),
        ("not (card.rank > 3)", "not card.rank > 3"),
        ("(not card.is_red) == last.is_red", "(not card.is_red) == last.is_red"),
        ("(card.rank > 3) == (last.rank > 3)", "(card.rank > 3) == (last.rank > 3)"),
        ("(card.rank + last.rank) + 1 > 9", "card.rank + last.rank + 1 > 9"),
        ("card.rank - (last.rank - 1) > 0", "card.rank - (last.rank - 1) > 0"),
        ("(card.rank * 2) + (last.rank % 3) > 5", "card.rank * 2 + last.rank % 3 > 5"),
        ("(card.rank + 2) * -(last.rank) < 0", "(card.rank + 2) * -last.rank < 0"),
        ("-(card.rank + 1) < - 3", "-(card.rank + 1) < -3"),
        ("card.rank == --3", "card.rank == 3"),
        ("(card.is_red if last.is_odd else True) if position > 3 else False",) * 2,
        (
            "card.is_red if position > 3 else (False if last.is_odd else True)",
            "card.is_red if position > 3 else False if last.is_odd else True",
        ),
        ("card.rank in ( 1 ,)", "card.rank in (1,)"),
        ("any((x.is_red for x in mainline [ : -1 ]))", "any(x.is_red for x in mainline[:-1])"),
        ("any(x.is_red for x in mainline[::2] if (x.is_odd))", "any(x.is_red for x in mainline[::2] if x.is_odd)"),
        ("card.suit in (x.suit for x in mainline)", "card.suit in (x.suit for x in mainline)"),
        ("card.suit not in {D,H}", "card.suit not in {D, H}"),
        ("card.suit == after(last.suit, 'HSCD')", 'card.suit == after(last.suit, "HSCD")'),
        ("(card if last.is_red else last).rank > 3", "(card if last.is_red else last).rank > 3"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    rule = Rule.parse(text)
    assert str(rule) == canonical
    assert Rule.parse(canonical) == rule


def test_rules_are_equal_by_terms_and_starter_not_by_sentence() -> None:
    rule = Rule.parse("last.is_red", starter="card.is_red", sentence="Red comes first.")
    twin = Rule.parse("mainline[-1].is_red", starter="(card.is_red)")
    assert rule == twin
    assert hash(rule) == hash(twin)
    assert rule != Rule.parse("last.is_red")
    assert rule != Rule.parse("last.is_red", starter="card.is_black")
    assert rule != "last.is_red"
    assert (rule.text, str(rule), str(rule.starter)) == ("Red comes first.", "last.is_red", "card.is_red")
    assert repr(rule) == "Rule.parse('last.is_red', starter='card.is_red')"


def test_a_rule_travels_and_stays_as_it_is() -> None:
    rule = Rule.parse("card.rank >= last.rank", starter="card.rank == A", sentence="Upwards.")
    rule.mask(parse_cards("7H"))
    for twin in (pickle.loads(pickle.dumps(rule)), copy.copy(rule), copy.deepcopy(rule)):
        assert twin == rule
        assert twin.text == "Upwards."
        assert twin.mask(parse_cards("7H")) == rule.mask(parse_cards("7H"))
    with pytest.raises(AttributeError, match="cannot be changed"):
        rule.starter = None
    with pytest.raises(AttributeError, match="cannot be changed"):
        del rule.term


@pytest.mark.parametrize(
    ("text", "lookback", "position", "rejected", "starters"),
    [
        ("card.is_red", 0, False, False, 1),
        ("position < 7", 0, True, False, 1),
        ("last.is_red", 1, False, False, 1),
        ("mainline[-2].is_red", 2, False, False, 2),
        ("mainline[-2].is_red if position >= 2 else True", 2, True, False, 1),
        ("mainline[-2].is_red if position > 2 else last.is_red", 2, True, False, 1),
        ("mainline[-3].is_red if position >= 2 else True", 3, True, False, 3),
        ("position < 2 or mainline[-2].is_red", 2, True, False, 1),
        ("card.is_red or mainline[-2].is_red", 2, False, False, 2),
        ("not position < 3 and mainline[-3].is_red", 3, True, False, 1),
        ("(mainline[-2].is_red, True)[0]", 2, False, False, 2),
        ("2 < position and card.is_red == mainline[2].is_red", None, True, False, 1),
        ("mainline[0].is_red", None, False, False, 1),
        ("mainline[2].is_red", None, False, False, 3),
        ("mainline[51].is_red", None, False, False, 52),
        ("mainline[-52].is_red", 52, False, False, 52),
        ("any(x.is_red for x in mainline)", None, False, False, 1),
        ("any(x.is_red for x in mainline[-3:])", 3, False, False, 1),
        ("any(x.is_red for x in mainline[-3:-1])", 3, False, False, 1),
        ("any(x.is_red for x in mainline[:-1])", None, False, False, 1),
        ("any(x.is_red for x in mainline[-3:2])", None, False, False, 1),
        ("any(x.is_red for x in mainline[-1:-4:-1])", 3, False, False, 1),
        ("any(x.is_red for x in mainline[::-1])", None, False, False, 1),
        ("any(x.rank == mainline[-4].rank for x in mainline[:-3])", None, False, False, 1),
        ("any(x.rank == mainline[-4].rank for x in mainline)", None, False, False, 4),
        ("len(mainline) % 2 == 0", 0, True, False, 1),
        ("len(rejected) % 2 == 0", None, False, True, 1),
        ("rejected[-1].is_red", None, False, True, 1),
        ("count((mainline[-2].is_red, last.is_red)) == 1", 2, False, False, 2),
    ],
)
def test_what_a_rule_looks_at(text: str, lookback: int | None, position: bool, rejected: bool, starters: int) -> None:
    rule = Rule.parse(text)
    assert (rule.lookback, rule.uses_position, rule.reads_rejected) == (lookback, position, rejected)
    assert rule.starters == starters


def _nested(levels: int) -> str:
    return "not " * (levels - 2) + "card.is_red"


@pytest.mark.parametrize(
    ("fits", "passes"),
    [
        ("card.is_red".ljust(1_000), "card.is_red".ljust(1_001)),
        ("card.rank in {" + ",".join(["1"] * 196) + "}", "card.rank in {" + ",".join(["1"] * 197) + "}"),
        (_nested(64), _nested(65)),
        ("mainline[-52].is_red", "mainline[-53].is_red"),
        ("mainline[51].is_red", "mainline[52].is_red"),
        ("any(x.is_red for x in mainline[-52:])", "any(x.is_red for x in mainline[-53:])"),
        ("card.rank < 1000000000000", "card.rank < 1000000000001"),
        ("1000000 * 1000000 > card.rank", "1000001 * 1000000 > card.rank"),
        ("-1000000000000 < card.rank", "-1000000000000 - 1 < card.rank"),
        ("card.rank * 76000000000 > 3", "card.rank * 77000000000 > 3"),
        ("sum(x.rank * 76000000 for x in mainline) > 3", "sum(x.rank * 77000000 for x in mainline) > 3"),
        ("sum(x.rank * 1000000000 for x in mainline[-52:]) > 3", "sum(x.rank * 1000000000 for x in mainline) > 3"),
        ("any(any(x == y for y in mainline) for x in mainline)",
         "any(any(any(x == y == z for z in mainline) for y in mainline) for x in mainline)"),
        (" and ".join(["last.is_red"] * 62), "card.rank in {" + ",".join(["1000"] * 195) + "}"),
    ],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_limits(fits: str, passes: str) -> None:
    rule = Rule.parse(fits)
    rule.mask(parse_cards("7H 8H"))
    assert Rule.parse(str(rule)) == rule
    with pytest.raises(InvalidRule, match=r"at most|could pass|too many"):
        Rule.parse(passes)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(
    st.text()
    | st.text("()[]{}.,:=!<>+-*/% card.rnklstif01'\"", max_size=60)
    | st.binary().map(lambda b: b.decode("latin-1"))
)
def test_any_text_is_a_rule_or_invalid(text: str) -> None:
    check_text(text)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.sampled_from(RULES_OF_THE_DESIGN), st.data())
def test_a_rule_with_a_typo_is_a_rule_or_invalid(text: str, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(text)))
    cut = draw.draw(st.integers(0, 3))
    check_text(text[:at] + draw.draw(st.text("()[].,=<>- carlstx1", max_size=3)) + text[at + cut :])


def read(text: str) -> Rule | InvalidRule:
    try:
        return Rule.parse(text)
    except InvalidRule as error:
        return error


def check_text(text: str) -> None:
    match read(text):
        case InvalidRule() as error:
            assert 0 <= error.at <= len(error.text)
            assert len(str(error).splitlines()) == 4
            str(error).encode()
            Rule.parse(error.example)
        case rule:
            assert Rule.parse(str(rule)) == rule
            rule.mask(())
