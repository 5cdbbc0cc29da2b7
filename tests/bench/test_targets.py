from __future__ import annotations

import pytest

from eleusis_ai.bench.targets import legal_line, targets
from eleusis_ai.rules.catalog import load
from eleusis_ai.shipped import UnknownConfig


def test_the_sets_and_their_families() -> None:
    assert len(targets(["eight"])) == 8
    assert len(targets(["test"])) == 500
    published = targets(["catalog"])
    assert {target.id for target in published} < {f"catalog/{name}" for name in load()}
    assert not any(target.rule.reads_rejected for target in published)


def test_a_limit_is_taken_of_each_family() -> None:
    few = targets(["eight", "test"], limit=2)
    assert len(few) == 2 + 2 * 8
    assert len({target.family for target in few}) == 9


def test_sets_that_do_not_exist() -> None:
    with pytest.raises(UnknownConfig, match="test"):
        targets(["tests"])


def test_lines_are_legal_from_the_starter_on() -> None:
    for target in targets(["eight", "catalog"], limit=3):
        lines = legal_line(target, "a walk", 8)
        assert 1 <= len(lines) <= 8
        assert all(target.rule.allows(line[:-1], line[-1]) for line in lines)
        assert lines == legal_line(target, "a walk", 8)
