"""BERT before and inside its layers: three tables, LayerNorm, residual connections, the feed-forward part."""

from mutants.changes.places import BERT, FILLED_IN, WHOLE_BERT
from mutants.mutant import Mutant, tests_of

_DROPOUT = "        embeddings = self.dropout(embeddings)\n        return embeddings"
_NORM_OF_EMBEDDINGS = (
    "self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)\n"
    "        self.dropout = nn.Dropout(config.hidden_dropout_prob)\n"
    "        # position_ids"
)
_NORM_OF_ATTENTION = (
    "self.dense = nn.Linear(config.hidden_size, config.hidden_size)\n"
    "        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)"
)
_POSITIONS = (
    "position_ids = self.position_ids[:, past_key_values_length : seq_length + past_key_values_length]"
)
_LAYERS = "for i, layer_module in enumerate(self.layer):"

EMBEDDINGS = (
    Mutant(
        "positions-from-one",
        "the first token is at position 1",
        BERT,
        _POSITIONS,
        _POSITIONS + " + 1",
        WHOLE_BERT,
    ),
    Mutant(
        "no-positions",
        "the position table is not added",
        BERT,
        "embeddings = embeddings + position_embeddings",
        "embeddings = embeddings",
        WHOLE_BERT,
    ),
    Mutant(
        "no-segments",
        "the segment table is not added",
        BERT,
        "embeddings = inputs_embeds + token_type_embeddings",
        "embeddings = inputs_embeds",
        WHOLE_BERT,
    ),
    Mutant(
        "segment-one-by-default",
        "without token_type_ids every token is in segment 1",
        BERT,
        "token_type_ids = buffered_token_type_ids.expand(batch_size, seq_length)",
        "token_type_ids = buffered_token_type_ids.expand(batch_size, seq_length) + 1",
        FILLED_IN,
    ),
    Mutant(
        "embeddings-not-normalised",
        "the sum of the tables goes into the first layer without LayerNorm",
        BERT,
        "embeddings = self.LayerNorm(embeddings)",
        "embeddings = embeddings * 1",
        WHOLE_BERT,
    ),
    Mutant(
        "other-eps-in-embeddings",
        "LayerNorm of the embeddings has torch's own eps, 1e-5",
        BERT,
        _NORM_OF_EMBEDDINGS,
        _NORM_OF_EMBEDDINGS.replace("config.layer_norm_eps", "1e-5"),
        WHOLE_BERT,
    ),
    Mutant(
        "dropout-of-embeddings-always",
        "the embeddings lose a tenth of their numbers in evaluation, too",
        BERT,
        _DROPOUT,
        "        return nn.functional.dropout(embeddings, 0.1)",
        WHOLE_BERT,
    ),
    Mutant(
        "dropout-of-embeddings-never",
        "the embeddings keep all of their numbers in training",
        BERT,
        _DROPOUT,
        "        return embeddings",
        tests_of("evaluation/test_costs.py", "test_activations_are_what_the_backward_pass_keeps"),
    ),
)

LAYERS = (
    Mutant(
        "other-eps-in-layers",
        "LayerNorm after attention has eps 1e-6",
        BERT,
        _NORM_OF_ATTENTION,
        _NORM_OF_ATTENTION.replace("config.layer_norm_eps", "1e-6"),
        WHOLE_BERT,
    ),
    Mutant(
        "no-residual-of-attention",
        "what attention gives is not added to what came in",
        BERT,
        "attention_output = self.output(attention_output, hidden_states)",
        "attention_output = self.output(attention_output, torch.zeros_like(hidden_states))",
        tests_of(
            "chapters/test_chapter_04.py",
            "test_without_attention_a_token_hears_nothing_of_the_others",
            "test_the_library_s_own_layer_is_a_right_answer",
        ),
    ),
    Mutant(
        "no-residual-of-feed-forward",
        "what the feed-forward part gives is not added to what came in",
        BERT,
        "layer_output = self.output(intermediate_output, attention_output)",
        "layer_output = self.output(intermediate_output, torch.zeros_like(attention_output))",
        tests_of("chapters/test_chapter_04.py", "test_the_library_s_own_layer_is_a_right_answer"),
    ),
    Mutant(
        "gelu-by-tanh",
        "GELU is approximated by a tanh, as in GPT-2",
        "transformers.activations",
        "            self.act = nn.functional.gelu\n",
        '            self.act = lambda given: nn.functional.gelu(given, approximate="tanh")\n',
        WHOLE_BERT,
    ),
    Mutant(
        "relu-for-gelu",
        "the feed-forward part has a ReLU",
        BERT,
        "hidden_states = self.intermediate_act_fn(hidden_states)",
        "hidden_states = nn.functional.relu(hidden_states)",
        WHOLE_BERT,
    ),
    Mutant(
        "last-layer-left-out",
        "the last layer does not run",
        BERT,
        _LAYERS,
        _LAYERS.replace("self.layer", "self.layer[:-1]"),
        WHOLE_BERT,
    ),
    Mutant(
        "layers-from-the-top",
        "the layers run in reverse order",
        BERT,
        _LAYERS,
        _LAYERS.replace("self.layer", "reversed(self.layer)"),
        WHOLE_BERT,
    ),
)
