/* One's own hand, sorted as one likes, and the string that is built of it. Both are kept for each table: a page that
   is loaded anew has them again. */

import { draggable } from "./drag.js";

const { element } = EleusisTable;
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const NARROWEST = 2.15; // rem of a card that must be seen
const GAP = 0.35; // rem between cards where there is room
const SORTS = ["suit", "rank", "arrival", "own"];

export const cardOf = (key) => key.split("#")[0];
const rank = (key) => RANKS.indexOf(cardOf(key).slice(0, -1));
const suit = (key) => "CDHS".indexOf(cardOf(key).slice(-1));

/** Tell equal cards apart: "7H" and "7H" are "7H#1" and "7H#2". */
function keysOf(cards) {
  const seen = new Map();
  return cards.map((card) => {
    seen.set(card, (seen.get(card) ?? 0) + 1);
    return `${card}#${seen.get(card)}`;
  });
}

export class Hand {
  /** `kept` keeps what the player chose; `changed` is told when the string is another. */
  constructor({ hand, tray, sorts, kept, changed }) {
    Object.assign(this, { hand, tray, sorts, kept, changed });
    this.keys = [];
    this.fresh = [];
    this.own = kept.get("own") ?? [];
    this.sort = SORTS.includes(kept.get("sort")) ? kept.get("sort") : "suit";
    this.string = kept.get("string") ?? [];
    this.lays = 0; // how often the player has made the string another
    this.focused = null;
    draggable(hand.closest(".dock"), (key, from, zone, place) => this.drop(key, from, zone, place));
    for (const [root, list] of [[hand, () => this.sorted()], [tray, () => this.string]]) {
      root.addEventListener("click", (event) => this.press(event.target.closest("[data-key]"), root));
      root.addEventListener("keydown", (event) => this.key(event, root, list()));
      root.addEventListener("focusin", (event) => this.rove(event.target.closest("[data-key]"), root));
    }
    addEventListener("resize", () => this.spread());
    sorts.addEventListener("change", () => this.sortBy(sorts.value));
  }

  /** Take the cards that one holds now; `fresh` have just been drawn. */
  take(cards, fresh, at) {
    this.at = at;
    this.keys = keysOf(cards);
    this.fresh = freshKeys(this.keys, fresh);
    this.string = this.string.filter((key) => this.keys.includes(key));
    this.draw();
  }

  get cards() {
    return this.string.map(cardOf);
  }

  sorted() {
    const at = new Map(this.keys.map((key, place) => [key, place]));
    const own = (key) => (this.own.includes(key) ? this.own.indexOf(key) : this.own.length + at.get(key));
    const by = {
      suit: (one, other) => suit(one) - suit(other) || rank(one) - rank(other),
      rank: (one, other) => rank(one) - rank(other) || suit(one) - suit(other),
      arrival: () => 0,
      own: (one, other) => own(one) - own(other),
    }[this.sort];
    return [...this.keys].sort((one, other) => by(one, other) || at.get(one) - at.get(other));
  }

  sortBy(sort) {
    if (sort === "own") this.own = this.sorted();
    this.sort = sort;
    this.keep();
    this.draw();
  }

  keep() {
    this.kept.set("own", this.own);
    this.kept.set("sort", this.sort);
    this.kept.set("string", this.string);
  }

  /** Lay the cards of the string back into the hand. */
  clear() {
    this.lay([]);
  }

  lay(string) {
    this.string = string;
    this.lays += 1;
    this.keep();
    this.draw();
    this.changed();
  }

  /** Put a card of the hand at a place of the string, or take it to another. */
  put(key, place = this.string.length) {
    const before = this.string.indexOf(key);
    const rest = this.string.filter((each) => each !== key);
    rest.splice(before >= 0 && before < place ? place - 1 : place, 0, key);
    this.lay(rest);
  }

  remove(key) {
    this.lay(this.string.filter((each) => each !== key));
  }

  /** Put a card at a place of the hand, in an order of one's own. */
  arrange(key, place) {
    const order = this.sorted();
    const before = order.indexOf(key);
    order.splice(before, 1);
    order.splice(before < place ? place - 1 : place, 0, key);
    this.own = order;
    this.sort = "own";
    this.keep();
    this.draw();
  }

  drop(key, from, zone, place) {
    if (zone === "tray") this.put(key, place);
    else if (zone === "felt") this.put(key);
    else if (from === "tray") this.remove(key);
    else this.arrange(key, place);
  }

  press(button, root) {
    if (button === null) return;
    const { key } = button.dataset;
    if (this.string.includes(key)) this.remove(key);
    else if (root === this.hand) this.put(key);
  }

  key(event, root, list) {
    const button = event.target.closest("[data-key]");
    if (button === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = button.dataset;
    const at = list.indexOf(key);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined && event.shiftKey) {
      const to = at + step;
      if (to < 0 || to >= list.length) return;
      if (root === this.tray) this.put(key, step > 0 ? to + 1 : to);
      else this.arrange(key, step > 0 ? to + 1 : to);
      this.focus(root, key);
    } else if (step !== undefined) this.focus(root, list[Math.max(0, Math.min(list.length - 1, at + step))]);
    else if (event.key === "Home" || event.key === "End") this.focus(root, list.at(event.key === "Home" ? 0 : -1));
    else if (event.key === "ArrowUp" && root === this.hand) this.focus(this.tray, this.string.at(-1));
    else if (event.key === "ArrowDown" && root === this.tray) this.focus(this.hand, key);
    else if ((event.key === "Delete" || event.key === "Backspace") && this.string.includes(key)) {
      this.remove(key);
      this.focus(root, root === this.tray ? this.string[Math.min(at, this.string.length - 1)] : key);
      if (root === this.tray && this.string.length === 0) this.focus(this.hand, key);
    } else return;
    event.preventDefault();
  }

  focus(root, key) {
    if (key === undefined) return;
    [...root.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)?.focus();
  }

  rove(button, root) {
    if (button === null) return;
    for (const each of root.querySelectorAll("[data-key]")) each.tabIndex = each === button ? 0 : -1;
    if (root === this.hand) this.focused = button.dataset.key;
  }

  /** Lay the hand in as few rows as leave enough of each card to be read and touched. */
  spread() {
    const first = this.hand.querySelector(".card");
    if (first === null) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const [width, card] = [this.hand.clientWidth, first.offsetWidth];
    const most = Math.max(1, Math.floor((width - card) / (NARROWEST * rem)) + 1);
    const row = Math.ceil(this.keys.length / Math.ceil(this.keys.length / most));
    const pitch = Math.min(card + GAP * rem, (width - card) / Math.max(1, row - 1));
    this.hand.style.setProperty("grid-template-columns", row > 1 ? `repeat(${row - 1}, ${pitch}px) ${card}px` : `${card}px`);
  }

  draw() {
    if (!this.at) return;
    const { words, drawer } = this.at;
    const active = document.activeElement?.closest?.("[data-key]");
    const focus = active && { root: this.tray.contains(active) ? this.tray : this.hand, key: active.dataset.key };
    const first = this.keys.includes(this.focused) ? this.focused : this.sorted()[0];
    const held = this.sorted().map((key) => {
      const place = this.string.indexOf(key) + 1;
      const fresh = this.fresh.includes(key);
      const spoken = drawer.spoken(cardOf(key));
      const card = fresh ? words.say("card.drawn", { card: spoken }) : spoken;
      const label = place ? words.say("hand.chosen", { card, place, n: this.string.length }) : card;
      const face = drawer.card(cardOf(key), { kind: fresh ? "fresh" : "" });
      face.setAttribute("aria-hidden", "true");
      face.removeAttribute("role");
      const button = { class: `held${place ? " chosen" : ""}`, type: "button", "data-key": key, "aria-label": label };
      return element(
        "li",
        {},
        element(
          "button",
          { ...button, "aria-pressed": String(place > 0), tabindex: key === first ? "0" : "-1" },
          face,
          place > 0 && element("span", { class: "place", "aria-hidden": "true" }, String(place)),
        ),
      );
    });
    this.hand.replaceChildren(...held);
    this.spread();
    this.hand.setAttribute("aria-label", words.say("hand.label", { n: this.keys.length }));
    const laid = this.string.map((key, place) => {
      const label = words.say("tray.card", { card: drawer.spoken(cardOf(key)), place: place + 1, n: this.string.length });
      const face = drawer.card(cardOf(key));
      face.setAttribute("aria-hidden", "true");
      face.removeAttribute("role");
      const button = { class: "laid", type: "button", "data-key": key, "aria-label": label, tabindex: place ? "-1" : "0" };
      return element("li", {}, element("button", button, face));
    });
    this.tray.replaceChildren(...laid);
    this.sorts.value = this.sort;
    if (focus) this.focus(focus.root.querySelector(`[data-key="${focus.key}"]`) ? focus.root : this.hand, focus.key);
  }
}

/** Return the keys of the cards that came last. */
function freshKeys(keys, fresh) {
  const left = [...fresh];
  return [...keys].reverse().filter((key) => {
    const found = left.indexOf(cardOf(key));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}
