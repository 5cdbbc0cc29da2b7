/* The replay of a round in the player's language, and beside it what each AI player believed at each moment. */

import { callSaid, hintSaid, told } from "./teller.js";

const { element } = EleusisTable;

/** Let the viewer speak. at: {words, drawer, cards(text) -> elements, worded(texts) -> text}. */
export function speak({ words, drawer, cards, worded }) {
  const name = (round, seat) => nameIn(words, round, seat);
  EleusisViewer.speak({
    drawer,
    say: words.say,
    name: (agent) => words.agent(agent),
    told: (round, { first, last, note }) => {
      const who = (seat) => element("b", { class: "name" }, name(round, seat));
      const lines = told(round.news.slice(first, last + 1).flat(), { words, cards, who, you: null });
      const missed = note && element("p", { class: "note" }, words.say("viewer.note"));
      return [...lines.map((line) => element("p", {}, line)), missed];
    },
    call: (call) => callSaid(words, cards, call).map((part) => part.textContent ?? part).join(""),
    words: (round) => worded(round.worded),
    hint: (round) => hintSaid(words, round.news[0].find((event) => event.event === "Hinted").hint),
    beside: (round, table) => beliefs({ words, worded }, round, table),
  });
}

/** Make the round of a chronicle as the viewer takes it. */
export function roundOf({ replay, words, beliefs: believed, news }) {
  return { ...replay, key: "", worded: words, beliefs: believed, news };
}

const nameIn = (words, { agents }, seat) => (agents[seat] ? words.agent(agents[seat]) : words.say("seat.number", { seat }));

/** Draw what each AI player thought: the last that is known of it, up to the move that comes next. */
function beliefs({ words, worded }, round, { last }) {
  const latest = new Map();
  for (const each of round.beliefs) if (each.move <= last + 1) latest.set(each.seat, each);
  if (round.beliefs.length === 0) return null;
  const seats = [...latest.values()].sort((one, other) => one.seat - other.seat);
  return element(
    "section",
    { class: "beliefs", "aria-label": words.say("viewer.beliefs") },
    element("h3", {}, words.say("viewer.beliefs")),
    seats.map(({ seat, move, rules }) =>
      element(
        "div",
        { class: move === last + 1 ? "thinking" : null },
        element("p", {}, element("b", {}, nameIn(words, round, seat))),
        element(
          "ul",
          {},
          rules.map(({ text, words: said, weight }) =>
            element("li", {}, element("b", {}, words.percent(weight)), element("span", {}, said ? worded(said) : text)),
          ),
        ),
      ),
    ),
    seats.length === 0 && element("p", {}, words.say("viewer.beliefs.none")),
  );
}
