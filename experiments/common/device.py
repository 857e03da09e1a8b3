"""Where experiments train: on a GPU where there is one."""

from __future__ import annotations

import torch

__all__ = ["DEVICE"]

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
