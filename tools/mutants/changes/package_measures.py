"""The package's room `evaluation`: intervals, the lens, costs, scores, probes, metrics."""

from mutants.mutant import Mutant, tests_of

_INTERVALS = "bertviz_lite.evaluation.intervals"
_LENS = "bertviz_lite.evaluation.lens"
_COSTS = "bertviz_lite.evaluation.costs"
_SIMILARITY = "bertviz_lite.evaluation.similarity"
_PARTS = "bertviz_lite.evaluation.embeddings.parts"
_VARIANCE = "np.sqrt(self.total.var(axis=1) + self.eps)"
_F1 = "2 * hits / np.maximum(true + predicted, 1)"
_CHOSEN_HALF = "accuracy=float(hits[~choosing, layer, head].mean())"

MEASURES = (
    Mutant(
        "wald-for-wilson",
        "the interval of a share is not moved towards a half (Wald's, not Wilson's)",
        _INTERVALS,
        "middle = (count + z * z / 2) / (n + z * z)",
        "middle = count / n",
        tests_of(
            "evaluation/test_intervals.py",
            "test_both_ends_lie_196_deviations_from_the_share",
            "test_wilsons_interval_holds_the_true_share_in_95_of_100_draws",
        ),
    ),
    Mutant(
        "bootstrap-90",
        "the bootstrap's interval holds 90 of 100, not 95",
        _INTERVALS,
        "(0.025, 0.975)",
        "(0.05, 0.95)",
        tests_of(
            "evaluation/test_intervals.py", "test_a_bootstrap_interval_is_as_wide_as_the_normal_approximation"
        ),
    ),
    Mutant(
        "one-tail-twice-as-large",
        "each tail of the range of counts has 5 percent, not 2.5",
        _INTERVALS,
        "tail = (1 - level) / 2",
        "tail = 1 - level",
        tests_of("evaluation/test_intervals.py", "test_binomial_interval_against_fractions"),
    ),
    Mutant(
        "lens-one-layer-low",
        "the lens reads each layer's row from the layer below",
        _LENS,
        "for layer in states])",
        "for layer in (states[0], *states[:-1])])",
        tests_of("evaluation/test_lens.py", "test_every_layer_is_the_head_on_its_hidden_states"),
    ),
    Mutant(
        "ranks-from-two",
        "the first place of the vocabulary has rank 2",
        _LENS,
        "1 + (logits > right)",
        "1 + (logits >= right)",
        tests_of("evaluation/test_lens.py", "test_answers_are_read_where_the_lens_reads_them"),
    ),
    Mutant(
        "padding-in-the-mean",
        "the mean of a text is divided by its padded length",
        "bertviz_lite.evaluation.poolings",
        "/ weights.sum(dim=1)",
        "/ weights.shape[1]",
        tests_of("chapters/test_chapter_07.py", "test_a_text_is_pooled_beside_a_longer_one_as_it_is_alone"),
    ),
    Mutant(
        "padding-in-the-maximum",
        "padding takes part in the maximum as 0",
        "bertviz_lite.evaluation.poolings",
        "== 0, -torch.inf)",
        "== 0, 0.0)",
        tests_of("chapters/test_chapter_07.py", "test_a_text_is_pooled_beside_a_longer_one_as_it_is_alone"),
    ),
    Mutant(
        "cosine-by-columns",
        "vectors are divided by the length of columns, not of rows",
        _SIMILARITY,
        "np.linalg.norm(rows, axis=1, keepdims=True)",
        "np.linalg.norm(rows, axis=0, keepdims=True)",
        tests_of("evaluation/test_similarity.py", "test_cosines_by_hand"),
    ),
    Mutant(
        "overlap-of-one-text",
        "shared words are counted over the words of the query alone",
        _SIMILARITY,
        "len(first & second) / len(first | second)",
        "len(first & second) / len(first)",
        tests_of("evaluation/test_similarity.py", "test_word_overlap_by_hand"),
    ),
    Mutant(
        "no-output-projection",
        "attention has three matrices of parameters, not four",
        _COSTS,
        "attention = 4 * (hidden * hidden + hidden)",
        "attention = 3 * (hidden * hidden + hidden)",
        tests_of("evaluation/test_costs.py", "test_parameters_are_those_of_numel"),
    ),
    Mutant(
        "weighted-sum-costs-nothing",
        "the weighted sum of the values is not counted",
        _COSTS,
        "layers * 4 * seq_len * hidden",
        "layers * 2 * seq_len * hidden",
        tests_of("evaluation/test_costs.py", "test_operations_are_those_that_torch_counts"),
    ),
    Mutant(
        "eps-beside-the-root",
        "LayerNorm adds eps to the standard deviation, not to the variance",
        _PARTS,
        _VARIANCE,
        "np.sqrt(self.total.var(axis=1)) + self.eps",
        tests_of("evaluation/test_embeddings.py", "test_equal_to_the_model_for_any_weights_and_text"),
    ),
    Mutant(
        "variance-over-one-less",
        "the variance is divided by hidden_size - 1",
        _PARTS,
        _VARIANCE,
        "np.sqrt(self.total.var(axis=1, ddof=1) + self.eps)",
        tests_of("evaluation/test_embeddings.py", "test_equal_to_the_model_for_any_weights_and_text"),
    ),
    Mutant(
        "largest-weight-one-to-the-left",
        "with [CLS] left out, places are counted from the token after it",
        "bertviz_lite.evaluation.probes.weights",
        "weights[..., 1:-1].argmax(-1) + 1",
        "weights[..., 1:-1].argmax(-1)",
        tests_of("evaluation/test_head_scores.py", "test_largest_weights_are_those_of_the_attention"),
    ),
    Mutant(
        "head-scored-where-it-was-chosen",
        "a head is scored on the stories that chose it",
        "bertviz_lite.evaluation.probes.heads",
        _CHOSEN_HALF,
        "accuracy=float(hits[choosing, layer, head].mean())",
        tests_of(
            "evaluation/test_head_scores.py",
            "test_the_head_that_follows_a_relation_is_found",
            "test_cases_in_which_a_simple_rule_is_wrong_are_scored_apart",
        ),
    ),
    Mutant(
        "probe-without-shares",
        "the linear probe has no intercept",
        "bertviz_lite.evaluation.probes.linear",
        "@ self.weights + self.shares\n",
        "@ self.weights\n",
        tests_of(
            "evaluation/test_word_probes.py",
            "test_the_probe_is_least_squares_with_a_ridge",
            "test_a_probe_of_equal_vectors_guesses_the_commonest_tag",
        ),
    ),
    Mutant(
        "wrong-form-preferred",
        "a minimal pair counts where the wrong form is more likely",
        "bertviz_lite.evaluation.scores.minimal_pairs",
        "bool(right > wrong)",
        "bool(right < wrong)",
        tests_of(
            "evaluation/test_scores.py", "test_a_minimal_pair_is_won_where_the_right_form_is_more_likely"
        ),
    ),
    Mutant(
        "f1-without-predicted",
        "F1 is divided by the true names alone: it is recall",
        "bertviz_lite.evaluation.task_scores.metrics",
        _F1,
        "hits / np.maximum(true, 1)",
        tests_of(
            "evaluation/test_task_scores.py",
            "test_f1_of_names_counts_those_that_are_predicted_beside_those_that_are_there",
        ),
    ),
)
