/* The words of the page in one language: texts with places for values, in as many forms as the language counts by. */

export const LANGUAGES = ["en", "fr", "pt", "it"];
const COUNTS_AS = { pt: "pt-PT" };
const PLACE = /\{(\w+)\}/;

/** Return the texts of a language: keys, and texts or forms by number. */
export async function textsOf(language) {
  const answer = await fetch(`/words/${language}.json`);
  if (!answer.ok) throw new Error(`/words/${language}.json: ${answer.status}`);
  return answer.json();
}

export class Words {
  constructor(language, texts) {
    this.language = language;
    this.texts = texts;
    this.plural = new Intl.PluralRules(COUNTS_AS[language] ?? language);
    this.say = this.say.bind(this);
  }

  /** Tell whether there is a text for `key`. */
  has(key) {
    return Object.hasOwn(this.texts, key);
  }

  /** Return the text of `key`, its values put in. */
  say(key, values = {}) {
    return this.parts(key, values).map((part) => part.textContent ?? part).join("");
  }

  /** Return the text of `key` as texts and elements, its values being either, or lists of them. */
  parts(key, values = {}) {
    const text = this.has(key) ? this.texts[key] : key;
    const form = typeof text === "string" ? text : text[this.plural.select(values.n)] ?? text.other;
    const parts = form.split(PLACE).flatMap((part, at) => (at % 2 ? values[part] ?? `{${part}}` : part));
    return parts.filter((part) => part !== "").map((part) => (typeof part === "number" ? String(part) : part));
  }

  /** Say an agent such as "elimination:club": its name, and its level. */
  agent(agent) {
    const [name, level] = agent.split(":");
    const said = this.has(`agent.${name}`) ? this.say(`agent.${name}`) : name;
    if (level === undefined) return said;
    const named = this.has(`level.${level}`) ? this.say(`level.${level}`) : level;
    return this.say("agent.level", { agent: said, level: named });
  }

  /** Write a share such as 0.31 as the language writes it. */
  percent(share) {
    return new Intl.NumberFormat(COUNTS_AS[this.language] ?? this.language, { style: "percent" }).format(share);
  }

  /** Say all that stands in the page itself. */
  translate(root = document) {
    document.documentElement.lang = this.language;
    for (const each of root.querySelectorAll("[data-say]")) each.textContent = this.say(each.dataset.say);
    for (const [name, attribute] of [["label", "aria-label"], ["title", "title"], ["placeholder", "placeholder"]]) {
      for (const each of root.querySelectorAll(`[data-say-${name}]`)) {
        each.setAttribute(attribute, this.say(each.getAttribute(`data-say-${name}`)));
      }
    }
  }
}

/** Let the select of a language choose: remember the language, and tell `chosen` its words. */
export async function languageChoice(chosen) {
  const select = document.getElementById("language");
  async function choose(language) {
    const words = new Words(language, await textsOf(language));
    if (select.value !== language) return; // another has been chosen since
    words.translate();
    chosen(words);
  }
  select.addEventListener("change", () => {
    document.cookie = `language=${select.value}; path=/; max-age=31536000; samesite=lax`;
    choose(select.value);
  });
  await choose(select.value);
}
