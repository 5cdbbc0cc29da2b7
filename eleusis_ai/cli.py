"""The command line: one verb for each thing a user does."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

# The verbs import what they need themselves, so that `eleusis --help` does not wait for scikit-learn.

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Eleusis, the card game of science.",
)
rules = typer.Typer(no_args_is_help=True, help="Secret rules: the catalogue, and rules of your own.")
profiles = typer.Typer(no_args_is_help=True, help="The published ways to play, and your own.")
agents = typer.Typer(no_args_is_help=True, help="The players, learners and dealers that are installed.")
app.add_typer(rules, name="rules")
app.add_typer(profiles, name="profiles")
app.add_typer(agents, name="agents")

BAD_INPUT = 2
"""The exit code when the input cannot be used."""
REFUSED = 1
"""The exit code when a rule may not be dealt, or a run is not what it should be."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""
PACKAGES = ("eleusis_ai", "eleusis_agents")
"""Where errors come from that a message answers; any other is a defect, and shows its traceback."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; bad input gets one message on standard error and exit code 2."""
    try:
        app(arguments, prog_name="eleusis")
    except (ValueError, LookupError, OSError) as error:
        message = _answer(error)
        if message is None:
            raise
        typer.echo(message, err=True)
        sys.exit(BAD_INPUT)


def _answer(error: Exception) -> str | None:
    """Return what to tell the user of ``error``; None: it is a defect, not bad input."""
    if isinstance(error, OSError):
        return f"{error.filename!r} cannot be used: {error.strerror}" if error.filename else None
    return str(error) if type(error).__module__.partition(".")[0] in PACKAGES else None


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"eleusis {version('eleusis-ai')}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    pass


@app.command()
def tournament(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="A TOML file, or a shipped name such as quick.")],
    out: Annotated[Path | None, typer.Option(help="Where the records go; default: runs/NAME-1, -2, ...")] = None,
    seed: Annotated[int | None, typer.Option(help="In place of the config's seed.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Rounds played at the same time, a process each.")] = 1,
    backend: Annotated[
        str | None,
        typer.Option(
            metavar="serial|processes|dask|ray",
            help="Where they are played; default: serial, or processes if several.",
        ),
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="Where a Dask scheduler or a Ray head listens; default: one is started here.")
    ] = None,
    part: Annotated[
        str | None,
        typer.Option(metavar="K/N", help="Only every N-th deal, from the K-th: a part for `eleusis merge`."),
    ] = None,
    *,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out, if there is one.")] = False,
    zstd: Annotated[bool, typer.Option("--zstd", help="Compress the records of a new run.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the schedule, and how long it will take.")] = False,
) -> None:
    """Play a tournament, log every round, and rank the agents."""
    from eleusis_ai.arena.config import load_config
    from eleusis_ai.arena.places import Part
    from eleusis_ai.arena.preview import preview
    from eleusis_ai.arena.report.ranking_tables import ranking_tables
    from eleusis_ai.arena.store import Store, free_folder
    from eleusis_ai.arena.tournament import run_tournament

    share = None if part is None else Part.parse(part)
    settings = load_config(config, seed=seed)
    if resume and out is None:
        raise typer.BadParameter("name the run's folder too, as in --out runs/quick-1", param_hint="--resume")
    folder = out or free_folder(settings.name)
    for remark in settings.remarks:
        typer.echo(f"note: {remark}", err=True)
    if dry_run:
        _console().print(preview(settings, workers=workers))
        return
    try:
        ranking = run_tournament(
            settings,
            folder,
            workers=workers,
            backend=backend,
            address=address,
            resume=resume,
            part=share,
            zstd=zstd,
        )
    except KeyboardInterrupt:
        again = ["eleusis", "tournament", config, "--out", str(folder), "--resume"]
        again += [] if seed is None else ["--seed", str(seed)]
        again += [] if part is None else ["--part", part]
        again += ["--zstd"] if zstd else []
        typer.echo(f"stopped; what was played is in {folder}, and it goes on by: {shlex.join(again)}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    _console().print(ranking_tables(ranking))
    rounds = sum(1 for _ in Store(folder).lines())
    typer.echo(f"{rounds} rounds in {folder}; look at one: eleusis replay {folder}#1")


@app.command()
def merge(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="The folders of parts of one tournament.")],
    out: Annotated[Path, typer.Option(help="The folder of the whole.")],
    *,
    zstd: Annotated[bool, typer.Option("--zstd", help="Compress the records.")] = False,
) -> None:
    """Put parts of a tournament together, as if it had been played in one place."""
    from eleusis_ai.arena.merge import merge as put_together

    merged = put_together(folders, out, zstd=zstd)
    again = f", {merged.doubles} of them found twice" if merged.doubles else ""
    typer.echo(f"{merged.rounds} rounds in {out}{again}; look at one: eleusis replay {out}#1")
    if merged.missing:
        typer.echo(
            f"note: {merged.missing} rounds are in none of the folders, the first is {merged.first_missing}; "
            f"play them: eleusis tournament {out / 'config.json'} --out {out} --resume",
            err=True,
        )


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A tournament's folder.")],
    parquet: Annotated[Path, typer.Option(help="The folder that the files go into.")],
    *,
    transitions: Annotated[
        bool, typer.Option("--transitions", help="What each seat saw and did, as actions, to be imitated.")
    ] = False,
) -> None:
    """Write a run as Parquet tables: its rounds, seats and moves, or what a learner may imitate."""
    from eleusis_ai.arena.parquet import write_tables
    from eleusis_ai.arena.store import Store
    from eleusis_ai.envs.transitions import write_parquet

    if transitions:
        path, rows = write_parquet(Store(folder).records(), parquet)
        typer.echo(f"{rows:,} actions in {path}")
        return
    for name, rows in write_tables(Store(folder), parquet).items():
        typer.echo(f"{rows:,} {name} in {parquet / name}.parquet")


@app.command()
def verify(folder: Annotated[Path, typer.Argument(metavar="DIR", help="A tournament's folder.")]) -> None:
    """Replay every round of a run and check it against the config; exit code 1 if something is wrong."""
    from eleusis_ai.arena.store import Store
    from eleusis_ai.arena.verification import verify_run

    right = True
    for problem in verify_run(folder):
        _console().print(problem)
        right = False
    if not right:
        raise typer.Exit(REFUSED)
    rounds = sum(1 for _ in Store(folder).lines())
    typer.echo(f"{folder}: {rounds} rounds, all that the config asks for, and each replays")


@app.command()
def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Tournaments' folders, one or more.")],
    out: Annotated[
        Path | None, typer.Option(help="Where the page and the pictures go; default: the first DIR.")
    ] = None,
    curves: Annotated[int, typer.Option(min=0, help="Rounds played again for the learning curves; 0: none.")] = 20,
) -> None:
    """Sum runs up, and write a page on which every number leads to rounds to look at."""
    from eleusis_ai.arena.report.brief import brief_tables
    from eleusis_ai.arena.report.publication import publish
    from eleusis_ai.arena.report.ranking_tables import ranking_tables
    from eleusis_ai.arena.report.study import study

    found = study(folders, curves=curves)
    console = _console()
    console.print(ranking_tables(found.ranking))
    for table in brief_tables(found.briefly):
        console.print()
        console.print(table)
    for remark in publish(found, out or folders[0]):
        typer.echo(f"note: {remark}", err=True)
    typer.echo(f"the report is {(out or folders[0]) / 'report.html'}; open it in a browser")


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE[#n]", help="A log or a tournament's folder, and which round.")],
    *,
    step: Annotated[bool, typer.Option("--step", help="Show it move by move; Enter goes on.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="PAGE", help="Write a page in which the arrow keys step through it.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Tell why each program moved as it did.")] = False,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Tell what this agent thinks of every seat's moves.")
    ] = None,
) -> None:
    """Play a logged round again and draw it as it lies on the table."""
    from eleusis_ai.arena.report.viewer import round_page
    from eleusis_ai.arena.seating import seated
    from eleusis_ai.arena.store import find_record
    from eleusis_ai.drawing import draw_round, draw_stand_ins, draw_steps
    from eleusis_ai.seats.hindsight import Hindsight

    if (explain or agent is not None) and (step or html is not None):
        raise typer.BadParameter("it goes neither with --step nor with --html", param_hint="--explain")
    record = find_record(file)
    console = _console()
    if html is not None:
        html.write_text(round_page(record), encoding="utf-8")
        typer.echo(f"the round is in {html}; open it in a browser")
        return
    if not step:
        console.print(f"{record.key}\n", draw_round(record.replay(), record.agents), draw_stand_ins(record))
        if explain or agent is not None:
            for told in Hindsight(record, seated(file, record, agent)).drawn():
                console.print(told)
        return
    for drawing in draw_steps(record):
        console.print(drawing)
        if sys.stdin.isatty() and sys.stdout.isatty():
            console.input()


@app.command()
def play(
    context: typer.Context,
    *,
    profile: Annotated[str, typer.Option(help="The way to play: a name, or a TOML file of your own.")] = "howell",
    seats: Annotated[int | None, typer.Option(help="Players, you and the dealer included.")] = None,
    agents: Annotated[
        str,
        typer.Option(
            help="Who else sits down, by name, address or as in 'command:node bot.js'; repeated if they are too few."
        ),
    ] = "elimination,tree,random",
    dealer: Annotated[str, typer.Option(metavar="NAME|me", help="Who deals: catalog, fixed, an address, or you.")] = (
        "catalog"
    ),
    family: Annotated[str | None, typer.Option(help="For --dealer catalog: the family of its rule.")] = None,
    rule: Annotated[
        str | None,
        typer.Option(metavar="TEXT|ID", help="For --dealer me or fixed: a rule, or an id of `eleusis rules list`."),
    ] = None,
    starter: Annotated[
        str | None, typer.Option(help="The condition on the first card that goes with --rule.")
    ] = None,
    by_hand: Annotated[
        bool, typer.Option("--by-hand", help="Deal by a rule on paper: you judge every play.")
    ] = False,
    give_hint: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The hint you give as dealer, as in 'no suits'.")
    ] = None,
    hint: Annotated[
        str | None, typer.Option(metavar="NAME", help="An agent that advises you when you type hint.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Makes deck, rule and agents repeatable; default: a new one.")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Where the round is kept; default: runs/play-SEED.jsonl.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the round of this file.")] = None,
) -> None:
    """Play one round yourself, as a scientist or as the dealer; type ? when you are asked.

    You sit at the dealer's left, and agents take the other chairs. For a match, play as many rounds as you agree on.
    The file in which the round is kept holds its rule: do not peek.
    """
    from eleusis_ai.seats.session import go_on, new_seed, sit_down
    from eleusis_ai.seats.setting import InvalidSetting, Setting
    from eleusis_ai.seats.talk import Talk

    talk = Talk(_console())
    if resume is None:
        setting = Setting(
            profile=profile,
            seats=seats,
            agents=tuple(agents.split(",")),
            dealer=dealer,
            family=family,
            rule=rule,
            starter=starter,
            by_hand=by_hand,
            give_hint=give_hint,
            seed=new_seed() if seed is None else seed,
        )
        raise typer.Exit(sit_down(setting, talk, save=save, hint=hint))
    if others := sorted(_typed(context) - {"resume", "hint"}):
        raise InvalidSetting(
            f"--resume goes on with the table as it was laid; leave out --{others[0].replace('_', '-')}"
        )
    raise typer.Exit(go_on(resume, talk, hint=hint))


@app.command()
def companion(
    context: typer.Context,
    *,
    profile: Annotated[str, typer.Option(help="The way to play: a name, or a TOML file of your own.")] = "howell",
    seats: Annotated[int | None, typer.Option(help="Players, the dealer and the companion included.")] = None,
    seat: Annotated[
        int | None, typer.Option(metavar="K", help="Its chair: how many of --names sit before it. Default: 0.")
    ] = None,
    agent: Annotated[str, typer.Option(metavar="NAME", help="Who plays for it, by name or address.")] = "elimination",
    options: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="What it is made with; may be repeated.")
    ] = None,
    names: Annotated[
        str | None, typer.Option(help="You, clockwise, from its left: Ann,Bob,Cem. Default: it asks.")
    ] = None,
    dealer: Annotated[str | None, typer.Option(metavar="NAME", help="Who deals first. Default: it asks.")] = None,
    hint: Annotated[str | None, typer.Option(metavar="TEXT", help="The dealer's hint, as in 'no suits'.")] = None,
    noise: Annotated[bool, typer.Option("--noise", help="The dealer may err: believe no verdict wholly.")] = False,
    seed: Annotated[int, typer.Option(help="Names what the agent draws by chance.")] = 0,
    save: Annotated[Path | None, typer.Option(help="Where the evening is kept; default: in runs.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the evening of this file.")] = None,
) -> None:
    """Give a program a chair at your real table: you type what happens, it says what it plays."""
    from eleusis_ai.bench.settings import options_of
    from eleusis_ai.seats.gathering import Wishes, gather, go_on
    from eleusis_ai.seats.setting import InvalidSetting
    from eleusis_ai.seats.talk import Talk

    talk = Talk(_console())
    if resume is None:
        wishes = Wishes(
            profile=profile,
            agent=agent,
            options=options_of(options or ()),
            names=names,
            dealer=dealer,
            seats=seats,
            seat=seat,
            hint=hint,
            noise=noise,
            seed=seed,
        )
        raise typer.Exit(gather(wishes, talk, save=save))
    if others := sorted(_typed(context) - {"resume"}):
        raise InvalidSetting(f"--resume goes on with the evening as it was begun; leave out --{others[0]}")
    raise typer.Exit(go_on(resume, talk))


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0: the whole network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8000,
    file: Annotated[Path, typer.Option(help="Where the tables are kept.")] = Path("tables.sqlite"),
    agents: Annotated[
        str, typer.Option(help="Who may be seated, by name or address.")
    ] = "elimination:beginner,elimination:club,elimination:master,tree,random",
    workers: Annotated[int, typer.Option(min=1, help="Processes in which agents think.")] = 2,
    keep: Annotated[float, typer.Option(min=0, help="Days after which an idle table goes; 0: never.")] = 30,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Its public address, as in https://eleusis.example; may be repeated."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy in front, as in 127.0.0.1; may be repeated."),
    ] = None,
    backup: Annotated[
        Path | None,
        typer.Option(metavar="COPY", help="Copy the tables to a new file instead, also while they are served."),
    ] = None,
) -> None:
    """Open tables in the browser, where people play together and agents fill the chairs."""
    if backup is not None:
        from eleusis_ai.seats.web import ledger

        ledger.backup(file, backup)
        typer.echo(f"the tables of {file} are copied to {backup}, which serves as --file")
        return
    from eleusis_ai.seats.web.server import Neighbourhood, serve

    around = Neighbourhood(origins=tuple(origin or ()), proxies=tuple(proxy or ()))
    names = agents.split(",")
    serve(file, host=host, port=port, agents=names, workers=workers, keep=keep, say=typer.echo, around=around)


@app.command()
def bench(
    name: Annotated[str | None, typer.Argument(metavar="BENCHMARK", help="Which; left out: list them.")] = None,
    learner: Annotated[
        list[str] | None, typer.Option(metavar="NAME|ADDRESS", help="May be repeated; default: all installed ones.")
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|ADDRESS", help="In a learner's place: llm, in llm-protocol."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the result goes; default: experiments/results/...")] = None,
    options: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="What it is made with; may be repeated."),
    ] = None,
    config: Annotated[str | None, typer.Option(help="A TOML file of settings; default: the shipped ones.")] = None,
    seed: Annotated[int | None, typer.Option(help="In place of that of the settings.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Do only so much, for a quick look.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that work at the same time.")] = 1,
) -> None:
    """Compare learners on identical work, and write what they found."""
    from eleusis_ai.bench.pages import on_screen, write
    from eleusis_ai.bench.settings import options_of
    from eleusis_ai.bench.suite import BENCHMARKS, Request, default_folder, run_request

    if name is None:
        for benchmark in BENCHMARKS.values():
            _console().print(f"{benchmark.name:15} {benchmark.question}", soft_wrap=True)
        return
    request = Request(
        benchmark=name,
        learners=tuple(learner or ()),
        agents=tuple(agent or ()),
        options=options_of(options or ()),
        config=config,
        seed=seed,
        limit=limit,
        workers=workers,
    )
    folder = out or default_folder(request)
    done = run_request(request, folder)
    remarks = write(done, folder)
    _console().print(*on_screen(done))
    for remark in (*done.result.remarks, *remarks):
        typer.echo(f"note: {remark}", err=True)
    typer.echo(f"the result is in {folder}; read {folder / 'result.md'}")


@rules.command("list")
def list_rules(
    family: Annotated[str | None, typer.Option(help="Only this family, such as markov1.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write a Markdown page with their reviews.")] = False,
) -> None:
    """List the catalogue of published rules."""
    from eleusis_ai.pages import catalog_page
    from eleusis_ai.rules.catalog import select
    from eleusis_ai.sheets import rules_table

    entries = select(families=None if family is None else [family])
    if markdown:
        typer.echo(catalog_page(entries), nl=False)
        return
    _console().print(rules_table(entries))


@rules.command("show")
def show_rule(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="As in `eleusis rules list`.")],
    language: Annotated[str | None, typer.Option(help="Say the rule in en, fr, pt or it too.")] = None,
) -> None:
    """Show one published rule, and its review."""
    from eleusis_ai.rules.catalog import select
    from eleusis_ai.sheets import rule_sheet

    _console().print(rule_sheet(*select(ids=[rule_id]), language=language))


@rules.command("check")
def check_rule(
    text: Annotated[str, typer.Argument(help="A rule, as in 'card.color != last.color'.")],
    starter: Annotated[str | None, typer.Option(help="The condition on the first card.")] = None,
    profile: Annotated[str | None, typer.Option(help="The way to play it is for; default: any.")] = None,
    language: Annotated[str, typer.Option(help="Say the rule in en, fr, pt or it.")] = "en",
    after: Annotated[
        str | None, typer.Option(metavar="LINE", help="Show what is legal after this mainline, as in '7H 8D'.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the review as a page, too.")] = None,
    learner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Tell how many judged cards it needs, as in elimination.")
    ] = None,
) -> None:
    """Review a rule before you deal it; exit code 1 if it may not be dealt."""
    from eleusis_ai.bench.estimate import cards_to_identify
    from eleusis_ai.bench.learners import LearnerSpec
    from eleusis_ai.cards import parse_cards
    from eleusis_ai.pages import review_page
    from eleusis_ai.profiles import load_profile
    from eleusis_ai.rules.language import Rule
    from eleusis_ai.rules.review import review
    from eleusis_ai.sheets import pictures_of, review_sheet

    rule, line = Rule.parse(text, starter=starter), None if after is None else parse_cards(after)
    needed = None if learner is None else cards_to_identify(rule, LearnerSpec(learner))
    found = review(rule, profile=None if profile is None else load_profile(profile), cards_to_identify=needed)
    _console().print(review_sheet(rule, found, pictures_of(rule, line), language=language))
    if html is not None:
        page = review_page(rule, found, pictures_of(rule, line, number=4), language=language)
        html.write_text(page, encoding="utf-8")
    if not found.ok:
        raise typer.Exit(REFUSED)


@rules.command("sample")
def sample_rules(
    family: Annotated[str, typer.Option(help="What kind of rule, such as guarded; a wrong name lists them.")],
    n: Annotated[int, typer.Option("--n", min=1, help="How many.")] = 10,
    seed: Annotated[str, typer.Option(help="Names the draw: the same rules again, on any machine.")] = "1",
    size: Annotated[int | None, typer.Option(help="Statements about cards in each; default: drawn too.")] = None,
    accept: Annotated[
        tuple[float, float], typer.Option(metavar="LOW HIGH", help="The share of the pack that is legal on average.")
    ] = (0.15, 0.65),
) -> None:
    """Draw random rules that can be dealt: no dead ends, no idle parts, no two the same."""
    from eleusis_ai.rules.sampling import sample
    from eleusis_ai.sheets import samples_table

    _console().print(samples_table(sample(family, n, seed=seed, size=size, accept=accept)))


@rules.command("equal")
def equal_rules(
    one: Annotated[str, typer.Argument(metavar="TEXT", help="A rule, as in 'card.color == last.color'.")],
    two: Annotated[str, typer.Argument(metavar="TEXT", help="Another one.")],
    after: Annotated[
        str | None, typer.Option(metavar="LINE", help="Only what may follow this mainline, as in '7H 9D'.")
    ] = None,
    starter: Annotated[str | None, typer.Option(help="The condition on the first card, of both rules.")] = None,
    other_starter: Annotated[str | None, typer.Option(help="That of the second rule, if it has another.")] = None,
) -> None:
    """Tell whether two rules are the same, proved if that can be; exit code 1 if they differ."""
    from eleusis_ai.cards import parse_cards
    from eleusis_ai.rules.equivalence import equivalent
    from eleusis_ai.rules.language import Rule

    a, b = Rule.parse(one, starter=starter), Rule.parse(two, starter=other_starter or starter)
    answer = equivalent(a, b, None if after is None else parse_cards(after))
    _console().print(str(answer))
    if not answer.same:
        raise typer.Exit(REFUSED)


@profiles.command("list")
def list_profiles() -> None:
    """List the published profiles and the shipped ones."""
    from eleusis_ai.sheets import profiles_table

    _console().print(profiles_table())


@profiles.command("show")
def show_profile(
    name: Annotated[str, typer.Argument(metavar="ID", help="A profile's name, or a TOML file of your own.")],
) -> None:
    """Show every field of a profile with its meaning."""
    from eleusis_ai.profiles import load_profile
    from eleusis_ai.sheets import profile_sheet

    _console().print(profile_sheet(load_profile(name)))


@agents.command("list")
def list_agents() -> None:
    """List what is registered, by name; configs also take an address as in my_module:MyAgent."""
    from eleusis_ai.sheets import parts_table

    for kind in ("agents", "dealers", "learners"):
        _console().print(parts_table(kind), "")


@agents.command("check")
def check_agent(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME|ADDRESS|-- COMMAND",
            help="A registered name, as in mine:MyAgent, or -- and a program's command.",
        ),
    ],
    kind: Annotated[str | None, typer.Option(help="agents, dealers or learners; default: what fits.")] = None,
    options: Annotated[str, typer.Option(help="As in a config: '{ rule = \"card.is_red\" }'.")] = "{}",
    limit: Annotated[float, typer.Option(help="Seconds that each check may take.")] = 60,
) -> None:
    """Check that an agent, dealer, learner or program does what it must; exit code 1 if it does not."""
    from eleusis_ai.contracts.checkup import Job, check_up, options_from, verdict
    from eleusis_ai.sheets import finding_row

    program = len(words) > 1 or "/" in words[0].partition(":")[0]
    use = f"command:{shlex.join(words)}" if program else words[0]
    console, findings = _console(), []
    for finding in check_up(Job(use, kind, options_from(options)), limit=limit):
        console.print(finding_row(finding))
        findings.append(finding)
    console.print(f"\n{use} {verdict(findings)}")
    if any(finding.problem for finding in findings):
        raise typer.Exit(REFUSED)


@agents.command("schema")
def print_schema() -> None:
    """Print the JSON schema of what tables and programs say to each other; see docs/reference/protocol.md."""
    import msgspec

    from eleusis_ai.seats.protocol import schema

    typer.echo(msgspec.json.format(msgspec.json.encode(schema())).decode())


@agents.command("serve")
def serve_agent(
    use: Annotated[str, typer.Argument(metavar="NAME|ADDRESS", help="A registered name, or as in mine:MyAgent.")],
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 8765,
    options: Annotated[str, typer.Option(help="As in a config: '{ boldness = 0.9 }'.")] = "{}",
) -> None:
    """Offer an agent to tables elsewhere, which seat it by its address; Ctrl-C ends it."""
    from eleusis_ai.contracts.checkup import options_from
    from eleusis_ai.registry import AgentSpec
    from eleusis_ai.seats.websocket import address_of, open_server

    with open_server(AgentSpec(use, use, options_from(options)), host=host, port=port) as server:
        typer.echo(f"{use} plays for whoever seats {address_of(server)}; Ctrl-C ends it")
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def _typed(context: typer.Context) -> set[str]:
    """Return the parameters that were given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


def _console() -> Console:
    from rich.console import Console

    # Texts here are rules and cards: their brackets and colons are no markup.
    return Console(markup=False, highlight=False, emoji=False)
