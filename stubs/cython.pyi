from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")

compiled: bool

def cclass(cls: _T) -> _T: ...
def freelist(size: int) -> Callable[[_T], _T]: ...
