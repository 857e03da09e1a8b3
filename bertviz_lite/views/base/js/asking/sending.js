// Messages to Python, and what is said where it does not answer.

import { sayCommon } from "../language/common.js";

/** How long an answer may take until the reader is told. */
export const PATIENCE_MS = 10_000;

/** What is said where Python is gone. */
export const lost = () => sayCommon("python_lost");

/** Why there is no answer; one may still come, if Python was only busy. */
export class NoAnswer extends Error {
  /** @param {Promise<any> | null} later the answer, if it still comes; null if it cannot */
  constructor(later) {
    super(later ? sayCommon("python_silent") : lost());
    this.later = later;
  }
}

/**
 * Send a message; without a Python at the other end, a notebook refuses to.
 * @param {any} model
 * @param {Record<string, unknown>} message
 * @throws {NoAnswer}
 */
export function send(model, message) {
  try {
    model.send(message);
  } catch {
    throw new NoAnswer(null);
  }
}

/**
 * Whether nobody computes: a saved page without the model.
 * @param {any} model
 * @returns {boolean}
 */
export const isRecording = (model) => model.isRecording ?? typeof model.savedBlock === "function";
