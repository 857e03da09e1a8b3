"""BERT's attention: scores, mask, softmax, heads."""

from mutants.changes.places import BERT, WHOLE_BERT
from mutants.mutant import Mutant, tests_of

_KEYS = tests_of("capture/test_equal_to_the_library.py", "test_queries_and_keys_are_those_of_the_projections")
_OF_SELF_ATTENTION = "self.is_decoder = config.is_decoder\n        self.is_causal = is_causal"
_SCORES = "attn_weights = torch.matmul(query, key.transpose(2, 3)) * scaling"
_KEY = "key_layer = self.key(hidden_states).view(*hidden_shape)"
_QUERY = "query_layer = self.query(hidden_states).view(*hidden_shape).transpose(1, 2)"

ATTENTION = (
    Mutant(
        "scores-not-scaled",
        "the scores are not divided by the root of the head's size",
        BERT,
        _OF_SELF_ATTENTION,
        _OF_SELF_ATTENTION + "\n        self.scaling = 1.0",
        WHOLE_BERT,
    ),
    Mutant(
        "scaled-by-hidden-size",
        "the scores are divided by the root of hidden_size, not of the head's size",
        BERT,
        _OF_SELF_ATTENTION,
        _OF_SELF_ATTENTION + "\n        self.scaling = config.hidden_size**-0.5",
        WHOLE_BERT,
    ),
    Mutant(
        "mask-subtracted",
        "the additive mask is subtracted: only padding is seen",
        BERT,
        "attn_weights = attn_weights + attention_mask",
        "attn_weights = attn_weights - attention_mask",
        WHOLE_BERT,
    ),
    Mutant(
        "padding-seen",
        "the attention mask does not reach the layers",
        BERT,
        "attention_mask = attention_mask if not self.is_cross_attention",
        "attention_mask = None if not self.is_cross_attention",
        WHOLE_BERT,
    ),
    Mutant(
        "later-tokens-hidden",
        "BERT reads from left to right, as GPT does",
        BERT,
        "        else:\n            attention_mask = create_bidirectional_mask(",
        "        else:\n            attention_mask = create_causal_mask(",
        WHOLE_BERT,
    ),
    Mutant(
        "softmax-over-queries",
        "columns of the weights sum to 1, not rows",
        BERT,
        "nn.functional.softmax(attn_weights, dim=-1)",
        "nn.functional.softmax(attn_weights, dim=-2)",
        WHOLE_BERT,
    ),
    Mutant(
        "queries-for-keys",
        "queries and keys have changed roles",
        BERT,
        _SCORES,
        "attn_weights = torch.matmul(key, query.transpose(2, 3)) * scaling",
        WHOLE_BERT,
    ),
    Mutant(
        "queries-of-another-head",
        "each head's queries are those of the head at the other end",
        BERT,
        _QUERY,
        _QUERY + ".flip(1)",
        WHOLE_BERT,
    ),
    Mutant(
        "heads-put-together-backwards",
        "the heads' outputs are put side by side in reverse order",
        BERT,
        "attn_output = attn_output.transpose(1, 2).contiguous()",
        "attn_output = attn_output.flip(1).transpose(1, 2).contiguous()",
        WHOLE_BERT,
    ),
    Mutant(
        "key-bias-left-out",
        "keys have no bias: the weights stay as they are, for every score of a row moves alike",
        BERT,
        _KEY,
        "key_layer = nn.functional.linear(hidden_states, self.key.weight).view(*hidden_shape)",
        _KEYS,
    ),
    Mutant(
        "values-from-keys",
        "what is summed are the keys, not the values",
        BERT,
        "value_layer = self.value(hidden_states).view(*hidden_shape)",
        "value_layer = self.key(hidden_states).view(*hidden_shape)",
        WHOLE_BERT,
    ),
    Mutant(
        "sdpa-not-scaled",
        "the fast attention does not get the scale",
        "transformers.integrations.sdpa_attention",
        "scale=scaling,",
        "scale=1.0,",
        tests_of("chapters/test_whole_bert.py", "test_both_implementations_of_attention_give_the_same"),
    ),
)
