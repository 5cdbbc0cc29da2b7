"use strict";
/* Steps through the rounds of a page. A round is the table as it was dealt and what each step changes (`steps.py` tells
   the names); here it is unfolded into the tables after each step, and drawn by EleusisTable. */
const EleusisViewer = (() => {
  const { element } = EleusisTable;
  const PAUSE = 1400; // milliseconds from one step to the next while it plays by itself
  const ASKED = {
    "after turn": "may become prophet",
    call: "is to judge",
    pick: "is to choose a legal card of the hand that was shown",
    "state rule": "may state the rule",
  };

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

  const nameOf = (round, seat) => (round.agents && round.agents[seat]) || "";
  const seatOf = (round, seat) => `seat ${seat}${nameOf(round, seat) ? ` (${nameOf(round, seat)})` : ""}`;
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

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
    if (typeof table.asked === "number") {
      return `${capital(seatOf(round, table.asked))} is to play${table.danger ? ", and a wrong play expels" : ""}.`;
    }
    const [, seat, kind] = /^(\d+) (.*)$/.exec(table.asked);
    const role = Number(seat) === round.dealer ? "The dealer, " : kind === "call" ? "The prophet, " : "";
    const who = seatOf(round, Number(seat));
    return `${role ? role + who + "," : capital(who)} ${ASKED[kind]}.`;
  }

  // Drawing.

  const at = (id) => document.getElementById(`viewer-${id}`);
  const dialog = document.getElementById("viewer");
  let shown = null; // {place, round, tables, step}
  let playing = null;
  let looking = 0;

  function drawFelt(round, table) {
    const marker = table.marker === null ? null : table.marker.split(".").map(Number);
    const accepted = table.columns.length;
    const rejected = [...table.columns.flatMap((column) => column.below), ...table.mistakes].flat().length;
    const counts = [
      `${accepted} right`,
      `${rejected} wrong`,
      `stock ${table.stock}${table.reserve ? ` and ${table.reserve} in reserve` : ""}`,
      table.stage > 1 && `stage ${table.stage}`,
      table.turns !== null && `${EleusisTable.say("count.turns", { n: table.turns })} left`,
      table.since !== null && `${table.since[0]} right, ${table.since[1]} wrong since the prophet`,
      table.danger && "a wrong play expels",
    ];
    return [
      element("p", { class: "counts" }, counts.filter(Boolean).join(" · ")),
      EleusisTable.line(table.columns, {
        marker: marker && { column: marker[0], branch: marker.length > 1 ? marker[1] : null },
        fresh: { ...table.fresh, judged: table.verdict !== null },
      }),
      ...judgement(round, table),
      ...table.stated.map((each) => stated(round, each)),
    ];
  }

  /** Draw what lies before a judge. */
  function judgement(round, table) {
    if (table.pending === null) return [];
    const { seat, cards, hand, call } = table.pending;
    const who = capital(seatOf(round, seat));
    const what = cards ? `${who} lays, to be judged:` : table.stage > 1 ? `${who}'s mistake cards:` : `${who} shows the hand:`;
    const said = call && call.replace(/(\d+|[AJQK])([CDHS])\b/, (_, rank, suit) => rank + PIPS[suit]);
    return [
      element(
        "div",
        { class: "judgement" },
        element("p", {}, what),
        cards ? element("span", { class: "laid" }, cards.map((card) => EleusisTable.card(card))) : EleusisTable.row(hand),
        said && element("p", {}, `The prophet says ${said}.`),
      ),
    ];
  }

  const stated = (round, { seat, rule, right }) =>
    element(
      "div",
      { class: "stated" },
      element("p", {}, `${capital(seatOf(round, seat))} stated: `, element("code", {}, rule)),
      right === undefined ? element("span", {}, "not judged yet") : EleusisTable.verdict(right),
    );

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
    return EleusisTable.seats(seats, round.dealer);
  }

  function drawRule(round) {
    const facts = [
      round.rule === undefined || round.rule === null
        ? element("p", { class: "words" }, "The dealer judged by hand, with a rule on paper.")
        : [element("p", { class: "words" }, round.words), element("p", {}, element("code", {}, round.rule))],
      round.starter && element("p", {}, "first card: ", element("code", {}, round.starter)),
      round.hint && element("p", {}, `The dealer's hint: ${round.hint}`),
    ];
    return element("details", { class: "rule", open: true }, element("summary", {}, "The secret rule"), facts.flat());
  }

  function draw() {
    const { round, tables, step } = shown;
    const table = tables[step];
    const lines = table.said.map((text) => sentence(round, text));
    if (table.note) lines.push(element("p", { class: "note" }, capital(table.note) + "."));
    const mark = table.verdict === null ? null : EleusisTable.verdict(table.verdict);
    if (table.asked !== null) lines.push(element("p", { class: "asked" }, asked(round, table)));
    at("said").replaceChildren(...(mark === null ? [] : [mark]), element("div", {}, lines));
    at("felt").replaceChildren(...drawFelt(round, table));
    at("felt").dataset.moves = table.last;
    at("side").querySelector(".seats")?.remove();
    at("side").append(drawSide(round, table));
    const place = step === 0 ? "as dealt" : `move ${table.first}`;
    const moves = tables[tables.length - 1].last;
    at("place").textContent = `${place} of ${moves}`;
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
    at("play-word").textContent = "Play";
    at("play").firstElementChild.textContent = "▶";
  }

  function play() {
    if (playing !== null) return pause();
    if (shown.step === shown.tables.length - 1) go(0);
    playing = setInterval(() => go(shown.step + 1), PAUSE);
    at("play-word").textContent = "Pause";
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
      at("title").textContent = round.key ? capital(round.key) : `Round ${place}`;
      at("about").textContent = `${round.profile} · ${EleusisTable.say("count.seats", { n: round.seats })}`;
      at("side").replaceChildren(drawRule(round));
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
  };
})();
