"""Which handler a request goes to."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from .errors import BuildError, HTTPError, PatternError
from .patterns import Pattern


@dataclass
class Route:
    method: str
    pattern: Pattern
    handler: object
    name: str | None = None


class Router:
    """Routes in the order in which they are tried."""

    def __init__(self):
        self._routes = []
        self._names = {}

    def add(self, method, text, handler, name=None):
        pattern = Pattern(text)
        for other in self._routes:
            if other.method == method and other.pattern.text == text:
                raise PatternError(f"{method} {text} has a handler already")
        if name is not None and name in self._names and self._names[name].text != text:
            raise PatternError(f"{name} names {self._names[name].text} already")
        route = Route(method, pattern, handler, name)
        self._routes.append(route)
        # Sorting is stable: of patterns that weigh the same the first added is tried first.
        self._routes.sort(key=lambda known: known.pattern.weights)
        if name is not None:
            self._names[name] = pattern
        return route

    def find(self, method, segments):
        """The route and its parameters.

        HEAD falls back to GET. A path that exists for other methods is 405 with an
        Allow header, one that does not exist is 404.
        """
        allowed = set()
        fallback = None
        for route in self._routes:
            values = route.pattern.match(segments)
            if values is None:
                continue
            if route.method == method:
                return route, values
            if method == "HEAD" and route.method == "GET" and fallback is None:
                fallback = route, values
            allowed.add(route.method)
        if fallback is not None:
            return fallback
        if not allowed:
            raise HTTPError(404, "not found")
        if "GET" in allowed:
            allowed.add("HEAD")
        raise HTTPError(405, "method not allowed", {"Allow": ", ".join(sorted(allowed))})

    def url(self, name, **values):
        """The address of a named route. Values the pattern does not name go into the query."""
        if name not in self._names:
            raise BuildError(f"no route is called {name}")
        path, left = self._names[name].build(values)
        query = urlencode({key: value for key, value in sorted(left.items()) if value is not None}, doseq=True)
        return f"{path}?{query}" if query else path
