"""A person sits down to a new round, or to one that was kept."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from secrets import randbelow

from eleusis_ai.seats.advice import Adviser
from eleusis_ai.seats.opening import lay_table
from eleusis_ai.seats.setting import InvalidSetting, Setting
from eleusis_ai.seats.table import Table, deal_name, read_record
from eleusis_ai.seats.talk import Talk
from eleusis_ai.seats.terminal import INTERRUPTED, LEFT, Terminal

WELCOME = "Type ? at any time: it explains the game, what you may do now, and why something may not be done."


def sit_down(setting: Setting, talk: Talk, *, save: Path | None, hint: str | None) -> int:
    """Play a new round, kept in ``save``, with the agent ``hint`` to advise; return the exit code.

    Raises:
        InvalidSetting: if the file is there already; and what `lay_table` raises.
    """
    if save is not None and save.exists():
        raise InvalidSetting(f"{save} is there already; go on with it by --resume {save}, or name another file")
    path = save or _free_path(setting.seed)
    try:
        table = lay_table(setting, talk)
        terminal = Terminal(talk, table, path, _adviser(hint, table))
    except EOFError:
        talk.say("", "You leave; nothing has been dealt yet.")
        return LEFT
    except KeyboardInterrupt:
        talk.say("", "You leave; nothing has been dealt yet.")
        return INTERRUPTED
    talk.say(f"The round is kept in {path}; its seed is {setting.seed}.", WELCOME, "")
    return terminal.play()


def go_on(path: Path, talk: Talk, *, hint: str | None) -> int:
    """Go on with the round that is kept in ``path``; return the exit code.

    Raises:
        InvalidRecord: if there is no round in it that can be gone on with.
    """
    table = Table.resume(read_record(path))
    talk.say(f"The round of {path} goes on. Since you decided last:")
    return Terminal(talk, table, path, _adviser(hint, table)).play()


def new_seed() -> int:
    """Draw a seed that is short enough to be typed."""
    return randbelow(1_000_000)


def _adviser(hint: str | None, table: Table) -> Adviser | None:
    if hint is None:
        return None
    return Adviser(hint, seat=table.seat, seed=f"{deal_name(table.setting)}/adviser")


def _free_path(seed: int) -> Path:
    """Return the first file of ``runs`` named after the seed that is not there yet."""
    names = (f"play-{seed}{f'-{number}' if number > 1 else ''}.jsonl" for number in count(1))
    return next(path for path in (Path("runs") / name for name in names) if not path.exists())
