"""The package's rooms `views` and `plots`: numbers and words that a reader sees."""

from mutants.mutant import Mutant, tests_of

VIEWS = (
    Mutant(
        "support-with-the-wrong-sign",
        "a word that supports the answer is shown as speaking against it",
        "bertviz_lite.views.pair.verdicts",
        "now - hidden.T",
        "hidden.T - now",
        tests_of("views/test_pair_view.py", "test_the_support_of_a_word_is_the_drop_when_it_is_hidden"),
    ),
    Mutant(
        "odds-of-the-other-label",
        "the log-odds are those of label 1, “B is from elsewhere”",
        "bertviz_lite.evaluation.pair_probes.vectors",
        "self.logits[:, 0] - self.logits[:, 1]",
        "self.logits[:, 1] - self.logits[:, 0]",
        tests_of("views/test_pair_view.py", "test_the_answer_is_the_models_label_0"),
    ),
    Mutant(
        "fill-in-ranks-from-zero",
        "the most probable word has rank 0",
        "bertviz_lite.views.fill_in.readings",
        "ranks = 1 + np.argsort",
        "ranks = np.argsort",
        tests_of("views/test_fill_in.py", "test_numbers_are_those_of_the_model_at_every_layer"),
    ),
    Mutant(
        "shares-do-not-keep-their-ratio",
        "of the other two shares, the second takes what is the first's",
        "bertviz_lite.views.masking.shares",
        "left * first / (first + second)",
        "left * second / (first + second)",
        tests_of("views/test_masking_lab.py", "test_the_other_two_shares_keep_their_ratio"),
    ),
    Mutant(
        "expected-of-all-tokens",
        "what became of the chosen tokens is expected of all tokens",
        "bertviz_lite.views.masking.counts",
        '(name, "tokens", changed.count(name), len(changed), share)',
        '(name, "tokens", changed.count(name), len(units) * len(outcomes), share)',
        tests_of("views/test_masking_lab.py", "test_counts_lie_in_the_range_that_is_expected"),
    ),
    Mutant(
        "query-box-shows-keys",
        "the machine's box of queries holds the keys",
        "bertviz_lite.views.engine.torch_steps",
        '"attention.self.query": "query",\n    "attention.self.key": "key",',
        '"attention.self.query": "key",\n    "attention.self.key": "query",',
        tests_of("views/test_machine.py", "test_every_step_inside_a_layer_is_that_of_the_library"),
    ),
    Mutant(
        "ids-under-segments",
        "the table of tokens has ids and segments in each other's column",
        "bertviz_lite.views.tokens.tables",
        '("token", "input_ids", "token_type_ids", "of the word")',
        '("token", "token_type_ids", "input_ids", "of the word")',
        tests_of("views/test_token_view.py", "test_fallback_says_the_tokens_the_search_and_the_changes"),
    ),
    Mutant(
        "level-from-zero",
        "the level is a share of the best value, not of the way from the first to the best",
        "bertviz_lite.views.time_lapse.ability",
        "level = start + threshold * (best - start)",
        "level = threshold * best",
        tests_of(
            "views/test_time_lapse.py", "test_an_ability_appears_between_two_moments_that_were_measured"
        ),
    ),
    Mutant(
        "signed-colours-from-zero",
        "a heat map of signed numbers is white at its least number",
        "bertviz_lite.plots.heat_maps",
        "colours, least = SIGNED, -(most or 1.0)",
        "colours, least = SIGNED, float(values.min())",
        tests_of("plots/test_plots.py", "test_heatmap_with_a_negative_number_is_white_at_zero"),
    ),
    Mutant(
        "shares-of-the-drawn",
        "a histogram's shares are of the numbers in its bins, not of all",
        "bertviz_lite.plots.bar_charts",
        "np.histogram(numbers, bins=ends)[0] / numbers.size",
        "np.histogram(numbers, bins=ends)[0] / np.histogram(numbers, bins=ends)[0].sum()",
        tests_of("plots/test_plots.py", "test_a_histogram_is_bars_of_shares_over_their_bins"),
    ),
)
