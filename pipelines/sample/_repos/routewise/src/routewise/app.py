"""The application: routes, middleware and what becomes of errors."""

from __future__ import annotations

import logging

from .errors import HTTPError
from .messages import Response, text
from .router import Router

log = logging.getLogger("routewise")


class App:
    """Call it with a request to get a response.

    Middleware is a function of (request, forward) that returns a response. The one
    added first is the outermost. Each sees the response of those inside it, also
    when that came from an error.
    """

    def __init__(self, *, strict_slashes=False, debug=False):
        self.router = Router()
        self.strict_slashes = strict_slashes
        self.debug = debug
        self._middleware = []
        self._mounts = []
        self._on_error = {}

    def route(self, method, pattern, name=None):
        def register(handler):
            self.router.add(method, pattern, handler, name)
            return handler

        return register

    def get(self, pattern, name=None):
        return self.route("GET", pattern, name)

    def post(self, pattern, name=None):
        return self.route("POST", pattern, name)

    def use(self, middleware):
        self._middleware.append(middleware)
        return middleware

    def mount(self, prefix, app):
        """Hand every path below a prefix to another application.

        Mounts are asked before this application's own routes, longest prefix first.
        """
        self._mounts.append((prefix.strip("/").split("/"), app))
        self._mounts.sort(key=lambda mount: -len(mount[0]))

    def on_error(self, status):
        """Make the decorated function answer errors of a status; it gets (request, error)."""

        def register(handler):
            self._on_error[status] = handler
            return handler

        return register

    def url(self, name, **values):
        return self.router.url(name, **values)

    def __call__(self, request):
        chain = self._answer
        for middleware in reversed(self._middleware):
            chain = self._wrap(middleware, chain)
        return chain(request)

    @staticmethod
    def _wrap(middleware, forward):
        return lambda request: middleware(request, forward)

    def _answer(self, request):
        """Errors become responses here, inside all middleware."""
        try:
            return self._dispatch(request)
        except HTTPError as error:
            return self._explain(request, error)
        except Exception as problem:
            log.exception("%s %s failed", request.method, request.path)
            message = repr(problem) if self.debug else "internal error"
            return self._explain(request, HTTPError(500, message))

    def _dispatch(self, request):
        for prefix, app in self._mounts:
            if request.segments[: len(prefix)] == prefix:
                request.state.setdefault("mounted_at", []).append("/".join(prefix))
                request.segments = request.segments[len(prefix):] or [""]
                return app(request)
        segments = request.segments
        if not self.strict_slashes and len(segments) > 1 and segments[-1] == "":
            segments = segments[:-1]
        route, values = self.router.find(request.method, segments)
        response = route.handler(request, **values)
        if response is None:
            return Response(204)
        if isinstance(response, str):
            response = text(response)
        if request.method == "HEAD":
            response.headers.replace("Content-Length", len(response.body))
            response.body = b""
        return response

    def _explain(self, request, error):
        handler = self._on_error.get(error.status)
        response = handler(request, error) if handler else text(error.message, error.status)
        for name, value in error.headers.items():
            if name not in response.headers:
                response.headers.add(name, value)
        return response
