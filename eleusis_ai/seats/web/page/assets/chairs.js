/* Who sits where, with cards, marks and points; for the host, what is done with a chair. */

const { element } = EleusisTable;

/** Return what each chair is called: its name, and where two have the same, its seat as well. */
export function namesOf(words, chairs) {
  const names = chairs.map((chair) => nameOf(words, chair));
  const isDoubled = (name) => names.indexOf(name) !== names.lastIndexOf(name);
  return names.map((name, seat) => (isDoubled(name) ? words.say("name.doubled", { name, seat }) : name));
}

function nameOf(words, chair) {
  if (chair.kind === "open") return words.say("chair.open");
  return chair.agent ? words.agent(chair.agent) : chair.name;
}

/** Draw the chairs. at: {words, drawer, state, you, host, names, choose(seat), sit(seat)}. */
export function drawChairs(list, at) {
  const { words, drawer, state } = at;
  const { chairs, table, totals, phase } = state.public;
  const asked = table?.asked?.seat;
  list.replaceChildren(
    ...chairs.map((chair) => {
      const seat = table?.seats.find((each) => each.seat === chair.seat);
      const counted = totals.some((points) => points !== 0);
      const total = counted && element("span", { class: "total" }, words.say("chair.total", { n: totals[chair.seat] }));
      const mistakes = seat && seat.mistakes.length > 0 && [words.say("seat.mistakes"), " ", drawer.row(seat.mistakes)];
      return element(
        "li",
        { class: `chair ${chair.kind}${chair.seat === asked ? " asked" : ""}`, "data-seat": String(chair.seat) },
        element(
          "div",
          { class: "who" },
          chair.seat === asked && element("span", { class: "asked-mark", "aria-hidden": "true" }, "▸"),
          element("b", { title: at.names[chair.seat] }, at.names[chair.seat]),
          chair.seat === at.you && element("span", { class: "chip you" }, words.say("chair.you")),
          element("span", { class: "held" }, held(at, chair, seat, phase)),
        ),
        element("div", { class: "about" }, about(at, chair, seat), total, acts(at, chair)),
        mistakes && element("div", { class: "mistakes" }, mistakes),
      );
    }),
  );
}

function held({ words, state }, chair, seat, phase) {
  if (!seat || phase === "gathering") return "";
  if (chair.seat === state.public.table.dealer) return "";
  return words.say("count.cards", { n: seat.size });
}

function about({ words, drawer, state }, chair, seat) {
  const { asked } = state.public.table ?? {};
  return [
    chair.deals && drawer.chip("dealer"),
    ...(seat?.marks ?? []).map(drawer.chip),
    chair.seat === asked?.seat && element("span", { class: "asked-for" }, words.say(`asked.${asked.kind}`)),
    chair.kind === "agent" && element("span", { class: "chip" }, words.say("chair.agent")),
    chair.whose && element("span", {}, words.say("chair.whose", { name: chair.whose })),
    chair.host && element("span", { class: "chip" }, words.say("chair.host")),
    chair.kind === "person" && !chair.present && element("span", { class: "chip absent" }, words.say("chair.absent")),
  ];
}

function acts(at, chair) {
  const { words } = at;
  const sits = chair.kind === "open" && at.you === null;
  if (!sits && !at.host) return null;
  const { seat } = chair;
  const name = at.names[seat];
  return element(
    "div",
    { class: "acts" },
    sits && button(words.say("chair.sit"), () => at.sit(seat), words.say("chair.sit.label", { seat })),
    at.host &&
      seat !== at.you &&
      button(words.say("chair.change"), () => at.choose(seat), words.say("chair.change.label", { name })),
  );
}

function button(text, act, label) {
  const made = element("button", { type: "button", class: "small-button", "aria-label": label }, text);
  made.addEventListener("click", act);
  return made;
}
