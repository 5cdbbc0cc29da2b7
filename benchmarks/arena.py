"""What does a tournament cost beside bare play, and how many rounds a second does each backend play?

Four agents that move by chance play a league at a `howell` table of five, under rules of the catalogue. Bare play is
`play_round` on tables that were laid out before. What a tournament adds is added step by step, each step played on
the same tables in turn with bare play; figures are medians over the turns, overheads medians of the ratios. The last
step is a whole tournament with one worker, but for the second in which its processes start.

Run it with: pip install -e ".[dask,ray]" && python benchmarks/arena.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from eleusis_ai.arena.backends import started
from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.blocks import Cutter
from eleusis_ai.arena.config import config_from
from eleusis_ai.arena.engine import open_on, play
from eleusis_ai.arena.notes import Notes
from eleusis_ai.arena.referee import Played, play_table
from eleusis_ai.arena.sandbox import Sandbox
from eleusis_ai.arena.schedule import Schedule, Table
from eleusis_ai.arena.store import Store
from eleusis_ai.match import play_round
from eleusis_ai.profiles import profile_from
from eleusis_ai.record import Record
from eleusis_ai.registry import MissingExtra, make_agent

ROUNDS = 1000
"""How many rounds are played in a turn."""
TURNS = 7
"""How often each step has its turn; figures are medians over them."""
LONG = 6000
"""How many rounds a backend plays."""
BACKENDS = (("serial", 1), ("processes", 1), ("processes", 2), ("dask", 1), ("dask", 2), ("ray", 1), ("ray", 2))
CONFIG = config_from(
    {
        "name": "bare",
        "profile": "howell",
        "seats": 5,
        "seed": 1,
        "deals": LONG // 4,
        "dealer": {"use": "catalog", "options": {"families": ["memoryless", "markov1"]}},
        "agents": [{"id": name, "use": "random"} for name in "abcd"],
    }
)
PROFILE = profile_from(CONFIG.profile)


def main() -> None:
    """Let the steps play in turn, then the backends one after the other, and print what they did."""
    with TemporaryDirectory() as folder:
        show_steps(Path(folder))
        print()
        print(f"{'backend':<16}{'rounds a second':>16}{'seconds to start':>18}")
        for backend, workers in BACKENDS:
            try:
                rate, start = speed(backend, workers, Path(folder, f"{backend}-{workers}"))
            except MissingExtra as error:
                print(f"{backend:<16}{error}")
                continue
            print(f"{f'{backend}, {workers}':<16}{rate:>16,.0f}{start:>18.1f}")


def show_steps(folder: Path) -> None:
    """Play the steps in turn, and print what each adds to bare play."""
    tables = list(Schedule(CONFIG).tables(range(ROUNDS)))
    sandbox = Sandbox(CONFIG)
    steps: dict[str, Callable[[], object]] = {
        "bare play": lambda: [bare(table) for table in tables],
        "+ a referee": lambda: [refereed(table) for table in tables],
        "+ lines for the logs": lambda: [written(table) for table in tables],
        "+ the schedule": lambda: [written(table) for table in Schedule(CONFIG).tables(range(ROUNDS))],
        "+ a sandbox": lambda: sandbox.play(range(ROUNDS)),
    }
    spent: dict[str, list[float]] = {name: [] for name in steps}
    whole: list[float] = []
    with opened("serial", 1) as run:
        for turn in range(-1, TURNS):  # the first turn does not count
            for name, step in steps.items():
                spent[name].append(timed(step))
            whole.append(timed(lambda: run(folder / f"{turn}", ROUNDS)))  # noqa: B023
    spent["= a tournament"] = whole
    sandbox.close()
    print(f"{'':<22}{'microseconds a round':>22}{'overhead':>10}")
    for name, figures in spent.items():
        ratio = median(one / other for one, other in zip(figures[1:], spent["bare play"][1:], strict=True))
        print(f"{name:<22}{1e6 * median(figures[1:]) / ROUNDS:>22,.0f}{ratio - 1:>10.0%}")


def timed(step: Callable[[], object]) -> float:
    """Return the seconds that something takes."""
    began = perf_counter()
    step()
    return perf_counter() - began


def bare(table: Table) -> Record:
    """Play a round, and nothing else."""
    agents = [
        None if spec is None else make_agent(spec, seat=seat, seed=seed)
        for seat, (spec, seed) in enumerate(zip(table.line_up, table.seeds, strict=True))
    ]
    return play_round(PROFILE, table.rule, agents, dealer=table.dealer, seed=table.chance, hint=table.hint)


def refereed(table: Table) -> Played:
    """Play a round as a worker does."""
    NOTES.begin(table.number)
    return play_table(CONFIG, table, profile=PROFILE, notes=NOTES)


NOTES = Notes()


def written(table: Table) -> Batch:
    """Play a round, and write the lines down."""
    return Batch.of([table.number], [refereed(table)])


@contextmanager
def opened(backend: str, workers: int) -> Iterator[Callable[[Path, int], None]]:
    """Open a backend, and give what plays so many rounds on it into a folder."""
    with started(backend, workers=workers, address=None) as engine:
        open_on(engine, CONFIG)

        def run(folder: Path, rounds: int) -> None:
            with Store(folder).writer(CONFIG) as writer:
                for batch in play(engine, CONFIG, Cutter(range(rounds), Schedule(CONFIG).rounds_a_deal)):
                    writer.append(batch)

        yield run


def speed(backend: str, workers: int, folder: Path) -> tuple[float, float]:
    """Return the rounds a second of a backend that is up, and the seconds in which it gets there."""
    began = perf_counter()
    with opened(backend, workers) as run:
        start = perf_counter() - began
        return LONG / timed(lambda: run(folder, LONG)), start


if __name__ == "__main__":
    main()
