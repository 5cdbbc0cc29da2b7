from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import eleusis_ai
from eleusis_ai.cli import main
from eleusis_ai.contracts.tour import tour
from eleusis_ai.logs import read_log
from eleusis_ai.profiles import OVERLAYS, PROFILES
from eleusis_ai.registry import make_agent
from eleusis_ai.rules.catalog import load

VIEW = tour(PROFILES["howell"])[0][0]
ROOT = Path(__file__).parent.parent
Run = Callable[..., tuple[int, str, str]]

TINY = """\
name = "tiny"
profile = "howell"
seats = 5
seed = 1
deals = 2
dealer = { use = "tests.arena.players:Painter" }
agents = [{ id = "ann", use = "tests.arena.players:Restless" }, { id = "ben", use = "tests.arena.players:Restless" }]
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line at 80 columns; return its exit code, output and errors."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "\x1b" not in out + err
        assert all(len(line) <= 80 for line in out.splitlines())
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return run


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder beside a tournament of four quick rounds."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


def test_without_a_verb_it_helps(run: Run) -> None:
    _, out, err = run()
    assert "Usage: eleusis" in out + err
    for verb in ("tournament", "verify", "replay", "rules", "profiles", "agents"):
        assert verb in out + err


def test_version(run: Run) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert out == f"eleusis {eleusis_ai.__version__}\n"


def test_a_tournament_is_played_logged_and_ranked(run: Run, tiny: Path) -> None:
    code, out, err = run("tournament", tiny)
    assert (code, err) == (0, "")
    assert re.search(r"^(ann|ben) +\d+\.\d\d ± \d", out, re.MULTILINE)
    assert re.search(r"^(ann over ben|ben over ann) +\+", out, re.MULTILINE)
    assert "4 rounds in runs/tiny-1" in out
    assert len(list(read_log("runs/tiny-1/records.jsonl"))) == 4
    assert "4 rounds in runs/tiny-2" in run("tournament", tiny)[1]


def test_seed_and_folder_are_options(run: Run, tiny: Path) -> None:
    for out, seed in (("one", 7), ("two", 7), ("three", 8)):
        assert run("tournament", tiny, "--out", out, "--seed", seed)[0] == 0
    one, two, three = (Path(out, "records.jsonl").read_bytes() for out in ("one", "two", "three"))
    assert one == two
    assert one != three
    assert run("tournament", "one/config.json", "--out", "again")[0] == 0
    assert Path("again/records.jsonl").read_bytes() == one


def test_a_run_is_never_overwritten(run: Run, tiny: Path) -> None:
    run("tournament", tiny, "--out", "here")
    before = Path("here/records.jsonl").read_bytes()
    code, out, err = run("tournament", tiny, "--out", "here", "--seed", 2)
    assert (code, out) == (2, "")
    assert "here already holds the records of a run" in err
    assert "--out here-1" in err
    assert Path("here/records.jsonl").read_bytes() == before


def test_remarks_on_the_table_are_told(run: Run, tiny: Path) -> None:
    tiny.write_text(TINY.replace("howell", "late-prophet").replace("seats = 5", "seats = 8"))
    code, _, err = run("tournament", tiny)
    assert code == 0
    assert "note: late-prophet is best with 5 to 6 players" in err


def test_a_run_goes_on_and_is_verified(run: Run, tiny: Path) -> None:
    assert run("tournament", tiny, "--out", "here", "--workers", 2)[0] == 0
    log = Path("here/records.jsonl")
    whole = log.read_bytes()
    log.write_bytes(whole[:-900])
    code, out, err = run("verify", "here")
    assert (code, err) == (1, "")
    out = " ".join(out.split())
    assert "line 4: not a record" in out
    assert "here/records.jsonl: 1 of 4 rounds are not there, the first is deal 1 seating 1" in out
    code, _, err = run("tournament", tiny, "--out", "here", "--resume")
    assert (code, log.read_bytes()) == (0, whole)
    assert "here/records.jsonl had no end and was cut off; its round is played again" in err
    assert run("verify", "here") == (0, "here: 4 rounds, all that the config asks for, and each replays\n", "")
    assert run("tournament", tiny, "--out", "here", "--resume", "--seed", 2)[0] == 2


def test_a_dry_run_writes_nothing(run: Run, tiny: Path) -> None:
    code, out, err = run("tournament", tiny, "--dry-run", "--workers", 2)
    assert (code, err) == (0, "")
    assert "2 deals x 2 seatings = 4 rounds" in out
    assert "with --workers 2" in out
    assert not Path("runs").exists()


def test_parts_are_merged(run: Run, tiny: Path) -> None:
    run("tournament", tiny, "--out", "whole")
    for number in (1, 2):
        code, out, _ = run("tournament", tiny, "--out", f"part-{number}", "--part", f"{number}/2", "--zstd")
        assert code == 0
        assert f"2 rounds in part-{number}; look at one" in out
    code, out, err = run("merge", "part-1", "part-2", "part-1", "--out", "merged")
    assert (code, out, err) == (
        0,
        "4 rounds in merged, 2 of them found twice; look at one: eleusis replay merged#1\n",
        "",
    )
    assert Path("merged/records.jsonl").read_bytes() == Path("whole/records.jsonl").read_bytes()
    code, out, err = run("merge", "part-2", "--out", "half", "--zstd")
    assert (code, out) == (0, "2 rounds in half; look at one: eleusis replay half#1\n")
    assert (
        "2 rounds are in none of the folders, the first is deal 0 seating 0; play them: eleusis tournament half"
        in err
    )
    assert run("tournament", "half/config.json", "--out", "half", "--resume")[0] == 0
    assert list(read_log("half/records.jsonl.zst")) == list(read_log("whole/records.jsonl"))
    assert run("verify", "half")[0] == 0
    assert run("replay", "half#4")[1] == run("replay", "whole#4")[1]
    for wrong, said in (("3/2", "'3/2' is not a part"), ("1/9", "2 deals do not make 9 parts")):
        code, _, err = run("tournament", tiny, "--out", "none", "--part", wrong)
        assert (code, err.startswith(said)) == (2, True)


def test_a_run_is_exported(run: Run, tiny: Path) -> None:
    run("tournament", tiny, "--out", "here")
    moves = sum(len(record.moves) for record in read_log("here/records.jsonl"))
    code, out, _ = run("export", "here", "--parquet", "tables")
    assert (code, out.splitlines()) == (
        0,
        [f"{n} {name} in tables/{name}.parquet" for name, n in (("rounds", 4), ("seats", 20), ("moves", moves))],
    )
    assert run("export", "here", "--parquet", "tables", "--transitions")[1].endswith(
        "actions in tables/transitions.parquet\n"
    )


def test_resume_is_told_what(run: Run, tiny: Path) -> None:
    code, _, err = run("tournament", tiny, "--resume")
    assert code == 2
    assert "name the run's folder too, as in --out runs/quick-1" in " ".join(err.replace("│", " ").split())


def test_ctrl_c_tells_how_to_go_on(run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("eleusis_ai.arena.tournament.play", interrupted)
    code, out, err = run("tournament", "tiny.toml", "--seed", 7)
    assert (code, out) == (130, "")
    again = "eleusis tournament tiny.toml --out runs/tiny-1 --resume --seed 7"
    assert err == f"stopped; what was played is in runs/tiny-1, and it goes on by: {again}\n"
    monkeypatch.undo()
    monkeypatch.chdir(tiny.parent)
    subprocess.run([Path(sys.executable).with_name("eleusis"), *again.split()[1:]], check=True, capture_output=True)
    assert len(list(read_log("runs/tiny-1/records.jsonl"))) == 4


def test_moves_made_for_an_agent_are_told(run: Run, tiny: Path) -> None:
    tiny.write_text(
        TINY.replace('ben", use = "tests.arena.players:Restless"', 'ben", use = "tests.arena.players:Stillborn"')
    )
    code, out, err = run("tournament", tiny, "--out", "here")
    assert code == 0
    assert err.count("note: agent 'ben': raised ZeroDivisionError (deal 0 seating 0, seat 2, move ") == 1
    assert "an agent's own defect" in err
    records = list(read_log("here/records.jsonl"))
    assert re.search(
        rf"^  ben: raised ZeroDivisionError {sum(len(each.substitutes) for each in records)}$", out, re.M
    )
    assert re.search(r"stand-$", out, re.M)
    assert re.search(r"^ann .* 0$", out, re.M)
    first = min(records[0].substitutes)
    said = "raised ZeroDivisionError; the first legal move was made for it: move"
    assert re.search(rf"^seat 2 {said} {first}\b", run("replay", "here")[1], re.M)
    step = rf"^move {first}: .*, made for a seat that gave no answer: raised ZeroDivisionError$"
    assert re.search(step, run("replay", "here", "--step")[1], re.M)
    assert run("verify", "here")[0] == 0


def test_a_report_sums_up_and_writes_a_page(run: Run, tiny: Path) -> None:
    run("tournament", tiny, "--out", "here")
    code, out, err = run("report", "here", "--curves", 0)
    assert (code, err) == (0, "")
    for said in ("points more", "Rule families", "Prophets", "Time a decision"):
        assert said in out
    assert out.endswith("the report is here/report.html; open it in a browser\n")
    assert "<h1>tiny</h1>" in Path("here/report.html").read_text(encoding="utf-8")
    assert Path("here/ranking.png").read_bytes().startswith(b"\x89PNG")
    assert run("verify", "here")[0] == 0
    assert run("report", "here", "--out", "there", "--curves", 0)[1].endswith(
        "there/report.html; open it in a browser\n"
    )
    code, _, err = run("report", "nowhere")
    assert code == 2
    assert "there is no run in nowhere" in err


def test_replay_draws_the_round_as_it_lies(run: Run, tiny: Path) -> None:
    run("tournament", tiny, "--out", "here")
    record = list(read_log("here/records.jsonl"))[2]
    for target in ("here#3", "here/records.jsonl#3"):
        code, out, _ = run("replay", target)
        assert code == 0
        assert out.startswith("deal 1 seating 0\n")
        assert f"rule      {record.rule}" in out
        assert record.scores is not None
        for name, points in zip(record.agents, record.scores, strict=True):
            assert re.search(rf"  {name} .* {points} point", out)
        for card in record.replay().layout.mainline:
            assert card.symbol in out
    assert run("replay", "here")[1].startswith("deal 0 seating 0\n")


def test_replay_steps_through_every_move(run: Run, tiny: Path) -> None:
    run("tournament", tiny, "--out", "here")
    record = next(read_log("here/records.jsonl"))
    code, out, _ = run("replay", "here", "--step")
    assert code == 0
    assert re.findall(r"^move \d+: (.*)$", out, re.MULTILINE) == list(record.moves)
    assert "round ends: " in out


def test_replay_explains_moves(run: Run, tiny: Path) -> None:
    run("tournament", tiny, "--out", "here")
    record = next(read_log("here/records.jsonl"))
    code, out, _ = run("replay", "here", "--explain")
    assert code == 0
    assert out.count(" tells no reasons.") == len(record.agents) - 1
    assert not re.search(r"^ +\d+\. seat", out, re.MULTILINE)
    code, out, _ = run("replay", "here", "--agent", "elimination:beginner")
    assert code == 0
    asked = [int(number) for number in re.findall(r"^ *(\d+)\. seat \d", out, re.MULTILINE)]
    picks = [number for number, move in enumerate(record.moves, start=1) if move.startswith("pick")]
    assert asked == [number for number in range(1, len(record.moves) + 1) if number not in picks]
    assert "I think it is right with" in " ".join(out.split())
    for other in (("--step",), ("--html", "page.html")):
        code, _, err = run("replay", "here", "--explain", *other)
        assert code == 2
        assert "it goes neither with --step nor with --html" in " ".join(err.split())


def test_replay_writes_a_page(run: Run, tiny: Path) -> None:
    run("tournament", tiny, "--out", "here")
    done = run("replay", "here#3", "--html", "page.html")
    assert done == (0, "the round is in page.html; open it in a browser\n", "")
    assert "<title>Eleusis: deal 1 seating 0</title>" in Path("page.html").read_text(encoding="utf-8")


def test_rules_list(run: Run) -> None:
    out = run("rules", "list")[1]
    assert all(entry.id in out for entry in load().values())
    out = run("rules", "list", "--family", "positional")[1]
    assert [entry.id for entry in load().values() if entry.id in out.split()] == [
        entry.id for entry in load().values() if entry.family == "positional"
    ]


def test_rules_show(run: Run) -> None:
    code, out, _ = run("rules", "show", "aces-only")
    assert code == 0
    assert "card.rank == 1" in out
    assert "acceptance: 8%" in out


def test_rules_check_tells_the_share_of_right_cards(run: Run) -> None:
    code, out, _ = run("rules", "check", "card.is_red or card.is_odd")
    assert code == 0
    assert "acceptance: 77%" in out
    assert "25% to 40% is good" in out


def test_rules_are_said_in_other_languages(run: Run) -> None:
    code, out, _ = run("rules", "check", "card.is_red", "--language", "fr")
    assert code == 0
    assert "Seulement des cartes rouges." in out
    assert "Solo assi." in run("rules", "show", "aces-only", "--language", "it")[1]
    assert run("rules", "check", "card.is_red", "--language", "de") == (
        2,
        "",
        "rules are not said in 'de'; write one of en, fr, pt, it\n",
    )


def test_rules_check_refuses_a_dead_end(run: Run) -> None:
    code, out, err = run("rules", "check", "card.rank > last.rank")
    assert (code, err) == (1, "")
    assert re.search(r"refused: after K[CDHS] no card is ever legal", out)


def test_rules_check_takes_a_starter(run: Run) -> None:
    code, out, _ = run("rules", "check", "card.rank >= last.rank", "--starter", "card.rank == A")
    assert code == 0
    assert re.search(r"first card +card\.rank == (A|1)", out)


PICTURE = """\
after 8C 7H: 13 legal
  A 2 3 4 5 6 7 8 9 10 J Q K
♣ · · · · · · · · ·  · · · ·
♦ · · · · · · · · ·  · · · ·
♥ · · · · · · · · ·  · · · ·
♠ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓  ✓ ✓ ✓ ✓
"""


def test_rules_check_shows_what_is_legal(run: Run) -> None:
    rule = "card.suit == S if last.is_red else card.is_red"
    out = run("rules", "check", rule, "--after", "8C 7H")[1]
    assert PICTURE in "".join(f"{line.rstrip()}\n" for line in out.splitlines())
    assert "(where 8D was not legal)" in " ".join(run("rules", "check", rule, "--after", "7H 8D")[1].split())
    assert run("rules", "check", rule, "--after", "7H 8X")[::2] == (
        2,
        "'8X' is not a card; write a rank of A 2 3 4 5 6 7 8 9 10 J Q K, then a suit of C D H S, as in '7H'\n",
    )
    assert re.search("after AD: 13 legal +after AC: 26 legal", run("rules", "check", rule)[1])


def test_the_picture_needs_neither_colours_nor_signs(run: Run) -> None:
    command = [str(Path(sys.executable).with_name("eleusis")), "rules", "check", "card.suit == S", "--after", ""]
    plain = {"TERM": "dumb", "NO_COLOR": "1", "PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    out = subprocess.run(command, env=os.environ | plain, capture_output=True, check=True).stdout.decode("ascii")
    assert "S x x x x x x x x x  x x x x" in out
    assert "C . . . . . . . . .  . . . ." in out
    assert "on the empty table: 13 legal" in out


def test_rules_check_tells_how_hard_a_rule_is(run: Run) -> None:
    out = run("rules", "check", "card.is_red", "--learner", "elimination")[1]
    assert re.search(r"judged cards until it is found: about \d+$", out, re.MULTILINE)
    code, _, err = run("rules", "check", "card.is_red", "--learner", "elimnation")
    assert code == 2
    assert err.startswith("'elimnation' is not one of the learners; did you mean 'elimination'?")


def test_rules_check_writes_a_page(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("rules", "check", "card.rank > last.rank", "--html", tmp_path / "page.html")
    assert code == 1
    assert "refused: after KC no card is ever legal" in out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<code>card.rank &gt; last.rank</code>" in page
    assert run("rules", "check", "card.is_red", "--html", tmp_path / "no" / "page.html")[0] == 2


def test_profiles(run: Run) -> None:
    out = run("profiles", "list")[1]
    for name in (*PROFILES, "house", *(f"+{overlay}" for overlay in OVERLAYS)):
        assert re.search(rf"^{re.escape(name)} ", out, re.MULTILINE)
    out = run("profiles", "show", "late-prophet")[1]
    assert re.search(r"^judging +card-by-card +How a string is judged\.", out, re.MULTILINE)
    assert re.search(r"^expulsion_from +none +Cards played", out, re.MULTILINE)
    assert re.search(r"^\[prophet\] *$\n^mainline_from +20 ", out, re.MULTILINE)
    assert "8 players: with 8 players a stock of 5 is left" in out
    assert "[prophet]" not in run("profiles", "show", "no-prophet")[1]


def test_a_profile_of_ones_own(run: Run, tiny: Path) -> None:
    Path("mine.toml").write_text('base = "abbott"\nname = "mine"\nhand_size = 9\n')
    code, out, _ = run("profiles", "show", "mine.toml")
    assert code == 0
    assert out.startswith("mine: ")
    assert re.search(r"^hand_size +9 ", out, re.MULTILINE)


def test_agents_list(run: Run) -> None:
    code, out, _ = run("agents", "list")
    assert code == 0
    for kind, name in (("agents", "random"), ("dealers", "catalog"), ("learners", "tree")):
        assert re.search(rf"^{kind} .*^{name} ", out, re.MULTILINE | re.DOTALL)
    assert "beginner, club, master" in " ".join(out.split())


def test_agents_check(run: Run) -> None:
    code, out, err = run("agents", "check", "random")
    assert (code, err) == (0, "")
    *lines, empty, verdict = out.splitlines()
    assert all(re.match(r"ok     It.*\.$", line) for line in lines)
    assert (empty, verdict) == ("", f"random keeps the contract of agents: all {len(lines)} checks hold")


def test_agents_check_tells_what_is_wrong(run: Run) -> None:
    code, out, err = run("agents", "check", "tests.contracts.culprits:Quitter")
    assert (code, err) == (1, "")
    assert re.search(
        r"^WRONG  It answers every kind .*\n       in abbott, seat \d: play, mainline", out, re.MULTILINE
    )
    assert "breaks the contract of agents: 8 of 12 checks" in out


def test_agents_check_takes_options(run: Run) -> None:
    code, out, _ = run("agents", "check", "fixed", "--options", '{ rule = "card.is_red" }')
    assert code == 0
    assert "fixed keeps the contract of dealers" in out
    assert run("agents", "check", "fixed", "--options", '{ rule = "card.rank > last.rank" }')[0] == 1


def test_agents_check_takes_a_command(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("print(7)")
    for words in (["--", sys.executable, str(path)], [f"command:{sys.executable} {path}"]):
        code, out, err = run("agents", "check", *words)
        assert (code, err) == (1, "")
        said = " ".join(out.split())
        assert said.startswith(
            "WRONG It starts, says hello, and answers a first decision. line 1: '7' is JSON, but no ob"
        )
        assert "breaks the contract of programs: 1 of 1 check failed; 4 more could not be tried" in said
    code, _, err = run("agents", "check", "--", "./no-such-bot")
    assert (code, err) == (2, "there is no program './no-such-bot' to start; one is as in 'command:node bot.js'\n")


def test_the_protocol_has_a_schema(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["agents", "schema"])
    out, err = capsys.readouterr()
    assert (left.value.code, err) == (0, "")
    assert "DecisionMessage" in msgspec.json.decode(out)["$defs"]


def test_an_agent_is_served_until_ctrl_c(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("eleusis")), "agents", "serve", "random", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        assert re.fullmatch(r"random plays for whoever seats ws://127.0.0.1:\d+; Ctrl-C ends it\n", said)
        agent = make_agent(said.split()[5].rstrip(";"), seat=VIEW.seat, seed="1")
        assert agent.act(VIEW) in VIEW.legal_moves()
        server.send_signal(signal.SIGINT)
        assert server.communicate(timeout=60) == ("", "")
    assert server.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["tournament", "quik"],
            "'quik' is neither a file nor one of the shipped tournaments; did you mean 'quick'?",
        ),
        (["tournament", "key.toml"], "key.toml: deels is not a key of a tournament; did you mean deals?"),
        (["tournament", "type.toml"], "type.toml: deals is 'two'; expected int, got str; write it as in deals = 40"),
        (["tournament", "agent.toml"], "'elimnation' is not one of the agents; did you mean 'elimination'?"),
        (["tournament", "profile.toml"], "one of the shipped profiles; did you mean 'howell'?"),
        (["tournament", "born.toml"], "agent 'ann' cannot be made"),
        (["verify", "nowhere"], "there is no run in nowhere; name a tournament's folder, as in runs/quick-1"),
        (["replay", "nowhere"], "there is no log nowhere; name a records.jsonl or a tournament's folder"),
        (["replay", "broken.jsonl"], "broken.jsonl, line 1: not a record"),
        (["replay", "cards.jsonl"], "'1X' is not a card; write a rank of A 2"),
        (["rules", "show", "aces-onyl"], "did you mean 'aces-only'?"),
        (["agents", "serve", "randm"], "'randm' is not one of the agents; did you mean 'random'?"),
        (["agents", "serve", "random", "--options", "{ mood = 1 }"], "does not take options {'mood': 1}"),
        (["agents", "check", "randm"], "'randm' is not one of the agents; did you mean 'random'?"),
        (
            ["agents", "check", "nix"],
            "'nix' is not one of the agents; registered are elimination, learner, llm, random, tree.",
        ),
        (["agents", "check", "random", "--kind", "jugglers"], "the kinds are agents, dealers, learners"),
        (["agents", "check", "fixed", "--options", "{"], "'{' is not TOML: "),
        (["rules", "list", "--family", "markof1"], "did you mean 'markov1'?"),
        (["profiles", "show", "howel"], "did you mean 'howell'?"),
        (["profiles", "show", "slip.toml"], "'hand_sise' is not a field of a profile; did you mean 'hand_size'?"),
    ],
)
def test_bad_input_gets_one_message(run: Run, tiny: Path, arguments: list[str], said: str) -> None:
    for name, right, wrong in (
        ("key", "deals", "deels"),
        ("type", "deals = 2", 'deals = "two"'),
        ("agent", "tests.arena.players:Restless", "elimnation"),
        ("profile", "howell", "howel"),
        ("born", 'Restless" }, {', 'Unborn", options = { how = "raises" } }, {'),
    ):
        Path(f"{name}.toml").write_text(TINY.replace(right, wrong))
    Path("slip.toml").write_text('base = "howell"\nname = "slip"\nhand_sise = 9\n')
    Path("broken.jsonl").write_text('{"profile": "how')
    Path("cards.jsonl").write_text(
        '{"profile":"howell","rule":"card.rank > 1","seats":5,"dealer":0,"first":1,"deck":"1X","moves":[]}\n'
    )
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err
    assert len(err.splitlines()) == 1


def test_a_wrong_rule_is_shown_with_its_place(run: Run) -> None:
    code, out, err = run("rules", "check", "card.color != lst.color")
    assert (code, out) == (2, "")
    rule, carets, *rest = err.splitlines()
    assert rule == "card.color != lst.color"
    assert carets == "              ^^^"
    assert "last" in rest[0]


def test_a_defect_is_no_bad_input(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("eleusis_ai.arena.tournament.rank")
    with pytest.raises(NameError):
        main(["tournament", str(tiny)])


def test_the_installed_command(tmp_path: Path) -> None:
    eleusis = Path(sys.executable).with_name("eleusis")
    done = subprocess.run(
        [eleusis, "rules", "check", "card.rank > last.rank"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "refused" in done.stdout


def test_help_does_not_wait_for_the_heavy_libraries() -> None:
    code = "import sys, eleusis_ai.cli; print(*sorted({'scipy', 'sklearn', 'tqdm'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
