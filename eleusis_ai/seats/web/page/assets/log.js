/* What has happened at the table, as the player is told it: the newest where one looks first, all of it in a list. */

import { told } from "./teller.js";

const { element } = EleusisTable;
const MOST_LINES = 600; // that are kept on the page
const NEWEST_LINES = 2;
const JUDGED = ["AttemptJudged", "NoPlayJudged", "StatementJudged"];

export class Log {
  constructor({ lines, newest }) {
    Object.assign(this, { lines, newest });
    this.history = []; // the news, entry by entry
  }

  /** Take what happened before one came, or while one was away, as a whole. */
  begin(news, at) {
    this.history = [news];
    this.retell(at);
  }

  /** Take the news of an entry. */
  hear(news, at) {
    if (news.length === 0) return;
    this.history.push(news);
    this.tell(news, at);
  }

  /** Tell all of it again, as to somebody else, or in another language. */
  retell(at) {
    this.lines.replaceChildren();
    for (const news of this.history) this.tell(news, at);
  }

  tell(news, at) {
    if (at.words === null) return;
    const said = told(news, at);
    if (said.length === 0) return;
    this.note(said);
    const judged = news.findLast((event) => JUDGED.includes(event.event));
    const mark = judged ? [at.drawer.verdict(judged.right)] : [];
    const newest = said.slice(-NEWEST_LINES).map((line) => element("p", {}, line));
    this.newest.replaceChildren(...mark, element("div", {}, newest));
  }

  note(said) {
    const near = this.lines.scrollHeight - this.lines.scrollTop - this.lines.clientHeight < 40;
    for (const line of said) this.lines.append(element("li", {}, line.map(copied)));
    while (this.lines.children.length > MOST_LINES) this.lines.firstElementChild.remove();
    if (near) this.lines.scrollTop = this.lines.scrollHeight;
  }
}

const copied = (part) => (part instanceof Node ? part.cloneNode(true) : part);
