"use strict";
/* Draws what lies on a table of Eleusis. It knows cards and places, no rules of play, and keeps nothing: a page gives
   it a value and gets elements. Every text goes in as text, so that nobody's name or rule can be markup.

   A line is a list of columns, one a mainline card:
     {card: "7H", together: false, below: [["2C"], ["4S", "5S"]], above: [["3D", "8D"]]}
   together: whether the card was played in one string with the card before it; below: the rejected attempts, oldest
   first; above: hands that were shown. A seat is
     {seat: 2, name: "tree", marks: ["prophet"], hand: ["7H"] or null, size: 1, drawn: ["7H"], mistakes: [],
      fallen: [], asked: true, points: null}
   where hand is null if nobody may see it, and drawn and fallen hold the cards of hand and mistakes that are new.

   It speaks English; `EleusisTable.in(say)` is the same in other words, where say(key, values) returns a text for each
   of the keys below. */
const EleusisTable = (() => {
  const counted = (noun) => ({ n }) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const ENGLISH = {
    "rank.A": "ace", "rank.2": "two", "rank.3": "three", "rank.4": "four", "rank.5": "five", "rank.6": "six",
    "rank.7": "seven", "rank.8": "eight", "rank.9": "nine", "rank.10": "ten", "rank.J": "jack", "rank.Q": "queen",
    "rank.K": "king", "suit.C": "clubs", "suit.D": "diamonds", "suit.H": "hearts", "suit.S": "spades",
    "card.name": ({ rank, suit }) => `${rank} of ${suit}`,
    "card.rejected": ({ card }) => `${card}, rejected`,
    "card.in_string": ({ card }) => `${card}, of a string`,
    "card.drawn": ({ card }) => `${card}, just drawn`,
    "card.fallen": ({ card }) => `${card}, just fallen`,
    "line.label": ({ n }) => `mainline, ${ENGLISH["count.cards"]({ n })}`,
    "line.string": ({ n }) => `a string of ${n}`,
    "line.below": ({ card }) => `rejected after ${card}`,
    "line.marker": "the prophet's marker",
    "verdict.right": "right",
    "verdict.wrong": "wrong",
    "count.cards": counted("card"),
    "count.points": counted("point"),
    "count.seats": counted("seat"),
    "count.right": ({ n }) => `${n} right`,
    "count.wrong": ({ n }) => `${n} wrong`,
    "count.stock": ({ n }) => `stock ${n}`,
    "count.stock.reserve": ({ n, reserve }) => `stock ${n} and ${reserve} in reserve`,
    "count.stage": ({ stage }) => `stage ${stage}`,
    "count.turns_left": ({ n }) => `${counted("turn")({ n })} left`,
    "count.since": ({ right, wrong }) => `${right} right, ${wrong} wrong since the prophet`,
    "count.danger": "a wrong play expels",
    "stated.open": "not judged yet",
    "seat.all": "seats",
    "seat.number": ({ seat }) => `seat ${seat}`,
    "seat.dealer": "the dealer",
    "seat.mistakes": "mistake cards",
    "mark.dealer": "dealer",
    "mark.prophet": "prophet",
    "mark.was prophet": "was prophet",
    "mark.expelled": "expelled",
    "mark.emptied the hand": "emptied the hand",
    "mark.no card left": "no card left",
    "mark.stated the rule": "stated the rule",
  };
  const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const PIPS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  const TEXT = "\uFE0E"; // asks for the glyph of the font, not for a coloured picture
  const ORDER = Object.keys(PIPS).flatMap((suit) => RANKS.map((rank) => rank + suit));

  const rankOf = (card) => card.slice(0, -1);
  const suitOf = (card) => card.slice(-1);
  const isRed = (card) => "DH".includes(suitOf(card));
  const printed = (card) => rankOf(card) + PIPS[suitOf(card)];

  /** Order cards by suit and rank. */
  const sorted = (cards) => [...cards].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));

  const nothing = (value) => value === undefined || value === null || value === false;

  /** Make an element: its attributes, and children that are elements or texts; what is missing, null or false is left out. */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (!nothing(value)) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat().filter((child) => !nothing(child)));
    return made;
  }

  const inEnglish = (key, values) => (typeof ENGLISH[key] === "string" ? ENGLISH[key] : ENGLISH[key](values));

  /** Return what draws in the words of `say`. */
  function drawing(say) {
    /** Say a card: "seven of hearts". */
    const spoken = (card) => say("card.name", { rank: say(`rank.${rankOf(card)}`), suit: say(`suit.${suitOf(card)}`) });

    /** Say a card and what else there is to say of it: "card.rejected". */
    const noted = (card, note) => (note ? say(note, { card: spoken(card) }) : spoken(card));

    /** Draw a card as it lies on the table; it says its name, and what `note`, one of the keys, adds. */
    function card(text, { note = "", kind = "" } = {}) {
      const corner = element("span", { class: "corner" }, rankOf(text), element("i", {}, PIPS[suitOf(text)] + TEXT));
      const face = element("span", { class: "pip" }, PIPS[suitOf(text)] + TEXT);
      const classes = ["card", isRed(text) ? "red" : "black", "JQK".includes(rankOf(text)) ? "court" : "", kind];
      return element(
        "span",
        { class: classes.filter(Boolean).join(" "), role: "img", "aria-label": noted(text, note), "data-card": text },
        element("span", { "aria-hidden": "true" }, corner, face),
      );
    }

    /** Draw cards small, as one holds them or reads of them; those of `come` have just come, and say `note`. */
    function row(cards, come = [], note = "card.drawn") {
      const fresh = [...come];
      const made = cards.map((text) => {
        const at = fresh.indexOf(text);
        if (at >= 0) fresh.splice(at, 1);
        const classes = `small ${isRed(text) ? "red" : "black"}${at >= 0 ? " fresh" : ""}`;
        const label = noted(text, at >= 0 && note);
        const face = element("span", { "aria-hidden": "true" }, rankOf(text) + PIPS[suitOf(text)] + TEXT);
        return element("span", { class: classes, role: "img", "aria-label": label, "data-card": text }, face);
      });
      return element("span", { class: "row" }, made);
    }

    /** Draw the word that goes with a verdict, for eyes that do not see its colour. */
    function verdict(right) {
      const word = right ? "right" : "wrong";
      return element("span", { class: `verdict ${word}`, "aria-hidden": "true" }, right ? "✓ " : "✗ ", say(`verdict.${word}`));
    }

    const token = () =>
      element("span", { class: "token", role: "img", "aria-label": say("line.marker"), title: say("line.marker") }, "★");

    /** Draw a rejected attempt: its cards held together, and whether it fell just now. */
    function branch(cards, { fresh = false, marked = false } = {}) {
      const each = cards.map((text) => card(text, { note: "card.rejected", kind: fresh ? "fresh" : "" }));
      const several = cards.length > 1;
      return element(
        "li",
        { class: `branch${several ? " string" : ""}`, "aria-label": several ? say("line.string", { n: cards.length }) : null },
        element("span", { class: "cards" }, each),
        fresh && verdict(false),
        marked && token(),
      );
    }

    /** Draw the mainline with all that hangs below it and lies above it.

        marker: where the prophet's marker lies: {column, branch}, branch null on the mainline; null: nowhere.
        fresh: what has just come to lie there, at the end: {joined: cards of the line, hung: whether a branch, judged:
        whether somebody said of the cards that they are right}. */
    function line(columns, { marker = null, fresh = { joined: 0, hung: false, judged: false } } = {}) {
      const made = columns.map((column, at) => {
        const isFresh = at >= columns.length - fresh.joined;
        const here = marker !== null && marker.column === at ? marker : null;
        const next = columns[at + 1];
        const together = `${column.together ? " after" : ""}${next && next.together ? " before" : ""}`;
        const below = column.below.map((cards, index) =>
          branch(cards, {
            fresh: fresh.hung && at === columns.length - 1 && index === column.below.length - 1,
            marked: here !== null && here.branch === index,
          }),
        );
        const note = together ? "card.in_string" : "";
        return element(
          "li",
          { class: `column${together}` },
          element("span", { class: "above" }, column.above.map((hand) => row(hand))),
          element(
            "span",
            { class: "place-of" },
            element("span", { class: "number", "aria-hidden": "true" }, String(at)),
            element(
              "span",
              { class: "accepted" },
              card(column.card, { note, kind: isFresh ? "fresh" : "" }),
              isFresh && fresh.judged && next === undefined && verdict(true),
              here !== null && here.branch === null && token(),
            ),
          ),
          below.length > 0 && element("ul", { class: "below", "aria-label": noted(column.card, "line.below") }, below),
        );
      });
      return element("ol", { class: "line", start: "0", "aria-label": say("line.label", { n: columns.length }) }, made);
    }

    /** Draw how many cards lie where, and what else is counted. */
    function counts({ columns, mistakes, stock, reserve, stage, turns, since, danger }) {
      const wrong = [...columns.flatMap((column) => column.below), ...mistakes].flat().length;
      const each = [
        say("count.right", { n: columns.length }),
        say("count.wrong", { n: wrong }),
        reserve ? say("count.stock.reserve", { n: stock, reserve }) : say("count.stock", { n: stock }),
        stage > 1 && say("count.stage", { stage }),
        turns !== null && say("count.turns_left", { n: turns }),
        since !== null && say("count.since", { right: since[0], wrong: since[1] }),
        danger && say("count.danger"),
      ];
      return element("p", { class: "counts" }, each.filter(Boolean).join(" · "));
    }

    /** Draw what lies before a judge: cards, a hand or a rule. `what` says whose it is, `said` what the prophet said. */
    function judgement({ what, cards, hand, rule, said }) {
      const shown = cards ? element("span", { class: "before-judge" }, cards.map((text) => card(text))) : hand && row(hand);
      const lines = [element("p", {}, what), rule ? element("code", {}, rule) : shown, said && element("p", {}, said)];
      return element("div", { class: "judgement" }, lines);
    }

    /** Draw a rule that was stated; `what` says by whom, `right` is null until that is known. */
    function stated({ what, rule, right }) {
      const judged = right === null ? [element("span", {}, say("stated.open"))] : [verdict(right), unseen(right)];
      return element("div", { class: "stated" }, element("p", {}, what, " ", element("code", {}, rule)), judged);
    }

    const unseen = (right) => element("span", { class: "unseen" }, say(right ? "verdict.right" : "verdict.wrong"));

    const chip = (mark) =>
      element("span", { class: `chip ${mark.replaceAll(" ", "-")}` }, mark === "prophet" && "★ ", say(`mark.${mark}`));

    /** Draw who sits at the table, with their cards. */
    function seats(all, dealer) {
      const made = all.map((each) => {
        const isDealer = each.seat === dealer;
        const name = each.name || (isDealer ? say("seat.dealer") : "");
        const size = each.size === 0 && isDealer ? null : say("count.cards", { n: each.size });
        const points = each.points === null ? null : say("count.points", { n: each.points });
        const words = isDealer && each.name ? ["dealer", ...each.marks] : each.marks;
        return element(
          "li",
          { class: `seat${each.asked ? " asked" : ""}`, "data-seat": String(each.seat), "aria-current": each.asked },
          element(
            "div",
            { class: "who" },
            element("span", { class: "place" }, each.asked ? "▸ " : "", say("seat.number", { seat: each.seat })),
            element("b", { title: name }, name),
            words.map(chip),
            element("span", { class: "held" }, [points, size].filter((held) => held !== null).join(", ")),
          ),
          each.hand !== null && each.hand.length > 0 && row(sorted(each.hand), each.drawn),
          each.mistakes.length > 0 &&
            element("div", { class: "mistakes" }, say("seat.mistakes"), " ", row(each.mistakes, each.fallen, "card.fallen")),
        );
      });
      return element("ul", { class: "seats", "aria-label": say("seat.all") }, made);
    }

    return { card, row, line, counts, judgement, stated, seats, chip, verdict, spoken, say };
  }

  return { ...drawing(inEnglish), in: drawing, element, sorted, printed, isRed, english: Object.keys(ENGLISH) };
})();
