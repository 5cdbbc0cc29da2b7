/* What is asked of the player now, and the buttons that answer it; cards of the hand are played from the tray. */

import { callSaid } from "./teller.js";

const { element } = EleusisTable;

/** Return what is asked or awaited, as texts and elements. */
export function question(at) {
  const { words, state, you, who, cards } = at;
  const { phase, chairs, table } = state.public;
  const decision = state.private?.decision ?? null;
  if (phase === "gathering") return words.parts(gathering(at));
  if (phase === "over") return words.parts(at.host ? "ask.over.host" : "ask.over");
  if (phase === "dealing") {
    const { starter } = state.private ?? {};
    if (starter) return words.parts("ask.starter", { card: cards(starter.card), n: starter.laid.length + 1 });
    const dealer = chairs.find((chair) => chair.deals)?.seat;
    return words.parts(`ask.dealing.${dealer === you ? "you" : "they"}`, { who: who(dealer) });
  }
  const asked = table?.asked ?? null;
  if (you !== null && chairs[you].kind === "agent") return words.parts("ask.replaced", { who: who(you) });
  if (decision === null) return asked === null ? [] : words.parts(`ask.wait.${asked.kind}`, { who: who(asked.seat) });
  const { pending } = table;
  if (decision.kind === "play") return words.parts(decision.longest === 1 ? "ask.play.one" : "ask.play");
  if (decision.kind === "call" && pending !== null) {
    const key = pending.rule ? "rule" : pending.cards ? "cards" : table.stage > 1 ? "mistakes" : "no_play";
    const shown = cards(pending.cards ?? pending.hand ?? "");
    return words.parts(`ask.call.${key}`, { who: who(pending.seat), cards: shown, rule: pending.rule ?? "" });
  }
  return words.parts(`ask.${decision.kind}`);
}

function gathering({ state, you, host }) {
  const open = state.public.chairs.some((chair) => chair.kind === "open");
  if (you === null && open) return "ask.join";
  if (host) return open ? "ask.gather" : "ask.start";
  return open ? "ask.gathering" : "ask.starting";
}

/** Return the answers that are buttons: what each says, what it does, and how it looks. */
export function answers(at) {
  const { words, drawer, state, host } = at;
  const { phase, chairs } = state.public;
  const decision = state.private?.decision ?? null;
  if (at.away) return [{ say: "act.return", back: true, main: true }];
  const full = chairs.every((chair) => chair.kind !== "open");
  if (phase === "gathering" && host && full) return [{ say: "act.start", request: { do: "start" }, main: true }];
  if (phase === "over" && host) return [{ say: "act.next", request: { do: "next" }, main: true }];
  if (phase === "dealing" && state.private?.starter) {
    const { number } = state;
    const asked = (word) => ({ do: "starter", word, number });
    return state.private.starter.words.map((word) => ({ say: `starter.${word}`, request: asked(word), main: word === "right" }));
  }
  if (decision?.kind === "after turn") {
    return [
      { say: "act.prophet", move: "prophet" },
      { say: "act.pass", move: "pass", main: true },
      { say: "act.pass_quietly", move: "pass", quiet: true },
    ];
  }
  if (decision?.kind === "call") {
    return decision.calls.map((call) => ({
      move: call,
      kind: call === "right" ? "right" : "wrong",
      said: [element("span", { "aria-hidden": "true" }, call === "right" ? "✓ " : "✗ "), ...callAnswer(at, call)],
    }));
  }
  if (decision?.kind === "pick") {
    return [...new Set(decision.cards)].map((card) => ({
      move: `pick ${card}`,
      said: [drawer.row([card])],
      label: words.say("act.pick", { card: drawer.spoken(card) }),
    }));
  }
  return [];
}

/** Say a call as an answer: to a no play, "wrong" means that a card of the hand is right. */
function callAnswer({ words, state, cards }, call) {
  const { pending } = state.public.table;
  const named = /^wrong (\S+)$/.exec(call);
  if (named) return words.parts("answer.names", { card: cards(named[1]) });
  if (pending?.hand && !pending.rule) return words.parts(call === "right" ? "answer.none" : "answer.some");
  return callSaid(words, cards, call);
}

/** Draw the answers as buttons; `act` is given the one that is pressed. */
export function drawAnswers(root, at, act) {
  root.replaceChildren(
    ...answers(at).map((answer) => {
      const kind = `${answer.main ? "main" : ""} ${answer.kind ?? ""}`.trim();
      const said = answer.said ?? at.words.parts(answer.say);
      const button = element("button", { type: "button", class: kind || null, "aria-label": answer.label }, said);
      button.addEventListener("click", () => act(answer));
      return button;
    }),
  );
}
