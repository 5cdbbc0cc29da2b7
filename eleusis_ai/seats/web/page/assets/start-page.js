/* The start page: a table is made as the form says, and its maker is taken there with the host's token. */

import { Kept } from "./kept.js";
import { languageChoice } from "./words.js";

const form = document.getElementById("make");
const problem = document.getElementById("problem");
let words = null;

const way = () => form.querySelector("[name=profile]:checked");

/** Show as many chairs as there are seats, and no fewer seats than the way of playing has. */
function arrange() {
  const { least, most } = way().dataset;
  const { seats } = form.elements;
  seats.min = least;
  seats.max = most;
  const count = Number(seats.value);
  for (const row of form.querySelectorAll("[data-seat]")) row.hidden = Number(row.dataset.seat) >= count;
  const dealer = form.querySelector("[name=first_dealer]:checked");
  if (Number(dealer.value) >= count && count > 0) form.querySelector("[name=first_dealer]").checked = true;
  form.elements.family.disabled = form.elements.dealer.value === "designer";
  document.getElementById("class-part").hidden = !form.elements.class.checked;
  form.querySelector("[type=submit]").textContent = words.say(form.elements.class.checked ? "class.open" : "start.make");
  seatsProblem();
}

function seatsProblem() {
  const { seats } = form.elements;
  const fits = seats.validity.valid && seats.value !== "";
  const said = fits ? "" : words.say("start.seats.problem", { least: seats.min, most: seats.max });
  document.getElementById("seats-problem").textContent = said;
  seats.setAttribute("aria-invalid", String(!fits));
  return !fits;
}

/** Return what the form asks for, as the server takes it. */
function setting() {
  const { elements } = form;
  const seats = Number(elements.seats.value);
  const agents = [...form.querySelectorAll("[name=agent]")].slice(0, seats).map((each) => each.value || null);
  const variant = elements.variant.value;
  return {
    profile: way().value + (variant ? `+${variant}` : ""),
    seats,
    agents,
    first_dealer: Number(form.querySelector("[name=first_dealer]:checked").value),
    passes: elements.passes.checked,
    dealer: elements.dealer.value,
    family: elements.family.disabled ? null : elements.family.value || null,
    hint: elements.hint.value || null,
    pace: Number(elements.pace.value),
  };
}

function classSetting() {
  const { tables, pupils_make } = form.elements;
  return { table: setting(), tables: Number(tables.value), pupils_make: pupils_make.checked };
}

async function post(path, wanted) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wanted) });
  const made = await answer.json();
  if (!answer.ok) throw new Error(made.message);
  return made;
}

async function make(event) {
  event.preventDefault();
  problem.textContent = "";
  if (seatsProblem()) return form.elements.seats.focus();
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  try {
    const many = form.elements.class.checked;
    const made = await post(many ? "/classes" : "/tables", many ? classSetting() : setting());
    new Kept(many ? made.group : made.table).token = made.token;
    location.assign(many ? `/c/${made.group}` : `/t/${made.table}`);
  } catch (error) {
    problem.textContent = error instanceof TypeError ? words.say("error.connection") : error.message;
  } finally {
    button.disabled = false;
  }
}

await languageChoice((chosen) => {
  words = chosen;
  for (const each of form.querySelectorAll("[data-agent]")) each.textContent = words.agent(each.dataset.agent);
  for (const each of form.querySelectorAll("[data-players]")) {
    const [least, most] = each.dataset.players.split("-");
    each.textContent = words.say("start.players", { least, most });
  }
  document.title = `Eleusis – ${words.say("start.title")}`;
  arrange();
});
form.addEventListener("input", arrange);
form.addEventListener("submit", make);
