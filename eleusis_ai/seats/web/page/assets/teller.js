/* What has happened, in sentences: a line for all that an action led to, as one of those at the table is told it. */

/** Tell `news`, the events of one entry, in lines; each is a list of texts and elements.

    told: {words, cards(text) -> element, who(seat) -> text, you: a seat or null}. */
export function told(news, { words, cards, who, you }) {
  const lines = [];
  let before = null;
  let subject = null; // whom the clause that was written last is about

  const parts = (key, values) => words.parts(key, values);
  const person = (key, seat, values = {}) =>
    parts(`${key}.${seat === you ? "you" : "they"}`, { who: who(seat), ...values });
  const begin = (said, about = null) => {
    lines.push(said);
    subject = about;
  };
  const sentence = (said, about = null) => {
    if (before === null || lines.length === 0) return begin(said, about);
    lines.push(parts("news.then", { said: lines.pop(), next: said }));
    subject = about;
  };
  const append = (key, values) => lines.push(parts(key, { said: lines.pop(), ...values }));
  /** Add what becomes of a seat, as a clause of one sentence with the last if both are about it. */
  const adds = (key, seat, values) => {
    if (subject === seat && lines.length > 0) append("news.clause", { next: person(`${key}.and`, seat, values) });
    else sentence(person(key, seat, values), seat);
  };
  const listed = (text) => cards(text ?? "");

  function judged({ seat, right }, verdict, plain, agreed) {
    if (before?.event === "Attempted" || before?.event === "NoPlayDeclared") {
      append("news.verdict", { verdict });
      subject = seat;
    } else if (before?.event === "ProphetCalled") {
      if (agreed && (before.call === "right") === right) append("news.agreed");
      else append("news.differs", { verdict });
      subject = null;
    } else begin(parts("news.verdict", { said: plain, verdict }), seat);
  }

  const TOLD = {
    Dealt: (event) => event.seat === you && begin(parts("news.Dealt", { n: event.count })),
    Hinted: ({ hint }) => begin(parts("news.Hinted", { hint: hintSaid(words, hint).replace(/\.$/, "") })),
    StarterLaid: ({ card, found_legal: found }) =>
      begin(parts(`news.StarterLaid.${found ? "found" : "turned"}`, { card: listed(card) })),
    Attempted: ({ seat, cards: laid }) => begin(person("news.Attempted", seat, { cards: listed(laid) }), seat),
    NoPlayDeclared: ({ seat, hand }) => begin(person("news.NoPlayDeclared", seat, { cards: listed(hand) }), seat),
    ProphetCalled: ({ seat, call }) => sentence(person("news.ProphetCalled", seat, { call: callSaid(words, cards, call) })),
    AttemptJudged: (event) => {
      const prefix = event.prefix ?? null;
      const call = event.right ? "right" : prefix === null ? "wrong" : `wrong after ${prefix}`;
      const plain = person("news.AttemptJudged", event.seat, { cards: listed(event.cards) });
      judged(event, callSaid(words, cards, call), plain, before?.call === call);
    },
    NoPlayJudged: (event) => {
      const verdict = words.say(event.right ? "call.right" : "call.wrong");
      judged(event, verdict, person("news.NoPlayJudged", event.seat), true);
    },
    Refused: ({ card }) => sentence(parts("news.Refused", { card: listed(card) })),
    Picked: ({ card, played }) => sentence(parts(`news.Picked.${played ? "played" : "pointed"}`, { card: listed(card) })),
    Drew: (event) => {
      if (event.count === 0) return;
      adds(before?.event === "NoPlayJudged" ? "news.Drew.hand" : "news.Drew", event.seat, { n: event.count });
    },
    ReserveOpened: ({ count }) => sentence(parts("news.ReserveOpened", { n: count })),
    SeatExpelled: ({ seat }) => adds("news.SeatExpelled", seat),
    ProphetDeclared: ({ seat }) => begin(person("news.ProphetDeclared", seat), seat),
    ProphetOverthrown: ({ seat }) => sentence(person("news.ProphetOverthrown", seat), seat),
    StageTwoBegan: () => begin(parts("news.StageTwoBegan")),
    SeatPassed: ({ seat, cards: all }) => begin(person("news.SeatPassed", seat, { cards: listed(all) }), seat),
    RuleStated: ({ seat, rule }) => begin(person("news.RuleStated", seat, { rule }), seat),
    StatementJudged: ({ right, proved }) =>
      sentence(parts(`news.StatementJudged.${!right ? "wrong" : proved ? "right" : "unproved"}`)),
    RoundEnded: ({ reason }) => begin(parts("news.RoundEnded", { reason: words.say(`reason.${reason}`) })),
    RuleShown: null,
    TurnBegan: null,
    Scored: null,
  };

  for (const event of news) {
    const teller = TOLD[event.event];
    if (!teller) continue;
    teller(event);
    before = event;
  }
  return lines.map((said) => parts("news.end", { said }));
}

/** Say a call such as "wrong 7H" or "wrong after 2"; the parts are texts and elements. */
export function callSaid(words, cards, call) {
  const [, prefix] = /^wrong after (\d+)$/.exec(call) ?? [];
  if (prefix === "0") return words.parts("call.none");
  if (prefix !== undefined) return words.parts("call.after", { n: Number(prefix) });
  const [, card] = /^wrong (\S+)$/.exec(call) ?? [];
  if (card !== undefined) return words.parts("call.names", { card: cards(card) });
  return words.parts(call === "right" ? "call.right" : "call.wrong");
}

const SHARES = { 0: "none", 25: "quarter", 50: "half", 75: "most", 100: "all" };

/** Say a hint such as "lookback 2"; one that is no such text is said as it is. */
export function hintSaid(words, hint) {
  const kinds = ["only the card", "no ranks", "no suits", "only colors of suits", "no position"];
  if (kinds.includes(hint)) return words.say(`hint.${hint}`);
  const [kind, ...rest] = hint.split(" ");
  if (hint === "lookback 0") return words.say("hint.lookback.none");
  if (kind === "lookback") return words.say("hint.lookback", { n: Number(rest[0]) });
  if (kind === "attributes") {
    const named = rest.map((word) => words.say(`attribute.${word}`));
    return words.say("hint.attributes", { list: listOf(words, named) });
  }
  if (kind === "acceptance" && rest.length === 2) {
    const said = (share) => (share in SHARES ? words.say(`share.${SHARES[share]}`) : words.percent(share / 100));
    const [low, high] = rest.map(said);
    return words.say("hint.acceptance", { low, high });
  }
  return hint;
}

const listOf = (words, named) => new Intl.ListFormat(words.language, { type: "conjunction" }).format(named);
