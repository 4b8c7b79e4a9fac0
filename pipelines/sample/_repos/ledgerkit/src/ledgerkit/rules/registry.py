"""Where rules are kept: each is a generator of messages with a code and a severity."""
from __future__ import annotations

import enum
import functools
import textwrap
from dataclasses import dataclass


class Severity(enum.IntEnum):
    NOTE = 1
    WARNING = 2
    ERROR = 3


@dataclass(frozen=True, order=True)
class Finding:
    code: str
    severity: Severity
    message: str

    def line(self) -> str:
        return f"{self.severity.name.lower():<7} {self.code} {self.message}"


_RULES: dict[str, tuple[Severity, object]] = {}


def rule(code: str, severity: Severity = Severity.WARNING):
    """Register a generator function as a rule under a code such as ``L003``."""

    def decorate(function):
        if code in _RULES:
            raise ValueError(f"rule {code} is registered twice")

        @functools.wraps(function)
        def wrapper(journal, *args, **options):
            for message in function(journal, *args, **options):
                yield Finding(code, severity, message)

        _RULES[code] = (severity, wrapper)
        return wrapper

    return decorate


def once_per_journal(function):
    """Cache the result of a costly computation for the journal it was last asked about."""
    last = {}

    @functools.wraps(function)
    def wrapper(journal):
        key = (id(journal), len(journal))
        if last.get("key") != key:
            last.update(key=key, value=function(journal))
        return last["value"]

    return wrapper


def registered() -> list[str]:
    return sorted(_RULES)


def explain_rule(code: str) -> str:
    """The documentation of one rule, unindented, with its severity in front."""
    severity, function = _RULES[code]
    text = textwrap.dedent(function.__doc__ or "No explanation was written.").strip()
    return f"[{severity.name.lower()}] {text}"


def run_rules(journal, only=None, at_least: Severity = Severity.NOTE) -> list[Finding]:
    """All findings in order of code; rules below the wanted severity are not even run."""
    findings = []
    for code in registered():
        severity, function = _RULES[code]
        if severity < at_least or (only is not None and code not in only):
            continue
        findings.extend(function(journal))
    return findings
