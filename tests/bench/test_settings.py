"""Settings and options: what is refused, and that the answer says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from eleusis_ai.bench.llm_protocol import ProtocolSettings
from eleusis_ai.bench.pairs import PairsSettings
from eleusis_ai.bench.settings import InvalidSettings, load_settings, options_of, settings_from
from eleusis_ai.bench.suite import BENCHMARKS
from eleusis_ai.registry import InvalidOptions
from eleusis_ai.shipped import UnknownConfig, config_names


def test_every_benchmark_has_settings_that_are_shipped() -> None:
    assert set(config_names("benchmarks")) >= set(BENCHMARKS)
    for name, benchmark in BENCHMARKS.items():
        assert load_settings(benchmark.settings, name, {}).seed == 1


def test_what_is_typed_goes_before_the_file() -> None:
    settings = load_settings(ProtocolSettings, "llm-protocol", {"seed": 7, "limit": None})
    assert (settings.seed, settings.limit) == (7, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("threshhold = 0.4\nsamples = 9", "did you mean threshold?"),
        ("threshold = 0.0\nsamples = 9", "threshold: expected"),
        ("threshold = 0.9\nsamples = 9", "threshold: expected"),
        ("threshold = nan\nsamples = 9", "threshold"),
        ("threshold = 0.4\nsamples = 0", "samples: expected"),
        ("threshold = 0.4\nsamples = 1_000_000_000", "samples: expected"),
        ("threshold = 0.4\nsamples = 9\nlimit = 0", "limit: expected"),
        ("threshold = 0.4", "missing required field samples"),
        ("threshold =", "is not TOML"),
        ("\0", "is not TOML"),
    ],
)
def test_settings_that_cannot_be(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InvalidSettings) as refused:
        load_settings(ProtocolSettings, path, {})
    assert str(path) in str(refused.value)
    assert problem in str(refused.value)


def test_sizes_are_positive_numbers() -> None:
    with pytest.raises(InvalidSettings, match="sizes"):
        settings_from(PairsSettings, {"sizes": [30, -1], "samples": 2})
    with pytest.raises(InvalidSettings, match="sizes"):
        settings_from(PairsSettings, {"sizes": [], "samples": 2})


def test_settings_that_are_nowhere() -> None:
    with pytest.raises(UnknownConfig, match="did you mean 'pairs'"):
        load_settings(PairsSettings, "pair", {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("depth=3", 3),
        ("depth = 3", 3),
        ("share=0.5", 0.5),
        ("name=RandomForestClassifier", "RandomForestClassifier"),
        ('name="two words"', "two words"),
        ("names=['a', 'b']", ["a", "b"]),
        ("table={ a = 1 }", {"a": 1}),
        ("flag=true", True),
        ("where=mine:Thing", "mine:Thing"),
    ],
)
def test_options(text: str, value: object) -> None:
    assert list(options_of([text]).values()) == [value]


@pytest.mark.parametrize(
    "text", ["depth", "=3", "depth=", "a b=3", "x=1\ny=2", "x=two words", "x=__import__('os')", "x={", "1=2"]
)
def test_options_that_cannot_be(text: str) -> None:
    with pytest.raises(InvalidOptions, match="options are as in"):
        options_of([text])


def test_an_option_is_given_once() -> None:
    with pytest.raises(InvalidOptions, match="twice"):
        options_of(["depth=3", "depth=4"])
