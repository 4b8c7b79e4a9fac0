"""Readers of foreign text, imported as a package: ``importers.parse_journal``."""

from .plaintext import dump_journal, parse_journal

__all__ = ["dump_journal", "parse_journal"]
