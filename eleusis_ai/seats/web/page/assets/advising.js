/* The adviser: what an AI player would do in one's place, why, and which rules it thinks likeliest. */

const { element } = EleusisTable;
const CARDS = /^(?:(?:10|[2-9JQKA])[CDHS](?: |$))+$/;
const SAID = {
  "no play": "act.no_play",
  prophet: "act.prophet",
  pass: "act.pass",
  right: "call.right",
  wrong: "call.wrong",
};

export class Adviser {
  constructor({ button, sheet, ask, failed }) {
    Object.assign(this, { button, sheet, send: ask, failed });
  }

  /** Ask; that may take a while, in which one can play. */
  async ask(at) {
    if (this.button.getAttribute("aria-busy") === "true") return;
    this.button.setAttribute("aria-busy", "true");
    const frame = await this.send({ do: "advice" });
    this.button.setAttribute("aria-busy", "false");
    if (frame.kind === "advice") this.show(at, frame);
    else this.failed(frame);
  }

  show({ words, worded, cards }, { move, reason, rules }) {
    const said = move in SAID ? words.say(SAID[move]) : CARDS.test(move) ? cards(move) : move;
    const likely = rules.map(({ text, words: texts, weight }) =>
      element("li", {}, `${words.percent(weight)} – ${texts ? worded(texts) : text}`),
    );
    const shown = [
      element("p", {}, words.parts("advice.move", { move: said })),
      reason && element("p", {}, reason),
      element("ul", {}, likely),
    ];
    this.sheet.querySelector("#advice-text").replaceChildren(...shown.filter(Boolean));
    this.sheet.showModal();
  }
}
