"""Double-entry bookkeeping: model, checks, readers and reports."""

from .accounts import Account, AccountKind, AccountTree
from .errors import LedgerError
from .journal import Journal, Posting, Transaction
from .money import Money, parse_money

__version__ = "0.4.0"

__all__ = [
    "Account",
    "AccountKind",
    "AccountTree",
    "Journal",
    "LedgerError",
    "Money",
    "Posting",
    "Transaction",
    "parse_money",
]
