"""A small cache with time limits and weights."""

from .cache import Cache, Entry
from .clock import FakeClock, SystemClock
from .errors import CacheError, TooHeavy
from .policy import LeastRecent, LowestCost, Policy

__all__ = ["Cache", "CacheError", "Entry", "FakeClock", "LeastRecent", "LowestCost", "Policy", "SystemClock", "TooHeavy"]
