/* The page of one table: it takes what the server tells, draws it, and sends what the player does. */

import { Adviser } from "./advising.js";
import { drawChairs, namesOf } from "./chairs.js";
import { Connection } from "./connection.js";
import { Dealing, drawOwnRule } from "./dealing.js";
import { answers, drawAnswers, question } from "./deciding.js";
import { drawResult } from "./ending.js";
import { drawFelt, drawStarters, fit, freshBy } from "./felt.js";
import { Hand } from "./hand.js";
import { Kept } from "./kept.js";
import { Log } from "./log.js";
import { roundOf, speak } from "./replay.js";
import { languageChoice } from "./words.js";

const { element } = EleusisTable;
const TABLE = document.body.dataset.table;
const NOTHING = { joined: 0, hung: false, judged: false };
const find = (id) => document.getElementById(id);

const kept = new Kept(TABLE);
let words = null;
let drawer = null;
let welcome = null;
let state = null;
let fresh = NOTHING;
let history = null; // what happened before one came, until it is known what it led to
let sending = false;
let away = false; // whether one has left one's chair during a round
let drawing = 0;
let drawn = {}; // what the regions show, so that they are drawn only when they change

// What is known, in the shape that the drawing modules take it.

function at() {
  const chairs = state.public.chairs;
  const names = namesOf(words, chairs);
  return {
    words,
    drawer,
    state,
    fresh,
    names,
    you: welcome.you.seat,
    host: welcome.you.host,
    away,
    worded,
    who: (seat) => element("b", { class: "name" }, names[seat] ?? ""),
    cards: inline,
    choose: openChairSheet,
    sit: sitDown,
  };
}

const worded = (texts) => texts[words.language];

/** Write cards in the midst of a text; whoever listens hears their names. */
function inline(text) {
  const cards = text.split(" ").filter(Boolean);
  return cards.flatMap((card, place) => {
    const kind = EleusisTable.isRed(card) ? "said-card red" : "said-card";
    const label = { class: kind, role: "img", "aria-label": drawer.spoken(card) };
    const face = element("span", label, EleusisTable.printed(card));
    return place ? [" ", face] : [face];
  });
}

/** Draw a region anew if what it shows is not what it showed. */
function when(region, shown, draw) {
  const signature = JSON.stringify([shown, words.language]);
  if (drawn[region] === signature) return;
  drawn[region] = signature;
  draw();
}

// Drawing.

function draw() {
  if (words === null || state === null || welcome === null) return;
  const here = at();
  const { phase, round, chairs, table } = state.public;
  const own = state.private;
  const deals = Boolean(own?.deal);
  document.body.dataset.phase = phase;
  document.body.dataset.role = own === null ? "spectator" : chairs[own.seat]?.deals ? "dealer" : "player";
  const { profile } = welcome.setting;
  find("where").textContent = words.say(round > 0 ? "page.where" : "page.gathering", { profile, round });
  document.title = title(here);

  find("lobby").hidden = phase !== "gathering";
  find("dealing").hidden = !deals;
  const turns = Boolean(own?.starter);
  find("felt").hidden = !turns && (table === null || deals);
  find("result").hidden = !(phase === "over" && state.public.result);
  if (turns) when("felt", own.starter, () => drawStarters(find("felt"), here));
  else if (table) {
    when("felt", [table, chairs.map((chair) => chair.name), fresh], () => drawFelt(find("felt"), here));
  }
  if (phase === "over" && state.public.result) {
    when("result", [state.public, chairs], () => drawResult(find("result"), here));
  }
  if (deals) when("dealing", [round, own.deal], () => dealing.show(here));

  when("chairs", [chairs, table?.seats, table?.asked, phase, state.public.totals, here.you, here.host], () =>
    drawChairs(find("chairs"), here),
  );
  const { spectators } = state.public;
  find("spectators").textContent = spectators ? words.say("page.spectators", { n: spectators }) : "";
  find("leave").hidden = here.you === null;
  find("void").hidden = !(here.host && (phase === "playing" || phase === "dealing"));
  drawAsk(here);
  drawOwnRule(find("own-rule"), here);
  drawHand(here);
  fit(find("felt"));
}

/** Draw soon, and once for all that is told meanwhile; who looks elsewhere is to see by the title that it is his turn. */
function drawSoon() {
  if (document.hidden) return draw();
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(draw);
}

function title(here) {
  const mine = answers(here).length > 0 || state.private?.decision;
  return `${mine ? "● " : ""}${find("where").textContent} – Eleusis`;
}

function drawAsk(here) {
  const { phase, table, chairs } = state.public;
  const decision = state.private?.decision ?? null;
  const open = chairs.some((chair) => chair.kind === "open");
  const { names, you, host } = here;
  when("ask", [phase, decision, table?.asked, table?.pending, names, you, host, away, state.private?.starter], () => {
    const pressed = find("answers").contains(document.activeElement);
    find("question").replaceChildren(...question(here));
    drawAnswers(find("answers"), here, answer);
    if (pressed) find("question").focus(); // not an answer: a key that is still held would give it
  });
  document.body.dataset.asked = decision?.kind ?? "";
  find("ask").classList.toggle("yours", decision !== null || answers(here).length > 0);
  find("danger").hidden = !(table?.danger && decision?.kind === "play");
  find("join").hidden = !(here.you === null && open && !away);
  find("ask-prophet-part").hidden = here.you === null || phase === "gathering";
  find("state-rule").hidden = decision?.kind !== "state rule";
  find("advise").hidden = !(welcome.setting.hint && decision !== null);
  for (const each of find("ask").querySelectorAll("button")) each.setAttribute("aria-disabled", String(sending));
}

/** Pass for who does not want to be asked whether he becomes prophet. */
function passQuietly() {
  if (state?.private?.decision?.kind === "after turn" && !find("ask-prophet").checked) move("pass");
}

function drawHand(here) {
  const own = state.private;
  const table = state.public.table;
  const seat = table?.seats.find((each) => each.seat === here.you);
  const cards = own === null || !table ? [] : table.stage > 1 ? seat?.mistakes ?? [] : own.hand;
  const decision = own?.decision ?? null;
  const holds = cards.length > 0;
  const hidden = !holds || state.public.phase !== "playing";
  find("hand-part").hidden = find("sorting").hidden = hidden;
  document.body.toggleAttribute("data-hand", !hidden);
  if (!holds) return;
  when("hand", [cards, own.drew, hidden], () => hand.take(cards, own.drew ?? [], here));
  const plays = !seat?.marks.includes("prophet") && !seat?.marks.includes("expelled");
  find("tray-part").hidden = !plays || decision?.kind === "state rule";
  find("aside").hidden = !seat?.marks.includes("prophet");
  find("no-play").hidden = decision?.kind === "play" && !decision.no_play;
  drawPlay();
}

function drawPlay() {
  const decision = state?.private?.decision;
  const count = hand.cards.length;
  const most = decision?.longest ?? Infinity;
  const ready = decision?.kind === "play" && !sending;
  find("play").setAttribute("aria-disabled", String(!(ready && count > 0 && count <= most)));
  find("no-play").setAttribute("aria-disabled", String(!ready));
  find("clear").hidden = count === 0;
  find("tray-hint").hidden = count > 0;
  find("too-many").hidden = !(decision?.kind === "play" && count > most);
  find("too-many").textContent = words.say("tray.too_many", { n: Number.isFinite(most) ? most : count });
}

// What the server tells.

function heard(frame) {
  if (frame.kind === "welcome") {
    welcome = frame;
    if (frame.you.seat !== null) away = false;
    if (frame.token) kept.token = frame.token;
    fillAgents();
    drawn = {};
  }
  if (frame.kind === "history") history = frame.news;
  if (frame.kind === "state") takeState(frame);
  if (frame.kind === "error" && frame.id === null) complain(frame);
  drawSoon();
}

function takeState(frame) {
  const isNew = state === null || frame.number > state.number;
  const { news, phase, round } = frame.public;
  if (state?.public.round !== round && phase !== "over") fresh = NOTHING;
  state = frame;
  if (history !== null) {
    fresh = freshBy(news) ?? NOTHING;
    log.begin(history, at());
    history = null;
  } else if (isNew) {
    fresh = freshBy(news) ?? (layBare(news) ? NOTHING : fresh);
    log.hear(news, at());
  }
  if (phase === "over" && /^#round-/.test(location.hash)) openRound();
  passQuietly();
}

/** Tell whether what was fresh on the table no longer is, since somebody acts. */
const layBare = (news) => news.some(({ event }) => ["Attempted", "NoPlayDeclared", "StarterLaid"].includes(event));

function changed(open, gone) {
  find("connection").textContent = open ? "" : words.say(gone ? "error.unknown-table" : "page.offline");
  if (open) find("problem").textContent = "";
}

// What the player does.

async function send(request) {
  if (sending) return null;
  sending = true;
  find("problem").textContent = "";
  draw();
  const frame = await connection.ask(request);
  sending = false;
  if (frame.kind === "error") complain(frame);
  draw();
  return frame;
}

async function move(text) {
  if (sending) return;
  const plays = state.private?.decision?.kind === "play";
  const { lays } = hand;
  const frame = await send({ do: "move", move: text, number: state.number });
  if (plays && frame?.kind === "done" && lays === hand.lays) hand.clear();
  // The answer to a move that was made before the line was lost: it was not lost with it.
  if (frame?.code === "stale" && !state.private?.decision) find("problem").textContent = "";
}

function answer({ move: text, request, quiet, back }) {
  if (quiet) find("ask-prophet").checked = false;
  if (back) return connection.restart();
  if (text !== undefined) move(text);
  else send(request);
}

/** Leave the chair; during a round it stays one's own. */
async function leave() {
  const { phase } = state.public;
  const frame = await send({ do: "leave" });
  away = frame?.kind === "done" && phase !== "gathering";
  draw();
}

function complain({ code, message }) {
  const known = words?.has(`error.${code}`);
  find("problem").textContent = known ? words.say(`error.${code}`) : message;
  find("problem").classList.toggle("drawn", !known && message.includes("\n"));
}

const usable = (id) => find(id).getAttribute("aria-disabled") !== "true";

function play() {
  if (usable("play")) move(hand.cards.join(" "));
}

function askNoPlay() {
  if (!usable("no-play")) return;
  find("no-play-hand").replaceChildren(drawer.row(EleusisTable.sorted(state.private.hand)));
  find("no-play-sheet").showModal();
}

let wanted = null; // the chair that a newcomer has chosen

function sitDown(seat) {
  wanted = seat;
  showTab("table");
  find("join").elements.name.focus();
  join();
}

async function join() {
  const name = find("join").elements.name.value.trim();
  if (name === "") return;
  kept.name = name;
  await send({ do: "join", seat: wanted, name });
  wanted = null;
}

let chosen = null; // the chair that the host is about to change

function openChairSheet(seat) {
  chosen = seat;
  const chair = state.public.chairs[seat];
  find("chair-title").textContent = words.say("chair.change.label", { name: at().names[seat] });
  find("chair-back").hidden = chair.kind !== "agent";
  if (chair.agent) find("chair-agent").value = chair.agent;
  find("chair-sheet").showModal();
}

function fillAgents() {
  const offered = (welcome.agents ?? []).map((agent) => element("option", { value: agent }, words.agent(agent)));
  find("chair-agent").replaceChildren(...offered);
}

async function openRound() {
  const [, number] = /^#round-(\d+)/.exec(location.hash) ?? [];
  if (number === undefined || EleusisViewer.has(number)) return;
  const answer = await fetch(`/t/${encodeURIComponent(TABLE)}/rounds/${number}`);
  if (answer.ok) EleusisViewer.take(number, roundOf(await answer.json()));
}

function showTab(name) {
  document.body.dataset.tab = name;
  for (const each of document.querySelectorAll("[data-tab-of]")) {
    each.setAttribute("aria-pressed", String(each.dataset.tabOf === name));
  }
  if (name === "table" && state?.public.table) fit(find("felt"));
  if (name === "log") find("log-lines").scrollTop = find("log-lines").scrollHeight;
}

// Keys and buttons.

function onKey(event) {
  if (document.querySelector("dialog[open]")) return;
  const types = event.target.closest("input, textarea, select");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.target.closest("form")) {
    event.preventDefault();
    play();
  } else if (event.key === "Escape" && !types && hand.cards.length > 0) hand.clear();
  else if (event.key === "?" && !types) find("help-sheet").showModal();
}

function wire() {
  const acts = {
    play,
    "no-play": askNoPlay,
    clear: () => hand.clear(),
    advise: () => adviser.ask(at()),
    help: () => find("help-sheet").showModal(),
    copy: copyLink,
    leave,
    void: () => find("void-sheet").showModal(),
    "void-yes": () => send({ do: "void" }),
    "no-play-yes": () => move("no play"),
    "chair-give": () => send({ do: "seat", seat: chosen, agent: find("chair-agent").value }),
    "chair-back": () => send({ do: "seat", seat: chosen, agent: null }),
    "state-pass": () => move("pass"),
  };
  for (const [id, act] of Object.entries(acts)) {
    find(id).addEventListener("click", (event) => {
      act();
      event.target.closest("dialog")?.close();
    });
  }
  for (const each of document.querySelectorAll("dialog .close")) {
    each.addEventListener("click", () => each.closest("dialog").close());
  }
  for (const each of document.querySelectorAll("[data-tab-of]")) {
    each.addEventListener("click", () => showTab(each.dataset.tabOf));
  }
  find("ask-prophet").addEventListener("change", passQuietly);
  find("join").addEventListener("submit", (event) => {
    event.preventDefault();
    join();
  });
  find("state-rule").addEventListener("submit", (event) => {
    event.preventDefault();
    const rule = find("state-rule").elements.rule.value.trim();
    if (rule) move(`state ${rule}`);
  });
  find("join").elements.name.value = kept.name;
  find("link").value = find("plain-link").textContent = location.origin + location.pathname;
  find("to-class").hidden = kept.get("group") === null;
  find("to-class").href = `/c/${kept.get("group")}`;
  addEventListener("keydown", onKey);
  addEventListener("resize", () => state?.public.table && fit(find("felt")));
  addEventListener("hashchange", openRound);
}

async function copyLink() {
  find("link").select();
  try {
    await navigator.clipboard.writeText(find("link").value);
  } catch {
    document.execCommand("copy"); // where the page is not served over TLS there is no clipboard
  }
  find("copied").textContent = words.say("invite.copied");
}

wire();
const hand = new Hand({ hand: find("hand"), tray: find("tray"), sorts: find("sorts"), kept, changed: drawPlay });
const dealing = new Dealing(find("dealing"), {
  ask: (request) => connection.ask(request),
  worded,
  failed: complain,
});
const adviser = new Adviser({
  button: find("advise"),
  sheet: find("advice-sheet"),
  ask: (request) => connection.ask(request),
  failed: complain,
});
const log = new Log({ lines: find("log-lines"), newest: find("news") });
await languageChoice((chosenWords) => {
  words = chosenWords;
  drawer = EleusisTable.in(words.say);
  speak({ words, drawer, cards: inline, worded });
  if (state !== null) log.retell(at());
  if (welcome !== null) fillAgents();
  draw();
});
const connection = new Connection({
  hello: () => ({ do: "enter", token: kept.token, language: words.language }),
  heard,
  changed,
});
showTab("table");
