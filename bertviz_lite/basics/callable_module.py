"""A module that can be called: `capture` and `trace` are rooms of the package and functions at once.

``from bertviz_lite import capture`` gives what can be called, ``import bertviz_lite.capture as c`` a module
like any other (``c.CaptureError``): both are the same object.
"""

import sys
from types import ModuleType
from typing import Any


class CallableModule(ModuleType):
    """A module that passes a call on to the function that bears its name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - passed on
        """Call the function."""
        return vars(self)[self.__name__.rpartition(".")[2]](*args, **kwargs)

    @property
    def __signature__(self) -> object:
        """Return the function's signature, so that editors and `help` show its parameters."""
        import inspect

        return inspect.signature(vars(self)[self.__name__.rpartition(".")[2]])


def make_callable(name: str) -> None:
    """Let the module `name`, which has a function of its own last name, be called as that function."""
    sys.modules[name].__class__ = CallableModule
