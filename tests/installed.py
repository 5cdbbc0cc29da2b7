"""What an installed package must have and do; `make wheel-check` runs this away from the checkout."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.metadata import entry_points, requires, version
from importlib.resources import files
from pathlib import Path
from pkgutil import walk_packages

import gymnasium

from eleusis_ai.registry import MissingExtra

BIN = Path(sys.executable).parent
WANTED = {
    "eleusis_ai": [
        *("py.typed", "rules/catalog.toml", "bench/llm_protocol/deals.jsonl"),
        *("tabletop/table.css", "tabletop/table.js", "tabletop/viewer.html", "tabletop/viewer.js"),
        *("arena/report/report.css", "arena/report/report.js"),
        *("seats/web/page/table.html", "seats/web/page/assets/table-page.js", "seats/web/page/words/fr.json"),
        *("configs/tournaments/quick.toml", "configs/profiles/house.toml", "configs/benchmarks/pairs.toml"),
    ],
    "eleusis_agents": ["py.typed"],
}
VERBS = {
    "--version": f"eleusis {version('eleusis-ai')}",
    "rules list": "aces-only",
    "profiles show house": "hand_size",
    "agents list": "elimination",
    "agents schema": "decision",
    "agents check random": "random keeps the contract of agents",
    "tournament quick --out run": "120 rounds in run",
    "verify run": "120 rounds",
    "report run --curves 1": "the report is run/report.html",
    "replay run#1": "rule",
    "replay run#1 --html round.html": "the round is in round.html",
    "bench pairs --learner tree --limit 1 --out bench": "the result is in bench",
    "bench llm-protocol --learner elimination --limit 1 --out bench": "Gemini 3 Pro",
}
LEFT_OUT = {"serve": "pip install 'eleusis-ai[web]'"}
"""Verbs that need an extra, and what they say without it."""
WEB = ("jinja2", "starlette", "uvicorn")
"""What the modules behind `eleusis serve` import, which says beforehand that it is not there."""


def main() -> None:
    """Look at files, modules, entry points and verbs; leave with a message at the first that is not right."""
    for package, names in WANTED.items():
        root = Path(str(files(package)))
        if not root.is_relative_to(sys.prefix):
            sys.exit(f"{package} comes from {root}, not from the wheel")
        for name in names:
            if not (root / name).is_file():
                sys.exit(f"the wheel lacks {package}/{name}")
        for module in walk_packages([str(root)], f"{package}."):
            try:
                import_module(module.name)
            except MissingExtra:  # such as that of PettingZoo's environment
                continue
            except ModuleNotFoundError as error:
                if error.name not in WEB or not module.name.startswith("eleusis_ai.seats.web."):
                    raise
    for name in ("eleusis_ai/Eleusis-v0", "eleusis_ai/EleusisSolo-v0"):
        gymnasium.make(name).reset(seed=1)
    for kind in ("agents", "learners", "dealers"):
        for entry in entry_points(group=f"eleusis.{kind}"):
            entry.load()
    for verb, said in VERBS.items():
        done = subprocess.run([BIN / "eleusis", *verb.split()], capture_output=True, text=True, check=False)
        if done.returncode or said not in done.stdout:
            sys.exit(f"eleusis {verb}: exit code {done.returncode}, without {said!r}:\n{done.stdout}{done.stderr}")
    for verb, said in LEFT_OUT.items():
        done = subprocess.run([BIN / "eleusis", *verb.split()], capture_output=True, text=True, check=False)
        if done.returncode != 2 or said not in done.stderr:
            sys.exit(f"eleusis {verb}: exit code {done.returncode}, without {said!r}:\n{done.stdout}{done.stderr}")
    needs = [need for need in requires("eleusis-ai") or [] if "extra ==" not in need]
    print(f"wheel of {version('eleusis-ai')}: {len(VERBS)} verbs work, installed with {len(needs)} requirements")


if __name__ == "__main__":
    main()
