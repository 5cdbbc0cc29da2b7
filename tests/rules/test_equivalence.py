"""Equivalence: what is proved is held against plain enumeration, what is shown is replayed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, cards_of, cards_text, mask_of, parse_cards
from eleusis_ai.cli import main
from eleusis_ai.rules import product
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.equivalence import Equivalence, equivalent
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.language import Rule
from tests.rules.rule_texts import rule_texts

ENTRIES = list(load().values())
UNBOUNDED = {"more-black-than-red", "rarest-suit"}
SLOW = {"match-recent-property", "never-repeat-rank", "hearts-never-repeat", "base-thirteen", *UNBOUNDED}
"""Rules that take up to seconds."""
ON_LAST_CARD = [
    e for e in ENTRIES if e.rule.lookback is not None and e.rule.lookback < 2 and not e.rule.uses_position
]
GUARDED = [e for e in ENTRIES if e.rule.lookback == 2]
"""Rules on the last two cards; they ask for the position only to see whether two cards are there."""


def compared(one: str, two: str, after: str | None = None) -> Equivalence:
    return equivalent(Rule.parse(one), Rule.parse(two), None if after is None else parse_cards(after))


def check_counterexample(a: Rule, b: Rule, answer: Equivalence) -> tuple[tuple[Card, ...], Card]:
    """Replay a counterexample: the rules agree all along it, and differ on its card."""
    assert not answer.same
    assert answer.counterexample is not None
    line, card = answer.counterexample
    assert a.allows(line, card, answer.rejected) != b.allows(line, card, answer.rejected)
    if answer.exact:
        for length in range(1, len(line)):
            assert a.allows(line[:length], line[length]), f"{cards_text(line)} cannot be reached"
    return line, card


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("card.color == last.color", "card.is_red == last.is_red"),
        ("card.is_red", "card.suit in {D, H}"),
        ("card.rank > last.rank", "not last.rank >= card.rank"),
        ("card.suit == mainline[-2].suit", "mainline[-2].suit == card.suit or False"),
        ("card.is_red and True", "card.is_red if position >= 0 else card.is_black"),
        ("(card.is_red, card.is_black)[position % 2]", "card.is_red == (position % 2 == 0)"),
        ("position // 2 % 3 == 1 or card.is_red", "position % 6 in {2, 3} or card.is_red"),
        ("card.rank > position", "position - card.rank < 0"),
        ("card.rank > min(position, 20)", "card.rank > position"),
        ("card.rank <= max(position, 13)", "True"),
        ("run(x.color for x in mainline) < 3", "run(x.is_black for x in mainline[-3:]) < 3"),
        (
            "run(x.color for x in mainline) % 3 == 0",
            "run(x.is_red for x in mainline) in (3, 6, 9) or "
            "run(x.is_black for x in mainline) > 9 and run(x.color for x in mainline) % 3 == 0 or position == 0",
        ),
        ("count(x.is_red for x in mainline) % 2 == 0", "sum(x.is_red for x in mainline) % 2 == 0"),
        ("sum(x.rank for x in mainline) % 2 == 0", "count(x.is_odd for x in mainline) % 2 == 0"),
        ("sum(x.rank for x in mainline) + card.rank < 43", "42 - card.rank >= sum(x.rank for x in mainline)"),
        ("any(x.rank == card.rank for x in mainline)", "card.rank in (x.rank for x in mainline)"),
        ("all(x.suit != card.suit for x in mainline)", "count(x.suit == card.suit for x in mainline) == 0"),
        ("card.rank > max(x.rank for x in mainline)", "all(card.rank > x.rank for x in mainline) and position > 0"),
        ("card.suit == mainline[0].suit", "all(card.suit == x.suit for x in mainline[:1]) or position == 0"),
        ("count(x.is_red for x in mainline[::2]) == 0", "not any(x.is_red for x in mainline[::2])"),
        ("any(x.suit == card.suit for x in mainline[:-2])", "card.suit in (x.suit for x in mainline[-3::-1])"),
        ("any(x.rank > last.rank for x in mainline)", "max(x.rank for x in mainline) > last.rank"),
        ("abs(position - 5) > 2", "position < 3 or position > 7"),
        ("gcd(position, 6) == 1", "position % 2 == 1 and position % 3 != 0"),
        ("20 % (position + 1) == 0", "position in {0, 1, 3, 4, 9, 19}"),
        ("position * card.rank % 2 == 0", "position % 2 == 0 or card.is_even"),
        ("position - len(mainline) == 0", "True"),
    ],
)
def test_the_same_and_proved(one: str, two: str) -> None:
    for answer in (compared(one, two), compared(two, one)):
        assert answer == Equivalence(same=True, exact=True), str(answer)


@pytest.mark.parametrize(
    ("one", "two", "after", "found"),
    [
        ("card.color == last.color", "card.is_red", None, ("", "AC")),
        ("card.color == last.color", "card.is_red", "AC", ("AC", "AC")),
        ("card.rank > last.rank", "card.rank >= last.rank", None, ("AC", "AC")),
        (
            "card.rank > last.rank",
            "card.rank > last.rank or last.rank == K and card.rank == A",
            "2C",
            ("2C KC", "AC"),
        ),
        ("position < 5", "position < 7", None, ("AC AC AC AC AC", "AC")),
        ("card.is_red", "card.is_red if position < 3 else card.is_odd", "AC", ("AC AD AD", "AC")),
        (
            "card.suit == H",
            "card.suit == H and (position < 2 or not last.rank == mainline[-2].rank == 2)",
            None,
            ("2C 2H", "AH"),
        ),
        ("sum(x.rank for x in mainline) < 25", "sum(x.rank for x in mainline) < 26", None, ("QC KC", "AC")),
        ("count(x.is_red for x in mainline) < 3", "count(x.is_red for x in mainline) < 4", None, ("AD AD AD", "AC")),
    ],
)
def test_different_and_where(one: str, two: str, after: str | None, found: tuple[str, str]) -> None:
    answer = compared(one, two, after)
    assert answer.exact
    line, card = check_counterexample(Rule.parse(one), Rule.parse(two), answer)
    assert (cards_text(line), str(card)) == found


def test_same_colour_and_red_agree_after_a_red_card() -> None:
    told = "different: on the empty table, AC is legal by one of the rules alone"
    assert str(compared("card.color == last.color", "card.is_red")) == told
    assert compared("card.color == last.color", "card.is_red", "7H") == Equivalence(same=True, exact=True)


def test_a_starter_condition_is_a_verdict_on_the_first_card_alone() -> None:
    free, aces = Rule.parse("card.rank >= last.rank"), Rule.parse("card.rank >= last.rank", starter="card.rank == A")
    assert equivalent(free, aces).counterexample == ((), Card.parse("2C"))
    assert equivalent(free, aces, parse_cards("AC")) == Equivalence(same=True, exact=True)
    # Some profiles turn the first card as it comes: what follows a card that may not start counts too.
    red, both = Rule.parse("card.is_red"), Rule.parse("card.is_red and last.is_red", starter="card.is_red")
    assert equivalent(red, both).counterexample == (parse_cards("AC"), Card.parse("AD"))
    assert equivalent(red, both, parse_cards("AD")).same


def test_the_mainline_in_play_may_be_one_that_a_rule_does_not_allow() -> None:
    one, two = "card.rank > mainline[-2].rank", "card.rank > mainline[-2].rank or last.rank == A"
    assert compared(one, two, "7C 5C AC").counterexample == (parse_cards("7C 5C AC"), Card.parse("AC"))
    assert compared(one, two, "3C 2C").same


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("count(x.is_red for x in mainline) > count(x.is_black for x in mainline)",) * 2,
        (
            "count(x.is_red for x in mainline) > count(x.is_black for x in mainline)",
            "count(x.is_black for x in mainline) < count(x.is_red for x in mainline)",
        ),
        ("sum(x.rank - 7 for x in mainline) > 0", "not sum(x.rank - 7 for x in mainline) <= 0"),
        ("card.color != rejected[-1].color", "card.is_red != rejected[-1].is_red"),
        ("card.color != rejected[-1].color",) * 2,
    ],
)
def test_what_is_not_finite_is_sampled_and_says_so(one: str, two: str) -> None:
    answer = compared(one, two)
    assert answer.same
    assert answer.exact == (one == two and "rejected" not in one)
    assert answer == compared(two, one)
    assert "proved" in str(answer)


def test_the_cards_rejected_so_far_count() -> None:
    one, two = (
        Rule.parse("card.is_red or len(rejected) > 2"),
        Rule.parse("card.is_red or len(rejected) not in {0, 1, 2}"),
    )
    other = Rule.parse("card.is_red or len(rejected) > 1")
    line, rejected = parse_cards("7H"), parse_cards("2S 3S 4S")
    assert equivalent(one, two, line, rejected).same
    assert equivalent(one, other, line, rejected).same
    assert not equivalent(one, other, line, rejected[:2]).same
    assert not equivalent(one, other, line).same


def test_a_difference_found_by_sampling_is_one() -> None:
    one = Rule.parse("count(x.is_red for x in mainline) >= count(x.is_black for x in mainline) or card.is_red")
    two = Rule.parse("count(x.is_red for x in mainline) >= count(x.is_black for x in mainline) - 1 or card.is_red")
    answer = equivalent(one, two)
    assert not answer.exact
    assert check_counterexample(one, two, answer) == (parse_cards("AC"), Card.parse("AC"))
    one, two = Rule.parse("card.color != rejected[-1].color"), Rule.parse("True")
    found = equivalent(one, two)
    check_counterexample(one, two, found)
    assert not found.exact


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ([], 1, "different: on the empty table, AC is legal by one of the rules alone\n"),
        (["--after", "7C"], 1, "different: after 7C, AC is legal by one of the rules alone\n"),
        (["--after", "7H"], 0, "the same from here, proved\n"),
        (["--starter", "card.is_odd"], 1, "different: after AC, AC is legal by one of the rules alone\n"),
        (
            ["--starter", "card.is_odd", "--other-starter", "card.is_red"],
            1,
            "different: on the empty table, AC is legal by one of the rules alone\n",
        ),
    ],
)
def test_the_command(options: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["rules", "equal", "card.color == last.color", "card.is_red", *options])
    assert (left.value.code, capsys.readouterr().out) == (code, told)


def first_difference_on_tables(a: Rule, b: Rule) -> tuple[tuple[Card, ...], Card] | None:
    """Compare by the 52 x 52 verdicts, and those on the first card."""
    for line in ((), *((card,) for card in CARDS)):
        if differing := a.mask(line) ^ b.mask(line):
            return line, cards_of(differing)[0]
    return None


def first_difference_on_pairs(a: Rule, b: Rule) -> tuple[tuple[Card, ...], Card] | None:
    """Compare by lines up to two cards, and then by all pairs of last cards that they lead to."""
    waiting: list[tuple[Card, ...]] = [()]
    seen = set()
    for line in waiting:
        legal = a.mask(line)
        if differing := legal ^ b.mask(line):
            return line, cards_of(differing)[0]
        for card in cards_of(legal if line else ALL_CARDS):
            if (line[-1:], card) not in seen:
                seen.add((line[-1:], card))
                waiting.append((*line, card))
    return None


def test_tables_agree_with_enumeration_on_all_pairs_of_the_catalogue() -> None:
    pairs = list(combinations(ON_LAST_CARD, 2))
    assert len(pairs) == 5_253
    for one, two in pairs:
        answer = equivalent(one.rule, two.rule)
        found = first_difference_on_tables(one.rule, two.rule)
        assert answer == Equivalence(same=found is None, exact=True, counterexample=found), (one.id, two.id)


def check_pairs(entries: Sequence[CatalogEntry]) -> None:
    for one in entries:
        for two in (*GUARDED, *ON_LAST_CARD):
            answer = equivalent(one.rule, two.rule)
            found = first_difference_on_pairs(one.rule, two.rule)
            assert answer == Equivalence(same=found is None, exact=True, counterexample=found), (one.id, two.id)


def test_lookback_two_agrees_with_enumeration() -> None:
    check_pairs(GUARDED[:2])


@pytest.mark.long
def test_lookback_two_agrees_with_enumeration_on_all_pairs_of_the_catalogue() -> None:
    assert len(GUARDED) == 8
    check_pairs(GUARDED)


@pytest.mark.parametrize("text", [str(entry.rule) for entry in GUARDED])
def test_lookback_two_in_other_words_and_with_one_verdict_changed(text: str) -> None:
    rule = Rule.parse(text)
    reworded = Rule.parse(f"not not ({text})")
    assert first_difference_on_pairs(rule, reworded) is None
    assert equivalent(rule, reworded) == Equivalence(same=True, exact=True)
    twist = "position > 1 and card == last and last.rank == Q and mainline[-2].rank == 5"
    changed = Rule.parse(f"not ({text}) if {twist} else {text}")
    found = first_difference_on_pairs(rule, changed)
    assert equivalent(rule, changed) == Equivalence(same=found is None, exact=True, counterexample=found)


def answered(one: str, two: str, after: str, *, with_machines: bool) -> Equivalence:
    a, b = Rule.parse(one), Rule.parse(two)
    if with_machines:
        assert a.machine is not None
        assert b.machine is not None
    return equivalent(a, b, parse_cards(after))


@pytest.mark.parametrize("after", ["", "7H", "7H 8D", "QS QS KC 2H"])
@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("card.rank > mainline[-2].rank", "card.rank > mainline[-2].rank or last.rank == A"),
        ("(card.is_red, card.is_black)[position % 2]", "card.is_red == (position % 2 == 0 or last.rank == 9)"),
        ("card.suit == mainline[0].suit or card.is_odd", "card.is_odd or not card.suit != mainline[0].suit"),
        ("sum(x.rank for x in mainline) % 5 != card.rank", "sum(x.value for x in mainline) % 5 != card.rank"),
        ("run(x.color for x in mainline) < 4", "run(x.color for x in mainline) < 5"),
        ("card.color != last.color", "card.color != last.color and (card.suit != C or mainline[-2].suit != C)"),
    ],
)
def test_what_has_been_worked_out_before_changes_no_answer(one: str, two: str, after: str) -> None:
    assert answered(one, two, after, with_machines=False) == answered(one, two, after, with_machines=True)


MANY_PAIRS = (
    "sum(x.rank for x in mainline if x.is_red) % 1400 < 1399",
    "sum(x.rank for x in mainline if x.is_black) % 1400 < 1399",
)
"""Nearly a million pairs of states agree before two differ."""


@pytest.mark.long
def test_a_million_pairs_of_states_are_gone_through() -> None:
    a, b = map(Rule.parse, MANY_PAIRS)
    line, card = check_counterexample(a, b, equivalent(a, b))
    assert (cards_text(line), str(card)) == ("8C " + " ".join(["KC"] * 107), "AC")
    assert equivalent(a, b).exact
    one, two = (text.replace("1400", "1500").replace("1399", "1499") for text in MANY_PAIRS)
    assert not compared(one, two).exact, "more than a million"


@pytest.mark.parametrize("after", [None, "7H", "2S 3D"])
def test_pairs_kept_in_a_table_or_a_list_are_the_same(after: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (text.replace("1400", "60").replace("1399", "59") for text in MANY_PAIRS)
    by_table = compared(one, two, after)
    monkeypatch.setattr(product, "_LARGEST_TABLE", 0)
    assert compared(one, two, after) == by_table
    assert not by_table.same


def test_the_next_card_alone_may_prove_a_difference() -> None:
    answer = compared("count(x.is_red for x in mainline) > count(x.is_black for x in mainline)", "card.is_odd", "7H")
    assert answer == Equivalence(same=False, exact=True, counterexample=(parse_cards("7H"), Card.parse("2C")))


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.id not in SLOW], ids=lambda entry: entry.id)
def test_a_rule_equals_itself_in_other_words(entry: CatalogEntry) -> None:
    check_reworded(entry)


@pytest.mark.long
@pytest.mark.parametrize("id_", sorted(SLOW))
def test_a_rule_of_many_states_equals_itself_in_other_words(id_: str) -> None:
    check_reworded(load()[id_])


def check_reworded(entry: CatalogEntry) -> None:
    starter = None if entry.starter is None else f"not not ({entry.starter})"
    reworded = Rule.parse(f"not not ({entry.rule})", starter=starter)
    answer = equivalent(entry.rule, reworded)
    assert answer == Equivalence(same=True, exact=entry.id not in UNBOUNDED)


def never_apart(a: Rule, b: Rule, rng: Random) -> bool:
    """Play random lines that both allow; few different cards, so that counts and runs come about."""
    for _ in range(12):
        few = mask_of(rng.sample(CARDS, rng.choice((2, 4, 13, 52))))
        line: tuple[Card, ...] = ()
        for _ in range(25):
            legal = a.mask(line)
            if legal != b.mask(line):
                return False
            legal = legal if line else ALL_CARDS
            if not legal:
                break
            line = (*line, rng.choice(cards_of(legal & few or legal)))
    return True


def read(text: str) -> Rule | None:
    try:
        return Rule.parse(text)
    except InvalidRule:
        return None


def check_against_play(a: Rule, b: Rule) -> None:
    answer = equivalent(a, b)
    if answer.same:
        assert never_apart(a, b, Random(repr((a, b)))) or not answer.exact
        assert (a.signature == b.signature) or not answer.exact or a.signature is None
    else:
        check_counterexample(a, b, answer)
        assert a.signature != b.signature or a.signature is None


def short(text: str) -> bool:
    """Tell whether a rule is short, so that its states are soon gone through."""
    return len(text) < 50


FORMS = st.sampled_from(["{0} and {1}", "{0} or {1}", "{1} if position > 1 else {0}"])


@settings(max_examples=40, deadline=None)
@given(rule_texts().filter(short), rule_texts().filter(short), FORMS)
def test_random_rules_against_play(one: str, two: str, form: str) -> None:
    check_random_rules(one, two, form)


@pytest.mark.long
@settings(max_examples=1_000, deadline=None)
@given(rule_texts(), rule_texts(), FORMS)
def test_many_random_rules_against_play(one: str, two: str, form: str) -> None:
    check_random_rules(one, two, form)


def check_random_rules(one: str, two: str, form: str) -> None:
    a, b = read(one), read(form.format(one, two))
    if a is not None and b is not None and not a.reads_rejected and not b.reads_rejected:
        check_against_play(a, b)


@settings(max_examples=4, deadline=None)
@given(rule_texts().filter(short), rule_texts().filter(short))
def test_laws_of_logic(one: str, two: str) -> None:
    check_laws(one, two)


@pytest.mark.long
@settings(max_examples=50, deadline=None)
@given(rule_texts(), rule_texts())
def test_laws_of_logic_on_many_rules(one: str, two: str) -> None:
    check_laws(one, two)


def check_laws(one: str, two: str) -> None:
    pairs = [
        (f"{one} and {two}", f"not (not {one} or not {two})"),
        (f"{one} or {two}", f"{one} or ({two} if True else {one})"),
        (one, f"not not {one}"),
        (f"{one} if {two} else {one}", f"{one} if not {two} else {one}"),
    ]
    for left, right in pairs:
        a, b = read(left), read(right)
        if a is None or b is None:
            continue
        answer = equivalent(a, b)
        assert answer.same, (left, right)
        assert not answer.exact or not a.reads_rejected
        assert answer.exact or a.reads_rejected or None in (a.machine, b.machine)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(
        ["card.rank", "last.rank", "position", "mainline[-2].value", "count(x.is_red for x in mainline)"]
    ),
    st.sampled_from(["card.rank", "last.value", "7", "mainline[0].rank", "card.rank + last.rank"]),
    st.sampled_from([("<", ">", ">="), ("<=", ">=", ">"), ("==", "==", "!=")]),
)
def test_a_comparison_turned_round(one: str, two: str, signs: tuple[str, str, str]) -> None:
    sign, turned, denied = signs
    rule = Rule.parse(f"{one} {sign} {two}")
    assert equivalent(rule, Rule.parse(f"{two} {turned} {one}")) == Equivalence(same=True, exact=True)
    denial = equivalent(rule, Rule.parse(f"not {one} {denied} {two}"))
    assert denial == Equivalence(same=True, exact=True)
