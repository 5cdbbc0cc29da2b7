// A bot for Eleusis without any library: it remembers which colours were right after which.
// It reads what the table says, a JSON object a line, from standard input, and answers on standard output.
"use strict";

const color = (card) => ("DH".includes(card.slice(-1)) ? "red" : "black");

// How often each colour was right, and wrong, after each colour.
const counts = new Map();
let last = null;

function note(card, right) {
  const key = `${last} ${color(card)}`;
  const seen = counts.get(key) ?? { right: 0, wrong: 0 };
  seen[right ? "right" : "wrong"] += 1;
  counts.set(key, seen);
  if (right) last = color(card);
}

// Learn from an event, which is a sentence such as "attempt of seat 2 right: 7H".
function takeIn(event) {
  let match;
  if ((match = event.match(/^starter (\S+)/))) last = color(match[1]);
  else if ((match = event.match(/^attempt of seat \d+ (right|wrong): (\S+)$/))) note(match[2], match[1] === "right");
  else if ((match = event.match(/^(\S+) picked and played$/))) note(match[1], true);
  // Several cards at once: only what lies there now is remembered.
  else if ((match = event.match(/^attempt of seat \d+ right: .* (\S+)$/))) last = color(match[1]);
}

// The chance that a card is right now: a half, where nothing is known.
function hope(card) {
  const { right, wrong } = counts.get(`${last} ${color(card)}`) ?? { right: 0, wrong: 0 };
  return (right + 1) / (right + wrong + 2);
}

// A move; whatever stands in "legal" may be made.
function choose(decision, view) {
  const legal = decision.legal;
  if (decision.kind === "play") {
    const cards = legal.filter((move) => move !== "no play");
    return cards.reduce((best, card) => (hope(card) > hope(best) ? card : best));
  }
  if (decision.kind === "call" && view.attempt && !view.attempt.includes(" "))
    return hope(view.attempt) >= 0.5 ? legal[0] : legal[legal.length - 1];
  return legal.includes("pass") ? "pass" : legal[0];
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
let view = {};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const said = JSON.parse(line);
    if (said.type === "hello") say({ type: "hello", version: 1, name: "bot.js" });
    else if (said.type === "events") said.events.forEach(takeIn);
    else if (said.type === "view") view = said;
    else if (said.type === "decision") say({ type: "move", number: said.number, move: choose(said, view) });
    else if (said.type === "error") process.stderr.write(`${said.problem}\n`);
  });
