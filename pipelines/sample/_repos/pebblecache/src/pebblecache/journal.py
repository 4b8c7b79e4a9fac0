"""What happened in a cache, for people who wonder why it forgets."""

from collections import Counter, deque


class Journal:
    """The last events, and counts of all there ever were."""

    def __init__(self, keep=256):
        self.counts = Counter()
        self._recent = deque(maxlen=keep)

    def note(self, when, event, key):
        self.counts[event] += 1
        self._recent.append((when, event, key))

    def recent(self, event=None):
        return [line for line in self._recent if event is None or line[1] == event]

    def hit_rate(self):
        """Hits among all reads. Expired reads are misses; no reads at all give 0.0."""
        reads = self.counts["hit"] + self.counts["miss"] + self.counts["expired"]
        return self.counts["hit"] / reads if reads else 0.0
