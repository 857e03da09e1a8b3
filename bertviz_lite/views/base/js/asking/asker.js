// Questions to Python: "compute with these values of your traits".

import { retell } from "../language/common.js";
import { NoAnswer, PATIENCE_MS, isRecording, send } from "./sending.js";

/** @import { Life } from "../life.js" */

/**
 * Questions to Python: "compute with these values of your traits". One is under way at a time; of those asked meanwhile
 * only the latest is put next, so that answers never lag behind what is typed. Python changes its traits only where it
 * agrees; then, and where it refuses, `tell` is called.
 */
export class Asker {
  /**
   * @param {any} model
   * @param {Life} life
   * @param {() => void} tell called when `busy` or `problem` has changed
   */
  constructor(model, life, tell) {
    this.model = model;
    this.tell = tell;
    /** A saved page without the model: there is nobody to ask. */
    this.isSaved = isRecording(model);
    /** Why Python refused the last question, in one line. */
    this.problem = "";
    /** @type {{values: Record<string, unknown>, then: () => void} | null} */
    this.next = null;
    /** @type {{ticket: string, then: () => void} | null} */
    this.underWay = null;
    /** Whether the question under way has waited too long: its answer is welcome, but no longer awaited. */
    this.isLate = false;
    this.own = Math.random().toString(36).slice(2);
    this.tickets = 0;
    this.pause = 0;
    this.patience = 0;
    const receive = (/** @type {any} */ message) => this.receive(message);
    model.on("msg:custom", receive);
    life.endings.push(() => {
      model.off("msg:custom", receive);
      clearTimeout(this.pause);
      clearTimeout(this.patience);
    });
  }

  /** Whether an answer is awaited, or a question is about to be put. */
  get busy() {
    return (this.underWay !== null && !this.isLate) || this.next !== null;
  }

  /**
   * @param {Record<string, unknown>} values of traits
   * @param {object} [how]
   * @param {number} [how.pause] milliseconds to wait for more typing
   * @param {() => void} [how.then] what to do once Python has agreed
   */
  ask(values, { pause = 0, then = () => {} } = {}) {
    if (this.isSaved) return;
    this.next = { values: { ...this.next?.values, ...values }, then };
    clearTimeout(this.pause);
    if (pause > 0) this.pause = setTimeout(() => this.put(), pause);
    else this.put();
    this.tell();
  }

  put() {
    clearTimeout(this.pause);
    if ((this.underWay !== null && !this.isLate) || this.next === null) return;
    this.tickets += 1;
    const { values, then } = this.next;
    const ticket = `${this.own}-${this.tickets}`;
    this.underWay = { ticket, then };
    this.isLate = false;
    this.next = null;
    this.patience = setTimeout(() => this.giveUp(new NoAnswer(Promise.resolve())), PATIENCE_MS);
    try {
      send(this.model, { type: "ask", ticket, values });
    } catch (error) {
      this.giveUp(/** @type {NoAnswer} */ (error));
    }
  }

  /** Wait no longer. @param {NoAnswer} reason */
  giveUp(reason) {
    clearTimeout(this.patience);
    this.problem = reason.message;
    this.isLate = true;
    this.put();
    this.tell();
  }

  /** @param {any} message */
  receive(message) {
    if (message?.type !== "asked" || message.ticket !== this.underWay?.ticket) return;
    const then = this.underWay?.then;
    clearTimeout(this.patience);
    this.underWay = null;
    this.isLate = false;
    this.problem = retell(String(message.problem));
    if (this.problem === "") then?.();
    this.put();
    this.tell();
  }
}
