"""The chart of accounts: a tree of names such as ``assets:bank:savings``."""
from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches

# The journal needs accounts and accounts need the journal for balances: both modules
# import the other as a module and look names up when they run.
from . import journal as _journal
from .errors import LedgerError, UnknownAccount

SEPARATOR = ":"


class AccountKind(enum.Enum):
    ASSETS = "assets"
    LIABILITIES = "liabilities"
    EQUITY = "equity"
    INCOME = "income"
    EXPENSES = "expenses"

    @property
    def debit_positive(self) -> bool:
        """True for kinds whose balance normally stands on the debit side."""
        return self in (AccountKind.ASSETS, AccountKind.EXPENSES)


def split_path(name: str) -> tuple[str, ...]:
    parts = tuple(part.strip().lower() for part in name.split(SEPARATOR))
    if not all(parts):
        raise LedgerError(f"empty segment in account name {name!r}")
    return parts


def kind_of(name: str) -> AccountKind:
    """The kind follows from the first segment; anything else is not an account."""
    head = split_path(name)[0]
    try:
        return AccountKind(head)
    except ValueError:
        raise UnknownAccount(name, [kind.value for kind in AccountKind]) from None


def is_ancestor(upper: str, lower: str) -> bool:
    """True when the first name is a proper prefix of the second, segment by segment."""
    above, below = split_path(upper), split_path(lower)
    return len(above) < len(below) and below[: len(above)] == above


@dataclass
class Account:
    name: str
    opened: date | None = None
    closed: date | None = None
    note: str = ""
    aliases: set[str] = field(default_factory=set)

    def is_open_on(self, day: date) -> bool:
        """Opening day counts as open, closing day as closed."""
        if self.opened is not None and day < self.opened:
            return False
        return self.closed is None or day < self.closed

    def depth(self) -> int:
        return len(split_path(self.name))


class AccountTree:
    """All known accounts by full name, with aliases and the missing parents filled in."""

    def __init__(self, names=()):
        self._accounts: dict[str, Account] = {}
        self._aliases: dict[str, str] = {}
        for name in names:
            self.declare(name)

    def __contains__(self, name: str) -> bool:
        return self.resolve_alias(name) in self._accounts

    def __iter__(self):
        return iter(sorted(self._accounts))

    def declare(self, name: str, opened: date | None = None, note: str = "") -> Account:
        """Add an account and every parent of it that is not there yet."""
        kind_of(name)
        parts = split_path(name)
        for length in range(1, len(parts) + 1):
            path = SEPARATOR.join(parts[:length])
            self._accounts.setdefault(path, Account(path))
        account = self._accounts[SEPARATOR.join(parts)]
        account.opened = account.opened or opened
        account.note = note or account.note
        return account

    def add_alias(self, alias: str, target: str) -> None:
        target = SEPARATOR.join(split_path(target))
        if target not in self._accounts:
            raise UnknownAccount(target)
        if alias in self._accounts:
            raise LedgerError(f"{alias!r} is an account and cannot be an alias")
        self._aliases[alias] = target
        self._accounts[target].aliases.add(alias)

    def resolve_alias(self, name: str) -> str:
        return self._aliases.get(name, name)

    def find(self, name: str) -> Account:
        """The account of this name or alias; the error offers the nearest names."""
        name = self.resolve_alias(name)
        if name not in self._accounts:
            raise UnknownAccount(name, get_close_matches(name, self._accounts, 3, 0.7))
        return self._accounts[name]

    def descendants(self, name: str) -> list[str]:
        return [other for other in self if is_ancestor(name, other)]

    def close_subtree(self, name: str, day: date) -> int:
        """Close an account with everything under it; returns how many were still open."""
        closed = 0
        for each in [name, *self.descendants(name)]:
            account = self.find(each)
            if account.closed is None:
                account.closed = day
                closed += 1
        return closed

    def balance_of(self, name: str, journal: _journal.Journal, until: date | None = None):
        """Balance of an account and its descendants, one amount per currency."""
        wanted = {name, *self.descendants(name)}
        return _journal.balances(journal, wanted, until)


def validate(tree: AccountTree) -> list[str]:
    """Problems of the tree itself: children that outlive a closed parent."""
    problems = []
    for name in tree:
        parent = tree.find(name)
        if parent.closed is None:
            continue
        for child in tree.descendants(name):
            end = tree.find(child).closed
            if end is None or end > parent.closed:
                problems.append(f"{child} stays open after {name} closed")
    return problems
