"""The package's rooms `data` and `training`: cutting, masking, batches, clozes, the optimizer."""

from mutants.mutant import Mutant, tests_of

_MASKING = "bertviz_lite.data.masking"
_CLOZE = "bertviz_lite.data.cloze"
_TASKS = "bertviz_lite.data.task_inputs"
_SUM = "sums[number] += guesses.log_probability.sum()"
_OLDER = "age[pair[0]], age[pair[1]]"
_SPLIT = "draws.replace_draw < masking.mask_share + masking.random_share"

DATA = (
    Mutant(
        "shares-80-2-18",
        "the random share is a share of what [MASK] leaves: 80/2/18, not 80/10/10",
        _MASKING,
        _SPLIT,
        "draws.replace_draw < masking.mask_share + masking.random_share * (1 - masking.mask_share)",
        tests_of("data/test_masking.py", "test_masking_is_80_10_10_of_15_percent"),
    ),
    Mutant(
        "special-tokens-masked",
        "one kind of special token can be chosen, too",
        _MASKING,
        "ordinary[list(self.special_ids)] = False",
        "ordinary[list(self.special_ids[:-1])] = False",
        tests_of(
            "data/test_masking.py", "test_no_special_token_is_chosen_or_drawn_a_mask_in_the_text_neither"
        ),
    ),
    Mutant(
        "words-from-the-row-above",
        "the first token of a word is looked for in the row above",
        _MASKING,
        ".cummax(dim=1)",
        ".cummax(dim=0)",
        tests_of("data/test_masking.py", "test_whole_words_are_chosen_with_all_their_tokens"),
    ),
    Mutant(
        "masks-without-label",
        "what became [MASK] is not asked for: only random and kept tokens are",
        _MASKING,
        "outcome >= _MASK",
        "outcome > _MASK",
        tests_of("data/test_masking.py", "test_masking_is_80_10_10_of_15_percent"),
    ),
    Mutant(
        "last-token-is-padding",
        "the attention mask ends one token early",
        "bertviz_lite.data.batches",
        "mask[index, : len(row)] = 1",
        "mask[index, : len(row) - 1] = 1",
        tests_of("data/test_batches.py", "test_pad_marks_what_is_padding"),
    ),
    Mutant(
        "later-tokens-in-sight",
        "of a word of several tokens the later ones are seen while the first is guessed",
        _CLOZE,
        "np.arange(position, stop)) for position",
        "np.arange(position, position + 1)) for position",
        tests_of("data/test_cloze.py", "test_slot_is_guessed_from_left_to_right"),
    ),
    Mutant(
        "last-guess-for-the-sum",
        "slots of several guesses keep the last one only",
        _CLOZE,
        _SUM,
        _SUM.replace("+=", "="),
        tests_of("evaluation/own_words/test_answers.py", "test_a_word_of_two_tokens_is_guessed_twice"),
    ),
    Mutant(
        "shortest-piece-first",
        "WordPiece takes the shortest piece that fits",
        "bertviz_lite.data.wordpiece.searching",
        "stops = range(len(word), start, -1)",
        "stops = range(start + 1, len(word) + 1)",
        tests_of("data/test_wordpiece.py", "test_the_search_step_by_step"),
    ),
    Mutant(
        "spacing-marks-dropped",
        "marks that take room are dropped with the accents (Unicode's Mc beside Mn)",
        "bertviz_lite.data.wordpiece.text",
        'unicodedata.category(letter) != "Mn"',
        'unicodedata.category(letter) not in {"Mn", "Mc"}',
        tests_of("data/test_wordpiece.py", "test_every_character_is_normalised_as_the_library_does"),
    ),
    Mutant(
        "ties-by-the-right-piece",
        "of pairs that are as frequent, the one whose right piece is older is joined",
        "bertviz_lite.data.wordpiece.learning",
        _OLDER,
        "age[pair[1]], age[pair[0]]",
        tests_of("data/test_wordpiece.py", "test_joining_by_count_is_what_the_trainer_of_tokenizers_does"),
    ),
    Mutant(
        "tag-on-every-piece",
        "every piece of a word has its tag unless all are asked for",
        _TASKS,
        "(word == before and not every_token)",
        "(word == before and every_token)",
        tests_of("data/test_task_inputs.py", "test_the_tag_of_a_word_is_on_its_first_token"),
    ),
    Mutant(
        "answer-ends-late",
        "an answer ends one token later",
        _TASKS,
        "start, end = covered[0], covered[-1]",
        "start, end = covered[0], covered[-1] + 1",
        tests_of("data/test_task_inputs.py", "test_an_answer_is_its_first_and_last_token"),
    ),
    Mutant(
        "muon-scaled-the-wrong-way",
        "wide matrices move farther, not tall ones",
        "bertviz_lite.training.muon",
        "max(1.0, rows / columns)",
        "max(1.0, columns / rows)",
        tests_of("training/test_optimizer.py", "test_three_steps_are_those_of_torchs_muon"),
    ),
)
