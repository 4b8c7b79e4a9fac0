"""Limits on what clients may send, and how often."""

from __future__ import annotations

import math

from ..messages import text


def body_limit(most):
    """Refuse bodies of more than so many bytes with 413, before anything reads them."""

    def middleware(request, forward):
        if len(request.body) > most:
            return text(f"at most {most} bytes", 413)
        return forward(request)

    return middleware


def rate_limit(per_minute, clock, key=lambda request: request.headers.get("X-Client", ""), burst=None):
    """A token bucket for each client: so many requests a minute, a burst at once.

    A client that was never seen starts with a full bucket. Refused requests take no
    token. Requests without a key share one bucket.
    """
    size = burst if burst is not None else per_minute
    buckets = {}

    def middleware(request, forward):
        who, now = key(request), clock()
        level, since = buckets.get(who, (float(size), now))
        level = min(float(size), level + (now - since) * per_minute / 60)
        if level < 1:
            buckets[who] = (level, now)
            response = text("too many requests", 429)
            response.headers.add("Retry-After", math.ceil((1 - level) * 60 / per_minute))
            return response
        buckets[who] = (level - 1, now)
        return forward(request)

    return middleware
