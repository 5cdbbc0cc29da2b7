from __future__ import annotations

import msgspec
import pytest

from eleusis_ai.profiles import load_profile
from eleusis_ai.seats.web.setting import InvalidTable, TableSetting


def test_what_is_not_said_has_a_default() -> None:
    setting = msgspec.json.decode(b'{"seats":5}', type=TableSetting)
    assert setting.way == load_profile("howell")
    assert setting.chairs == (None,) * 5
    assert (setting.dealer, setting.passes, setting.pace) == ("catalog", True, 1.0)


def test_a_setting_reads_back() -> None:
    setting = TableSetting(profile="howell+cooperative", seats=4, agents=("random", None), family="markov1", pace=0)
    assert msgspec.json.decode(msgspec.json.encode(setting), type=TableSetting) == setting
    assert setting.chairs == ("random", None, None, None)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"profile": "whist"}, "'whist' is not a published profile"),
        ({"profile": "/etc/passwd"}, "'/etc/passwd' is not a published profile"),
        ({"profile": "short"}, "'short' is not a published profile"),
        ({"seats": 9}, "howell is played by 4 to 8, the dealer included, not by 9"),
        ({"agents": ("random",) * 6}, "6 chairs are named at a table of 5"),
        ({"first_dealer": 5}, "there is no seat 5 to deal; seats are 0 to 4"),
        ({"dealer": "fixed"}, "'fixed' does not deal here; catalog, designer, generated do"),
        ({"dealer": "os:system"}, "'os:system' does not deal here"),
        ({"dealer": "designer", "family": "markov1"}, "the designer has no families"),
    ],
)
def test_what_no_table_can_be_laid_for_is_refused(options: dict[str, object], problem: str) -> None:
    with pytest.raises(InvalidTable) as refused:
        TableSetting(**({"seats": 5} | options))  # type: ignore[arg-type]
    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize(
    "text",
    [
        '{"seats":5,"pace":6}',
        '{"seats":5,"pace":-1}',
        '{"seats":5,"profile":"' + "x" * 61 + '"}',
        '{"seats":-1}',
        '{"seats":"5"}',
        '{"seats":5,"seed":"mine"}',
        '{"seats":5,"agents":["' + "x" * 61 + '"]}',
        '{"seats":5,"agents":[' + ",".join(["null"] * 17) + "]}",
        "{}",
    ],
)
def test_what_is_out_of_bounds_is_no_setting(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=TableSetting)
