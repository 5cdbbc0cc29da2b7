/* The dealer's own screens: a rule as text, looked over while it is typed, or one on paper; and the rule in play. */

import { hintSaid } from "./teller.js";

const { element } = EleusisTable;
const PAUSE = 350; // milliseconds after the last key before the rule is sent to be looked over

const EXAMPLES = [
  "card.color != last.color",
  "card.is_black if last.is_odd else card.is_red",
  'card.suit == after(last.suit, "HSCD")',
  "1 <= abs(card.rank - last.rank) <= 3",
];

export class Dealing {
  /** `form` has the fields; `ask` sends a request, `worded` chooses the words in the player's language. */
  constructor(form, { ask, worded, failed }) {
    Object.assign(this, { form, ask, worded, failed });
    form.querySelector(".examples").replaceChildren(...EXAMPLES.map((rule) => element("li", {}, this.example(rule))));
    this.review = null;
    this.hint = "";
    form.addEventListener("input", (event) => {
      if (event.target.name === "hint") {
        this.hint = event.target.value;
        this.draw();
      } else if (event.target.name !== "by-hand") this.wait();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.deal();
    });
    form.querySelector("[name=by-hand]").addEventListener("change", () => this.draw());
  }

  /** Make a button that writes a rule. */
  example(rule) {
    const made = element("button", { type: "button" }, rule);
    made.addEventListener("click", () => {
      this.form.elements.rule.value = rule;
      this.look();
    });
    return made;
  }

  get byHand() {
    return this.form.elements["by-hand"].checked;
  }

  get request() {
    const { rule, starter } = this.form.elements;
    return { rule: rule.value.trim(), starter: starter.value.trim() || null };
  }

  show(at) {
    this.at = at;
    this.draw();
  }

  wait() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.look(), PAUSE);
    this.form.querySelector(".review").setAttribute("aria-busy", "true");
  }

  /** Have the rule looked over; an answer to what has been changed since is left unheard. */
  async look() {
    const { request } = this;
    if (request.rule === "") {
      this.review = null;
      return this.draw();
    }
    const frame = await this.ask({ do: "review", ...request });
    if (JSON.stringify(request) !== JSON.stringify(this.request)) return;
    this.review = frame;
    this.draw();
  }

  async deal() {
    const { rule, starter } = this.request;
    const hint = this.hint || null;
    const request = this.byHand ? { do: "deal", rule: null, starter: null, hint } : { do: "deal", rule, starter, hint };
    const frame = await this.ask(request);
    if (frame.kind === "error") this.failed(frame);
  }

  draw() {
    if (!this.at) return;
    const { words } = this.at;
    for (const each of this.form.querySelectorAll(".with-rule")) each.hidden = this.byHand;
    const shown = this.form.querySelector(".review");
    shown.setAttribute("aria-busy", "false");
    const { review } = this;
    if (this.byHand || review === null) shown.replaceChildren();
    else if (review.kind === "error") {
      const said = review.message || words.say(`error.${review.code}`);
      shown.replaceChildren(element("pre", { class: "refusal" }, said));
    } else shown.replaceChildren(...this.found(words, review));
    const hints = this.byHand ? this.at.state.private.deal.hints : review?.hints ?? [];
    this.drawHints(words, hints);
    const wanted = this.at.state.private.deal.hint === "required" && this.hint === "";
    const ready = (this.byHand || review?.ok === true) && !wanted;
    this.form.querySelector("[type=submit]").disabled = !ready;
  }

  found(words, review) {
    const { acceptance } = review;
    const scale = { min: "0", max: "1", low: "0.25", high: "0.4", optimum: "0.3", "aria-hidden": "true" };
    const said = (kind, key) => (text) => element("p", { class: kind }, element("b", {}, words.say(key)), " ", text);
    return [
      element("p", { class: "rule-words" }, this.worded(review.words)),
      element(
        "p",
        { class: "acceptance" },
        words.say("review.acceptance", { share: words.percent(acceptance) }),
        element("meter", { ...scale, value: String(acceptance) }),
      ),
      ...review.refusals.map(said("refusal", "review.refused")),
      ...review.advice.map(said("advice", "review.advice")),
      review.ok && review.advice.length === 0 && element("p", { class: "good" }, "✓ ", words.say("review.good")),
    ].filter(Boolean);
  }

  drawHints(words, hints) {
    const field = this.form.querySelector(".hints");
    field.hidden = hints.length === 0;
    const texts = hints.map((hint) => hint.text);
    if (!texts.includes(this.hint)) this.hint = "";
    const required = this.at.state.private.deal.hint === "required";
    const options = ["", ...texts].map((text) => {
      const said = text === "" ? words.say(required ? "dealing.choose_hint" : "dealing.no_hint") : hintSaid(words, text);
      return element("option", { value: text, selected: text === this.hint }, said);
    });
    field.querySelector("select").replaceChildren(...options);
  }
}

/** Draw the rule that only its dealer sees, and the cards that are right now. */
export function drawOwnRule(root, { words, drawer, worded, state }) {
  const { rule } = state.private ?? {};
  root.hidden = !rule;
  if (!rule) return;
  root.replaceChildren(
    element("h2", {}, words.say("rule.yours")),
    element("p", { class: "rule-words" }, worded(rule.words)),
    rule.text && element("code", {}, rule.text),
    rule.legal && element("p", { class: "legal" }, words.say("rule.legal", { n: rule.legal.length }), " "),
    rule.legal && drawer.row(EleusisTable.sorted(rule.legal)),
  );
}
