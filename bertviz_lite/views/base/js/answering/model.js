// A view's Python object, and who answers what the view asks of it: Python where there is one, else the page's engine.

import { NoAnswer, lost } from "../asking/sending.js";
import { LayeredTraits } from "./layered.js";
import { NoEngine, PageAnswers } from "./page_answers.js";
import { sayCommon } from "../language/common.js";

/** @import { AnswerFunction } from "../../../engine/js/answers/question.js" */
/** @import { Life } from "../life.js" */

/** How long Python is waited for where the page can answer as well. */
const PYTHON_FIRST_MS = 1500;

/** How long after that it is looked whether Python is silent or gone; each time twice as long as before. */
const LOOK_AGAIN_MS = 2000;

/**
 * What a view sends.
 * @typedef {object} Message
 * @property {"ask" | "block"} type
 * @property {string} ticket
 * @property {Record<string, any>} [values]
 * @property {string} [name]
 */

/**
 * Stands between a view and the object that a notebook or a saved page gives it. The view sends its questions and hears
 * the answers as if Python were always there. Where Python is gone or silent and the page has the model, the page's
 * engine answers; the traits that Python would have set lie above the object's until Python has answered the same.
 */
export class AnsweredModel extends LayeredTraits {
  /**
   * @param {any} model
   * @param {Life} life
   * @param {object} how
   * @param {AnswerFunction} how.answer
   * @param {string[]} how.asks the traits that answers depend on
   * @param {"model" | "tokenizer"} how.who what answers in the page
   */
  constructor(model, life, { answer, asks, who }) {
    super(model, life);
    this.asks = asks;
    this.who = who;
    this.isSaved = typeof model.savedBlock === "function";
    this.page = new PageAnswers(model, life, answer);
    /** Nobody computes: what the page was saved with is all there is. */
    this.isRecording = this.isSaved && !this.page.hasEngine;
    /** What a saved page was saved with is still what it shows. */
    this.isAsSaved = this.isSaved;
    /** A notebook refused to send: there is no Python at the other end any more. */
    this.isGone = false;
    /** Questions under way that the page may answer: by ticket, the timer that ends the wait for Python. */
    this.open = new Map();
    /** The ticket of the latest "ask". */
    this.latest = "";
    /** The ticket of a question that Python has, and is slow to answer. */
    this.atPython = "";
    /** What was asked meanwhile: Python gets the latest. @type {Message | null} */
    this.held = null;
    /** The timer of the next look at whether a silent Python is gone. */
    this.look = 0;
    const hear = (/** @type {any} */ message, /** @type {any} */ buffers) => this.hear(message, buffers);
    model.on("msg:custom", hear);
    life.endings.push(() => {
      model.off("msg:custom", hear);
      for (const timer of this.open.values()) clearTimeout(timer);
      clearTimeout(this.look);
      this.open.clear();
    });
  }

  // ---- what a saved page holds

  /** @param {string} name */
  hasSavedBlock(name) {
    return this.isAsSaved && this.model.hasSavedBlock(name);
  }

  /** @param {string} name */
  savedBlock(name) {
    return this.hasSavedBlock(name) ? this.model.savedBlock(name) : null;
  }

  save_changes() {
    if (!this.isGone && !this.page.isCutOff) super.save_changes(); // else the notebook would complain each time
  }

  // ---- questions

  /** Who answers in Python's place, for a reader of a notebook. */
  get note() {
    if (this.above.size === 0) return "";
    const who = sayCommon(this.who === "model" ? "who_model" : "who_tokenizer");
    const isGone = this.page.isCutOff || this.atPython === "";
    return sayCommon(isGone ? "python_gone_page" : "python_busy_page", { who });
  }

  /**
   * @param {Message} message
   * @throws {NoAnswer} where there is neither Python nor a model in the page
   */
  send(message) {
    if (message.type === "ask") this.latest = message.ticket;
    const isSent = !this.isSaved && this.sendToPython(message);
    if (!this.page.hasEngine) {
      if (!isSent) throw new NoAnswer(null);
    } else if (!isSent || this.atPython !== "") {
      this.askPage(message);
    } else {
      const wait = setTimeout(() => {
        this.waitFor(message.ticket);
        this.askPage(message);
      }, PYTHON_FIRST_MS);
      this.open.set(message.ticket, wait);
    }
  }

  /**
   * Send Python a question, or keep it until Python has answered the one that it has.
   * @param {Message} message
   * @returns {boolean} false if Python is gone
   */
  sendToPython(message) {
    if (this.isGone || this.page.isCutOff) return false;
    if (this.atPython !== "") {
      if (message.type === "ask") this.held = message;
      return true;
    }
    try {
      this.model.send(message);
    } catch {
      this.isGone = true;
      return false;
    }
    return true;
  }

  /**
   * Python is slow to answer.
   * @param {string} ticket
   */
  waitFor(ticket) {
    if (this.atPython !== "") return;
    this.atPython = ticket;
    this.lookAgain(LOOK_AGAIN_MS);
  }

  /**
   * A question that was put just before Python ended is lost without a word. What is sent later is refused.
   * @param {number} pause
   */
  lookAgain(pause) {
    clearTimeout(this.look);
    this.look = setTimeout(() => {
      if (this.atPython === "") return;
      try {
        if (!this.page.isCutOff) this.model.send({ type: "still there?" }); // nobody answers that
      } catch {
        this.isGone = true;
      }
      if (!this.isGone && !this.page.isCutOff) {
        this.lookAgain(2 * pause);
        return;
      }
      this.atPython = "";
      this.held = null;
      this.putAbove(Object.fromEntries(this.above)); // the views say who answers
    }, pause);
  }

  /** @param {Message} message */
  async askPage({ type, ticket, name, values }) {
    clearTimeout(this.open.get(ticket));
    this.open.set(ticket, 0);
    const known = Object.fromEntries(this.asks.map((trait) => [trait, this.get(trait)]));
    /** @type {any} */
    let answer = null;
    let problem = "";
    try {
      answer = await this.page.answer({ type, name, values: { ...known, ...values } });
    } catch (error) {
      if (error instanceof NoEngine && !this.isSaved && !this.page.isCutOff) return; // Python may answer yet
      problem = error instanceof NoEngine && !this.isSaved ? lost() : /** @type {Error} */ (error).message;
    }
    if (!this.open.delete(ticket)) return; // Python was quicker, or the view is gone
    if (type === "block") {
      const reply = problem ? { type: "error", ticket, message: problem } : { type, ticket, isPlain: true };
      this.tell("msg:custom", reply, [answer]);
      return;
    }
    if (problem === "") this.take(answer);
    this.tell("msg:custom", { type: "asked", ticket, problem });
  }

  /** @param {Record<string, any>} traits that Python would have set */
  take(traits) {
    this.isAsSaved = false;
    if (!this.isSaved) this.putAbove(traits);
    else for (const [name, value] of Object.entries(traits)) this.model.set(name, value);
  }

  /**
   * Python says something.
   * @param {any} message
   * @param {any[]} buffers
   */
  hear(message, buffers) {
    const ticket = message?.ticket;
    clearTimeout(this.open.get(ticket));
    this.open.delete(ticket);
    if (message?.type === "asked" && message.problem === "" && ticket === this.latest) this.takeAway();
    if (ticket === this.atPython && ticket !== "") {
      this.atPython = "";
      clearTimeout(this.look);
      if (this.held) this.sendToPython(this.held);
      this.held = null;
    }
    this.tell("msg:custom", message, buffers);
  }
}

/**
 * What a view gives its base if it can be answered without Python.
 * @param {AnswerFunction} answer
 * @param {string[]} asks the traits that answers depend on
 * @param {"model" | "tokenizer"} [who] what answers in the page
 * @returns {(model: any, life: Life) => AnsweredModel}
 */
export const answeredBy =
  (answer, asks, who = "model") =>
  (model, life) =>
    new AnsweredModel(model, life, { answer, asks, who });
