"""Transactions and the journal that keeps them in order."""
from __future__ import annotations

import bisect
import hashlib
from dataclasses import dataclass, field, replace
from datetime import date

from . import accounts as _accounts
from .errors import LedgerError
from .money import Money, sum_by_currency


@dataclass(frozen=True)
class Posting:
    account: str
    amount: Money | None = None
    memo: str = ""

    def moved_to(self, account: str) -> Posting:
        return replace(self, account=account)

    def normal_amount(self) -> Money:
        """The amount with the sign a person expects: income and debts come out positive."""
        if self.amount is None:
            raise LedgerError(f"posting to {self.account} has no amount yet")
        if _accounts.kind_of(self.account).debit_positive:
            return self.amount
        return -self.amount


@dataclass(frozen=True)
class Transaction:
    day: date
    payee: str
    postings: tuple[Posting, ...]
    cleared: bool = False
    tags: frozenset[str] = field(default_factory=frozenset)

    def imbalance(self) -> dict[str, Money]:
        """What is left over per currency; an empty mapping means balanced."""
        totals = sum_by_currency(p.amount for p in self.postings if p.amount is not None)
        return {code: total for code, total in totals.items() if not total.is_zero}

    def touches(self, account: str) -> bool:
        return any(
            posting.account == account or _accounts.is_ancestor(account, posting.account)
            for posting in self.postings
        )

    def reversed(self, day: date) -> Transaction:
        """The storno of this transaction: same accounts, opposite amounts, marked so."""
        flipped = tuple(
            replace(posting, amount=None if posting.amount is None else -posting.amount)
            for posting in self.postings
        )
        return replace(self, day=day, postings=flipped, tags=self.tags | {"storno"})

    def fingerprint(self) -> str:
        """A digest of what the transaction says, whatever the order of its postings."""
        lines = sorted(f"{p.account}|{p.amount}|{p.memo}" for p in self.postings)
        head = f"{self.day.isoformat()}|{self.payee}"
        return hashlib.sha256("\n".join([head, *lines]).encode("utf-8")).hexdigest()[:16]


def fill_missing_amount(transaction: Transaction) -> Transaction:
    """Give the one posting without an amount whatever balances the transaction."""
    open_slots = [i for i, p in enumerate(transaction.postings) if p.amount is None]
    if not open_slots:
        return transaction
    if len(open_slots) > 1:
        raise LedgerError("only one posting may leave its amount out")
    left = transaction.imbalance()
    if len(left) != 1:
        raise LedgerError(f"cannot infer an amount from {len(left)} open currencies")
    (rest,) = left.values()
    slot = open_slots[0]
    postings = list(transaction.postings)
    postings[slot] = replace(postings[slot], amount=-rest)
    return replace(transaction, postings=tuple(postings))


class Journal:
    """Transactions ordered by day; those of one day stay in the order they came."""

    def __init__(self, transactions=(), tree: _accounts.AccountTree | None = None):
        self.tree = tree if tree is not None else _accounts.AccountTree()
        self._entries: list[Transaction] = []
        for transaction in transactions:
            self.append(transaction)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self):
        return iter(self._entries)

    def append(self, transaction: Transaction) -> Transaction:
        """Complete, check and insert one transaction; unbalanced ones are refused.

        Aliases are replaced by the accounts they stand for.
        """
        transaction = fill_missing_amount(transaction)
        left = transaction.imbalance()
        if left:
            rest = ", ".join(str(amount) for amount in left.values())
            raise LedgerError(f"{transaction.day} {transaction.payee}: off by {rest}")
        postings = tuple(
            posting.moved_to(self.tree.resolve_alias(posting.account))
            for posting in transaction.postings
        )
        transaction = replace(transaction, postings=postings)
        for posting in postings:
            self.tree.declare(posting.account)
        days = [entry.day for entry in self._entries]
        self._entries.insert(bisect.bisect_right(days, transaction.day), transaction)
        return transaction

    def between(self, first: date, last: date) -> list[Transaction]:
        """Transactions of a closed interval of days."""
        return [entry for entry in self._entries if first <= entry.day <= last]

    def running_balance(self, account: str, currency: str):
        """Yield (day, balance) after every transaction that moves the account."""
        level = Money.zero(currency)
        for entry in self._entries:
            moved = False
            for posting in entry.postings:
                if posting.account == account and posting.amount.currency == currency:
                    level += posting.amount
                    moved = True
            if moved:
                yield entry.day, level

    def merge(self, other: Journal) -> int:
        """Take over what is new in another journal; returns how many were added."""
        known = {entry.fingerprint() for entry in self._entries}
        added = 0
        for entry in other:
            if entry.fingerprint() not in known:
                self.append(entry)
                added += 1
        return added


def balances(journal: Journal, names: set[str], until: date | None = None) -> dict[str, Money]:
    """Sum of the postings to the named accounts, by currency, up to and with a day."""

    def chosen():
        for entry in journal:
            if until is not None and entry.day > until:
                return
            for posting in entry.postings:
                if posting.account in names:
                    yield posting.amount

    return sum_by_currency(chosen())
