// What is near a word: the entries of the vocabulary whose vectors point most nearly the same way.

import { Blocks, unpackAnswer } from "../../base/js/blocks.js";
import { sayCommon, sayNotSpelled } from "../../base/js/language/common.js";
import { searchPieces } from "../../engine/js/text/word_piece.js";
import { element, setAttributes, setText } from "../../base/js/elements.js";
import { say } from "../language/say.js";

const UNKNOWN = "[UNK]";

/** Words as BERT's tokenizer cuts a text before it looks into the vocabulary. */
const WORDS = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+|[^\s]/gu;

/** @import { Life } from "../../base/js/life.js" */

/**
 * The entries of a vocabulary, by id, and for each its neighbours with their cosines, the nearest first.
 * @typedef {object} NearTable
 * @property {string[]} tokens
 * @property {(token: string) => [string, number][]} of
 */

/**
 * @param {DataView} block for each entry a row of ids, −1 for none, and a row of cosines
 * @returns {NearTable}
 */
export function readNear(block) {
  const { facts, numbers } = unpackAnswer(block);
  const tokens = /** @type {string[]} */ (facts.tokens);
  const count = numbers.length / tokens.length / 2;
  const of = (/** @type {string} */ token) => {
    const start = 2 * count * tokens.indexOf(token);
    const ids = [...numbers.subarray(start, start + count)];
    /** @type {[string, number][]} */
    const found = ids.map((id, i) => [tokens[id], numbers[start + count + i] / facts.steps]);
    return found.filter((_, i) => ids[i] >= 0);
  };
  return { tokens, of };
}

/**
 * The entry that is meant by what was typed, or entries that begin so.
 * @param {string[]} tokens
 * @param {string} typed
 * @returns {{token: string | null, alike: string[]}}
 */
export function entryFor(tokens, typed) {
  const word = typed.trim();
  const small = word.toLowerCase();
  const token = tokens.includes(word) ? word : tokens.includes(small) ? small : null;
  const alike = token || !small ? [] : tokens.filter((entry) => entry.startsWith(small)).slice(0, 6);
  return { token, alike };
}

/**
 * The entries into which a typed text is cut; null where one of its words cannot be spelled.
 * @param {string[]} tokens the vocabulary
 * @param {string} typed
 * @returns {string[] | null}
 */
export function cutInto(tokens, typed) {
  const vocab = new Map(tokens.map((token, id) => [token, id]));
  const isSmall = !tokens.some((token) => /^\p{Lu}/u.test(token));
  const text = isSmall
    ? typed
        .toLowerCase()
        .normalize("NFD")
        .replace(/\p{Mn}/gu, "")
    : typed;
  const found = [];
  for (const [word] of text.matchAll(WORDS)) {
    const search = searchPieces(word, {
      ...{ vocab, unk_token: UNKNOWN },
      ...{ continuing_subword_prefix: "##", max_input_chars_per_word: 100 },
    });
    if (search.too_long || search.failed_at !== null) return null;
    found.push(...search.ids.map((id) => tokens[id]));
  }
  return found;
}

/** A word, what is near it, and what is near that: each neighbour is a button. */
export class NearPanel {
  /**
   * @param {any} model
   * @param {Life} life
   */
  constructor(model, life) {
    this.model = model;
    this.life = life;
    /** Neighbours that Python found, for the tokens of the text. @type {Record<string, [string, number][]>} */
    this.known = model.get("_near");
    /** @type {NearTable | null} */
    this.table = null;
    /** The token of the text for which the word was last chosen. */
    this.chosen = "";
    this.word = "";
    this.heading = element("h4", { class: "bvl-heading" });
    this.field = /** @type {HTMLInputElement} */ (
      element("input", {
        ...{ type: "text", class: "bvl-input", maxlength: 100, dir: "auto", "aria-label": say("near_which") },
        ...{ spellcheck: "false", autocapitalize: "off", autocomplete: "off" },
      })
    );
    this.list = element("ol", { class: "bvl-near-list" });
    this.note = element("p", { class: "bvl-soft", role: "status" });
    const [words, width] = model.get("_table_shape");
    const count = words?.toLocaleString("en");
    this.box = element(
      "div",
      { class: "bvl-near", hidden: words === undefined },
      element("div", { class: "bvl-bar" }, this.heading, this.field),
      this.list,
      this.note,
      element("p", { class: "bvl-soft" }, say("near_note", { count, width })),
    );
    life.listen(this.field, "input", () => this.look(this.field.value));
    life.listen(this.list, "click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.go(button.value);
    });
    this.field.hidden = !model.get("_has_words");
    if (model.get("_has_words")) this.getTable();
  }

  async getTable() {
    let answer = new Blocks(this.model, this.life).get("words");
    answer = answer.catch((error) => {
      setText(this.note, error.message);
      if (!error.later) throw error;
      return error.later; // Python was only busy
    });
    const block = await answer.catch(() => null);
    if (!block || this.life.controller.signal.aborted) return;
    this.table = readNear(block);
    this.look(this.word);
  }

  /** A neighbour becomes the word. @param {string} word */
  go(word) {
    this.field.value = word;
    this.look(word);
    /** @type {HTMLElement | null} */ (this.list.querySelector("button"))?.focus();
  }

  /** Another token of the text is looked at. @param {string} token */
  follow(token) {
    if (token === this.chosen) return;
    this.chosen = token;
    this.field.value = token;
    this.look(token);
  }

  /** @param {string} typed */
  look(typed) {
    this.word = typed;
    const { table, known } = this;
    const { token, alike } = entryFor(table?.tokens ?? Object.keys(known), typed);
    const isRefused = table !== null && token === null && typed.trim() !== "";
    setAttributes(this.field, { "aria-invalid": isRefused ? "true" : null });
    if (table && token !== null) this.show(token, table.of(token));
    else if (token !== null && known[token]) this.show(token, known[token]);
    else this.refuse(typed.trim(), alike);
  }

  /**
   * @param {string} token
   * @param {[string, number][]} near
   */
  show(token, near) {
    setText(this.heading, say("near_what", { token }));
    this.list.replaceChildren(...near.map(([word, cosine]) => this.makeLine(word, cosine)));
    setText(this.note, near.length > 0 ? "" : say("near_zero"));
  }

  /**
   * @param {string} word
   * @param {number} cosine
   */
  makeLine(word, cosine) {
    const isOpen = this.table !== null;
    const number = element("span", { class: "bvl-number" }, cosine.toFixed(2).replace("-", "−"));
    const bar = element("span", { class: "bvl-near-bar", "aria-hidden": "true" }, element("span"));
    /** @type {HTMLElement} */ (bar.firstChild).style.width = `${Math.max(0, 100 * cosine).toFixed(1)}%`;
    const name = element("bdi", { class: "bvl-mono" }, word);
    const inner = isOpen ? element("button", { type: "button", value: word }, name) : name;
    return element("li", {}, inner, bar, number);
  }

  /**
   * @param {string} typed
   * @param {string[]} alike
   */
  refuse(typed, alike) {
    setText(this.heading, say("near_a_word"));
    this.list.replaceChildren();
    if (typed === "") return setText(this.note, say("type_a_word"));
    if (!this.table) return;
    const parts = cutInto(this.table.tokens, typed);
    if (parts === null) return setText(this.note, sayNotSpelled(typed, UNKNOWN));
    const others = alike.length > 0 ? say("begin_so", { entries: alike.join(sayCommon("comma")) }) : "";
    setText(this.note, say("no_entry", { typed, parts: parts.join(" "), others }));
  }
}
