"""What the README and the docs show is what happens: their Python and their console sessions are run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MILLISECONDS = re.compile(r"(?<=%) +\d+\.\d\b")
"""In a ranking, what stands behind the last share: how long a decision takes."""
ESTIMATE = re.compile(r"^about .* with --workers .*\n^measured on .*$", re.MULTILINE)
"""How long a tournament will take, and on what that was measured."""
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]


def save_files(page: Path, folder: Path) -> None:
    """Save the blocks that begin with the name of a file, as in ``# mine.py``."""
    for _, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        if name := re.match(r"# (\w+\.\w+)\n", body):
            (folder / name[1]).write_text(body, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_files(page, tmp_path)
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)  # that of another page
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, object] = {"__name__": "__page__"}
    for block in blocks(page, "python"):
        if ">>> " not in block:
            exec(compile(block, str(page), "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=OPTIONS)
        runner.run(test, out=report.append, clear_globs=False)
        names = test.globs
        assert not runner.failures, "".join(report)


def agrees(wanted: str, printed: str) -> bool:
    """Tell whether a tournament printed the words of the page, and numbers near those of the page.

    Agents that compute with floats are byte-equal only with the same packages on the same kind of processor,
    and how long they think is never the same.
    """
    words, others = (ESTIMATE.sub("", MILLISECONDS.sub("", text)).split() for text in (wanted, printed))
    return len(words) == len(others) and all(
        word == other or near(word, other) for word, other in zip(words, others, strict=True)
    )


def near(word: str, other: str) -> bool:
    try:
        figure, found = float(word.rstrip("%")), float(other.rstrip("%"))
    except ValueError:
        return False
    return abs(figure - found) <= max(4.0, abs(figure) / 4)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console(page: Path, tmp_path: Path) -> None:
    save_files(page, tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for block in blocks(page, "console"):
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, wanted = session.partition("\n")
            done = subprocess.run(
                shlex.split(command),
                cwd=tmp_path,
                env=os.environ | {"COLUMNS": "100", "PATH": path},
                capture_output=True,
                text=True,
                check=False,
            )
            printed = done.stdout or done.stderr
            exact = not command.startswith("eleusis tournament")
            same = (
                doctest.OutputChecker().check_output(wanted, printed, OPTIONS) if exact else agrees(wanted, printed)
            )
            assert same, f"$ {command}\n{printed}"


def test_numbers_of_a_tournament_may_be_near_but_words_not() -> None:
    assert agrees("tree 13.15 ± 1.21 10% 1.4", "tree 13.20 ± 1.30 9% 32.6")
    assert not agrees("tree 33.15 ± 1.21", "tree 13.20 ± 1.30")
    assert not agrees("tree 13.15", "bush 13.15")
    assert not agrees("tree 13.15", "tree 13.15 more")


def test_the_table_of_the_readme_is_that_of_the_committed_result() -> None:
    result = (ROOT / "experiments" / "results" / "bench-llm-protocol" / "result.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Compare learners")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    assert len(rows) > 5
    assert "\n".join(rows) in result
