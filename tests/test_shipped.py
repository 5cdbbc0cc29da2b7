from __future__ import annotations

from pathlib import Path

import pytest

from eleusis_ai import shipped
from eleusis_ai.shipped import UnknownConfig, config_names, find_config


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "eleusis_ai" / "configs" / "tournaments"
    folder.mkdir(parents=True)
    for name in ("slow", "quick"):
        (folder / f"{name}.toml").write_text("")
    (folder / "notes.txt").write_text("")
    monkeypatch.setattr(shipped, "PACKAGE", tmp_path / "eleusis_ai")
    return folder


def test_a_shipped_name_or_a_path_serves(root: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("")
    assert find_config("tournaments", "quick") == root / "quick.toml"
    assert find_config("tournaments", own) == own
    assert find_config("tournaments", str(own)) == own


def test_a_file_comes_before_a_shipped_name(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quick").write_text("")
    assert find_config("tournaments", "quick") == Path("quick")


def test_names(root: Path) -> None:
    assert config_names("tournaments") == ["quick", "slow"]
    assert config_names("ballets") == []


@pytest.mark.parametrize(
    ("kind", "name", "about"),
    [
        ("tournaments", "quik", "'quik' is neither a file nor one of the shipped tournaments; did you mean 'quick'?"),
        ("tournaments", "xyzzy", "shipped names are quick, slow"),
        ("tournaments", "quick.toml", "did you mean 'quick'?"),
        ("ballets", "swan", "'swan' is neither a file nor one of the shipped ballets; shipped names are none"),
    ],
)
def test_neither_a_file_nor_a_name(root: Path, kind: str, name: str, about: str) -> None:
    with pytest.raises(UnknownConfig) as error:
        find_config(kind, name)
    assert about in str(error.value)


def test_without_an_installed_folder_the_repositorys_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "PACKAGE", tmp_path / "eleusis_ai")
    assert shipped.config_root() == tmp_path / "configs"
