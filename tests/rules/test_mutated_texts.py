"""A million spoilt rules: each is a rule, or refused as one, and soon; nothing else happens."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from time import thread_time

import pytest

from eleusis_ai.cards import ALL_CARDS, CARDS
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import InvalidRule, Rule
from eleusis_ai.rules.rule_sets import load_rule_set

SLOWEST = 0.05
"""Seconds of the processor's time that reading a text may take."""
LONG = 1_500
"""Characters of a text that is spoilt no further: it is too long for a rule already."""
SHARDS = 8
A_MILLION = 1_000_000

RULES = [
    *(str(entry.rule) for entry in load().values()),
    *(entry.expression for entry in load_rule_set("train").rules[::4]),
    '{D: card.suit != D, H: card.rank == last.rank}.get(last.suit, card.suit == after(last.suit, "HSCD"))',
    "any(all(x.rank > y.rank for y in mainline[-4:] if y.is_red) for x in mainline[::2])",
    "card.rank in (x.rank + 1 for x in rejected[-3:] if x.suit != card.suit)",
    "gcd(card.rank, position) == 1 and min(x.value for x in mainline) < card.value",
    "run(x.color for x in mainline) % 3 == len({card.suit, last.suit, mainline[-2].suit}) // -2",
    "-abs(card.rank - 7) >= max(-3, -last.rank) and card not in mainline[2:-1:3]",
]
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
NUMBERS = ("0", "-1", "52", "53", "-53", "007", "1_0", "1e9", "0x1F", "1.5", "1j", "9" * 12, "9" * 13, "9" * 5_000)
CHARACTERS: tuple[str, ...] = (
    *"()[]{}.,:;=!<>+-*/%&|^~@#\\'\"`$?_ \t\n\r\0\x1a\x7f09AéßИ中²٣",
    "\ufeff",
    "\u202e",
    "\ud800",
    "🂡",
    "\U0001d41c",
)
WORDS = (
    *("if", "else", "for", "in", "not", "and", "or", "is", "lambda", "await", "yield", "None", "True", "__import__"),
    *(
        "*",
        "**",
        "//",
        ":=",
        "->",
        "f'",
        "b'",
        "'''",
        "card",
        "last",
        "mainline",
        "rejected",
        "position",
        "x",
        "self",
    ),
)
WRAPPINGS = (
    *("({})", "not {}", "not ({})", "({}) if ({}) else ({})", "[{}]", "{{{}}}", "{{{}: {}}}", "({}, {})[0]", "-({})"),
    *("any({} for x in mainline)", "count({} for y in mainline[-3:] if {})", "sum({} for z in rejected)", "len({})"),
    *("({}) and ({})", "({}) + ({}) * ({})", "({}) < ({}) < ({})", "abs({})", "max({}, {})", "({}).rank", "{}()"),
)
BRACKETS = ("(", "[", "{", "((", "not ", "-", "~", "abs(", "any(", "[(", "lambda: ", "f'{", "card[", "card.rank if ")


def character(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(CHARACTERS) * rng.choice((0, 1, 1, 1, 2)) + text[at + rng.randrange(3) :]


def token(text: str, rng: Random) -> str:
    tokens: list[str] = TOKEN.findall(text)
    others: list[str] = TOKEN.findall(rng.choice(RULES))
    at = rng.randrange(len(tokens) + 1)
    put = [rng.choice(WORDS)] if rng.random() < 0.3 else rng.choices(others, k=rng.choice((0, 1, 1, 1, 2)))
    return "".join((*tokens[:at], *put, *tokens[at + rng.choice((0, 1, 1, 1)) :]))


def swap(text: str, rng: Random) -> str:
    tokens = TOKEN.findall(text) or [""]
    one, two = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[one], tokens[two] = tokens[two], tokens[one]
    return "".join(tokens)


def alike(text: str, rng: Random) -> str:
    """Exchange a word for another of the same shape, so that the text often still reads."""
    words = list(re.finditer(r"(?<=\.)\w+|\b[CDHSAJQK]\b|\d+|[<>=!]=|[<>+*%-]|\band\b|\bor\b", text))
    if not words:
        return text
    old = rng.choice(words)
    for choices in (
        ("rank", "value", "suit", "color", "is_red", "is_odd", "is_face", "is_prime"),
        ("C", "D", "H", "S", "A", "J", "Q", "K"),
        ("<=", ">=", "==", "!=", "<", ">"),
        ("+", "-", "*", "//", "%"),
        ("and", "or"),
    ):
        if old[0] in choices:
            return text[: old.start()] + rng.choice(choices) + text[old.end() :]
    return text[: old.start()] + str(rng.randrange(60)) + text[old.end() :]


def number(text: str, rng: Random) -> str:
    found = list(re.finditer(r"\d+", text))
    if not found:
        return f"{text} < {rng.choice(NUMBERS)}"
    old = rng.choice(found)
    return text[: old.start()] + rng.choice(NUMBERS) + text[old.end() :]


def wrapping(text: str, rng: Random) -> str:
    form = rng.choice(WRAPPINGS)
    return form.format(*(text if rng.random() < 0.6 else rng.choice(RULES) for _ in range(form.count("{}"))))


def deeper(text: str, rng: Random) -> str:
    opening, levels = rng.choice(BRACKETS), rng.choice((3, 30, 62, 65, 150, 400, 5_000))
    closing = "".join({"(": ")", "[": "]", "{": "}"}.get(sign, "") for sign in reversed(opening))
    return opening * levels + text + closing * (levels - rng.choice((0, 0, 1)))


def longer(text: str, rng: Random) -> str:
    joint = rng.choice((" and ", " or ", " + ", " == ", ", ", " if True else ", " ", ""))
    return joint.join([text] * rng.choice((2, 4, 9, 40, 2_000)))


MUTATIONS: list[Callable[[str, Random], str]] = [
    *(character, token, token, swap, alike, alike, alike, alike, number, wrapping, wrapping, deeper, longer)
]


def mutated(rng: Random) -> str:
    text = rng.choice(RULES)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        text = rng.choice(MUTATIONS)(text, rng)
        if len(text) > LONG:
            break
    return text


def read(text: str) -> tuple[Rule | InvalidRule, float]:
    """Read a text as a rule or as an error, with the seconds it took."""
    began = thread_time()
    try:
        found: Rule | InvalidRule = Rule.parse(text)
    except InvalidRule as error:
        found = error
    return found, thread_time() - began


def check(count: int, seed: str) -> int:
    """Try ``count`` texts; return how many are rules."""
    rng, rules, examples = Random(f"mutated texts/{seed}"), 0, set[str]()
    for _ in range(count):
        text = mutated(rng)
        found, seconds = read(text)
        if seconds > SLOWEST:  # the garbage of the tests before may have been collected meanwhile; not thrice
            seconds = min(seconds, *(read(text)[1] for _ in range(2)))
        assert seconds < SLOWEST, text
        if isinstance(found, InvalidRule):
            assert len(str(found).splitlines()) == 4, text
            examples.add(found.example)
            continue
        rules += 1
        assert str(Rule.parse(str(found))) == str(found), text
        if rules % 10 == 0:
            line = rng.choices(CARDS, k=rng.randrange(7))
            assert 0 <= found.mask(line, rng.choices(CARDS, k=2)) <= ALL_CARDS, text
    for example in examples:
        Rule.parse(example)
    return rules


def test_spoilt_rules_are_rules_or_refused() -> None:
    assert check(10_000, "quick") > 1_000


@pytest.mark.long
@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_million_spoilt_rules_are_rules_or_refused(shard: int) -> None:
    assert check(A_MILLION // SHARDS, str(shard)) > 10_000
