/* What lies on the table: the line, what waits for a judge, and the counts. */

import { callSaid, hintSaid } from "./teller.js";

const { element } = EleusisTable;
const SIZES = 16; // how many sizes of cards there are to choose from

/** Return what has just come to lie at the end of the line, by the news of an entry; null: nothing has. */
export function freshBy(news) {
  const fresh = { joined: 0, hung: false, judged: false };
  for (const event of news) {
    if (event.event === "AttemptJudged") {
      const cards = event.cards.split(" ").length;
      fresh.joined = event.right ? cards : event.prefix ?? 0;
      fresh.hung = !event.right;
      fresh.judged = true;
    } else if (event.event === "Picked" && event.played) {
      fresh.joined = 1;
      fresh.judged = true;
    }
  }
  return fresh.judged ? fresh : null;
}

/** Draw the table of a state. at: {words, drawer, state, fresh, who, cards, you}. */
export function drawFelt(felt, at) {
  const { words, drawer, state, fresh } = at;
  const { table } = state.public;
  const mistakes = table.seats.map((seat) => seat.mistakes);
  const fell = mistakes.flat().length > 0; // wrong cards do not hang below the line
  const hint = table.hint && hintSaid(words, table.hint.text);
  const shown = [
    drawer.counts({ ...table, columns: table.line, mistakes }),
    table.hint && element("p", { class: "hint" }, words.parts("news.Hinted", { hint })),
    drawer.line(table.line, { marker: table.marker, fresh: fell ? { ...fresh, hung: false } : fresh }),
    table.pending && judgement(at, table.pending),
    ...table.stated.map((each) => stated(at, each)),
  ];
  felt.replaceChildren(...shown.filter(Boolean));
}

/** Draw the starters that a dealer who judges by hand has found, and the card that is turned. */
export function drawStarters(felt, { words, drawer, state }) {
  const { card, laid } = state.private.starter;
  const line = laid.map((each) => ({ card: each, together: false, below: [], above: [] }));
  felt.replaceChildren(drawer.line(line), drawer.judgement({ what: words.say("starter.turned"), cards: [card] }));
}

const person = (seat, you) => (seat === you ? "you" : "they");

/** Draw what lies before a judge, and what the prophet said of it. */
function judgement({ words, drawer, state, who, cards: written, you }, { seat, cards, hand, rule, call }) {
  const key = rule ? "states" : cards ? "lays" : state.public.table.stage > 1 ? "mistakes" : "shows";
  return drawer.judgement({
    what: words.parts(`judgement.${key}.${person(seat, you)}`, { who: who(seat) }),
    cards: cards?.split(" "),
    hand: hand && EleusisTable.sorted(hand.split(" ")),
    rule,
    said: call && words.parts("judgement.call", { call: callSaid(words, written, call) }),
  });
}

const stated = ({ words, drawer, who, you }, { seat, rule, right = null }) =>
  drawer.stated({ what: words.parts(`stated.${person(seat, you)}`, { who: who(seat) }), rule, right });

/** Choose the largest cards that fit, down to a size that can still be read; then the newest are scrolled to. */
export function fit(felt) {
  const rems = (name) => parseFloat(getComputedStyle(felt).getPropertyValue(name));
  const [largest, smallest] = [rems("--largest"), rems("--smallest")];
  const step = (largest - smallest) / (SIZES - 1);
  const take = (size) => felt.style.setProperty("--card", `${smallest + step * size}rem`);
  let [fits, tooLarge] = [0, SIZES];
  while (tooLarge - fits > 1) {
    const middle = tooLarge === SIZES ? SIZES - 1 : Math.floor((fits + tooLarge) / 2);
    take(middle);
    if (felt.scrollHeight <= felt.clientHeight) fits = middle;
    else tooLarge = middle;
  }
  take(fits);
  lookAtNewest(felt);
}

function lookAtNewest(felt) {
  const columns = felt.querySelectorAll(".column");
  const laid = columns[columns.length - 1]?.querySelectorAll(".card") ?? [];
  const newest = felt.querySelector(".stated:last-child, .judgement") ?? laid[laid.length - 1];
  if (!newest) return;
  const [box, frame] = [newest.getBoundingClientRect(), felt.getBoundingClientRect()];
  if (box.bottom > frame.bottom) felt.scrollTop += box.bottom - frame.bottom + 14;
  else if (box.top < frame.top) felt.scrollTop += box.top - frame.top - 14;
}
