"""The report on some runs as one page that needs no other file and no network."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from eleusis_ai.arena.report.behind import said_of, title_of
from eleusis_ai.arena.report.digest import Digest, ReportedRun, Subject
from eleusis_ai.arena.report.examples import Example
from eleusis_ai.arena.report.figures import Figure, Finding, bounds
from eleusis_ai.arena.report.markup import Html, joined, tag
from eleusis_ai.arena.report.study import Study
from eleusis_ai.arena.report.viewer import fragment, round_json, rounds_script
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.charts import Interval
from eleusis_ai.profiles import profile_from
from eleusis_ai.provenance import commit, versions
from eleusis_ai.tabletop.page import asset, whole_page

HERE = "eleusis_ai.arena.report"
MOST = 3_500_000
"""Characters of rounds that a page carries along; the rest are named."""
LONG = 20
"""Rows of a table up to which it is open from the start."""
PACKAGES = ("eleusis-ai", "msgspec", "numpy", "scikit-learn", "scipy")
"""Whose versions a page states."""


def page(study: Study, charts: Mapping[str, Iterable[str]], notes: Iterable[str] = ()) -> str:
    """Return the page.

    Args:
        study: What is told.
        charts: SVG elements by the name of the finding they belong to.
        notes: What else a reader must know, such as why there are no charts.
    """
    rounds = _rounds(study)
    body = joined(
        tag("a", "Skip to the ranking", class_="skip", href="#ranking"),
        tag("header", *_head(study, [*study.remarks, *notes])),
        tag("main", *(_section(study.digest, each, charts.get(each.name, ())) for each in study.findings)),
        _played(study.digest),
        _behind(study, rounds),
        Html(rounds_script(rounds)),
        Html(fragment()),
        Html(f"<script>{asset(HERE, 'report.js')}</script>"),
    )
    return whole_page(f"{_name(study.digest)}: a tournament of Eleusis", body, asset(HERE, "report.css"))


def _name(digest: Digest) -> str:
    return ", ".join(dict.fromkeys(run.config.name for run in digest.runs))


def _head(study: Study, notes: Iterable[str]) -> Iterator[Html]:
    digest = study.digest
    rounds = sum(run.rounds for run in digest.runs)
    yield tag("h1", _name(digest))
    profiles = ", ".join(dict.fromkeys(profile_from(run.config.profile).name for run in digest.runs))
    yield tag("p", f"A tournament of Eleusis: {rounds:,} rounds, {profiles}. {_lead(study)}", class_="lead")
    yield tag("p", "Each number leads to some of the rounds behind it, which can be looked at card by card.")
    for note in notes:
        yield tag("p", note, class_="note")
    places = [(each.name, each.title) for each in study.findings]
    places += [("played", "What was played"), ("behind", "Rounds")]
    yield tag("nav", *(tag("a", title, href=f"#{name}") for name, title in places), aria_label="Sections")


def _lead(study: Study) -> str:
    """Say in a sentence who is ahead."""
    first, *others = study.ranking.standings
    if not others:
        return f"{first.agent} got {first.points:.2f} points a seat and round."
    found = Interval(*study.ranking.paired_difference(first.agent, others[0].agent))
    return (
        f"{first.agent} is ahead with {first.points:.2f} points a seat and round, {found.mean:.2f} more than "
        f"{others[0].agent} ({bounds(found)})."
    )


def _section(digest: Digest, finding: Finding, charts: Iterable[str]) -> Html:
    figures = (tag("div", tag("figure", Html(chart)), class_="wide", tabindex="0") for chart in charts)
    return tag(
        "section",
        tag("h2", finding.title),
        *(tag("p", said) for said in finding.said),
        *figures,
        _table(digest, finding),
        id=finding.name,
    )


def _table(digest: Digest, finding: Finding) -> Html:
    head = tag("tr", *(tag("th", name, scope="col") for name in finding.head))
    rows = (
        tag("tr", tag("th", row[0].text, scope="row"), *(_cell(digest, figure) for figure in row[1:]))
        for row in finding.rows
    )
    table = tag("table", tag("caption", finding.title), tag("thead", head), tag("tbody", *rows))
    scrolled = tag("div", table, class_="wide", role="region", aria_label=finding.title, tabindex="0")
    if len(finding.rows) <= LONG:
        return scrolled
    return tag("details", tag("summary", f"The {len(finding.rows)} rows in numbers"), scrolled)


def _cell(digest: Digest, figure: Figure) -> Html:
    text: str = figure.text
    if figure.behind is not None:
        text = tag("a", text, href=f"#{digest.anchor(figure.behind)}")
    return tag("td", text, *([" ", tag("small", figure.note)] if figure.note else []))


def _played(digest: Digest) -> Html:
    packages = ", ".join(f"{name} {number}" for name, number in versions(PACKAGES).items())
    code = f"commit {commit() or 'not known'}"
    settings = [_setting(run) for run in digest.runs]
    head = tag("tr", tag("th", "setting", scope="col"), *(tag("th", run.name, scope="col") for run in digest.runs))
    rows = (
        tag("tr", tag("th", key, scope="row"), *(tag("td", each.get(key, "–")) for each in settings))  # noqa: RUF001
        for key in dict.fromkeys(key for each in settings for key in each)
    )
    table = tag("table", tag("caption", "What was played"), tag("thead", head), tag("tbody", *rows))
    return tag(
        "section",
        tag("h2", "What was played"),
        tag("div", table, class_="wide", role="region", aria_label="What was played", tabindex="0"),
        tag("p", f"The report was made with {packages}; {code}."),
        id="played",
    )


def _setting(run: ReportedRun) -> dict[str, str]:
    """Write down what the config of a run says, key by key, and how much of it is played."""
    fields = msgspec.to_builtins(run.config)
    agents, others, dealer = (fields.pop(name) for name in ("agents", "others", "dealer"))
    found = {
        key.replace("_", " "): value if isinstance(value, str) else msgspec.json.encode(value).decode()
        for key, value in fields.items()
        if value is not None and value != {}
    }
    found["dealer"] = _part(dealer)
    for what, parts in (("agent", agents), ("around it", others)):
        for part in parts:
            found[f"{what} {part['id']}"] = _part(part)
    planned = Schedule(run.config).rounds
    going = "" if run.rounds == planned else f" of {planned:,}; the run goes on"
    found["rounds"] = f"{run.rounds:,}{going}"
    found["folder"] = str(run.store.folder)
    return found


def _part(part: Mapping[str, Any]) -> str:
    options = f" with {msgspec.json.encode(part['options']).decode()}" if part["options"] else ""
    return f"{part['use']}{options}"


def _subjects(study: Study) -> list[Subject]:
    """Return what the numbers of the page are about, in its order."""
    found = (figure.behind for finding in study.findings for row in finding.rows for figure in row)
    linked = dict.fromkeys(behind for behind in found if behind is not None)
    # A chart may lead to what no table does.
    return [*linked, *(subject for subject in study.digest.examples if subject not in linked)]


def _rounds(study: Study) -> dict[int, str]:
    """Return the rounds that the page carries along, by place: one of each number, then more while they fit."""
    shown = [study.digest.examples[subject].shown() for subject in _subjects(study)]
    found: dict[int, str] = {}
    left = MOST
    for turn in range(max(map(len, shown))):
        for examples in shown:
            if turn >= len(examples):
                continue
            example = examples[turn]
            place = study.digest.place(example.run, example.number)
            if place in found:
                continue
            text = round_json(study.records[example.run, example.number])
            left -= len(text)
            if left < 0:
                return dict(sorted(found.items()))
            found[place] = text
    return dict(sorted(found.items()))


def _behind(study: Study, rounds: Mapping[int, str]) -> Html:
    return tag(
        "section",
        tag("h2", "Rounds behind the numbers"),
        tag(
            "p",
            "For each number the round with the largest value, the one with the least, and between them the middle "
            "one of 15 drawn by lot.",
        ),
        *(_list(study, subject, rounds) for subject in _subjects(study)),
        id="behind",
    )


def _list(study: Study, subject: Subject, rounds: Mapping[int, str]) -> Html:
    examples = study.digest.examples[subject]
    shown: dict[tuple[int, int], list[Example]] = {}
    for example in examples.shown():
        shown.setdefault((example.run, example.number), []).append(example)
    return tag(
        "article",
        tag("a", "Close", class_="close", href="#-"),
        tag("h3", title_of(study.digest, subject)),
        tag("p", f"{len(shown)} of {examples.rounds:,} {'round' if examples.rounds == 1 else 'rounds'}"),
        tag("ul", *(tag("li", *_line(study, subject, each, rounds)) for each in shown.values())),
        id=study.digest.anchor(subject),
        tabindex="-1",
    )


def _line(study: Study, subject: Subject, values: Sequence[Example], rounds: Mapping[int, str]) -> Iterator[str]:
    """Tell of a round what it was chosen for, for two values maybe, and where it can be looked at."""
    example, digest = values[0], study.digest
    run, place = digest.runs[example.run], digest.place(example.run, example.number)
    name = f"{run.name}, {example.key}" if len(digest.runs) > 1 else example.key
    yield f"{' and '.join(said_of(subject, each) for each in values)}: "
    if place in rounds:
        yield tag("a", name, href=f"#round-{place}")
    else:
        yield f"{name}, "
        yield tag("code", f"eleusis replay {shlex.quote(f'{run.store.folder}#{example.number}')}")
    yield ", "
    yield tag("code", study.records[example.run, example.number].rule or "a rule on paper")
