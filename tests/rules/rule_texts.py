"""Hypothesis strategies for random rule texts of every shape the language has."""

from __future__ import annotations

from hypothesis import strategies as st

Draw = st.DrawFn
TRUTH_NAMES = ("is_red", "is_black", "is_odd", "is_even", "is_face", "is_prime")
LINES = (
    "mainline",
    "mainline",
    "mainline[-2:]",
    "mainline[-3:-1]",
    "mainline[1:]",
    "mainline[:2]",
    "mainline[::2]",
    "mainline[-1:-4:-1]",
    "rejected",
    "rejected[-2:]",
)


@st.composite
def rule_texts(draw: Draw) -> str:
    """Draw a rule; parentheses stand wherever they may be needed."""
    return _truth(draw, draw(st.integers(1, 4)), ())


def _pick(draw: Draw, choices: tuple[str, ...]) -> str:
    return draw(st.sampled_from(choices))


def _card(draw: Draw, depth: int, variables: tuple[str, ...]) -> str:
    some = ("card", "card", "card", "last", "last", "mainline[-2]", "mainline[0]", "mainline[1]", "rejected[-1]")
    text = _pick(draw, some + 3 * variables)
    if depth > 2 and draw(st.integers(0, 9)) == 0:
        return f"({text} if {_truth(draw, depth - 2, variables)} else card)"
    return text


def _suit(draw: Draw, depth: int, variables: tuple[str, ...]) -> str:
    match draw(st.integers(0, 5)):
        case 0:
            return _pick(draw, ("C", "D", "H", "S"))
        case 1 if depth > 0:
            cycle = _pick(draw, ("HSCD", "SHDC", "DH", "CHS"))
            return f"after({_suit(draw, depth - 1, variables)}, '{cycle}')"
        case 2 if depth > 0:
            return f"{{0: C, 1: D, 2: H}}[{_number(draw, depth - 1, variables)} % 4]"
        case _:
            return f"{_card(draw, depth, variables)}.suit"


def _number(draw: Draw, depth: int, variables: tuple[str, ...]) -> str:
    if depth <= 0:
        match draw(st.integers(0, 5)):
            case 0:
                return draw(st.integers(0, 14).map(str))
            case 1:
                return _pick(draw, ("A", "J", "Q", "K", "position", "len(mainline)", "len(rejected)"))
            case _:
                return f"{_card(draw, depth, variables)}.{_pick(draw, ('rank', 'rank', 'rank', 'value', 'is_odd'))}"
    less = depth - 1
    one = _number(draw, less, variables)
    match draw(st.integers(0, 12)):
        case 0 | 1 | 2:
            return f"({one} {_pick(draw, ('+', '-', '*', '//', '%', '%'))} {_number(draw, less, variables)})"
        case 3:
            return f"(-{one})"
        case 4:
            return f"abs({one})"
        case 5:
            return f"{_pick(draw, ('min', 'max', 'gcd'))}({one}, {_number(draw, less, variables)})"
        case 6:
            function = _pick(draw, ("min", "max", "sum", "run"))
            return f"{function}({_generator(draw, less, variables, 'number')})"
        case 7:
            return f"count({_generator(draw, less, variables, 'truth')})"
        case 8:
            return f"run({_generator(draw, less, variables, 'suit')})"
        case 9:
            return f"({one} if {_truth(draw, less, variables)} else {_number(draw, less, variables)})"
        case 10:
            pair = f"({one}, {_number(draw, less, variables)})"
            return _pick(draw, (f"{pair}[position % 3]", f"max({pair})", f"sum({pair})", f"len({{{pair[1:-1]}}})"))
        case 11:
            table = f"{{1: {one}, 2: 5, Q: 0}}"
            key = _number(draw, less, variables)
            return _pick(draw, (f"{table}[{key}]", f"{table}.get({key}, {_number(draw, less, variables)})"))
        case _:
            return f"len({_pick(draw, ('mainline[-3:]', 'mainline[1:]', 'rejected', 'mainline'))})"


def _truth(draw: Draw, depth: int, variables: tuple[str, ...]) -> str:
    if depth <= 0:
        return f"{_card(draw, depth, variables)}.{_pick(draw, TRUTH_NAMES)}"
    less = depth - 1
    match draw(st.integers(0, 13)):
        case 0 | 1:
            return f"({_truth(draw, less, variables)} and {_truth(draw, less, variables)})"
        case 2 | 3:
            return f"({_truth(draw, less, variables)} or {_truth(draw, less, variables)})"
        case 4:
            return f"(not {_truth(draw, less, variables)})"
        case 5:
            one, two, test = (_truth(draw, less, variables) for _ in range(3))
            return f"({one} if {test} else {two})"
        case 6:
            return f"({_suit(draw, less, variables)} {_pick(draw, ('==', '!='))} {_suit(draw, less, variables)})"
        case 7:
            chain = " < ".join(_number(draw, less, variables) for _ in range(3))
            return f"({chain})"
        case 8:
            return f"{_pick(draw, ('any', 'all'))}({_generator(draw, less, variables, 'truth')})"
        case 9:
            many = f"({_number(draw, less, variables)}, {_number(draw, less, variables)})"
            many = _pick(draw, (many, "{1, 4, 6, Q}", "(A, 2)", f"({_generator(draw, less, variables, 'number')})"))
            return f"({_number(draw, less, variables)} {_pick(draw, ('in', 'not in'))} {many})"
        case 10:
            return f"({_card(draw, less, variables)} {_pick(draw, ('in', 'not in'))} {_pick(draw, LINES)})"
        case 11:
            pair = f"({_truth(draw, less, variables)}, {_truth(draw, less, variables)})"
            return _pick(draw, (f"any({pair})", f"all({pair})", f"{pair}[{_number(draw, less, variables)}]"))
        case _:
            sign = _pick(draw, ("==", "!=", "<", "<=", ">", ">="))
            return f"({_number(draw, less, variables)} {sign} {_number(draw, less, variables)})"


def _generator(draw: Draw, depth: int, variables: tuple[str, ...], kind: str) -> str:
    line = _pick(draw, (LINES, LINES[2:4], LINES[2:3], LINES[2:3])[len(variables)])
    variable = "xyzw"[len(variables)]
    inside = (*variables, variable)
    if kind == "truth":
        body = _truth(draw, depth, inside)
    elif kind == "suit":
        body = _suit(draw, depth, inside)
    else:
        body = _number(draw, depth, inside)
    condition = f" if {_truth(draw, depth - 1, inside)}" if draw(st.integers(0, 3)) == 0 else ""
    return f"{body} for {variable} in {line}{condition}"
