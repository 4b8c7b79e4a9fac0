"""The cache itself."""

from dataclasses import dataclass

from .clock import SystemClock
from .errors import TooHeavy
from .policy import LeastRecent

_MISSING = object()


@dataclass
class Entry:
    value: object
    weight: int
    expires: float | None
    cost: float | None = None
    pinned: bool = False
    hits: int = 0


class Cache:
    """Keeps values until they are too old or others need the room.

    `limit` bounds the sum of weights. `ttl` is how long an entry lives after it was
    put; None means for ever. Reading an entry does not make it live longer unless
    the cache is `sliding`.
    """

    def __init__(self, limit, ttl=None, *, sliding=False, policy=None, clock=None, journal=None):
        if limit <= 0:
            raise ValueError("limit must be positive")
        self.limit = limit
        self.ttl = ttl
        self.sliding = sliding
        self.weight = 0
        self._entries = {}
        self._policy = policy if policy is not None else LeastRecent()
        self._clock = clock if clock is not None else SystemClock()
        self._journal = journal

    def __len__(self):
        """How many entries are kept, expired ones that nobody touched included."""
        return len(self._entries)

    def __contains__(self, key):
        """Like get, but it counts as no hit and does not touch the entry."""
        entry = self._entries.get(key)
        return entry is not None and not self._expired(entry)

    def put(self, key, value, *, weight=1, ttl=_MISSING, cost=None):
        """Store a value, evicting others if there is no room. Returns the evicted keys.

        A ttl given here replaces that of the cache for this entry; None makes it
        live for ever. An entry that is heavier than the whole cache is refused and
        what was stored under its key before stays.
        """
        if weight > self.limit:
            raise TooHeavy(key, weight, self.limit)
        ttl = self.ttl if ttl is _MISSING else ttl
        expires = None if ttl is None else self._clock.now() + ttl
        old = self._entries.get(key)
        pinned = old.pinned if old is not None else False
        if old is not None:
            self._drop(key)
        evicted = self._make_room(weight)
        entry = Entry(value, weight, expires, cost, pinned)
        self._entries[key] = entry
        self.weight += weight
        self._policy.added(key, entry)
        self._note("put", key)
        return evicted

    def get(self, key, default=None):
        entry = self._entries.get(key)
        if entry is None:
            self._note("miss", key)
            return default
        if self._expired(entry):
            self._drop(key)
            self._note("expired", key)
            return default
        entry.hits += 1
        if self.sliding and entry.expires is not None and self.ttl is not None:
            entry.expires = self._clock.now() + self.ttl
        self._policy.touched(key, entry)
        self._note("hit", key)
        return entry.value

    def get_or_make(self, key, make, **options):
        """The stored value, or what make() returns, stored. An exception of make stores nothing.

        A stored None counts as stored: make is not called again.
        """
        value = self.get(key, _MISSING)
        if value is _MISSING:
            value = make()
            self.put(key, value, **options)
        return value

    def pin(self, key):
        """Protect an entry from eviction. It still expires."""
        self._entries[key].pinned = True

    def unpin(self, key):
        self._entries[key].pinned = False

    def discard(self, key):
        """Remove an entry if it is there; says whether it was."""
        if key not in self._entries:
            return False
        self._drop(key)
        self._note("discard", key)
        return True

    def sweep(self):
        """Remove everything expired and return how much weight that freed."""
        before = self.weight
        for key in [key for key, entry in self._entries.items() if self._expired(entry)]:
            self._drop(key)
            self._note("expired", key)
        return before - self.weight

    def _expired(self, entry):
        return entry.expires is not None and self._clock.now() >= entry.expires

    def _make_room(self, weight):
        evicted = []
        spared = []
        while self.weight + weight > self.limit and len(self._entries) > len(spared):
            key = self._policy.victim()
            entry = self._entries[key]
            if entry.pinned and not self._expired(entry):
                # Out of the policy for now, so that it names another one.
                self._policy.removed(key)
                spared.append((key, entry))
                continue
            self._drop(key)
            self._note("evict", key)
            evicted.append(key)
        for key, entry in spared:
            self._policy.added(key, entry)
        return evicted

    def _drop(self, key):
        self.weight -= self._entries.pop(key).weight
        self._policy.removed(key)

    def _note(self, event, key):
        if self._journal is not None:
            self._journal.note(self._clock.now(), event, key)
