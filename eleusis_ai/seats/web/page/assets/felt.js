/* What lies on the table: the line, what waits for a judge, and the counts. */

import { callSaid, hintSaid } from "./teller.js";

const { element } = EleusisTable;
const STEP = 0.9; // how much smaller the cards are at each try

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
  const line = drawer.line(table.line, { marker: table.marker, fresh: mistakesFall(table) ? { ...fresh, hung: false } : fresh });
  const shown = [
    element("p", { class: "counts" }, counts(at).join(" · ")),
    table.hint && element("p", { class: "hint" }, words.parts("news.Hinted", { hint: hintSaid(words, table.hint.text) })),
    line,
    ...judgement(at),
    ...table.stated.map((each) => stated(at, each)),
  ];
  felt.replaceChildren(...shown.filter(Boolean));
  fit(felt);
}

const mistakesFall = (table) => table.seats.some((seat) => seat.mistakes.length > 0);

function counts({ words, state }) {
  const { table } = state.public;
  const rejected = table.line.flatMap((column) => column.below).flat().length + table.seats.flatMap((seat) => seat.mistakes).length;
  return [
    words.say("count.right", { n: table.line.length }),
    words.say("count.wrong", { n: rejected }),
    table.reserve ? words.say("count.stock.reserve", { n: table.stock, reserve: table.reserve }) : words.say("count.stock", { n: table.stock }),
    table.stage > 1 && words.say("count.stage", { stage: table.stage }),
    table.turns !== null && words.say("count.turns_left", { n: table.turns }),
    table.since !== null && words.say("count.since", { right: table.since[0], wrong: table.since[1] }),
  ].filter(Boolean);
}

/** Draw what lies before a judge, and what the prophet said of it. */
function judgement(at) {
  const { words, drawer, state, who, cards } = at;
  const { pending } = state.public.table;
  if (pending === null) return [];
  const person = pending.seat === at.you ? "you" : "they";
  const key = pending.rule ? "states" : pending.cards ? "lays" : state.public.table.stage > 1 ? "mistakes" : "shows";
  const shown = pending.cards
    ? element("span", { class: "before-judge" }, pending.cards.split(" ").map((card) => drawer.card(card)))
    : pending.hand && drawer.row(EleusisTable.sorted(pending.hand.split(" ")));
  return [
    element(
      "div",
      { class: "judgement" },
      element("p", {}, words.parts(`judgement.${key}.${person}`, { who: who(pending.seat) })),
      pending.rule ? element("code", {}, pending.rule) : shown,
      pending.call && element("p", {}, words.parts("judgement.call", { call: callSaid(words, cards, pending.call) })),
    ),
  ];
}

function stated({ words, drawer, who, you }, { seat, rule, right }) {
  const key = `stated.${seat === you ? "you" : "they"}`;
  return element(
    "div",
    { class: "stated" },
    element("p", {}, words.parts(key, { who: who(seat) }), " ", element("code", {}, rule)),
    right === undefined || right === null ? element("span", {}, words.say("stated.open")) : drawer.verdict(right),
    right !== undefined && right !== null && element("span", { class: "unseen" }, words.say(right ? "verdict.right" : "verdict.wrong")),
  );
}

/** Choose the largest cards that fit, down to a size that can still be read; then the newest are scrolled to. */
export function fit(felt) {
  const rems = (name) => parseFloat(getComputedStyle(felt).getPropertyValue(name));
  const [largest, smallest] = [rems("--largest"), rems("--smallest")];
  for (let size = largest; ; size = Math.max(smallest, size * STEP)) {
    felt.style.setProperty("--card", `${size}rem`);
    if (size === smallest || felt.scrollHeight <= felt.clientHeight) break;
  }
  lookAtNewest(felt);
}

function lookAtNewest(felt) {
  const columns = felt.querySelectorAll(".column");
  const newest = felt.querySelector(".stated:last-child, .judgement") ?? [...(columns[columns.length - 1]?.querySelectorAll(".card") ?? [])].at(-1);
  if (!newest) return;
  const [box, frame] = [newest.getBoundingClientRect(), felt.getBoundingClientRect()];
  if (box.bottom > frame.bottom) felt.scrollTop += box.bottom - frame.bottom + 14;
  else if (box.top < frame.top) felt.scrollTop += box.top - frame.top - 14;
}
