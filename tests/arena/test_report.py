from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import numpy as np
import pytest

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig, config_from
from eleusis_ai.arena.intervals import skewed
from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.arena.report import page as report
from eleusis_ai.arena.report import placings
from eleusis_ai.arena.report.publication import publish
from eleusis_ai.arena.report.study import Study, study
from eleusis_ai.arena.schedule import Key, Schedule
from eleusis_ai.arena.store import NoRecord, Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.events import ProphetCalled, ProphetDeclared, ProphetOverthrown
from eleusis_ai.evidence import Verdict, evidence
from eleusis_ai.match import play_round
from eleusis_ai.moves import parse_move
from eleusis_ai.profiles import profile_from
from eleusis_ai.record import Record
from eleusis_ai.registry import make_agent
from eleusis_ai.rules.catalog import load
from tests.arena.pages_read import ReadPage, read_page

HERE = "tests.arena.players"
AGENTS = [
    {"id": "ann", "use": f"{HERE}:Believer"},
    {"id": "ben", "use": f"{HERE}:Restless"},
    {"id": "cem", "use": f"{HERE}:Misfit", "options": {"kind": "cheats"}},
]


def config(**changes: Any) -> TournamentConfig:
    fields = {
        "name": "small",
        "profile": "howell",
        "seats": 5,
        "seed": 1,
        "deals": 6,
        "dealer": {"use": "catalog", "options": {"families": ["memoryless", "markov1"]}},
        "agents": AGENTS,
    }
    return config_from(fields | changes)


def played(folder: Path, *, zstd: bool = False, **changes: Any) -> Path:
    """Play a run in this process, which is quick, by agents that need no referee."""
    settings = config(**({"agents": AGENTS[:2]} | changes))
    schedule = Schedule(settings)
    with Store(folder).writer(settings, zstd=zstd) as writer:
        for table in schedule.tables(range(schedule.rounds)):
            seats = enumerate(zip(table.line_up, table.seeds, strict=True))
            agents = [None if spec is None else make_agent(spec, seat=at, seed=seed) for at, (spec, seed) in seats]
            record = play_round(
                profile_from(settings.profile),
                table.rule,
                agents,
                dealer=table.dealer,
                seed=table.chance,
                hint=table.hint,
            )
            record = msgspec.structs.replace(record, key=table.key, agents=table.names)
            lines = (record, Outcome.of(record), Timing(key=table.key, seconds={"ann": 0.5}, decisions={"ann": 10}))
            texts = [(msgspec.json.encode(line),) for line in lines]
            writer.append(Batch(numbers=(table.number,), records=texts[0], outcomes=texts[1], timings=texts[2]))
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "run"
    run_tournament(config(), folder)
    return folder


@pytest.fixture(scope="module")
def records(run: Path) -> list[Record]:
    return list(Store(run).records())


@pytest.fixture(scope="module")
def found(run: Path) -> Study:
    return study([run], curves=9)


@pytest.fixture(scope="module")
def shown(found: Study) -> ReadPage:
    return read_page(report.page(found, {}))


def deal(record: Record) -> int:
    return Key.parse(record.key).deal


def points(records: Sequence[Record], agent: str) -> dict[int, list[int]]:
    """Return an agent's points by deal, from the records alone."""
    got: dict[int, list[int]] = defaultdict(list)
    for record in records:
        assert record.scores is not None
        for seat, name in enumerate(record.agents):
            if name == agent and seat != record.dealer:
                got[deal(record)].append(record.scores[seat])
    return got


def mean(values: dict[int, list[int]]) -> tuple[str, str]:
    """Return the mean of the deals' means and their interval, as they are to be written."""
    means = [fmean(own) for own in values.values()]
    if len(means) == 1:
        return f"{means[0]:.2f}", "one deal"
    found = skewed(np.array(means))
    return f"{fmean(means):.2f}", f"{found.low:.2f} to {found.high:.2f}".replace("-", "−")  # noqa: RUF001


@pytest.mark.parametrize("agent", ["ann", "ben", "cem"])
def test_points_are_those_of_the_records(agent: str, shown: ReadPage, records: list[Record]) -> None:
    cell = shown.row("Ranking", agent)["points"]
    assert (cell.text, cell.note) == mean(points(records, agent))


@pytest.mark.parametrize("agent", ["ann", "ben", "cem"])
def test_points_by_family_are_those_of_the_records(agent: str, shown: ReadPage, records: list[Record]) -> None:
    families = {entry.expression: entry.family for entry in load().values()}
    assert {row[0].text for row in shown.tables["Rule families"][1:]} == {
        f"published {families[record.rule or '']}" for record in records
    }
    for row in shown.tables["Rule families"][1:]:
        own = [record for record in records if f"published {families[record.rule or '']}" == row[0].text]
        found = shown.row("Rule families", row[0].text)
        assert found["deals"].text == str(len({deal(record) for record in own}))
        assert (found[agent].text, found[agent].note) == mean(points(own, agent))


def test_differences_are_paired_by_deal(shown: ReadPage, records: list[Record]) -> None:
    for row in shown.tables["Pairs"][1:]:
        better, worse = row[0].text.split(" over ")
        one, two = points(records, better), points(records, worse)
        gains = [fmean(one[number]) - fmean(two[number]) for number in one]
        assert row[1].text == f"{fmean(gains):+.2f}".replace("-", "−")  # noqa: RUF001
        assert fmean(gains) >= 0, "the better one comes first"


@pytest.mark.parametrize("agent", ["ann", "ben", "cem"])
def test_careers_are_those_of_the_events(agent: str, shown: ReadPage, records: list[Record]) -> None:
    times, lines, right, fell = 0, 0, 0, 0
    for record in records:
        seats = [seat for seat, name in enumerate(record.agents) if name == agent]
        for event in record.replay().events:
            match event:
                case ProphetDeclared(seat, marker) if seat in seats:
                    times, lines = times + 1, lines + marker.column + 1
                case ProphetCalled(seat) if seat in seats:
                    right += 1
                case ProphetOverthrown(seat) if seat in seats:
                    right, fell = right - 1, fell + 1
    cells = shown.row("Prophets", agent)
    assert times, "the test needs prophets"
    assert cells["times"].text == str(times)
    assert cells["cards then"].text == f"{lines / times:.1f}"
    assert cells["judged right"].text == f"{right / times:.1f}"
    assert (cells["stayed"].text, cells["fell"].text) == (str(times - fell), str(fell))


def test_faults_and_times_are_those_of_the_logs(shown: ReadPage, run: Path, records: list[Record]) -> None:
    faults = Counter(fault for record in records for fault in record.substitutes.values())
    assert [[cell.text for cell in row] for row in shown.tables["Moves made for agents"][1:]] == [
        ["cem", "illegal", str(faults["illegal"])]
    ]
    decisions = sum(timing.decisions["ben"] for timing in Store(run).timings())
    assert shown.row("Time a decision", "ben")["decisions"].text == f"{decisions:,}"


def test_every_link_leads_somewhere(shown: ReadPage) -> None:
    assert len(shown.ids) == len(set(shown.ids))
    assert not lost(shown)
    assert {f"round-{place}" for place in shown.rounds} <= set(shown.links)
    for caption, (_, *rows) in shown.tables.items():
        plain = [
            cell.text
            for row in rows
            for cell in row[1:]
            if not cell.link and " to " not in cell.text and re.match(r"[1-9]|0\.\d", cell.text)
        ]
        assert not plain or caption == "What was played", f"numbers of {caption} that lead nowhere: {plain}"


def lost(page: ReadPage) -> set[str]:
    """Return the links that lead nowhere."""
    return set(page.links) - set(page.ids) - {f"round-{place}" for place in page.rounds} - {"-"}


def test_every_number_leads_to_rounds_of_that_number(shown: ReadPage, records: list[Record]) -> None:
    for agent in ("ann", "ben", "cem"):
        link = shown.row("Ranking", agent)["points"].link
        text = shown.articles[link]
        rounds = sum(agent in record.agents for record in records)
        assert re.search(rf"\d of {rounds} rounds", text)
        assert f"{agent}: points" in text
        all_points = [each for own in points(records, agent).values() for each in own]
        told = [int(number) for number in re.findall(r"(\d+) points", text)]
        assert (max(told), min(told)) == (max(all_points), min(all_points))


def test_rounds_in_the_page_are_those_of_the_log(found: Study, shown: ReadPage, records: list[Record]) -> None:
    for place in shown.rounds:
        assert found.records[0, int(place)] == records[int(place) - 1]


def test_a_curve_has_the_chance_given_to_verdicts_just_before_they_came(run: Path, records: list[Record]) -> None:
    page = read_page(report.page(study([run], curves=len(records)), {}))
    seen: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for record in records:
        round_ = record.deal()
        known = len(list(evidence(round_.view(1))))
        for move in record.moves:
            line = round_.layout.mainline
            round_.apply(parse_move(move))
            items = list(evidence(round_.view(1)))
            before = sum(isinstance(item, Verdict) for item in items[:known])
            for item in items[known:]:
                if isinstance(item, Verdict) and item.mainline == line and before in (0, 1):
                    seen["0 to 1"].append((deal(record), item.legal))
            known = len(items)
    by_deal: dict[int, list[float]] = defaultdict(list)
    for number, legal in seen["0 to 1"]:
        by_deal[number].append(0.75 if legal else 0.25)
    row = next(row for row in page.tables["Learning curves"] if row[1].text == "0 to 1")
    assert row[0].text == "ann"
    assert row[2].text == str(len(seen["0 to 1"]))
    assert row[3].text == f"{fmean(map(fmean, by_deal.values())):.2f}"


def test_without_curves_nobody_is_asked(run: Path) -> None:
    assert "Learning curves" not in read_page(report.page(study([run], curves=0), {})).tables


def test_an_agent_that_cannot_say_what_it_believes_is_told(tmp_path: Path) -> None:
    folder = played(tmp_path / "run", deals=1, agents=[{"id": "doubter", "use": f"{HERE}:Doubter"}])
    assert study([folder], curves=1).remarks == (
        "1 rounds drawn are not in the learning curves, the first is deal 0 seating 0: ZeroDivisionError: an agent's "
        "own defect",
    )


def test_names_and_rules_are_no_markup(tmp_path: Path) -> None:
    evil = "<script>alert('1')</script>"
    folder = played(
        tmp_path / "run",
        deals=2,
        dealer={"use": "fixed", "options": {"rule": "card.rank < last.rank or card.rank >= 7"}},
        agents=[{"id": evil, "use": f"{HERE}:Believer"}, {"id": "$x_1$ & co", "use": f"{HERE}:Restless"}],
    )
    publish(study([folder], curves=2), tmp_path)
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = read_page(html)
    assert evil not in html
    assert {row[0].text for row in page.tables["Ranking"][1:]} == {evil, "$x_1$ & co"}
    assert "card.rank < last.rank or card.rank >= 7" in next(iter(page.articles.values()))


def test_the_page_needs_nothing_else(found: Study, tmp_path: Path) -> None:
    publish(found, tmp_path)
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'")
    assert "unsafe" not in policy[1]
    assert not re.findall(r"<[^>]* style=", html), "the policy lets no styles in that stand in elements"
    assert not re.findall(r"(?:src|href)=\"(?!#)[^\"]*\"", html)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"ranking.png", "pairs.png", "families.png", "curves.png", "careers.png", "times.png"} <= names
    assert html.count("<svg ") >= 6
    page = read_page(html)
    assert len(page.links) > len(read_page(report.page(found, {})).links), "charts have links too"
    assert not lost(page)


def test_the_same_log_gives_the_same_page(found: Study, run: Path) -> None:
    assert report.page(study([run], curves=9), {}) == report.page(found, {})


def test_without_matplotlib_there_are_no_charts_and_it_is_said(
    found: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    remarks = publish(found, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert "pip install 'eleusis-ai[plots]'" in remarks[-1]
    assert "no charts: matplotlib is not installed" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_rounds_that_do_not_fit_are_named(found: Study, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "MOST", 20_000)
    page = read_page(report.page(found, {}))
    assert 0 < len(page.rounds) < len(read_page(report.page(found, {})).ids)
    named = {
        int(number) for text in page.articles.values() for number in re.findall(r"eleusis replay \S+#(\d+)", text)
    }
    assert named
    assert not named & set(map(int, page.rounds))
    assert f"eleusis replay '{run}#{min(named)}'" in "".join(page.articles.values())


@pytest.mark.parametrize(
    "changes",
    [
        {"deals": 1},
        {"deals": 1, "agents": AGENTS[:1]},
        {"profile": "no-prophet"},
        {"schedule": "duplicate"},
        {"schedule": "matches", "seats": 4},
        {"schedule": "gauntlet", "agents": AGENTS[:1], "others": AGENTS[1:2]},
    ],
    ids=str,
)
def test_any_run_is_reported(changes: dict[str, Any], tmp_path: Path) -> None:
    found = study([played(tmp_path / "run", **({"deals": 2} | changes))], curves=3)
    page = read_page(report.page(found, {}))
    assert {row[0].text for row in page.tables["Ranking"][1:]} == {each.agent for each in found.ranking.standings}
    assert not found.remarks
    if changes.get("profile") == "no-prophet":
        assert "Prophets" not in page.tables


def test_a_run_that_was_killed_is_reported_as_far_as_it_went(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    folder.mkdir()
    for name in ("config.json", "outcomes.jsonl", "timings.jsonl"):
        (folder / name).write_bytes((run / name).read_bytes())
    lines = (run / "records.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "records.jsonl").write_bytes(b"".join(lines[:7]) + lines[7][:100])
    html = report.page(study([folder], curves=0), {})
    assert read_page(html).row("What was played", "rounds")["howell"].text == "7 of 18; the run goes on"
    cell = read_page(html).row("Ranking", "ann")["points"]
    assert (cell.text, cell.note) == mean(points(list(Store(run).records())[:7], "ann"))


def test_a_compressed_log_is_read_too(tmp_path: Path) -> None:
    pytest.importorskip("zstandard")
    pages = [
        read_page(report.page(study([played(tmp_path / name, zstd=zstd, deals=2)], curves=2), {}))
        for name, zstd in (("plain", False), ("packed", True))
    ]
    assert (tmp_path / "packed" / "records.jsonl.zst").is_file()
    assert pages[0].rounds == pages[1].rounds
    assert pages[0].row("Ranking", "ann") == pages[1].row("Ranking", "ann")
    assert pages[0].tables["Learning curves"] == pages[1].tables["Learning curves"]


def test_of_many_pairs_neighbours_are_drawn(found: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placings, "MANY", 2)
    finding = placings.pairs(found.digest, found.ranking)
    assert len(finding.rows) == 3
    assert len(finding.charts[0].dots[0].dots) == 2


def test_a_folder_without_rounds_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoRecord, match=r"there is no run in \S+; name a tournament's folder"):
        study([tmp_path], curves=0)
    played(tmp_path / "run", deals=1)
    (tmp_path / "run" / "records.jsonl").write_bytes(b"")
    with pytest.raises(NoRecord, match=r"has no rounds yet; eleusis tournament \S+config.json --out \S+ --resume"):
        study([tmp_path / "run"], curves=0)


def test_several_runs_stand_side_by_side(run: Path, tmp_path: Path) -> None:
    other = played(tmp_path / "other", profile="no-prophet", deals=3)
    found = study([run, other], curves=6)
    page = read_page(report.page(found, {}))
    mine, theirs = (list(Store(folder).records()) for folder in (run, other))
    for agent in ("ann", "ben"):
        cells = page.row("Profiles", agent)
        one, two = points(mine, agent), points(theirs, agent)
        assert (cells["howell"].text, cells["howell"].note) == mean(one)
        assert (cells["no-prophet"].text, cells["no-prophet"].note) == mean(two)
        both = one | {number + 6: values for number, values in two.items()}
        assert (cells["all deals"].text, cells["all deals"].note) == mean(both)
        assert page.row("Ranking", agent)["points"].text == mean(both)[0]
        standing = next(each for each in found.ranking.standings if each.agent == agent)
        assert f"{standing.points:.2f}" == mean(both)[0]
    assert max(map(int, page.rounds)) > len(mine)
    for place in map(int, page.rounds):
        run_, number = (0, place) if place <= len(mine) else (1, place - len(mine))
        assert found.records[run_, number] == (mine, theirs)[run_][number - 1]


def test_runs_of_one_profile_are_told_apart_by_their_folders(run: Path, tmp_path: Path) -> None:
    page = read_page(report.page(study([run, played(tmp_path / "again", seed=2, deals=2)], curves=0), {}))
    assert [cell.text for cell in page.tables["Profiles"][0]] == ["agent", "run", "again", "all deals"]
