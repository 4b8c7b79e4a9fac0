class CacheError(Exception):
    """Base of everything this package raises."""


class TooHeavy(CacheError):
    """One entry alone weighs more than the cache may hold."""

    def __init__(self, key, weight, limit):
        super().__init__(f"{key!r} weighs {weight}, the limit is {limit}")
        self.key, self.weight, self.limit = key, weight, limit
