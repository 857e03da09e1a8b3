"""The package's rooms `capture` and `trace`: what a forward pass gave."""

from mutants.mutant import Mutant, tests_of

_RECORDER = "bertviz_lite.capture.recorder"
_CALL = "Call(query, key, bias, scaling, weights)"

PASSES = (
    Mutant(
        "tokens-off-not-heads",
        "to switch a head off, a token is emptied",
        _RECORDER,
        "output[:, :, list(heads)] = 0",
        "output[:, list(heads)] = 0",
        tests_of("capture/test_rerun.py", "test_a_head_that_is_off_contributes_nothing"),
    ),
    Mutant(
        "queries-called-keys",
        "what is shown as queries are the keys",
        _RECORDER,
        _CALL,
        _CALL.replace("query, key", "key, query"),
        tests_of(
            "capture/test_equal_to_the_library.py", "test_queries_and_keys_are_those_of_the_projections"
        ),
    ),
    Mutant(
        "prediction-one-place-early",
        "a causal model's prediction is read at its own place",
        "bertviz_lite.capture.forward_pass",
        "self.logits[position - self.is_causal]",
        "self.logits[min(position, len(self.logits) - 1)]",
        tests_of("capture/test_rerun.py", "test_predictions_and_loss"),
    ),
    Mutant(
        "one-word-across-two-texts",
        "a word may begin in one text and end in the other",
        "bertviz_lite.capture.tokens",
        "            or segments[before] != segments[position]\n",
        "",
        tests_of("capture/test_plain_arrays.py", "test_a_word_does_not_go_on_in_the_next_text"),
    ),
    Mutant(
        "spread-over-one-less",
        "the standard deviation in a trace is divided by count - 1",
        "bertviz_lite.trace.recording.numbers",
        "exact.var(correction=0)",
        "exact.var(correction=1)",
        tests_of("trace/test_recorded_steps.py", "test_numbers_of_masks_ids_and_values_far_from_zero"),
    ),
)
