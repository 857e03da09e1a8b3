"""Similarity of texts: cosines, shared words and ties, against numbers worked out by hand."""

import numpy as np
import pytest

from bertviz_lite.evaluation.similarity import SimilarityQuestion, chosen, cosines, word_overlap


def test_word_overlap_by_hand() -> None:
    questions = [SimilarityQuestion("Ann has a dog.", ("Ann has a cat.", "It rains."))]
    assert word_overlap(questions).tolist() == [[3 / 5, 0.0]]


def test_cosines_by_hand() -> None:
    questions = [SimilarityQuestion("a", ("b", "c")), SimilarityQuestion("d", ("e", "f"))]
    vectors = [[1.0, 0.0], [2.0, 0.0], [0.0, 5.0], [1.0, 1.0], [-3.0, -3.0], [1.0, -1.0]]
    np.testing.assert_allclose(cosines(vectors, questions), [[1, 0], [-1, 0]], atol=1e-12)
    with pytest.raises(ValueError, match=r"vectors is \(5, 2\) but the questions have 6 texts"):
        cosines(vectors[:5], questions)


def test_equal_vectors_share_the_point() -> None:
    assert chosen(np.ones((3, 5))).tolist() == [[0.2] * 5] * 3
    with pytest.raises(ValueError, match=r"similarities is \(5,\)"):
        chosen(np.ones(5))
