// What a model has room for: positions, ids, segments, heads.

import { Refusal, quotedToken } from "./refusals.js";

/** @import { Tokens } from "./encoded.js" */
/** @import { Unpacked } from "./packed.js" */

/**
 * @param {Unpacked} model
 * @param {Tokens} tokens
 */
export function checkFits({ header }, { tokens, input_ids, segments }) {
  const { model_name, max_position_embeddings: positions, vocab_size, type_vocab_size } = header.config;
  if (input_ids.length > positions) {
    throw new Refusal(
      `text has ${input_ids.length} tokens, ${model_name} has ${positions} positions: ` +
        "shorten it, or capture it in parts.",
    );
  }
  const unknown = input_ids.findIndex((id) => id < 0 || id >= vocab_size);
  if (unknown >= 0) {
    throw new Refusal(
      `the tokenizer gives id ${input_ids[unknown]} for ${quotedToken(tokens[unknown])}, ${model_name} knows ids ` +
        `up to ${vocab_size - 1}: this tokenizer belongs to another model.`,
    );
  }
  if (Math.max(...segments) >= type_vocab_size) {
    throw new Refusal(
      `text_pair: ${model_name} has type_vocab_size=${type_vocab_size}, so it knows no pairs. Give one text.`,
    );
  }
}

/**
 * @param {Unpacked} model
 * @param {[number, number][]} heads_off
 */
export function checkHeads({ header }, heads_off) {
  const { num_hidden_layers: layers, num_attention_heads: heads } = header.config;
  for (const [layer, head] of heads_off) {
    if (!(Number.isInteger(layer) && layer >= 0 && layer < layers)) {
      throw new Refusal(`layer=${layer}: there are ${layers} layers, numbered 0 to ${layers - 1}.`);
    }
    if (!(Number.isInteger(head) && head >= 0 && head < heads)) {
      throw new Refusal(`head=${head}: layer ${layer} has ${heads} heads, numbered 0 to ${heads - 1}.`);
    }
  }
}
