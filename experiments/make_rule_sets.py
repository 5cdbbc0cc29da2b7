"""Which rules do learners train on, and on which are they tested? Writes configs/rules/, the same bytes each time.

Run it with: python experiments/make_rule_sets.py
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from eleusis_ai.rules.rule_sets import Manifest, RuleSet, make_rule_set, manifest, published_signatures

TRAIN = 2_000
TEST = 500
SEEDS = {"train": "rules-1/train", "test": "rules-1/test"}
"""What each draw is named."""
FOLDER = Path(__file__).parent.parent / "configs" / "rules"


def main() -> None:
    """Draw both sets, write them with their manifest, and print it."""
    FOLDER.mkdir(exist_ok=True)
    manifests: dict[str, Manifest] = {}
    for rule_set in rule_sets():
        (FOLDER / f"{rule_set.name}.toml").write_text(str(rule_set), encoding="utf-8", newline="\n")
        found = manifests[rule_set.name] = manifest(rule_set)
        print(f"{rule_set.name}: {found.rules} rules; {found.families}; {found.acceptance}")
    text = msgspec.json.format(msgspec.json.encode(manifests), indent=2)
    (FOLDER / "manifest.json").write_bytes(text + b"\n")


def rule_sets() -> tuple[RuleSet, RuleSet]:
    """Return the set to train on and the set to test on; neither holds a published rule, nor one of the other."""
    published = published_signatures()
    train = make_rule_set("train", TRAIN, seed=SEEDS["train"], without=published)
    seen = published.union(rule.signature for rule in train.rules)
    return train, make_rule_set("test", TEST, seed=SEEDS["test"], without=seen)


if __name__ == "__main__":
    main()
