"""Texts that are no rules: where the caret stands, and what is said."""

from __future__ import annotations

import pickle

import pytest

from eleusis_ai.rules.language import InvalidRule, Rule


def refused(text: str, starter: str | None = None) -> InvalidRule:
    with pytest.raises(InvalidRule) as raised:
        Rule.parse(text, starter=starter)
    return raised.value


def test_the_error_is_ready_to_print() -> None:
    assert str(refused("card.colour != last.color")) == (
        "card.colour != last.color\n"
        "     ^^^^^^\n"
        "`colour` is not known here; did you mean `color`?\n"
        "for example: card.color != last.color"
    )


@pytest.mark.parametrize(
    ("text", "carets", "wanted"),
    [
        ("card.color != lst.color",
         "              ^^^", "did you mean `last`"),
        ("foo.rank > 3",
         "^^^", "write one of card, last, mainline"),
        ("card.rank > ",
         "           ^", "something is missing at the end"),
        ("card.rank = 3",
         "          ^", "write == to compare"),
        ("(card.rank > 3",
         "^", "never closed"),
        ("card.rank > 3)",
         "             ^", "unmatched"),
        ("card.rank > 3 && card.is_red",
         "              ^", "write `and`"),
        ("card.rank > 3 | card.is_red",
         "              ^", "write `or`"),
        ("card.rank > 3\n",
         "             ^", "use one line"),
        ("card.rank > 3\0",
         "             ^", "no place in a rule"),
        ("card.r\N{CYRILLIC SMALL LETTER A}nk > 3",
         "      ^", "no place in a rule"),
        ("card.rank > 0x1F",
         "            ^^", "whole and decimal"),
        ("card.rank > 1.5",
         "            ^^", "whole and decimal"),
        ("card.rank",
         "^^^^^^^^^", "must be true or false; this is a number"),
        ("card.suit",
         "^^^^^^^^^", "this is a suit"),
        ("card",
         "^^^^", "this is a card"),
        ("card.is_red and card.rank",
         "                ^^^^^^^^^", "`and` wants truth values; this is a number"),
        ("not card.rank % 2",
         "    ^^^^^^^^^^^^^", "`not` wants a truth value"),
        ("card.is_red if card.rank else True",
         "               ^^^^^^^^^", "a condition is true or false"),
        ("card.suit == red",
         "             ^^^", "a suit cannot be compared with a colour"),
        ("card.color == H",
         "              ^", "a colour cannot be compared with a suit"),
        ("card == 7",
         "        ^", "a card cannot be compared with a number"),
        ("card.suit + 1 == 2",
         "^^^^^^^^^", "`+` wants numbers; this is a suit"),
        ("last.suit < card.suit",
         "            ^^^^^^^^^", "neither more nor less"),
        ("card.rank in {1, H}",
         "                 ^", "one kind"),
        ("card.rank in 3",
         "             ^", "several values are wanted"),
        ("card.rank in ()",
         "             ^^", "at least one value"),
        ("card.rank in {3} == True",
         "^^^^^^^^^^^^^^^^^^^^^^^^", "join with `and`"),
        ("card.rank is 3",
         "^^^^^^^^^^^^^^", "write == or !="),
        ("card.rank / 2 == 3",
         "^^^^^^^^^^^^^", "the operators are"),
        ("card.rank ** 2 == 9",
         "^^^^^^^^^^^^^^", "the operators are"),
        ("card.suit == 'H'",
         "             ^^^", "without quotes"),
        ("card.rank == None",
         "             ^^^^", "a whole number"),
        ("mainline.rank > 3",
         "^^^^^^^^", "many cards; pick one"),
        ("mainline[-2:].rank > 3",
         "^^^^^^^^^^^^^", "a slice is many cards"),
        ("mainline[position - 2].is_red",
         "         ^^^^^^^^^^^^", "a written number"),
        ("mainline[True].is_red",
         "         ^^^^", "a written number"),
        ("any(x.is_red for x in mainline[::0])",
         "                      ^^^^^^^^^^^^^", "step"),
        ("card.rank.numerator == 3",
         "^^^^^^^^^", "only a card has attributes"),
        ("card.__class__ == 3",
         "     ^^^^^^^^^", "not known here"),
        ("open(card)",
         "^^^^", "not known here"),
        ("abs == 3",
         "^^^", "is a function"),
        ("abs() == 3",
         "^^^^^", "one number"),
        ("max(card.rank, key=3) > 2",
         "^^^^^^^^^^^^^^^^^^^^^", "without names"),
        ("max(card.rank) > 2",
         "    ^^^^^^^^^", "several values are wanted"),
        ("max(*mainline) > 2",
         "    ^^^^^^^^^", "several values are wanted"),
        ("gcd(card.rank) > 2",
         "^^^^^^^^^^^^^^", "two numbers"),
        ("len(x for x in mainline) > 2",
         "   ^^^^^^^^^^^^^^^^^^^^^", "use `count`"),
        ("sum({card.rank, 2}) > 2",
         "    ^^^^^^^^^^^^^^", "write a tuple"),
        ("any(x.rank for x in mainline)",
         "   ^^^^^^^^^^^^^^^^^^^^^^^^^^", "wants truth values"),
        ("sum(x.suit for x in mainline) > 2",
         "   ^^^^^^^^^^^^^^^^^^^^^^^^^^", "wants numbers"),
        ("any(card.is_red for card in mainline)",
         "                    ^^^^", "has a meaning already"),
        ("any(x.is_red for x, y in mainline)",
         "                 ^^^^", "one variable"),
        ("any(x.is_red for x in mainline for y in mainline)",
         "   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^", "several values"),
        ("any(x.is_red for x in (card, last))",
         "                      ^^^^^^^^^^^^", "can be gone through"),
        ("any([x.is_red for x in mainline])",
         "    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^", "several values"),
        ("any(x.is_red for x in mainline) and x.is_red",
         "                                    ^", "not known here"),
        ("{last.rank: True}[3]",
         " ^^^^^^^^^", "keys of a table are constants"),
        ("{**{1: True}}[1]",
         "^^^^^^^^^^^^^", "entries"),
        ("{H: True}[card.rank]",
         "          ^^^^^^^^^", "of another kind"),
        ("{H: True}.get(card.suit)",
         "^^^^^^^^^^^^^^^^^^^^^^^^", "what to use without it"),
        ("{H: True}.get(card.suit, 3 > 2, 1)",
         "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^", "what to use without it"),
        ("{H: 3}.get(card.suit, C) == 3",
         "                      ^", "the table holds a number"),
        ("{H: True}.pop(card.suit)",
         "^^^^^^^^^^^^^", "can be called"),
        ("card.suit == after(last.suit, 'HSX')",
         "                              ^^^^^", "letters of CDHS"),
        ("card.suit == after(last.suit, 'HH')",
         "                              ^^^^", "letters of CDHS"),
        ("card.suit == after(last.rank, 'HS')",
         "                   ^^^^^^^^^", "wants a suit"),
        ("(lambda: True)()",
         " ^^^^^^^^^^^^", "can be called"),
        ("lambda: True",
         "^^^^^^^^^^^^", "Lambda is not part"),
        ("(x := card.is_red)",
         " ^^^^^^^^^^^^^^^^", "NamedExpr is not part"),
        ("f'{card.rank}' == 3",
         "^^^^^^^^^^^^^^", "JoinedStr is not part"),
        ("[card.is_red][0]",
         "^^^^^^^^^^^^^", "can be indexed"),
        ("+card.rank == 3",
         "^^^^^^^^^^", "UnaryOp is not part"),
        ("await card.is_red",
         "^^^^^^^^^^^^^^^^^", "not"),
    ],
)  # fmt: skip
def test_the_caret_stands_under_the_place(text: str, carets: str, wanted: str) -> None:
    error = refused(text)
    assert str(error).splitlines()[1].rstrip() == carets
    assert wanted in error.wanted
    Rule.parse(error.example)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "(" * 400,
        "(" * 150 + "card.is_red" + ")" * 150 + " (",
        "[" * 100 + "1" + "]" * 100 + "[0]",
        "-" * 900 + "1 > 0",
        "not " * 240 + "True",
        "card.is_red if " * 60 + "True",
        "1" * 900 + " > card.rank",
        "any(" * 90,
        "card.is_red; card.is_red",
        "import os",
        "__import__('os').system('true')",
        "card.is_red # red",
        "yield card",
        "*card",
        "card.is_red,",
        "card.rank > 3if last.is_red else True",
        "\ud800",
        "\u202ecard.is_red",
        "\N{MATHEMATICAL SANS-SERIF BOLD SMALL C}ard.is_red",
    ],
)
def test_what_is_not_a_rule_is_invalid(text: str) -> None:
    error = refused(text)
    str(error).encode()
    assert len(str(error).splitlines()) == 4


@pytest.mark.parametrize(
    "starter",
    ["last.is_red", "position == 0", "mainline[-2].is_red", "any(x.is_red for x in mainline)", "len(rejected) > 0"],
)
def test_a_starter_condition_looks_at_the_card_alone(starter: str) -> None:
    assert "a starter condition looks at `card` alone" in refused("last.is_red", starter).wanted


def test_a_long_text_is_shown_around_the_place() -> None:
    error = refused("card.is_red and " * 20 + "card.colour == red" + " and card.is_red" * 20)
    line, carets, *_ = str(error).splitlines()
    at = carets.index("^")
    assert line[at : at + len("colour")] == "colour"
    assert len(line) <= 102


def test_an_error_survives_another_process() -> None:
    error = refused("card.colour == red")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert isinstance(again, ValueError)
