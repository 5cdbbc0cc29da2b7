"""What a person may do now and what not, with the reasons, and the gist of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from eleusis_ai.legal import LegalMoves
from eleusis_ai.moves import Attempt, DecisionKind, NoPlay, StateRule, rule_text
from eleusis_ai.profiles import Judging, LegalCard, Profile, Scoring, Stating
from eleusis_ai.seats.telling import cards_said, who
from eleusis_ai.view import Public, View

COMMANDS = (
    ("?", "what may be done now, and why something may not"),
    ("hand", "your hand again"),
    ("table", "the table again"),
    ("rule", "the rule, if you are the dealer"),
    ("hint", "what the agent named with --hint would play, and which rules it thinks likeliest"),
    ("why", "why that agent would play it; when the round is over, why a program moved as it did"),
    ("save", "where the round is kept; it is kept after every move"),
    ("quit", "leave; --resume goes on later. Ctrl-D and Ctrl-C do the same"),
)
"""What may be typed at any time, with its meaning."""
LETTERS = "Cards are rank and suit: 7H is 7♥, 10S is 10♠ (C ♣, D ♦, H ♥, S ♠; A J Q K)."


def question(view: View, moves: LegalMoves, names: Sequence[str]) -> str:
    """Return what is asked of the person now, with the answers that there are."""
    return f"{_asked(view, moves, names)} {wanted(view, moves)}"


def wanted(view: View, moves: LegalMoves) -> str:
    """Return how an answer is typed, with one that is right."""
    match moves.kind:
        case DecisionKind.PLAY:
            no_play = ", or 'no play'" if moves.no_play else ""
            several = "" if moves.longest < 2 else f", several as in '{moves.hand[0]} {moves.hand[1]}'"
            return f"Type a card as in '{moves.hand[0]}'{several}{no_play}."
        case DecisionKind.AFTER_TURN:
            return "Type 'prophet' or 'pass'."
        case DecisionKind.CALL:
            wrong = moves.calls[1:]
            if wrong[0].prefix is not None:
                return f"Type 'right', or how many of the first cards are right, as in '{wrong[-1]}' or '{wrong[0]}'."
            if wrong[0].card is not None and view.seat == view.public.prophet:
                return f"Type 'right', or name one that is, as in '{wrong[0]}'."
            return f"Type {_either([repr(str(call)) for call in moves.calls])}."
        case DecisionKind.PICK:
            return f"Type one, as in 'pick {moves.hand[0]}'."
        case DecisionKind.STATE_RULE:
            return "Type it, as in 'state card.color != last.color', or 'pass'."
        case _:
            assert_never(moves.kind)


def _asked(view: View, moves: LegalMoves, names: Sequence[str]) -> str:
    public = view.public
    match moves.kind:
        case DecisionKind.PLAY:
            return "Your turn."
        case DecisionKind.AFTER_TURN:
            return "You may become prophet."
        case DecisionKind.PICK:
            return f"You choose a legal card of {cards_said(dict.fromkeys(moves.hand))}."
        case DecisionKind.STATE_RULE:
            return "You may state the rule."
        case DecisionKind.CALL:
            shown = cards_said(public.shown)
            if isinstance(public.attempt, Attempt):
                return f"You judge {cards_said(public.attempt.cards)}."
            if isinstance(public.attempt, StateRule):
                said = rule_text(public.attempt.rule)
                return f"{_whose(public.turn, names)} states the rule: {said}. Is it the same as yours from here on?"
            if public.stage == 2:
                return (
                    f"Stage two: is none of the mistake cards of {who(names, public.turn, view.seat)} legal, {shown}?"
                )
            return f"You judge the no play of {who(names, public.turn, view.seat)}: is none of {shown} legal?"


def _whose(seat: int, names: Sequence[str]) -> str:
    return f"Seat {seat} ({names[seat]})"


def warning(view: View) -> str | None:
    """Return what the person risks with his answer, if it is more than cards; None: nothing."""
    profile, public = view.profile, view.public
    if _kind(view) is DecisionKind.PLAY and public.danger:
        safe = "" if profile.no_play_expels else " A wrong no play does not expel."
        return f"DANGER: expulsion is in force. If your play is wrong you play no more in this round.{safe}"
    return None


def answers(view: View, moves: LegalMoves) -> list[tuple[str, str]]:
    """Return what may be answered now, with what it does."""
    profile = view.profile
    match moves.kind:
        case DecisionKind.PLAY:
            string = [(f"{moves.hand[0]} {moves.hand[1]}", _string_rule(profile))] if moves.longest > 1 else []
            return [
                (str(moves.hand[0]), "play a card of your hand"),
                *string,
                *([("no play, no", _no_play_rule(profile))] if moves.no_play else []),
            ]
        case DecisionKind.AFTER_TURN:
            return [
                ("prophet, yes", "lay your hand aside and judge in the dealer's place from now on"),
                ("pass, no", "stay a scientist; so does Enter"),
            ]
        case DecisionKind.CALL:
            return [("right, r", "what was played or declared is right"), *_wrong_answers(view, moves)]
        case DecisionKind.PICK:
            return [(f"pick {moves.hand[0]}, {moves.hand[0]}", "a legal card of the hand that was shown")]
        case DecisionKind.STATE_RULE:
            return [
                ("state card.is_red", f"say what the rule is, in the rule language. {_statement_rule(profile)}"),
                ("pass, no", "say nothing; so does Enter"),
            ]
        case _:
            assert_never(moves.kind)


def _wrong_answers(view: View, moves: LegalMoves) -> Iterator[tuple[str, str]]:
    wrong = moves.calls[-1]
    if wrong.prefix is not None:
        yield f"{wrong}, w {wrong.prefix}", "the first cards are right and the next is wrong; 0: none is right"
    elif moves.calls[1].card is not None:
        yield f"{moves.calls[1]}, w {moves.calls[1].card}", "a card of that hand is legal: this one"
    if wrong.prefix is None and wrong.card is None:
        picks = isinstance(view.public.attempt, NoPlay) and view.public.stage == 1
        picked = "; you pick the legal card next" if picks else ""
        yield "wrong, w", f"it is wrong{picked}"


def reasons(view: View) -> list[str]:
    """Return why what might be wished for cannot be done now, in sentences."""
    public = view.public
    if view.seat == public.dealer:
        return ["You deal: you hold no hand, and judge."]
    if view.seat in public.expelled:
        return ["You are expelled: you play no more in this round, and your hand counts at the end."]
    found = list(_no_prophet(view)) if view.seat != public.prophet else [_office(public)]
    if _kind(view) is DecisionKind.PLAY:
        longest = view.profile.max_string
        if longest is not None and longest < len(view.hand):
            most = "one card" if longest == 1 else f"{longest} cards"
            found.append(f"More than {most} at a time are not allowed in {view.profile}.")
        found.append(_expulsion(public))
    return found


def _kind(view: View) -> DecisionKind | None:
    """Return the kind of the decision that is pending for the person; None: he looks on."""
    return view.decision.kind if view.decision is not None and view.decision.seat == view.seat else None


def _no_prophet(view: View) -> Iterator[str]:
    """Yield why the person may not become prophet now; where he may, when he is asked."""
    public, terms = view.public, view.profile.prophet
    if _kind(view) is DecisionKind.AFTER_TURN:
        return
    if terms is None:
        yield f"You cannot become prophet: there is none in {view.profile}."
        return
    if public.prophet is not None:
        yield f"You cannot become prophet: seat {public.prophet} is."
    if view.seat in public.former_prophets:
        yield "You cannot become prophet: you were overthrown, and nobody is prophet twice in a round."
        return
    others = public.seats - 2 - len(public.expelled)
    if others < terms.others_left:
        yield f"You cannot become prophet: {terms.others_left} others must be left to play, and {others} are."
    line = len(public.layout.mainline)
    if line < terms.mainline_from:
        yield f"You cannot become prophet yet: the mainline must have {terms.mainline_from} cards, and has {line}."
    elif public.prophet is None and others >= terms.others_left:
        yield "You will be asked whether you become prophet when your turn is over."


def _office(public: Public) -> str:
    terms = public.profile.prophet
    assert terms is not None, "only a profile with a prophet has one in office"
    return (
        f"You are prophet: you do not play. If you err, you are overthrown, draw {terms.error_penalty} cards, "
        "and play again."
    )


def _expulsion(public: Public) -> str:
    if public.danger:
        return "Expulsion is in force: whoever is wrong draws his cards and is out."
    terms = public.profile.prophet
    if public.prophet is None or terms is None:
        start, laid, since = public.profile.expulsion_from, public.played, "been played"
    else:
        start, laid, since = (
            terms.expulsion_from,
            public.since_declaration or 0,
            "been laid since the prophet declared",
        )
    if start is None:
        return "A wrong play does not expel you."
    return f"A wrong play does not expel you yet: that begins when {start} cards have {since}, and {laid} have."


def gist(profile: Profile) -> list[str]:
    """Return the game in ten lines, as ``profile`` has it."""
    return [
        "The dealer has a secret rule: which cards may follow those that lie on the table.",
        "It looks at the cards alone, never at who plays or when. Find it by experiment.",
        "Right cards make a row, the mainline; below its last card hang the wrong ones.",
        f"On your turn play a card. {_penalty(profile)}",
        f"Or play several: {_string_rule(profile)}." if profile.max_string != 1 else "One card is played at a time.",
        *([f"Or declare no play: {_no_play_rule(profile)}."] if profile.no_play else []),
        *_statement_gist(profile),
        *_prophet_gist(profile),
        f"The round ends when {_ends(profile)}.",
        _points(profile),
    ]


def _ends(profile: Profile) -> str:
    ends = ["a hand is empty", "the stock is used up", "nobody is left to play"]
    if profile.mistake_cards:
        ends = ["somebody has no card left"]
    if profile.stating is not Stating.NEVER:
        ends.append("somebody states the rule")
    if profile.turn_limit is not None:
        ends.append(f"{profile.turn_limit} turns are over")
    if profile.idle_laps is not None:
        ends.append(f"no card was right for {profile.idle_laps} laps")
    return _either(ends)


def _points(profile: Profile) -> str:
    match profile.scoring:
        case Scoring.TEAM:
            return "You are a team: once the rule is stated everybody gets a point for each turn left, else nothing."
        case Scoring.UNDER_OTHERS:
            return (
                "The cards of all others, less your own for each of them, are your points; who has the fewest gets "
                f"{profile.emptied_bonus} more. The dealer is paid for what the others have more than the leader."
            )
        case Scoring.UNDER_LARGEST:
            fewer = "the fullest hand"
        case Scoring.UNDER_DEALT:
            fewer = "you were dealt"
    stated = f", stating the rule {profile.stated_bonus}" if profile.stated_bonus else ""
    return (
        f"Every card fewer than {fewer} is a point, and an empty hand is worth {profile.emptied_bonus} more{stated}. "
        "The dealer gets as much as the best player: a rule should be fair."
    )


def _statement_gist(profile: Profile) -> Iterator[str]:
    if profile.stating is not Stating.NEVER:
        when = "Whatever came of it" if profile.stating is Stating.AFTER_ANY else "If it was right"
        yield f"{when}, you may then state the rule. {_statement_rule(profile)}."


def _statement_rule(profile: Profile) -> str:
    cost = f"costs {_number(profile.wrong_statement_turns, 'turn')}" if profile.turn_limit is not None else "is free"
    return f"Right, whatever its words: the round ends; wrong: everybody hears it, and it {cost}"


def _penalty(profile: Profile) -> str:
    if profile.mistake_cards:
        return (
            "If it is wrong it lies before you as a mistake card. When all hands are played, mistake cards are "
            "played in the same way; a wrong one goes back, and who has no right one is passed."
        )
    cards = "a card" if profile.penalty_per_card == 1 else f"{profile.penalty_per_card} cards"
    expelled = f"; after {profile.expulsion_from} cards you are also expelled" if profile.expulsion_from else ""
    return f"If it is wrong it stays on the table and you draw {cards}{expelled}."


def _string_rule(profile: Profile) -> str:
    most = "" if profile.max_string is None else f" up to {profile.max_string},"
    if profile.judging is Judging.CARD_BY_CARD:
        return f"a string of cards,{most} in order; those before the first wrong one are right, and all of it is paid"
    return f"a string of cards,{most} in order; one wrong card makes all of it wrong"


def _no_play_rule(profile: Profile) -> str:
    legal = "is played" if profile.legal_card is LegalCard.PLAYED else "is pointed out"
    return (
        f"you say that no card of your hand is right, and show it. True: a new hand, {profile.no_play_reduction} "
        f"fewer. False: a right card {legal}, and you draw {profile.no_play_penalty}"
    )


def _prophet_gist(profile: Profile) -> Iterator[str]:
    terms = profile.prophet
    if terms is None:
        yield "Nobody becomes prophet in this profile."
        return
    yield (
        "Whoever thinks he knows the rule may become prophet after his turn: he judges in the dealer's place. In "
        f"office at the end, he gets {terms.accepted_points} for each card that was right since then and "
        f"{terms.rejected_points} for each that was wrong; one error ends it, and costs {terms.error_penalty} cards."
    )


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
