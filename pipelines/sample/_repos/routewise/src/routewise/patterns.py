"""Patterns of paths: literals, parameters, and one rest at the end.

    /orders/{number:int}        a typed parameter
    /files/{rest:path}          everything below, slashes included; also nothing
    /shop/{name}                a plain parameter, one segment, not empty
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .converters import CONVERTERS, Converter
from .errors import BuildError, PatternError

_PARAMETER = re.compile(r"\{([a-z_][a-z0-9_]*)(?::([a-z]+))?\}")
LITERAL, REST = 0, 100


@dataclass(frozen=True)
class Part:
    """One segment of a pattern. Literals have no converter."""

    text: str
    name: str | None = None
    converter: Converter | None = None
    rest: bool = False

    @property
    def weight(self):
        if self.name is None:
            return LITERAL
        return REST if self.rest else self.converter.weight


class Pattern:
    def __init__(self, text):
        if not text.startswith("/"):
            raise PatternError(f"{text!r} does not begin with a slash")
        self.text = text
        self.parts = [self._part(segment) for segment in text.split("/")[1:]]
        names = [part.name for part in self.parts if part.name]
        if len(set(names)) != len(names):
            raise PatternError(f"{text!r} names a parameter twice")
        if any(part.rest for part in self.parts[:-1]):
            raise PatternError(f"{text!r}: only the last segment can be a path")

    def _part(self, segment):
        match = _PARAMETER.fullmatch(segment)
        if match is None:
            if "{" in segment or "}" in segment:
                raise PatternError(f"{self.text!r}: a parameter is a whole segment")
            return Part(segment)
        name, kind = match.group(1), match.group(2) or "str"
        if kind == "path":
            return Part(segment, name, rest=True)
        if kind not in CONVERTERS:
            raise PatternError(f"{self.text!r}: there is no type {kind}")
        return Part(segment, name, CONVERTERS[kind])

    @property
    def weights(self):
        """Patterns are tried in the order of these tuples: the lighter the sooner."""
        return tuple(part.weight for part in self.parts)

    def match(self, segments):
        """The parameters of a path, or None."""
        values = {}
        for index, part in enumerate(self.parts):
            if part.rest:
                values[part.name] = "/".join(segments[index:])
                return values
            if index >= len(segments):
                return None
            segment = segments[index]
            if part.name is None:
                if part.text != segment:
                    return None
            elif not part.converter.accepts(segment):
                return None
            else:
                values[part.name] = part.converter.parse(segment)
        return values if len(segments) == len(self.parts) else None

    def build(self, values):
        """The path for these values, and what was left over of them."""
        left = dict(values)
        out = []
        for part in self.parts:
            if part.name is None:
                out.append(part.text)
                continue
            if part.name not in left:
                raise BuildError(f"{self.text}: no value for {part.name}")
            value = left.pop(part.name)
            if part.rest:
                out.append(str(value).lstrip("/"))
                continue
            try:
                written = part.converter.format(value)
            except (TypeError, ValueError, AttributeError) as problem:
                raise BuildError(f"{self.text}: {part.name}: {problem}") from problem
            out.append(written)
        return "/" + "/".join(out), left
