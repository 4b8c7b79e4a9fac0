"""Types of parameters: what they accept, what they become, how they are written."""

from __future__ import annotations

import re
import uuid
from datetime import date
from urllib.parse import quote


class Converter:
    """Accepts any text but the empty one."""

    weight = 20  # of two converters the lighter one is tried first

    def accepts(self, text):
        return text != ""

    def parse(self, text):
        return text

    def format(self, value):
        return quote(str(value), safe="")


class Int(Converter):
    """Whole numbers without a sign. Leading zeros are refused, so that each number has one address."""

    weight = 10
    _form = re.compile(r"0|[1-9][0-9]*")

    def accepts(self, text):
        return self._form.fullmatch(text) is not None

    def parse(self, text):
        return int(text)

    def format(self, value):
        if isinstance(value, bool) or int(value) != value or value < 0:
            raise ValueError(f"{value!r} is not a whole number from 0")
        return str(int(value))


class Date(Converter):
    weight = 10

    def accepts(self, text):
        try:
            date.fromisoformat(text)
        except ValueError:
            return False
        return len(text) == 10

    def parse(self, text):
        return date.fromisoformat(text)

    def format(self, value):
        return value.isoformat()


class Uuid(Converter):
    weight = 10

    def accepts(self, text):
        try:
            return str(uuid.UUID(text)) == text.lower()
        except ValueError:
            return False

    def parse(self, text):
        return uuid.UUID(text)


class Slug(Converter):
    weight = 15
    _form = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

    def accepts(self, text):
        return self._form.fullmatch(text) is not None


CONVERTERS = {"str": Converter(), "int": Int(), "date": Date(), "uuid": Uuid(), "slug": Slug()}


def register(name, converter):
    """Add a type. Those that come with the package cannot be replaced."""
    if name in CONVERTERS or name == "path":
        raise ValueError(f"there is a type {name} already")
    CONVERTERS[name] = converter
