/* Cards dragged from place to place with a mouse, a pen or a finger. A finger that moves at once scrolls; one that
   rests on a card for a moment lifts it. */

const FAR = 7; // pixels a mouse moves before it drags
const REST = 220; // milliseconds a finger rests before it lifts

/** Let what matches `.held` or `.laid` inside `root` be dragged into a `[data-zone]`; dropped(key, from, to, place). */
export function draggable(root, dropped) {
  let drag = null;

  function begin() {
    const { button, x, y } = drag;
    const box = button.getBoundingClientRect();
    drag.ghost = button.cloneNode(true);
    drag.ghost.classList.add("ghost");
    drag.ghost.setAttribute("aria-hidden", "true");
    drag.ghost.removeAttribute("data-key");
    drag.ghost.style.setProperty("width", `${box.width}px`);
    drag.ghost.style.setProperty("height", `${box.height}px`);
    drag.offset = [x - box.left, y - box.top];
    root.append(drag.ghost);
    button.classList.add("lifted");
    move(x, y);
  }

  function move(x, y) {
    const [left, top] = [x - drag.offset[0], y - drag.offset[1]];
    drag.ghost.style.setProperty("transform", `translate(${left}px, ${top}px)`);
    const zone = document.elementFromPoint(x, y)?.closest("[data-zone]") ?? null;
    mark(zone, zone && placeIn(zone, x, y));
  }

  function mark(zone, place) {
    for (const each of document.querySelectorAll(".drop, .drop-before")) each.classList.remove("drop", "drop-before");
    drag.zone = zone;
    drag.place = place;
    zone?.classList.add("drop");
    zone?.querySelectorAll("[data-key]")[place]?.classList.add("drop-before");
  }

  /** Return how many of the zone's cards stand before the point, as one reads. */
  function placeIn(zone, x, y) {
    return [...zone.querySelectorAll("[data-key]")].filter((each) => {
      const box = each.getBoundingClientRect();
      return y > box.bottom || (y > box.top && x > box.left + box.width / 2);
    }).length;
  }

  function end(drop) {
    clearTimeout(drag.timer);
    const { button, ghost, zone, place } = drag;
    if (ghost) {
      ghost.remove();
      button.classList.remove("lifted");
      mark(null, null);
      // The click that ends a drag chooses nothing.
      const swallow = (event) => event.stopPropagation() || event.preventDefault();
      button.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => button.removeEventListener("click", swallow, { capture: true }), 50);
    }
    drag = null;
    const from = button.closest("[data-zone]");
    if (ghost && drop && zone) dropped(button.dataset.key, from.dataset.zone, zone.dataset.zone, place);
  }

  root.addEventListener("pointerdown", (event) => {
    const button = event.target.closest(".held, .laid");
    if (drag || !button || event.button !== 0) return;
    drag = { button, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, zone: null };
    if (event.pointerType === "touch") drag.timer = setTimeout(() => drag && begin(), REST);
  });
  addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    if (drag.ghost) return move(event.clientX, event.clientY);
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
    if (!far) return;
    if (event.pointerType === "touch") return end(false);
    begin();
    move(event.clientX, event.clientY);
  });
  addEventListener("pointerup", (event) => {
    if (drag?.id !== event.pointerId) return;
    if (drag.ghost) move(event.clientX, event.clientY);
    end(true);
  });
  addEventListener("pointercancel", (event) => drag?.id === event.pointerId && end(false));
  addEventListener("keydown", (event) => event.key === "Escape" && drag?.ghost && end(false));
  root.addEventListener("touchmove", (event) => drag?.ghost && event.preventDefault(), { passive: false });
  root.addEventListener("contextmenu", (event) => drag?.ghost && event.preventDefault());
}
