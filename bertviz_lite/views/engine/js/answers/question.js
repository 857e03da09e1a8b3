// What a view asks, and what its answer is, whoever gives it: Python, or the page's engine (a view's js/answers.js).

import { Refusal } from "../refusals.js";

/**
 * A question of a view: the message that Python gets, with the values of all traits that the answer depends on.
 * @typedef {object} Question
 * @property {"ask" | "block"} type "ask": compute with these values; "block": big numbers by name
 * @property {Record<string, any>} values of the traits that the view names, with the new ones in their place
 * @property {string} [name] of the block
 */

/**
 * To "ask", the traits that Python would have set, bytes as a DataView; to "block", the block's bytes as they are
 * before Python compresses them. What Python refuses, with a `ViewError` of one line, is a `Refusal` in the same words.
 * @typedef {Record<string, any> | DataView} Answer
 */

/**
 * A view's function that answers without Python.
 * @callback AnswerFunction
 * @param {import("../client.js").PageEngine} engine
 * @param {Question} question
 * @returns {Promise<Answer>}
 */

/**
 * The error for a block that there is none of, as Python words it.
 * @param {string} view the name of its class
 * @param {string | undefined} name
 */
export const noSuchBlock = (view, name) => new Refusal(`'${name}': ${view} has no such block.`);
