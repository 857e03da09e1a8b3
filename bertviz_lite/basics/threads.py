"""How many threads torch computes with, for a while.

>>> import torch
>>> before = torch.get_num_threads()
>>> with threads(1):
...     torch.get_num_threads()
1
>>> torch.get_num_threads() == before
True
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Let torch compute with `count` threads, and then with as many as before.

    One is best for tensors as small as those of the pocket model, and for several processes that share the
    processors: threads that wait for each other cost more than they do.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
