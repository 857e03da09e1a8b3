"""Every step of a forward pass, modules and the operations inside them, with named axes.

>>> from bertviz_lite import load, trace
>>> tokenizer, model = load("pocket")
>>> batch = tokenizer(["The farmer finds the key.", "The dog."], padding=True, return_tensors="pt")
>>> seen = trace(model, **batch)
>>> [str(value) for value in seen.outputs]
['[batch=2, seq_len=8, vocab_size=3750]', '[batch=2, 2]']
>>> attention = [step for step in seen if step.path == "bert.encoder.layer.0.attention.self"]
>>> for step in attention[-7:-3]:
...     print(step.name, step.outputs[0])
softmax(dim=-1) [batch=2, num_heads=6, seq_len=8, seq_len=8]
dropout(p=0, training=False) [batch=2, num_heads=6, seq_len=8, seq_len=8]
matmul [batch=2, num_heads=6, seq_len=8, head_size=32]
transpose(1, 2) [batch=2, seq_len=8, num_heads=6, head_size=32]

The two classes of the next sentence are a 2 without a name: no size in the config says so, though the batch,
the segments and ``num_labels`` are 2 as well.

This file is the door only, as light as the package itself; everything else is imported on first use. The room
and the function have one name: the module can be called.
"""

from __future__ import annotations

from importlib import import_module

from bertviz_lite.basics.callable_module import make_callable

TYPE_CHECKING = False  # as typing.TYPE_CHECKING; importing that would take longer than everything else

if TYPE_CHECKING:
    from typing import Any

    from torch import nn

    from bertviz_lite.trace.result import Trace
    from bertviz_lite.trace.steps.errors import TraceError
    from bertviz_lite.trace.steps.step import Failure, Source, Step
    from bertviz_lite.trace.steps.values import Axis, Numbers, Value

_MODULE_OF = {
    "Axis": "steps.values",
    "Failure": "steps.step",
    "Numbers": "steps.values",
    "Source": "steps.step",
    "Step": "steps.step",
    "Trace": "result",
    "TraceError": "steps.errors",
    "Value": "steps.values",
}

__all__ = ["Axis", "Failure", "Numbers", "Source", "Step", "Trace", "TraceError", "Value", "trace"]


def trace(
    model: nn.Module,
    *args: Any,  # noqa: ANN401 - what the model takes
    values: bool = False,
    attention: str | None = "eager",
    **inputs: Any,  # noqa: ANN401 - what the model takes
) -> Trace:
    """Run a model once, and keep every step: module or operation, shapes with named axes, source line.

    Shapes need no arithmetic: whatever depends on a parameter passes through as a shape alone, while ids,
    masks and positions keep their numbers, so the code takes the way that it always takes. Where it looks at
    numbers that are not there (``if scores.max() > 1``), or calls what is not known, the pass is done again
    with arithmetic, of itself.

    Names of axes are found, not guessed: the steps are taken a second time, by a resized copy of the model
    (the same class, all sizes different), on inputs of another batch and length. An axis of 16 that became 23
    there runs along ``seq_len``, another 16 that became 494 is ``hidden_size``. A product is written as one
    (``batch*seq_len=14``). A model without a config is run on other inputs only; its constant axes take their
    names from the layer that makes them (``out_features``). Where more than one name would fit, the axis is
    a number with a mark, ``2?``; what fits is in ``axis.could_be``.

    The model is left as it was, after an error too: its mode (training or evaluation), buffers, gradients,
    attributes, attention and the random numbers. It is run two or three times, without gradients, so what
    ``forward`` prints is printed that often. The inputs are copied.

    Parameters
    ----------
    model
        Any module of torch: of ``transformers``, a part of one, or your own.
    *args, **inputs
        What the model is called with: tensors, also in lists, tuples and dicts.
    values
        Do the arithmetic, and keep four numbers of every tensor (``step.numbers``) and what the model returns
        (``trace.result``), which is the same to the last bit as without a trace.
    attention
        A model of ``transformers`` runs on this implementation for the trace: "eager", so that matmul, mask
        and softmax are seen. None leaves its own, which may be one step, ``scaled_dot_product_attention``.

    Returns
    -------
    Trace
        Also where the forward pass fails: then it holds the steps up to there, and ``trace.failure`` says in
        one sentence which axis, its two sizes, where each comes from, and the line.

    Raises
    ------
    TraceError
        If `model` is no module. What the model itself raises is never raised here.

    Notes
    -----
    Left out: what runs in compiled or scripted modules, and torch's fused encoder layer, which is shown by
    its single operations (with ``values=True`` its last bits may then differ from the fused ones).

    Examples
    --------
    >>> import torch
    >>> from bertviz_lite import load, trace
    >>> _, model = load("pocket")
    >>> too_long = trace(model, input_ids=torch.full((1, 130), 5))
    >>> print(too_long.failure.message.split(":")[0])
    seq_len is 130, the position table has 128 rows
    """
    from bertviz_lite.trace.run import run

    return run(model, args, inputs, values=values, attention=attention)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


make_callable(__name__)
