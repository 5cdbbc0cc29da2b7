"use strict";
/* Draws what lies on a table of Eleusis. It knows cards and places, no rules of play, and keeps nothing: a page gives
   it a value and gets elements. Every text goes in as text, so that nobody's name or rule can be markup.

   A line is a list of columns, one a mainline card:
     {card: "7H", together: false, below: [["2C"], ["4S", "5S"]], above: [["3D", "8D"]]}
   together: whether the card was played in one string with the card before it; below: the rejected attempts, oldest
   first; above: hands that were shown. A seat is
     {seat: 2, name: "tree", marks: ["prophet"], hand: ["7H"] or null, size: 1, drawn: ["7H"], mistakes: [],
      fallen: [], asked: true, points: null}
   where hand is null if nobody may see it, and drawn and fallen hold the cards of hand and mistakes that are new. */
const EleusisTable = (() => {
  const RANKS = new Map([
    ["A", "ace"], ["2", "two"], ["3", "three"], ["4", "four"], ["5", "five"], ["6", "six"], ["7", "seven"],
    ["8", "eight"], ["9", "nine"], ["10", "ten"], ["J", "jack"], ["Q", "queen"], ["K", "king"],
  ]);
  const SUITS = new Map([["C", "clubs"], ["D", "diamonds"], ["H", "hearts"], ["S", "spades"]]);
  const PIPS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  const TEXT = "\uFE0E"; // asks for the glyph of the font, not for a coloured picture
  const ORDER = [...SUITS.keys()].flatMap((suit) => [...RANKS.keys()].map((rank) => rank + suit));

  const rankOf = (card) => card.slice(0, -1);
  const suitOf = (card) => card.slice(-1);
  const isRed = (card) => "DH".includes(suitOf(card));
  const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  /** Say a card: "seven of hearts". */
  const spoken = (card) => `${RANKS.get(rankOf(card))} of ${SUITS.get(suitOf(card))}`;

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

  /** Draw a card as it lies on the table; it says its name, and what `note` adds. */
  function card(text, { note = "", kind = "" } = {}) {
    const corner = element("span", { class: "corner" }, rankOf(text), element("i", {}, PIPS[suitOf(text)] + TEXT));
    const face = element("span", { class: "pip" }, PIPS[suitOf(text)] + TEXT);
    const classes = ["card", isRed(text) ? "red" : "black", "JQK".includes(rankOf(text)) ? "court" : "", kind];
    return element(
      "span",
      { class: classes.filter(Boolean).join(" "), role: "img", "aria-label": spoken(text) + note, "data-card": text },
      element("span", { "aria-hidden": "true" }, corner, face),
    );
  }

  /** Draw cards small, as one holds them or reads of them; those of `come` have just come, and say `note`. */
  function row(cards, come = [], note = ", just drawn") {
    const fresh = [...come];
    const made = cards.map((text) => {
      const at = fresh.indexOf(text);
      if (at >= 0) fresh.splice(at, 1);
      const classes = `small ${isRed(text) ? "red" : "black"}${at >= 0 ? " fresh" : ""}`;
      const label = spoken(text) + (at >= 0 ? note : "");
      const face = element("span", { "aria-hidden": "true" }, rankOf(text) + PIPS[suitOf(text)] + TEXT);
      return element("span", { class: classes, role: "img", "aria-label": label, "data-card": text }, face);
    });
    return element("span", { class: "row" }, made);
  }

  /** Draw the word that goes with a verdict, for eyes that do not see its colour. */
  const verdict = (right) =>
    element("span", { class: `verdict ${right ? "right" : "wrong"}`, "aria-hidden": "true" }, right ? "✓ right" : "✗ wrong");

  const token = () =>
    element("span", { class: "token", role: "img", "aria-label": "the prophet's marker", title: "the prophet's marker" }, "★");

  /** Draw a rejected attempt: its cards held together, and whether it fell just now. */
  function branch(cards, { fresh = false, marked = false } = {}) {
    const each = cards.map((text) => card(text, { note: ", rejected", kind: fresh ? "fresh" : "" }));
    const several = cards.length > 1;
    return element(
      "li",
      { class: `branch${several ? " string" : ""}`, "aria-label": several ? `a string of ${cards.length}` : null },
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
      const note = together ? ", of a string" : "";
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
            isFresh && fresh.judged && verdict(true),
            here !== null && here.branch === null && token(),
          ),
        ),
        below.length > 0 && element("ul", { class: "below", "aria-label": `rejected after ${spoken(column.card)}` }, below),
      );
    });
    return element("ol", { class: "line", start: "0", "aria-label": `mainline, ${count(columns.length, "card")}` }, made);
  }

  const chip = (word) => element("span", { class: `chip ${word.replaceAll(" ", "-")}` }, word === "prophet" ? "★ prophet" : word);

  /** Draw who sits at the table, with their cards. */
  function seats(all, dealer) {
    const made = all.map((each) => {
      const isDealer = each.seat === dealer;
      const name = each.name || (isDealer ? "the dealer" : "");
      const size = each.size === 0 && isDealer ? null : count(each.size, "card");
      const held = each.points === null ? size : `${count(each.points, "point")}${size === null ? "" : `, ${size}`}`;
      const words = isDealer && each.name ? ["dealer", ...each.marks] : each.marks;
      return element(
        "li",
        { class: `seat${each.asked ? " asked" : ""}`, "data-seat": String(each.seat), "aria-current": each.asked },
        element(
          "div",
          { class: "who" },
          element("span", { class: "place" }, each.asked ? "▸ " : "", `seat ${each.seat}`),
          element("b", { title: name }, name),
          words.map(chip),
          element("span", { class: "held" }, held),
        ),
        each.hand !== null && each.hand.length > 0 && row(sorted(each.hand), each.drawn),
        each.mistakes.length > 0 && element("div", { class: "mistakes" }, "mistake cards ", row(each.mistakes, each.fallen, ", just fallen")),
      );
    });
    return element("ul", { class: "seats", "aria-label": "seats" }, made);
  }

  return { element, card, row, line, seats, verdict, spoken, count };
})();
