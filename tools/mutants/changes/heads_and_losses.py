"""What lies on top of BERT: pooler, LM head, NSP head, their losses, and the schedule that trains them."""

from mutants.changes.places import BERT, NSP_LOSS, TIES, WHOLE_BERT
from mutants.mutant import Mutant, tests_of

_PRETRAINING_CLASS = "class BertForPreTraining(BertPreTrainedModel):\n    _tied_weights_keys = {\n"
_TIED_TABLE = '        "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",\n'
_NSP = "seq_relationship_score = self.seq_relationship(pooled_output)\n        return prediction_scores"
_LOSSES = (
    "            loss_fct = CrossEntropyLoss()\n"
    "            masked_lm_loss = "
    "loss_fct(prediction_scores.view(-1, self.config.vocab_size), labels.view(-1))\n"
    "            next_sentence_loss"
)
_TOTAL = "total_loss = masked_lm_loss + next_sentence_loss"
_FALL = (
    "return max(0.0, float(num_training_steps - current_step) / "
    "float(max(1, num_training_steps - num_warmup_steps)))"
)
_FIRST = "first_token_tensor = hidden_states[:, 0]"

HEADS = (
    Mutant(
        "pooler-without-tanh",
        "the pooled vector is not squeezed between -1 and 1",
        BERT,
        "pooled_output = self.activation(pooled_output)",
        "pooled_output = pooled_output * 1",
        WHOLE_BERT,
    ),
    Mutant(
        "pooler-of-last-token",
        "the pooler reads the last token",
        BERT,
        _FIRST,
        _FIRST.replace("0]", "-1]"),
        WHOLE_BERT,
    ),
    Mutant(
        "pooler-of-the-mean",
        "the pooler reads the mean of all tokens",
        BERT,
        _FIRST,
        "first_token_tensor = hidden_states.mean(1)",
        tests_of("chapters/test_chapter_07.py", "test_finish_goes_on_where_states_has_stopped") + WHOLE_BERT,
    ),
    Mutant(
        "transform-without-gelu",
        "the LM head's transform has no GELU",
        BERT,
        "hidden_states = self.transform_act_fn(hidden_states)",
        "hidden_states = hidden_states * 1",
        WHOLE_BERT,
    ),
    Mutant(
        "decoder-without-bias",
        "the LM head adds no bias",
        BERT,
        "hidden_states = self.decoder(hidden_states)\n",
        "hidden_states = nn.functional.linear(hidden_states, self.decoder.weight)\n",
        WHOLE_BERT,
    ),
    Mutant(
        "other-eps-in-transform",
        "LayerNorm of the LM head has eps 1e-3",
        BERT,
        "self.transform_act_fn = config.hidden_act\n"
        "        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)",
        "self.transform_act_fn = config.hidden_act\n"
        "        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=1e-3)",
        WHOLE_BERT,
    ),
    Mutant(
        "decoder-untied",
        "the LM head has a table of its own",
        BERT,
        _PRETRAINING_CLASS + _TIED_TABLE,
        _PRETRAINING_CLASS,
        TIES,
    ),
    Mutant(
        "nsp-labels-exchanged",
        "the NSP head's two outputs have changed places",
        BERT,
        _NSP,
        _NSP.replace("(pooled_output)", "(pooled_output).flip(-1)"),
        WHOLE_BERT,
    ),
    Mutant(
        "nsp-loss-left-out",
        "the loss of pre-training is that of the hidden words alone",
        BERT,
        _TOTAL,
        "total_loss = masked_lm_loss",
        NSP_LOSS,
    ),
    Mutant(
        "losses-summed-over-words",
        "the two losses are sums, not means",
        BERT,
        _LOSSES,
        _LOSSES.replace("CrossEntropyLoss()", 'CrossEntropyLoss(reduction="sum")'),
        NSP_LOSS,
    ),
    Mutant(
        "schedule-counts-warmup-twice",
        "the learning rate falls to 0 over all steps, those of the warm-up counted again",
        "transformers.optimization",
        _FALL,
        _FALL.replace(" - num_warmup_steps", ""),
        tests_of("chapters/test_chapter_10.py", "test_the_paper_s_schedule_equals_that_of_transformers"),
    ),
)
