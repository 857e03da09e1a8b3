// The page's engine as a view asks it: where its model lies, and when it is started.

import { borrowEngine } from "./engines.js";
import { sayCommon } from "../language/common.js";

/** @import { Answer, AnswerFunction, Question } from "../../../engine/js/answers/question.js" */
/** @import { PageEngine } from "../../../engine/js/client.js" */
/** @import { Life } from "../life.js" */
/** @import { Packed } from "./engines.js" */

const REFERENCE = "IPY_MODEL_";

/** The page has no model, or cannot run it. */
export class NoEngine extends Error {}

export class PageAnswers {
  /**
   * @param {any} model a view's object; its `_engine` says where the model is, if it is in the page
   * @param {Life} life
   * @param {AnswerFunction} find
   */
  constructor(model, life, find) {
    this.model = model;
    this.life = life;
    this.find = find;
    /** Which model: in a notebook the object that carries it for all views, in a saved page its name. */
    this.key = String(model.get("_engine") ?? "");
    /** In a notebook, the object that carries the model. @type {any} */
    this.carrier = null;
    /** @type {Promise<PageEngine> | null} */
    this.engine = null;
    if (this.key.startsWith(REFERENCE)) this.meet();
  }

  get hasEngine() {
    return this.key !== "";
  }

  /** Get hold of what carries the model while there is a Python to send it. */
  async meet() {
    try {
      this.carrier = await this.model.widget_manager.get_model(this.key.slice(REFERENCE.length));
    } catch {
      this.key = ""; // a notebook that was saved without it
    }
  }

  /** Whether it is certain that Python is gone. */
  get isCutOff() {
    return this.carrier?.comm_live === false;
  }

  /**
   * @param {Question} question
   * @returns {Promise<Answer>}
   * @throws {NoEngine}
   */
  async answer(question) {
    if (!this.engine) {
      const { engine, giveBack } = borrowEngine(this.key, () => this.read());
      this.engine = engine;
      engine.catch(() => (this.engine = null));
      if (this.life.controller.signal.aborted) giveBack();
      else this.life.endings.push(giveBack);
    }
    const started = await this.engine.catch((error) => {
      throw new NoEngine(sayCommon("cannot_run", { why: error.message }));
    });
    return this.find(started, question);
  }

  /** @returns {Promise<Packed>} */
  async read() {
    if (!this.key.startsWith(REFERENCE)) return this.model.savedEngine();
    await this.meet();
    const { carrier } = this;
    if (!carrier) throw new Error(sayCommon("saved_without_model"));
    if (!carrier.get("packed")?.byteLength) await arrival(carrier);
    return { source: carrier.get("source"), packed: carrier.get("packed") };
  }
}

/**
 * Wait until Python has sent the model, which it does after the first picture.
 * @param {any} carrier
 */
function arrival(carrier) {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (carrier.get("packed")?.byteLength) resolve(null);
      else if (carrier.comm_live === false) reject(new Error(sayCommon("gone_before_sent")));
      else return;
      carrier.off("change:packed comm_live_update", look);
    };
    carrier.on("change:packed comm_live_update", look);
    look();
  });
}
