from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleusis_ai.profiles import HOWELL
from eleusis_ai.rules.catalog import load
from eleusis_ai.seats.setting import InvalidSetting, Setting
from eleusis_ai.seats.table import seated, table_size

texts = st.text(min_size=1, max_size=12)
common = {
    "profile": texts,
    "seats": st.none() | st.integers(3, 8),
    "agents": st.lists(texts.filter(lambda text: "," not in text), min_size=1, max_size=4).map(tuple),
    "seed": st.integers(0),
}
settings = st.one_of(
    st.builds(
        Setting, **common, dealer=texts.filter(lambda text: text not in ("me", "fixed")), family=st.none() | texts
    ),
    st.builds(Setting, **common, dealer=st.sampled_from(["me", "fixed"]), rule=texts, give_hint=st.none() | texts),
    st.builds(Setting, **common, dealer=st.just("me"), by_hand=st.just(True), give_hint=st.none() | texts),
)


@given(settings)
def test_a_text_reads_back(setting: Setting) -> None:
    assert Setting.parse(str(setting)) == setting


def test_the_text_is_a_command() -> None:
    setting = Setting(profile="house", agents=("tree", "my:Agent"), dealer="me", rule="card.is_red", seed=3)
    command = "eleusis play --profile house --agents tree,my:Agent --dealer me --rule card.is_red --seed 3"
    assert str(setting) == command
    assert shlex.split(str(setting)) == command.split()


@pytest.mark.parametrize(
    "text",
    ["", "deal 0 seating 0", "eleusis play", "eleusis play --sed 7", "eleusis play --seed x", "eleusis play '"],
)
def test_what_is_no_setting_is_refused(text: str) -> None:
    with pytest.raises(InvalidSetting, match="eleusis play --seed 7"):
        Setting.parse(text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"agents": ("tree", "")}, "--agents tree,random"),
        ({"by_hand": True}, "add --dealer me"),
        ({"by_hand": True, "dealer": "me", "rule": "card.is_red"}, "leave out --rule"),
        ({"dealer": "me"}, "or --by-hand"),
        ({"dealer": "fixed"}, "name it, as in --rule"),
        ({"rule": "card.is_red"}, "catalog chooses its own"),
        ({"starter": "card.is_red"}, "goes with --rule"),
        ({"give_hint": "no suits"}, "catalog gives its own"),
        ({"dealer": "me", "rule": "card.is_red", "family": "count"}, "deals the rule you name"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        Setting(seed=1, **options)  # type: ignore[arg-type]  # the rows mix options of several types


def test_a_rule_is_a_text_or_an_id() -> None:
    entry = load()["composites"]
    assert Setting(dealer="me", rule="composites", seed=1).given_rule() == entry.rule
    rule = Setting(dealer="me", rule="card.rank >= last.rank", starter="card.rank == A", seed=1).given_rule()
    assert (str(rule), str(rule.starter)) == ("card.rank >= last.rank", "card.rank == A")
    with pytest.raises(InvalidSetting, match="leave out --starter"):
        Setting(dealer="me", rule="composites", starter="card.is_red", seed=1).given_rule()


@pytest.mark.parametrize(
    ("agents", "dealer", "seats", "names"),
    [
        (("ann",), "catalog", None, ("catalog", "you", "ann", "ann")),
        (("ann", "ben", "cat"), "catalog", None, ("catalog", "you", "ann", "ben", "cat")),
        (("ann", "ben", "cat"), "catalog", 4, ("catalog", "you", "ann", "ben")),
        (("ann", "ben"), "me", 6, ("you", "ann", "ben", "ann", "ben", "ann")),
    ],
)
def test_who_sits_where(agents: tuple[str, ...], dealer: str, seats: int | None, names: tuple[str, ...]) -> None:
    rule = "card.is_red" if dealer == "me" else None
    setting = Setting(agents=agents, dealer=dealer, seats=seats, rule=rule, seed=1)
    assert seated(setting, table_size(setting, HOWELL)) == names


@pytest.mark.parametrize(("seats", "right"), [(0, 4), (3, 4), (9, 8)])
def test_a_table_too_large_or_too_small_is_refused(seats: int, right: int) -> None:
    with pytest.raises(InvalidSetting, match=f"4 to 8, .* write --seats {right}"):
        table_size(Setting(seats=seats, seed=1), HOWELL)
