/* What the browser keeps for a table: who one is there, and how one likes one's hand. */

const PREFIX = "eleusis";

export class Kept {
  constructor(table) {
    this.table = table;
  }

  get(name) {
    try {
      return JSON.parse(localStorage.getItem(`${PREFIX}/${this.table}/${name}`));
    } catch {
      return null; // a browser may forbid to keep anything; the page goes on without
    }
  }

  set(name, value) {
    try {
      localStorage.setItem(`${PREFIX}/${this.table}/${name}`, JSON.stringify(value));
    } catch {
      // As above: what cannot be kept is forgotten with the page.
    }
  }

  /** The token of one's seat, or of the host. */
  get token() {
    return this.get("token");
  }

  set token(token) {
    this.set("token", token);
  }

  /** What one was called last, at any table. */
  get name() {
    try {
      return localStorage.getItem(`${PREFIX}/name`) ?? "";
    } catch {
      return "";
    }
  }

  set name(name) {
    try {
      localStorage.setItem(`${PREFIX}/name`, name);
    } catch {
      // As above.
    }
  }
}
