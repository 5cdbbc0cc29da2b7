"""What a page shows, read off it by scripts."""

LAYOUT = """(felt) => {
  const cards = (found) => [...found].map((each) => each.dataset.card).join(" ");
  const column = (each) => {
    const below = [...each.querySelectorAll(".branch")].map((one) => cards(one.querySelectorAll(".card")));
    const above = [...each.querySelectorAll(".above > .row")].map((one) => `[${cards(one.children)}]`);
    const hanging = below.length ? `(${below.join(", ")})` : "";
    return cards(each.querySelectorAll(".accepted .card")) + hanging + above.join("");
  };
  return [...felt.querySelectorAll(".column")].map(column).join(" ");
}"""
"""What lies on a table, as a text of a `Layout`."""
SEEN = """() => {
  const cards = (found) => [...found].map((each) => each.dataset.card).join(" ");
  const marker = () => {
    const columns = [...document.querySelectorAll("#viewer .column")];
    const at = columns.findIndex((each) => each.querySelector(".token"));
    if (at < 0) return null;
    const branch = [...columns[at].querySelectorAll(".branch")].findIndex((each) => each.querySelector(".token"));
    return branch < 0 ? `${at}` : `${at}.${branch}`;
  };
  return {
    moves: Number(document.querySelector("#viewer-felt").dataset.moves),
    layout: (LAYOUT)(document.querySelector("#viewer-felt")),
    marker: marker(),
    counts: document.querySelector(".counts").textContent,
    seats: [...document.querySelectorAll(".seat")].map((seat) => ({
      hand: cards(seat.querySelectorAll(":scope > .row > .small")).split(" ").filter(Boolean).sort(),
      mistakes: cards(seat.querySelectorAll(".mistakes .small")).split(" ").filter(Boolean),
      marks: [...seat.querySelectorAll(".chip")].map((chip) => chip.textContent.replace("★ ", "")),
      asked: seat.classList.contains("asked"),
      held: seat.querySelector(".held").textContent,
    })),
    stated: [...document.querySelectorAll(".stated code")].map((code) => code.textContent),
  };
}""".replace("LAYOUT", LAYOUT)
"""What the page draws, as texts."""
WALK = f"""() => {{
  const seen = {SEEN};
  const on = document.querySelector("#viewer-on");
  const press = (key) => on.dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true}}));
  press("Home");
  const all = [seen()];
  for (;;) {{
    press("ArrowRight");
    const next = seen();
    if (next.moves === all.at(-1).moves) return all;
    all.push(next);
  }}
}}"""
"""What the page draws at each step from first to last."""


WIDER = """() => {
  const parts = "html, #viewer, .viewer-stage, #viewer-felt, #viewer-side, .viewer-keys";
  const wider = [...document.querySelectorAll(parts)].filter((each) => each.scrollWidth > each.clientWidth + 1);
  return wider.map((each) => each.id || each.className || each.tagName);
}"""
"""Which parts of the viewer would have to be scrolled sideways."""
OUTSIDE = """() => {
  const parts = [...document.querySelectorAll("#viewer button, #viewer-place, #viewer-slider")];
  const outside = ({ left, right, top, bottom, width }) =>
    left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || !width;
  return parts.filter((each) => outside(each.getBoundingClientRect())).map((each) => each.id);
}"""
"""Which keys are not wholly in sight."""


NEWEST_IN_SIGHT = """() => {
  const box = [...document.querySelectorAll(".felt .card")].at(-1).getBoundingClientRect();
  const stage = document.querySelector(".viewer-stage").getBoundingClientRect();
  return box.top >= stage.top && box.bottom <= stage.bottom + 1;
}"""
"""Whether the newest card is in sight."""
CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const linear = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((each) => each / 255)
      .map((each) => (each <= .03928 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4));
    return linear[0] * .2126 + linear[1] * .7152 + linear[2] * .0722;
  };
  const behind = (each) => {
    for (let at = each; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (at.classList.contains("felt")) return getComputedStyle(at).getPropertyValue("--felt");
      if (!/, 0\\)$|transparent/.test(color)) return color;
    }
  };
  const found = {};
  const names = ["#viewer-title", "#viewer-about", "#viewer-said p", ".said-red", ".counts", ".number",
    ".card.red .corner", ".card.black .corner", ".place", ".held", ".chip",
    ".verdict", ".rule .words", "#viewer-on", "#viewer-place"];
  for (const name of names) {
    const each = document.querySelector(name);
    const [one, other] = [light(getComputedStyle(each).color), light(behind(each))].sort((a, b) => b - a);
    found[name] = (one + .05) / (other + .05);
  }
  return [found, light(getComputedStyle(document.querySelector("#viewer")).backgroundColor)];
}"""
"""The contrast of texts with what is behind them, as WCAG counts it, and how light the paper is."""
ROOM_WIDER = """() => [...document.querySelectorAll("body, .room, .middle, .dock, .hand-zone, .side, .top")]
  .filter((each) => each.offsetParent !== null && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.className || each.tagName)"""
"""Which parts of a table's page would have to be scrolled sideways."""
