from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

compiled: bool

def cclass(cls: T) -> T: ...
def freelist(size: int) -> Callable[[T], T]: ...
