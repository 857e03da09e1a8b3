"""A module that can be called: `capture` and `trace` are rooms of the package and functions at once.

``from bertviz_lite import capture`` gives what can be called, ``import bertviz_lite.capture as c`` a module
like any other (``c.CaptureError``): both are the same object.
"""

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


class CallableModule(ModuleType):
    """A module that passes a call on to the function that bears its name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - passed on
        """Call the function, after what was to be looked at before."""
        if check := vars(self).get("_check_names"):
            check(kwargs)
        return vars(self)[self.__name__.rpartition(".")[2]](*args, **kwargs)

    @property
    def __signature__(self) -> object:
        """Return the function's signature, so that editors and `help` show its parameters."""
        import inspect

        return inspect.signature(vars(self)[self.__name__.rpartition(".")[2]])


def make_callable(name: str, check_names: Callable[[Mapping[str, object]], None] | None = None) -> None:
    """Let the module `name`, which has a function of its own last name, be called as that function.

    `check_names` sees what is given by name, and may refuse it: so the function's signature stays as it is,
    and a name that it does not have gets a better answer than Python's.
    """
    module = sys.modules[name]
    module.__class__ = CallableModule
    vars(module)["_check_names"] = check_names
