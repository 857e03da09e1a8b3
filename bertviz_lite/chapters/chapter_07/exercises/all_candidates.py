"""Every query beside the candidates of all questions: what the loss and the search have in common."""

import torch
from torch import Tensor
from torch.nn.functional import normalize

__all__ = ["all_cosines", "own_cosines", "partners_of"]


def all_cosines(queries: Tensor, candidates: Tensor) -> Tensor:
    """Return the cosines of every query with all candidates, (questions, all candidates)."""
    return normalize(queries, dim=-1) @ normalize(candidates, dim=-1).flatten(0, 1).T


def own_cosines(queries: Tensor, candidates: Tensor) -> Tensor:
    """Return the cosines of every query with the candidates of its own question, (questions, how many)."""
    return (normalize(queries, dim=-1)[:, None] * normalize(candidates, dim=-1)).sum(dim=-1)


def partners_of(candidates: Tensor) -> Tensor:
    """Return the places of the partners, the first of each question, among all candidates."""
    return torch.arange(len(candidates)) * candidates.shape[1]
