// Long work in short steps: a generator that stops wherever the page may be let through.

/** How long the page's thread is held at a time, in milliseconds; one step takes far less. */
const HELD_MS = 12;

/**
 * Work that yields nothing and returns its result: whoever runs it chooses when to go on.
 * @template T
 * @typedef {Generator<void, T, void>} Steps
 */

/**
 * All steps at once: for a worker, which holds nobody up.
 * @template T
 * @param {Steps<T>} steps
 * @returns {T}
 */
export function runThrough(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Some steps at a time, and in between whatever else waits for the thread.
 * @template T
 * @param {Steps<T>} steps
 * @returns {Promise<T>}
 */
export async function runGently(steps) {
  for (;;) {
    const until = performance.now() + HELD_MS;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < until);
    await new Promise((goOn) => setTimeout(goOn));
  }
}
