/* The board of a class: how its tables stand, everybody's points, a chair for who comes, and the teacher's buttons. */

import { Connection } from "./connection.js";
import { Kept } from "./kept.js";
import { languageChoice } from "./words.js";

const { element } = EleusisTable;
const GROUP = document.body.dataset.group;
const find = (id) => document.getElementById(id);

const kept = new Kept(GROUP);
let words = null;
let welcome = null;
let board = null;
let drawn = "";

// Drawing.

function draw() {
  if (words === null || welcome === null || board === null) return;
  document.title = `${words.say("board.title")} – Eleusis`;
  const seat = ownSeat();
  find("teacher").hidden = !welcome.you.teacher;
  find("pupil").hidden = welcome.you.teacher && seat === null;
  find("join").hidden = welcome.you.teacher || seat !== null;
  find("make-own").hidden = !welcome.setting.pupils_make;
  find("yours").hidden = seat === null;
  if (seat !== null) {
    find("yours-text").textContent = words.say("board.yours", { place: seat.place });
    find("go").href = `/t/${seat.table}`;
  }
  const shown = JSON.stringify([board.tables, board.scores, words.language]);
  if (shown === drawn) return; // whoever reads or points at it is not disturbed
  drawn = shown;
  find("tables").replaceChildren(...board.tables.map(tableOf));
  find("nobody").hidden = board.scores.length > 0;
  find("scores").hidden = board.scores.length === 0;
  find("scores").tBodies[0].replaceChildren(...board.scores.map(scoreOf));
}

/** Return where one sits, as far as this browser knows and the board still shows it. */
function ownSeat() {
  const seat = kept.get("seat");
  return seat !== null && board.tables.some((table) => table.table === seat.table) ? seat : null;
}

function tableOf(table) {
  const link = element("a", { href: `/t/${table.table}` }, words.say("board.table", { place: table.place }));
  link.addEventListener("click", () => takeKey(table.table));
  const phase = words.say(`board.phase.${table.phase}`, { round: table.round, n: table.cards });
  return element(
    "li",
    { class: `standing ${table.phase}` },
    element("h3", {}, link, table.ready && element("span", { class: "chip" }, words.say("board.ready"))),
    element("p", { class: "small-print" }, phase),
    element("ul", {}, table.chairs.map((chair, seat) => chairOf(chair, seat === table.asked))),
  );
}

/** Let the teacher's browser be the host at a table of the class. */
function takeKey(table) {
  const own = new Kept(table);
  if (!welcome.you.teacher) return;
  if (own.token === null) own.token = kept.token;
  own.set("group", GROUP);
}

function chairOf(chair, asked) {
  const marks = [
    asked && words.say("board.asked"),
    chair.deals && words.say("mark.dealer"),
    chair.name !== "" && !chair.present && words.say("board.absent"),
    chair.agent !== null && chair.agent !== chair.name && words.say("board.stands_in", { agent: words.agent(chair.agent) }),
  ];
  const open = chair.name === "";
  return element(
    "li",
    { class: open ? "open" : asked ? "asked" : null },
    element("span", { class: "name" }, open ? words.say("board.open") : nameOf(chair.name, chair.agent === chair.name)),
    element("span", { class: "marks" }, marks.filter(Boolean).join(" · ")),
    !open && element("span", { class: "total" }, chair.total),
  );
}

const nameOf = (name, agent) => (agent ? words.agent(name) : name);

function scoreOf(score) {
  const own = kept.get("seat");
  const you = own !== null && own.name === score.name && own.place === score.place;
  return element(
    "tr",
    { class: you ? "you" : score.agent ? "agent" : null },
    element("td", {}, `${score.rank}.`),
    element("th", { scope: "row" }, nameOf(score.name, score.agent)),
    element("td", {}, score.place),
    element("td", {}, score.total),
  );
}

function fillAgents() {
  const chosen = find("agent").value;
  find("agent").replaceChildren(...welcome.agents.map((agent) => element("option", { value: agent }, words.agent(agent))));
  if (chosen) find("agent").value = chosen;
}

// What the server tells, and what is asked of it.

function heard(frame) {
  if (frame.kind === "welcome") {
    welcome = frame;
    fillAgents();
  }
  if (frame.kind === "board") board = frame;
  draw();
}

function changed(open, gone) {
  find("connection").textContent = open ? "" : words.say(gone ? "board.gone" : "page.offline");
}

/** Ask for something; return the frame that answers it, or null after saying why not. */
async function ask(request) {
  find("problem").textContent = find("told").textContent = "";
  const answer = await connection.ask(request);
  if (answer.kind !== "error") return answer;
  const known = words.has(`error.${answer.code}`) && answer.message === "";
  find("problem").textContent = known ? words.say(`error.${answer.code}`) : answer.message;
  return null;
}

async function tell(request, key) {
  const answer = await ask(request);
  if (answer !== null) find("told").textContent = words.say(key, { n: answer.number });
}

async function sitDown(request) {
  const name = find("join").elements.name.value;
  const seated = await ask({ ...request, name });
  if (seated === null) return;
  kept.name = name;
  kept.set("seat", { table: seated.table, place: seated.place, name });
  const own = new Kept(seated.table);
  own.token = seated.token;
  own.set("group", GROUP);
  location.assign(`/t/${seated.table}`);
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

/** Show the board alone, and large; once more, and it is as before. */
function project() {
  const on = document.body.toggleAttribute("data-projector");
  find("projector").setAttribute("aria-pressed", String(on));
  if (on) document.documentElement.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) document.exitFullscreen();
}

find("link").value = location.origin + location.pathname;
find("join").elements.name.value = kept.name;
find("join").addEventListener("submit", (event) => {
  event.preventDefault();
  sitDown({ do: "join" });
});
find("make-own").addEventListener("click", () => find("join").reportValidity() && sitDown({ do: "make" }));
find("start").addEventListener("click", () => tell({ do: "start" }, "board.began"));
find("next").addEventListener("click", () => tell({ do: "next" }, "board.began"));
find("fill").addEventListener("click", () => tell({ do: "fill", agent: find("agent").value }, "board.filled"));
find("more").addEventListener("click", () => tell({ do: "make" }, "board.made"));
find("copy").addEventListener("click", copyLink);
find("projector").addEventListener("click", project);

await languageChoice((chosen) => {
  words = chosen;
  if (welcome !== null) fillAgents();
  draw();
});
const connection = new Connection({
  hello: () => ({ do: "enter", token: kept.token }),
  heard,
  changed,
});
