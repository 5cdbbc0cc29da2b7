"""`eleusis bench` from the command line to the files it writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eleusis_ai.bench import pages, runs
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.suite import Request, default_folder, run_request
from eleusis_ai.charts import NO_PLOTS
from eleusis_ai.cli import main

FILES = ["chart.png", "result.json", "result.md"]


def bench(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main(["bench", *map(str, arguments)])
    assert isinstance(left.value.code, int)
    return left.value.code


def test_a_run_leaves_a_result_a_page_and_a_chart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("pairs", "--learner", "tree", "--limit", 1, "--out", tmp_path) == 0
    out, _ = capsys.readouterr()
    assert "All 2,704 pairs right" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == FILES
    text = (tmp_path / "result.json").read_text()
    assert text.count('{"rule":') == text.count('\n{"rule":') == 16, "a line for each case"
    result = json.loads(text)
    assert (result["benchmark"], result["seed"], result["settings"]["limit"]) == ("pairs", 1, 1)
    assert {"python", "numpy", "eleusis-ai"} <= result["versions"].keys()
    assert [(learner["use"], learner["options"]) for learner in result["learners"]] == [("tree", {})]
    assert len(result["learners"][0]["cases"]) == 16
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    assert "| **tree** |" in (tmp_path / "result.md").read_text()


def test_where_a_learner_comes_from_is_told(tmp_path: Path) -> None:
    use = "tests.bench.learners:Knowing"
    rules = "rules=['card.color != last.color']"
    assert bench("pairs", "--learner", use, "--options", rules, "--limit", 1, "--out", tmp_path) == 0
    assert "it was given the list" in (tmp_path / "result.md").read_text()
    learner = json.loads((tmp_path / "result.json").read_text())["learners"][0]
    assert (learner["name"], learner["provenance"]) == ("Knowing", "it was given the list")


def test_without_a_name_the_benchmarks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench"])
    assert "llm-protocol" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["pear"], "did you mean 'pairs'"),
        (["pairs", "--learner", "three"], "did you mean 'tree'"),
        (["pairs", "--learner", "tree", "--options", "depth=3"], "does not take options"),
        (["pairs", "--options", "depth=3"], "options go to one learner"),
        (["pairs", "--learner", "tree", "--learner", "elimination", "--options", "a=1"], "options go to one"),
        (["pairs", "--learner", "tree", "--learner", "mine:tree"], "both be called 'tree'"),
        (["pairs", "--learner", "os:system"], "does not take options"),
        (["pairs", "--learner", "tests.bench.learners:Vague"], "Vague predicts array([0.5]), not 52 probabilities"),
        (["pairs", "--config", "llm-protocol"], "is not a key"),
        (["pairs", "--config", "nowhere"], "neither a file nor"),
    ],
)
def test_what_cannot_be_run(
    arguments: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(*arguments, "--limit", 1, "--out", tmp_path / "out") == 2
    assert problem in capsys.readouterr().err
    assert "Vague" in problem or not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_told_before_anything_is_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(runs, "each", None)
    assert bench("pairs", "--learner", "tree", "--out", tmp_path / "file" / "out") == 2
    assert "cannot be used" in capsys.readouterr().err


def test_without_matplotlib_there_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_request(Request(benchmark="pairs", learners=("tree",), limit=1))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert pages.write(run, tmp_path) == [NO_PLOTS]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result.json", "result.md"]
    assert "![" not in (tmp_path / "result.md").read_text()


def test_results_have_a_place_of_their_own() -> None:
    places = [
        default_folder(Request(benchmark="pairs", learners=uses)).name for uses in [(), ("m:Mine",), ("a", "b")]
    ]
    assert places == ["bench-pairs", "bench-pairs-Mine", "bench-pairs"]


PRINTED = """
import sys
from eleusis_ai.bench.suite import Request, run_request
if __name__ == "__main__":
    benchmark, config, limit, *learners = sys.argv[1:]
    request = Request(benchmark=benchmark, config=config, learners=tuple(learners), limit=int(limit), workers=2)
    sys.stdout.buffer.write(run_request(request).result.encoded)
"""


def compare_with_elsewhere(folder: Path, benchmark: str, config: str, limit: int, *learners: str) -> None:
    script = folder / "printed.py"
    script.write_text(PRINTED)
    elsewhere = subprocess.run(
        [sys.executable, script, benchmark, config, str(limit), *learners],
        env=os.environ | {"PYTHONHASHSEED": "4711", "OPENBLAS_NUM_THREADS": "2"},
        capture_output=True,
        check=True,
    )
    here = run_request(Request(benchmark=benchmark, config=config, learners=learners, limit=limit))
    assert elsewhere.stdout == here.result.encoded
    assert here.result.learners[0].cases


def test_the_elimination_learner_says_what_it_was_fitted_on() -> None:
    said = LearnerSpec("elimination").provenance
    assert said.startswith("prior fitted without the 26")
    assert said.endswith("space designed with the list known")


def test_results_are_equal_in_any_process_and_for_any_number_of_workers(tmp_path: Path) -> None:
    config = tmp_path / "few.toml"
    config.write_text("threshold = 0.3\nsamples = 10\n")
    compare_with_elsewhere(tmp_path, "llm-protocol", str(config), 2, "elimination")


@pytest.mark.long
@pytest.mark.parametrize(("benchmark", "limit"), [("llm-protocol", 5), ("pairs", 1), ("calibration", 1)])
def test_so_are_those_of_every_benchmark(benchmark: str, limit: int, tmp_path: Path) -> None:
    compare_with_elsewhere(tmp_path, benchmark, benchmark, limit, "elimination", "tree")
