"""Balances by account: trial balance, balance sheet, income statement."""
from __future__ import annotations

from datetime import date

from ..accounts import SEPARATOR, AccountKind, kind_of, split_path
from ..journal import Journal
from ..money import Money


def trial_balance(journal: Journal, until: date | None = None) -> dict[tuple[str, str], Money]:
    """Total of each account in each currency, accounts without movement left out."""
    totals: dict[tuple[str, str], Money] = {}
    for entry in journal:
        if until is not None and entry.day > until:
            break
        for posting in entry.postings:
            key = (posting.account, posting.amount.currency)
            totals[key] = totals.get(key, Money.zero(key[1])) + posting.amount
    return {key: totals[key] for key in sorted(totals)}


def roll_up(totals: dict[tuple[str, str], Money], depth: int) -> dict[tuple[str, str], Money]:
    """Fold accounts deeper than the given depth into their ancestor at that depth."""
    folded: dict[tuple[str, str], Money] = {}
    for (name, currency), amount in totals.items():
        short = SEPARATOR.join(split_path(name)[:depth])
        key = (short, currency)
        folded[key] = folded.get(key, Money.zero(currency)) + amount
    return folded


def total_of_kind(totals, kind: AccountKind, currency: str) -> Money:
    """Sum of one kind in one currency, with the sign a reader expects."""
    level = Money.zero(currency)
    for (name, code), amount in totals.items():
        if code == currency and kind_of(name) is kind:
            level += amount
    return level if kind.debit_positive else -level


def balance_sheet(journal: Journal, currency: str, until: date | None = None) -> dict[str, Money]:
    """Assets, liabilities and equity; the profit so far is counted to equity."""
    totals = trial_balance(journal, until)
    profit = income_statement(journal, currency, until=until)["profit"]
    return {
        "assets": total_of_kind(totals, AccountKind.ASSETS, currency),
        "liabilities": total_of_kind(totals, AccountKind.LIABILITIES, currency),
        "equity": total_of_kind(totals, AccountKind.EQUITY, currency) + profit,
    }


def income_statement(
    journal: Journal, currency: str, since: date | None = None, until: date | None = None
) -> dict[str, Money]:
    income = Money.zero(currency)
    expenses = Money.zero(currency)
    for entry in journal.between(since or date.min, until or date.max):
        for posting in entry.postings:
            if posting.amount.currency != currency:
                continue
            kind = kind_of(posting.account)
            if kind is AccountKind.INCOME:
                income -= posting.amount
            elif kind is AccountKind.EXPENSES:
                expenses += posting.amount
    return {"income": income, "expenses": expenses, "profit": income - expenses}
