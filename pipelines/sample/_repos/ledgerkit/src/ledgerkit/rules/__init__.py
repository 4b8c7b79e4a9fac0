"""Checks over a journal.  Importing this package registers the built-in ones."""

from .registry import Finding, Severity, explain_rule, registered, rule, run_rules
from . import builtin  # noqa: F401  (registers itself)

__all__ = ["Finding", "Severity", "explain_rule", "registered", "rule", "run_rules"]
