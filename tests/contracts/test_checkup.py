from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eleusis_ai.contracts.checkup import Finding, Job, check_up, checks, options_from, verdict
from eleusis_ai.registry import InvalidOptions, UnknownPart

HERE = "tests.contracts.culprits"
LIMIT = 20.0


def examine(use: str, limit: float = LIMIT, **given: Any) -> list[Finding]:
    return list(check_up(Job(use, **given), limit=limit))


def problems(findings: list[Finding]) -> list[str]:
    return [finding.problem for finding in findings if finding.problem is not None]


@pytest.mark.parametrize(
    ("use", "given", "kind"),
    [
        ("random", {}, "agents"),
        ("catalog", {}, "dealers"),
        ("fixed", {"options": {"rule": "card.is_red"}}, "dealers"),
        ("tree", {"kind": "learners"}, "learners"),
        (f"{HERE}:Honest", {}, "agents"),
        (f"{HERE}:Banker", {}, "dealers"),
        (f"{HERE}:Counter", {}, "learners"),
    ],
)
def test_what_keeps_its_contract(use: str, given: dict[str, Any], kind: str) -> None:
    findings = examine(use, **given)
    assert problems(findings) == []
    assert [(finding.kind, finding.check) for finding in findings] == [
        (kind, check) for check in checks(kind).values()
    ]
    assert verdict(findings) == f"keeps the contract of {kind}: all {len(findings)} checks hold"


def test_one_fault_does_not_stop_the_other_checks() -> None:
    findings = examine(f"{HERE}:Broken")
    assert len(findings) == len(checks("agents"))
    first, *others = problems(findings)
    assert first.startswith("in abbott, seat ")
    assert "it raises ZeroDivisionError: division by zero (culprits.py, line" in first
    assert all(other.startswith("as above, it raises ZeroDivisionError: ") for other in others)
    assert verdict(findings) == "breaks the contract of agents: 8 of 12 checks failed"


@pytest.mark.parametrize(
    ("use", "limit", "said", "tried"),
    [
        ("Quitter", LIMIT, "it leaves the program, by sys.exit(3)", 12),
        ("Chatterbox", LIMIT, "it prints ", 12),
        ("Suicide", LIMIT, "it ends the process it runs in, with exit code 4", 4),
        ("Sleeper", 2, "it takes longer than 2 seconds; --limit gives it more", 4),
        ("Stillborn", LIMIT, "it raises OSError: no weights on this machine", 1),
        ("Mute", LIMIT, f"'{HERE}:Mute' makes Mute, which has no method `act(view)`", 1),
        (
            "Sessile",
            LIMIT,
            f"'{HERE}:Sessile' does not take options {{}}: got an unexpected keyword argument 'seat'",
            1,
        ),
        ("Idler", LIMIT, f"'{HERE}:Idler' makes Idler, which has no `choose` and `pick`", 1),
    ],
)
def test_nothing_takes_the_checker_with_it(
    capfd: pytest.CaptureFixture[str], use: str, limit: float, said: str, tried: int
) -> None:
    findings = examine(f"{HERE}:{use}", limit)
    assert said in problems(findings)[0]
    assert len(findings) == tried
    assert capfd.readouterr() == ("", "")
    untried = len(checks(findings[0].kind)) - tried
    assert verdict(findings).endswith("failed" if not untried else f"failed; {untried} more could not be tried")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("class Mine(", "it raises SyntaxError: '(' was never closed (mine.py, line 1)"),
        ("import sys\nsys.exit('bye')", "it leaves the program, by sys.exit('bye')"),
        ("import os\nos._exit(5)", "it ends the process it runs in, with exit code 5"),
        ("1 / 0", "it raises ZeroDivisionError: division by zero (mine.py, line 1)"),
    ],
)
def test_a_module_that_cannot_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, said: str
) -> None:
    (tmp_path / "mine.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    (finding,) = examine("mine:Mine")
    assert finding.check == "It can be imported."
    assert said in str(finding.problem)


@pytest.mark.parametrize(
    ("use", "kind", "said"),
    [
        ("randm", None, "'randm' is not one of the agents; did you mean 'random'?"),
        ("catlog", None, "'catlog' is not one of the dealers; did you mean 'catalog'?"),
        ("catalog", "learners", "'catalog' is not one of the learners"),
        ("no_such_module:Mine", None, "'no_such_module:Mine' cannot be imported: No module named 'no_such_module'"),
        (f"{HERE}:Nobody", None, f"module '{HERE}' has no 'Nobody'"),
        ("random", "jugglers", "'jugglers' is not a kind that is checked; the kinds are agents, dealers, learners"),
    ],
)
def test_what_there_is_not(use: str, kind: str | None, said: str) -> None:
    with pytest.raises(UnknownPart, match=said):
        examine(use, kind=kind)


def test_options() -> None:
    assert options_from('{ rule = "card.is_red", hint = "no ranks" }') == {"rule": "card.is_red", "hint": "no ranks"}
    for text, said in (("{ rule", "is not TOML: "), ("7", "'7' is not a table; options are as in '{ rule = ")):
        with pytest.raises(InvalidOptions, match=said):
            options_from(text)
