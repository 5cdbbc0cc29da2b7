/* The end of a round: its rule in words, the points, and the way to its replay. */

const { element } = EleusisTable;

/** Draw the result of a round. at: {words, state, names, worded, you, table}. */
export function drawResult(root, at) {
  const { words, worded, state } = at;
  const { result, round, totals } = state.public;
  const reason = words.say(`reason.${result.reason}`);
  const shown = [
    element("h2", { tabindex: "-1" }, words.say("result.title", { round, reason })),
    result.rule === null || result.rule === undefined
      ? element("p", { class: "rule-words" }, words.say("result.by_hand"))
      : element(
          "div",
          { class: "secret" },
          element("p", { class: "label" }, words.say("result.rule")),
          element("p", { class: "rule-words" }, worded(result.words)),
          element("p", {}, element("code", {}, result.rule)),
          result.starter && element("p", {}, words.parts("result.first_card", { rule: element("code", {}, result.starter) })),
        ),
    result.points && points(at, result.points, totals),
    element(
      "p",
      { class: "acts" },
      result.replay && element("a", { class: "button", href: `#round-${round}` }, words.say("result.replay")),
    ),
  ];
  root.replaceChildren(...shown.filter(Boolean));
}

function points({ words, drawer, state, names, you }, points, totals) {
  const places = points.map((_, seat) => seat).sort((one, other) => points[other] - points[one] || one - other);
  const columns = ["result.place", "result.player", "result.points", "result.total"];
  const head = columns.map((key) => element("th", { scope: "col" }, words.say(key)));
  const rows = places.map((seat) => {
    const place = 1 + points.filter((each) => each > points[seat]).length;
    const chair = state.public.chairs[seat];
    return element(
      "tr",
      { class: seat === you ? "you" : null },
      element("td", {}, `${place}.`),
      element("th", { scope: "row" }, names[seat], chair.deals && drawer.chip("dealer")),
      element("td", {}, String(points[seat])),
      element("td", {}, String(totals[seat] ?? 0)),
    );
  });
  return element(
    "table",
    { class: "points" },
    element("caption", {}, words.say("result.caption")),
    element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, rows),
  );
}
