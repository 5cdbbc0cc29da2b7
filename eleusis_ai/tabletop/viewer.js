"use strict";
/* Steps through the rounds of a page. A round is the table as it was dealt and what each step changes (`steps.py` tells
   the names); here it is unfolded into the tables after each step, and drawn by EleusisTable. */
const EleusisViewer = (() => {
  const { element } = EleusisTable;
  const PAUSE = 1400; // milliseconds from one step to the next while it plays by itself
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const ENGLISH = {
    "viewer.round": ({ place }) => `Round ${place}`,
    "viewer.who": ({ seat, name }) => (name ? `seat ${seat} (${name})` : `seat ${seat}`),
    "viewer.asked.play": ({ who }) => `${capital(who)} is to play.`,
    "viewer.asked.danger": ({ who }) => `${capital(who)} is to play, and a wrong play expels.`,
    "viewer.asked.after turn": ({ who }) => `${capital(who)} may become prophet.`,
    "viewer.asked.state rule": ({ who }) => `${capital(who)} may state the rule.`,
    "viewer.asked.call": ({ who }) => `The prophet, ${who}, is to judge.`,
    "viewer.asked.truth": ({ who }) => `The dealer, ${who}, is to judge.`,
    "viewer.asked.pick": ({ who }) => `The dealer, ${who}, is to choose a legal card of the hand that was shown.`,
    "viewer.lays": ({ who }) => `${capital(who)} lays, to be judged:`,
    "viewer.mistakes": ({ who }) => `${capital(who)}'s mistake cards:`,
    "viewer.shows": ({ who }) => `${capital(who)} shows the hand:`,
    "viewer.call": ({ call }) => `The prophet says ${call}.`,
    "viewer.stated": ({ who }) => `${capital(who)} stated:`,
    "viewer.rule": "The secret rule",
    "viewer.by_hand": "The dealer judged by hand, with a rule on paper.",
    "viewer.first_card": "first card:",
    "viewer.hint": ({ hint }) => `The dealer's hint: ${hint}`,
    "viewer.dealt": ({ moves }) => `as dealt of ${moves}`,
    "viewer.move": ({ move, moves }) => `move ${move} of ${moves}`,
    "viewer.play": "Play",
    "viewer.pause": "Pause",
  };

  /** What the viewer says, and how; `speak` puts other words in its place. */
  let tongue = {
    drawer: EleusisTable,
    say: (key, values) => (typeof ENGLISH[key] === "string" ? ENGLISH[key] : ENGLISH[key](values)),
    told: (round, table) => [
      ...table.said.map((text) => sentence(round, text)),
      table.note && element("p", { class: "note" }, `${capital(table.note)}.`),
    ],
    call: (call) => call.replace(/(\d+|[AJQK])([CDHS])\b/, (_, rank, suit) => rank + PIPS[suit]),
    words: (round) => round.words,
    hint: (round) => round.hint,
    name: (agent) => agent,
    beside: () => null,
  };
  const say = (key, values) => tongue.say(key, values);

  // From steps to tables.

  const cardsOf = (text) => (text ? text.split(" ") : []);

  /** Read a change such as "-7H+3S 4D" and carry it out: [what is left, what went, what came]. */
  function changed(cards, change) {
    const [, gone, come] = /^(?:-([^+]*))?(?:\+(.*))?$/.exec(change);
    const went = gone === "*" ? cards : cardsOf(gone);
    const left = [...cards];
    for (const card of went) left.splice(left.indexOf(card), 1);
    const came = cardsOf(come);
    return [left.concat(came), went, came];
  }

  /** Return the table as it was dealt. */
  function dealt(round) {
    return {
      reserve: 0, danger: false, marker: null, since: null, stage: 1, turns: null, stated: [], points: null,
      ...round.table,
      marks: round.table.marks || {},
      columns: cardsOf(round.line).map((card) => ({ card, together: false, below: [], above: [] })),
      hands: round.hands.map(cardsOf),
      mistakes: round.hands.map(() => []),
      drawn: {},
      fallen: {},
      fresh: { joined: 0, hung: false, judged: false },
      verdict: null,
      pending: null,
      said: round.said.map((place) => round.say[place]),
      note: "",
      first: 0,
      last: 0,
    };
  }

  /** Return the table after a step; the one before it stays as it is. */
  function after(round, before, step) {
    const actor = parseInt(before.asked, 10);
    const table = { ...before, hands: [...before.hands], mistakes: [...before.mistakes], drawn: {}, fallen: {}, note: step.note || "" };
    const words = { "@": `eat ${actor}`, $: printed(before.hands[actor]) };
    let went = [];
    for (const [seat, change] of [[actor, step.h || ""], ...Object.entries(step.o || {})]) {
      const [hand, gone, come] = changed(table.hands[seat], change);
      table.hands[seat] = hand;
      table.drawn[seat] = come;
      table.stock -= come.length;
      if (change.startsWith("-*")) continue;
      if (gone.length) words["#"] ??= printed(gone);
      if (gone.length && !went.length) went = gone;
    }
    const others = Object.keys(step.o || {});
    if (others.length === 1) words["^"] = `eat ${others[0]}`;
    for (const seat of [actor, ...others]) {
      const come = table.drawn[seat];
      if (come.length) words["~"] ??= `${come.length}: ${printed(come)}`;
    }
    for (const [seat, change] of Object.entries(step.m || {})) {
      const [cards, , come] = changed(table.mistakes[seat], change);
      table.mistakes[seat] = cards;
      table.fallen[seat] = come;
    }

    const judged = step.h && went.length ? went : before.pending && before.pending.cards ? before.pending.cards : went;
    const joined = typeof step.l === "string" ? cardsOf(step.l) : judged.slice(0, step.l || 0);
    const hung = typeof step.b === "string" ? cardsOf(step.b) : step.b ? judged.slice(joined.length) : [];
    table.columns = lain(before.columns, joined, hung, cardsOf(step.a));
    table.verdict = step.v !== undefined ? step.v : hung.length ? false : joined.length ? true : null;
    table.fresh = { joined: joined.length, hung: hung.length > 0, judged: true };
    table.pending = pending(step.p, before.hands[actor], went, actor);

    for (const name of ["stock", "reserve", "danger", "marker", "since", "stage", "turns", "stated", "points"]) {
      if (name in step) table[name] = step[name];
    }
    if ("q" in step) table.asked = step.q;
    if (step.marks) table.marks = { ...before.marks, ...step.marks };
    table.said = [step.t ?? []].flat().map((place) => round.say[place].replace(/[@^#~$]/g, (sign) => words[sign] ?? sign));
    table.first = before.last + 1;
    table.last = before.last + (step.n || 1);
    return table;
  }

  function lain(columns, joined, hung, above) {
    const all = [...columns];
    joined.forEach((card, at) => all.push({ card, together: at > 0, below: [], above: [] }));
    if (hung.length || above.length) {
      const end = { ...all[all.length - 1] };
      if (hung.length) end.below = [...end.below, hung];
      if (above.length) end.above = [...end.above, above];
      all[all.length - 1] = end;
    }
    return all;
  }

  function pending(told, hand, laid, actor) {
    if (told === undefined) return null;
    if (told === "#") return { seat: actor, cards: laid };
    if (told === "$") return { seat: actor, hand };
    return { ...told, cards: told.cards && cardsOf(told.cards), hand: told.hand && cardsOf(told.hand) };
  }

  const PIPS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  const printed = (cards) => cards.map((card) => card.slice(0, -1) + PIPS[card.slice(-1)]).join(" ");

  function unfolded(round) {
    const tables = [dealt(round)];
    for (const step of round.steps) tables.push(after(round, tables[tables.length - 1], step));
    return tables;
  }

  // Words.

  const nameOf = (round, seat) => (round.agents && round.agents[seat] && tongue.name(round.agents[seat])) || "";
  const seatOf = (round, seat) => say("viewer.who", { seat, name: nameOf(round, seat) });
  /** Make a sentence's elements: cards in the colour of their suit, seats with their names. */
  function sentence(round, text) {
    const parts = text.split(/((?:10|[2-9AJQK])[♣♦♥♠]|\b[Ss]eat \d+\b)/);
    const made = parts.map((part, at) => {
      if (at % 2 === 0) return part;
      if (/^[Ss]eat/.test(part)) return part + seatOf(round, Number(part.slice(5))).slice(part.length);
      return element("span", { class: /[♦♥]/.test(part) ? "said-red" : "said-card" }, part);
    });
    return element("p", {}, made);
  }

  /** Say whose move it is. */
  function asked(round, table) {
    const [, seat, kind = "play"] = /^(\d+)(?: (.*))?$/.exec(table.asked);
    const who = seatOf(round, Number(seat));
    if (kind === "call" && Number(seat) === round.dealer) return say("viewer.asked.truth", { who });
    return say(`viewer.asked.${kind === "play" && table.danger ? "danger" : kind}`, { who });
  }

  // Drawing.

  const at = (id) => document.getElementById(`viewer-${id}`);
  const dialog = document.getElementById("viewer");
  let shown = null; // {place, round, tables, step}
  let playing = null;
  let looking = 0;

  function drawFelt(round, table) {
    const { drawer } = tongue;
    const marker = table.marker === null ? null : table.marker.split(".").map(Number);
    return [
      drawer.counts(table),
      drawer.line(table.columns, {
        marker: marker && { column: marker[0], branch: marker.length > 1 ? marker[1] : null },
        fresh: { ...table.fresh, judged: table.verdict !== null },
      }),
      ...(table.pending === null ? [] : [judgement(round, table)]),
      ...table.stated.map(({ seat, rule, right = null }) =>
        drawer.stated({ what: say("viewer.stated", { who: seatOf(round, seat) }), rule, right }),
      ),
    ];
  }

  /** Draw what lies before a judge. */
  function judgement(round, { pending: { seat, cards, hand, rule, call }, stage }) {
    const key = cards ? "viewer.lays" : rule ? "viewer.stated" : stage > 1 ? "viewer.mistakes" : "viewer.shows";
    const what = say(key, { who: seatOf(round, seat) });
    return tongue.drawer.judgement({ what, cards, hand, rule, said: call && say("viewer.call", { call: tongue.call(call) }) });
  }

  function drawSide(round, table) {
    const asking = parseInt(table.asked, 10);
    const seats = round.hands.map((_, seat) => ({
      seat,
      name: nameOf(round, seat),
      marks: table.marks[seat] || [],
      hand: table.hands[seat],
      size: table.hands[seat].length,
      drawn: table.drawn[seat] || [],
      mistakes: table.mistakes[seat],
      fallen: table.fallen[seat] || [],
      asked: seat === asking,
      points: table.points === null ? null : table.points[seat],
    }));
    return tongue.drawer.seats(seats, round.dealer);
  }

  function drawRule(round) {
    const facts = [
      round.rule === undefined || round.rule === null
        ? element("p", { class: "words" }, say("viewer.by_hand"))
        : [element("p", { class: "words" }, tongue.words(round)), element("p", {}, element("code", {}, round.rule))],
      round.starter && element("p", {}, say("viewer.first_card"), " ", element("code", {}, round.starter)),
      round.hint && element("p", {}, say("viewer.hint", { hint: tongue.hint(round) })),
    ];
    return element("details", { class: "rule", open: true }, element("summary", {}, say("viewer.rule")), facts.flat());
  }

  /** Draw what stays the same from step to step. */
  function drawFrame() {
    const { place, round } = shown;
    at("title").textContent = round.key ? capital(round.key) : say("viewer.round", { place });
    at("about").textContent = `${round.profile} · ${tongue.drawer.say("count.seats", { n: round.seats })}`;
    at("side").replaceChildren(drawRule(round));
  }

  function draw() {
    const { round, tables, step } = shown;
    const table = tables[step];
    const lines = tongue.told(round, table).filter(Boolean);
    const mark = table.verdict === null ? null : tongue.drawer.verdict(table.verdict);
    if (table.asked !== null) lines.push(element("p", { class: "asked" }, asked(round, table)));
    at("said").replaceChildren(...(mark === null ? [] : [mark]), element("div", {}, lines));
    at("felt").replaceChildren(...drawFelt(round, table));
    at("felt").dataset.moves = table.last;
    for (const each of at("side").querySelectorAll(".seats, .beliefs")) each.remove();
    at("side").append(...[tongue.beside(round, table), drawSide(round, table)].filter(Boolean));
    const moves = tables[tables.length - 1].last;
    at("place").textContent = step === 0 ? say("viewer.dealt", { moves }) : say("viewer.move", { move: table.first, moves });
    at("slider").max = tables.length - 1;
    at("slider").value = step;
    at("slider").setAttribute("aria-valuetext", at("place").textContent);
    for (const id of ["first", "back"]) at(id).setAttribute("aria-disabled", String(step === 0));
    for (const id of ["on", "last"]) at(id).setAttribute("aria-disabled", String(step === tables.length - 1));
    cancelAnimationFrame(looking);
    looking = requestAnimationFrame(lookAtNewest);
  }

  /** Scroll to what has just happened; once a frame, since it makes the browser lay out the table. */
  function lookAtNewest() {
    const cards = at("felt").querySelectorAll(".card");
    const newest = at("felt").querySelector(".judgement, .stated:last-child") || cards[cards.length - 1];
    newest?.scrollIntoView({ block: "nearest" });
  }

  // Stepping.

  function go(step, { hash = true } = {}) {
    shown.step = Math.max(0, Math.min(step, shown.tables.length - 1));
    draw();
    const table = shown.tables[shown.step];
    if (hash) history.replaceState(null, "", `#round-${shown.place}${table.first ? `/${table.first}` : ""}`);
    if (shown.step === shown.tables.length - 1) pause();
  }

  function pause() {
    clearInterval(playing);
    playing = null;
    at("play-word").textContent = say("viewer.play");
    at("play").firstElementChild.textContent = "▶";
  }

  function play() {
    if (playing !== null) return pause();
    if (shown.step === shown.tables.length - 1) go(0);
    playing = setInterval(() => go(shown.step + 1), PAUSE);
    at("play-word").textContent = say("viewer.pause");
    at("play").firstElementChild.textContent = "❚❚";
  }

  const act = (id) =>
    ({
      first: () => go(0),
      back: () => go(shown.step - 1),
      play,
      on: () => go(shown.step + 1),
      last: () => go(shown.tables.length - 1),
    })[id]();
  const BUTTONS = ["first", "back", "play", "on", "last"];
  const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", " ": "play" };

  function onKey(event) {
    if (shown === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const id = KEYS[event.key];
    const pressing = event.key === " " && event.target.closest("button, summary");
    if (id === undefined || pressing) return;
    event.preventDefault();
    if (id !== "on" && id !== "play") pause();
    act(id);
  }

  // Opening and closing.

  let rounds = null;
  function roundAt(place) {
    rounds ??= JSON.parse(document.getElementById("rounds")?.textContent || "{}");
    return Object.hasOwn(rounds, place) ? rounds[place] : null;
  }

  function open(place, move) {
    const round = roundAt(place);
    if (round === null) return;
    if (shown === null || shown.place !== place) {
      pause();
      shown = { place, round, tables: unfolded(round), step: 0 };
      drawFrame();
      at("felt").scrollTop = at("side").scrollTop = 0;
    }
    if (!dialog.open) {
      dialog.showModal();
      at("felt").focus(); // an Enter that opened it and is still held must not press a button
    }
    const wanted = shown.tables.findLastIndex((table) => table.first <= move);
    go(wanted, { hash: false });
  }

  function follow() {
    const match = /^#round-(\d+)(?:\/(\d+))?$/.exec(location.hash);
    if (match && roundAt(match[1]) !== null) open(match[1], Number(match[2] || 0));
    else if (dialog.open) dialog.close();
  }

  dialog.addEventListener("close", () => {
    pause();
    shown = null;
    if (/^#round-/.test(location.hash)) history.replaceState(null, "", location.href.split("#")[0] + "#");
    at("felt").replaceChildren();
    at("side").replaceChildren();
    at("said").replaceChildren();
  });
  dialog.addEventListener("keydown", onKey);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  at("close").addEventListener("click", () => dialog.close());
  for (const id of BUTTONS) {
    at(id).addEventListener("click", () => {
      if (id !== "play") pause();
      act(id);
    });
  }
  at("slider").addEventListener("input", () => {
    pause();
    go(Number(at("slider").value));
  });
  addEventListener("hashchange", follow);
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", follow);
  else follow();

  return {
    /** Tell whether the page has the round of that place. */
    has: (place) => roundAt(place) !== null,
    /** Add a round to those of the page; if its address is open, so is the round. */
    take(place, round) {
      roundAt(place);
      rounds[place] = round;
      follow();
    },
    /** Say what it says in other words from now on: functions in place of those of `tongue`. */
    speak(words) {
      tongue = { ...tongue, ...words };
      if (shown === null) return;
      drawFrame();
      draw();
    },
  };
})();
