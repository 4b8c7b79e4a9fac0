"""Who has to go when the cache is full."""


class Policy:
    """Hears of every touch and names victims. The base class evicts in order of arrival."""

    def __init__(self):
        self._order = {}

    def added(self, key, entry):
        self._order.pop(key, None)
        self._order[key] = entry

    def touched(self, key, entry):
        pass

    def removed(self, key):
        self._order.pop(key, None)

    def victim(self):
        return next(iter(self._order))


class LeastRecent(Policy):
    """The entry that was not read or written for the longest time goes first."""

    def touched(self, key, entry):
        self._order[key] = self._order.pop(key)


class LowestCost(Policy):
    """The cheapest to make again goes first; of equally cheap ones the heaviest.

    An entry without a cost counts as free, so it goes before all that have one.
    """

    def victim(self):
        return min(self._order, key=lambda key: (self._order[key].cost or 0, -self._order[key].weight))
