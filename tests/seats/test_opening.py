from __future__ import annotations

import pytest

from eleusis_ai.rules.hints import HintKind
from eleusis_ai.seats.opening import RefusedRule, lay_table
from eleusis_ai.seats.setting import InvalidSetting, Setting
from tests.seats.sitters import Script


def setting(**options: object) -> Setting:
    return Setting(**({"profile": "short", "agents": ("random",), "seed": 5, "dealer": "me"} | options))  # type: ignore[arg-type]


def test_a_rule_is_reviewed_and_advice_told() -> None:
    script = Script()
    lay_table(setting(rule="card.color != last.color"), script)
    assert "About 50% of random cards are right." in script.said
    assert "Advice: too many cards are right: 50%, and 25% to 40% is good." in script.said


def test_a_rule_that_must_not_be_dealt_is_refused() -> None:
    with pytest.raises(RefusedRule, match=r"after KC no card is ever legal; one that may: card\.color"):
        lay_table(setting(rule="card.rank > last.rank"), Script())


def test_a_required_hint_is_chosen_from_the_true_ones() -> None:
    script = Script(["x", "0", "9", "2"])
    table = lay_table(setting(profile="no-prophet", rule="card.color != last.color"), script)
    assert script.said.count("is no number of a hint") == 3
    assert "  1  Ranks do not matter." in script.said
    assert "Neither suits nor colours matter." not in script.said
    assert table.view.hint is not None
    assert table.view.hint.kind is HintKind.COLORS_ONLY


def test_a_hint_may_be_given() -> None:
    table = lay_table(setting(profile="abbott", rule="card.color != last.color", give_hint="lookback 3"), Script())
    assert str(table.view.hint) == "lookback 3"
    with pytest.raises(InvalidSetting, match=r"'no suits' is not true of .* true ones: 'no ranks', 'only colors"):
        lay_table(setting(profile="abbott", rule="card.color != last.color", give_hint="no suits"), Script())
    with pytest.raises(InvalidSetting, match="howell has no hints"):
        lay_table(setting(profile="howell", rule="card.color != last.color", give_hint="no ranks"), Script())
    by_hand = setting(profile="abbott", by_hand=True, give_hint="no suits")
    assert str(lay_table(by_hand, Script(["begin"])).view.hint) == "no suits"


def test_a_fixed_dealer_gives_the_hint_he_was_given() -> None:
    options = {"dealer": "fixed", "rule": "alternate-colour", "give_hint": "no ranks", "profile": "abbott"}
    assert str(lay_table(setting(**options), Script()).view.hint) == "no ranks"


@pytest.mark.parametrize(
    ("profile", "typed", "starters", "asked"),
    [
        ("short", ["right"], 1, 1),
        ("short", ["?", "w", "huh", "WRONG", "r"], 1, 3),
        ("short", ["more", "w", "m", "right"], 3, 4),
        ("short", ["more", "begin"], 1, 2),
        ("abbott", ["begin"], 1, 1),
        ("abbott", ["wrong", "right"], 2, 2),
        ("late-prophet", [], 1, 0),
    ],
)
def test_the_starters_of_a_rule_on_paper(profile: str, typed: list[str], starters: int, asked: int) -> None:
    script = Script(typed)
    table = lay_table(setting(profile=profile, by_hand=True), script)
    assert len(table.view.layout.mainline) == starters
    assert script.said.count("The stock shows") == asked
    assert ("'huh' is no answer here" in script.said) == ("huh" in typed)


@pytest.mark.parametrize("options", [{"by_hand": True}, {"profile": "no-prophet", "rule": "alternate-colour"}])
def test_one_may_leave_before_the_deal(options: dict[str, object]) -> None:
    with pytest.raises(EOFError):
        lay_table(setting(**options), Script(["quit"]))


def test_remarks_on_the_table_are_told() -> None:
    script = Script()
    lay_table(setting(profile="late-prophet", seats=8, rule="alternate-colour"), script)
    assert "Note: late-prophet is best with 5 to 6 players; this table has 8." in script.said
