"""Entity tags, and ids to find a request again in the log."""

from __future__ import annotations

import hashlib
import itertools

from ..messages import Response


def entity_tags(request, forward):
    """Give successful answers to GET a tag, and answer 304 where the client has it.

    A tag that a handler set itself is left alone. Tags are weak: they are made of
    the body only, not of the headers.
    """
    response = forward(request)
    if request.method not in ("GET", "HEAD") or not response.ok:
        return response
    if "ETag" not in response.headers:
        digest = hashlib.sha256(response.body).hexdigest()[:20]
        response.headers.add("ETag", f'W/"{digest}"')
    known = [tag.strip() for tag in request.headers.get("If-None-Match", "").split(",")]
    if response.headers.get("ETag") in known or "*" in known:
        answer = Response(304)
        answer.headers.add("ETag", response.headers.get("ETag"))
        return answer
    return response


def request_id(prefix="r"):
    """Number the requests. An id that a client sends is kept if it is short and plain."""
    numbers = itertools.count(1)

    def middleware(request, forward):
        given = request.headers.get("X-Request-Id", "")
        if not (0 < len(given) <= 64 and given.isascii() and given.isalnum()):
            given = f"{prefix}{next(numbers)}"
        request.state["id"] = given
        response = forward(request)
        response.headers.replace("X-Request-Id", given)
        return response

    return middleware
