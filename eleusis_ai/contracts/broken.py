"""How a broken contract is told: in a sentence, with the place where it was broken."""

from __future__ import annotations

import io
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from itertools import pairwise
from math import isfinite
from pathlib import Path

from eleusis_ai.agent import Misbehaved
from eleusis_ai.registry import InvalidOptions, UnknownPart


class ContractBroken(AssertionError):
    """What is wrong with an agent, a dealer, a learner or an environment, in a sentence."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(what, where)
        self.what = what

    def __str__(self) -> str:
        what, where = self.args
        return f"{where}: {what}" if where else what


@contextmanager
def told(where: str) -> Iterator[None]:
    """Tell what was raised, and where, as a broken contract."""
    __tracebackhide__ = True
    try:
        yield
    except ContractBroken:
        raise
    except (UnknownPart, InvalidOptions) as error:
        raise ContractBroken(str(error)) from error
    except Misbehaved as error:
        raise ContractBroken(str(error), where) from error
    except SystemExit as error:
        raise ContractBroken(f"it leaves the program, by sys.exit({error.code!r})", where) from error
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        own = not isinstance(error, SyntaxError)  # which tells its place itself
        place = f" ({Path(frame.filename).name}, line {frame.lineno})" if own else ""
        raise ContractBroken(f"it raises {type(error).__name__}: {error!s:.200}{place}", where) from error


@contextmanager
def quiet() -> Iterator[None]:
    """Refuse that anything is printed."""
    with redirect_stdout(io.StringIO()) as printed:
        yield
    if text := printed.getvalue():
        raise ContractBroken(f"it prints {len(text)} characters, beginning {text[:40]!r}")


def best_first(found: object, where: str, kinds: tuple[type, ...]) -> None:
    """Refuse what is not a list of descriptions with weights, the heaviest first."""
    __tracebackhide__ = True
    names = " or ".join(kind.__name__ for kind in kinds)
    if not isinstance(found, list | tuple):
        raise ContractBroken(f"{where} is {found!r:.80}; it is a list of pairs: a {names}, and its weight")
    for pair in found:
        match pair:
            case (text, float() | int() as weight) if isinstance(text, kinds) and isfinite(weight) and weight >= 0:
                continue
        raise ContractBroken(f"{where} holds {pair!r:.80}; it holds pairs: a {names}, and its weight")
    for (_, heavy), (_, light) in pairwise(found):
        if light > heavy:
            raise ContractBroken(f"{where} has the weight {light:.9g} after {heavy:.9g}; the best comes first")
