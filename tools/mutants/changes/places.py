"""Modules and tests that several mutants share."""

from mutants.mutant import tests_of

BERT = "transformers.models.bert.modeling_bert"
TOKENIZER = "transformers.models.bert.tokenization_bert"
COLLATOR = "transformers.data.data_collator"

# The BERT of chapter 12, written from the paper, against the library's: every hidden state, weight and logit.
WHOLE_BERT = tests_of("chapters/test_whole_bert.py", "test_every_tensor_equals_that_of_transformers")
FILLED_IN = tests_of(
    "chapters/test_whole_bert.py", "test_a_missing_mask_or_segments_are_filled_in_as_transformers_does"
)
TIES = tests_of("models/test_loading.py", "test_the_heads_are_tied") + tests_of(
    "chapters/test_whole_bert.py", "test_the_number_of_parameters_equals_that_of_transformers"
)
NSP_LOSS = tests_of("chapters/test_chapter_09.py", "test_the_loss_is_the_library_s")
WORD_PIECES = tests_of(
    "data/test_wordpiece.py",
    "test_a_text_is_normalised_and_split_as_the_library_does",
    "test_whole_stories_become_the_tokens_of_the_library",
)
TEMPLATES = tests_of("data/test_vocabulary.py", "test_tokenizer_form_is_that_of_bert")
