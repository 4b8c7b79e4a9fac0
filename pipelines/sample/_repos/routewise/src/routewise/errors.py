"""What can go wrong."""


class PatternError(ValueError):
    """A route's pattern makes no sense, or contradicts another one."""


class BuildError(LookupError):
    """No address can be made for a name with these values."""


class HTTPError(Exception):
    """Ends the handling of a request with a status.

    Raised in a handler it becomes the response. Headers given here are sent too.
    """

    def __init__(self, status, message="", headers=None):
        super().__init__(f"{status} {message}".strip())
        self.status = status
        self.message = message
        self.headers = dict(headers or {})
