"""Requests and responses."""

from __future__ import annotations

import json as _json
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote


class Headers:
    """Header fields: names without regard to case, several values a name, order kept."""

    def __init__(self, pairs=()):
        self._pairs = [(str(name), str(value)) for name, value in pairs]

    def get(self, name, default=None):
        """The first value of a name."""
        wanted = name.lower()
        for known, value in self._pairs:
            if known.lower() == wanted:
                return value
        return default

    def all(self, name):
        wanted = name.lower()
        return [value for known, value in self._pairs if known.lower() == wanted]

    def add(self, name, value):
        self._pairs.append((name, str(value)))

    def replace(self, name, value):
        """Take out every value of a name and put one in the place of the first."""
        wanted = name.lower()
        out, placed = [], False
        for known, old in self._pairs:
            if known.lower() != wanted:
                out.append((known, old))
            elif not placed:
                out.append((name, str(value)))
                placed = True
        if not placed:
            out.append((name, str(value)))
        self._pairs = out

    def __contains__(self, name):
        return self.get(name) is not None

    def __iter__(self):
        return iter(self._pairs)

    def __len__(self):
        return len(self._pairs)


@dataclass
class Request:
    method: str
    target: str
    headers: Headers = field(default_factory=Headers)
    body: bytes = b""
    state: dict = field(default_factory=dict)

    def __post_init__(self):
        self.method = self.method.upper()
        raw, _, self.query_string = self.target.partition("?")
        # Segments are decoded one by one, so that %2F inside one is no separator.
        self.segments = [unquote(part) for part in raw.split("/")[1:]]
        self.path = raw

    @property
    def query(self):
        """The query as a dictionary; of a repeated name the last value counts."""
        return dict(parse_qsl(self.query_string, keep_blank_values=True))

    def query_all(self, name):
        return [value for known, value in parse_qsl(self.query_string, keep_blank_values=True) if known == name]

    def json(self):
        return _json.loads(self.body or b"null")


@dataclass
class Response:
    status: int = 200
    body: bytes = b""
    headers: Headers = field(default_factory=Headers)

    @property
    def ok(self):
        return 200 <= self.status < 300


def text(body, status=200):
    return Response(status, body.encode("utf-8"), Headers([("Content-Type", "text/plain; charset=utf-8")]))


def json(value, status=200):
    body = _json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Response(status, body.encode("utf-8"), Headers([("Content-Type", "application/json")]))


def redirect(target, status=303):
    """Send the client elsewhere. The default makes it ask again with GET."""
    if not 300 <= status < 400:
        raise ValueError(f"{status} is no redirect")
    return Response(status, b"", Headers([("Location", target)]))
