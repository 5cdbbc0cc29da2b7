/* The line from a page to its table or board at the server: it comes back by itself, and what was not answered is asked again where that is safe. */

const FIRST_PAUSE = 400; // milliseconds before the first attempt to come back
const LONGEST_PAUSE = 5000;
const PING_EVERY = 20000;
const PING_PATIENCE = 10000;
const GONE = 4404; // the code with which the server closes the line to a table that is no more
const ANSWERS = ["done", "error", "review", "advice", "seated"];

export class Connection {
  /** `hello` makes the first message; `heard` takes each frame; `changed` is told whether the line is
      open, and if not, whether the table is gone. */
  constructor({ hello, heard, changed }) {
    Object.assign(this, { hello, heard, changed });
    this.waiting = new Map(); // what has been asked and not been answered
    this.number = 0;
    this.attempt = 0;
    this.socket = null;
    this.welcome = false;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    this.open();
  }

  open() {
    clearTimeout(this.later);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${location.pathname.replace(/\/$/, "")}/ws`);
    this.socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ id: ++this.number, ...this.hello() })));
    socket.addEventListener("message", (event) => this.socket === socket && this.take(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.socket === socket && this.lost(event.code === GONE));
  }

  take(frame) {
    this.heardAt = performance.now();
    if (frame.kind === "welcome") this.began();
    if (ANSWERS.includes(frame.kind)) {
      const asked = this.waiting.get(frame.id);
      this.waiting.delete(frame.id);
      asked?.answered(frame);
    }
    this.heard(frame);
  }

  began() {
    if (this.welcome) return;
    this.welcome = true;
    this.attempt = 0;
    clearInterval(this.pinging);
    this.pinging = setInterval(() => this.ping(), PING_EVERY);
    this.changed(true);
    for (const { request } of this.waiting.values()) this.send(request);
  }

  lost(gone = false) {
    clearInterval(this.pinging);
    this.welcome = false;
    for (const [id, { request, answered }] of this.waiting) {
      if (request.number !== undefined) continue; // the server tells by the number whether it had it already
      this.waiting.delete(id);
      answered({ kind: "error", code: "connection", message: "" });
    }
    this.changed(false, gone);
    if (gone) return;
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 1.7 ** this.attempt) * (0.7 + 0.6 * Math.random());
    this.attempt += 1;
    clearTimeout(this.later);
    this.later = setTimeout(() => this.open(), pause);
  }

  /** Try again at once, where it was to be tried later. */
  hurry() {
    if (this.welcome) this.ping();
    else if (this.attempt > 0 && this.socket?.readyState !== WebSocket.CONNECTING) this.open();
  }

  ping() {
    const asked = performance.now();
    this.send({ do: "ping", id: ++this.number });
    const socket = this.socket;
    setTimeout(() => {
      if (this.socket === socket && this.welcome && !(this.heardAt >= asked)) this.restart();
    }, PING_PATIENCE);
  }

  /** Take a line that is silent for lost. */
  restart() {
    const silent = this.socket;
    this.socket = null;
    silent.close();
    this.lost();
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Ask for something; the promise holds the frame that answers it. A request with a number outlives the line. */
  ask(request) {
    const numbered = { ...request, id: ++this.number };
    return new Promise((answered) => {
      if (!this.welcome && request.number === undefined) {
        answered({ kind: "error", code: "connection", message: "" });
        return;
      }
      this.waiting.set(numbered.id, { request: numbered, answered });
      if (this.welcome) this.send(numbered);
    });
  }
}
