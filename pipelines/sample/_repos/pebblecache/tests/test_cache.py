import pytest

from pebblecache import Cache, FakeClock, LowestCost, TooHeavy
from pebblecache.journal import Journal


def test_ttl():
    clock = FakeClock()
    cache = Cache(10, ttl=5, clock=clock)
    cache.put("a", 1)
    clock.advance(4.9)
    assert cache.get("a") == 1
    clock.advance(0.1)
    assert cache.get("a") is None


def test_too_heavy_keeps_the_old_value():
    cache = Cache(3)
    cache.put("a", 1)
    with pytest.raises(TooHeavy):
        cache.put("a", 2, weight=4)
    assert cache.get("a") == 1


def test_pinned_entries_stay():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.pin("a")
    assert cache.put("c", 3) == ["b"]


def test_cost():
    cache = Cache(2, policy=LowestCost())
    cache.put("dear", 1, cost=9)
    cache.put("free", 2)
    assert cache.put("new", 3, cost=1) == ["free"]


def test_hit_rate():
    journal = Journal()
    cache = Cache(2, journal=journal)
    cache.put("a", 1)
    cache.get("a")
    cache.get("b")
    assert journal.hit_rate() == 0.5
