"""The rules that come with the package."""
from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date

from ledgerkit import accounts

from .registry import Severity, once_per_journal, rule


@once_per_journal
def amounts_by_account(journal):
    """All absolute minor amounts seen on each account, in journal order."""
    seen = defaultdict(list)
    for entry in journal:
        for posting in entry.postings:
            seen[posting.account].append(abs(posting.amount.minor))
    return dict(seen)


@rule("L001", Severity.ERROR)
def posting_outside_lifetime(journal):
    """A posting is dated before its account opened or after it closed."""
    for entry in journal:
        for posting in entry.postings:
            account = journal.tree.find(posting.account)
            if not account.is_open_on(entry.day):
                yield f"{entry.day} {entry.payee}: {posting.account} is not open"


@rule("L002")
def likely_duplicate(journal):
    """Two transactions say exactly the same: day, payee, accounts and amounts."""
    counts = Counter((entry.fingerprint(), entry.day, entry.payee) for entry in journal)
    for (_, day, payee), times in sorted(counts.items(), key=lambda item: item[0][1:]):
        if times > 1:
            yield f"{day} {payee}: entered {times} times"


@rule("L003", Severity.NOTE)
def dated_in_future(journal, today: date | None = None):
    """A transaction lies in the future and is already marked as cleared."""
    today = today or date.today()
    for entry in journal:
        if entry.cleared and entry.day > today:
            yield f"{entry.day} {entry.payee}: cleared before its day"


@rule("L004", Severity.NOTE)
def far_from_usual(journal, factor: int = 10):
    """One amount is many times the median of its account."""
    for name, amounts in sorted(amounts_by_account(journal).items()):
        if len(amounts) < 4:
            continue
        median = sorted(amounts)[len(amounts) // 2]
        for minor in amounts:
            if median and minor > factor * median:
                yield f"{name}: {minor} minor units against a median of {median}"


@rule("L005", Severity.ERROR)
def validate(journal):
    """The chart of accounts contradicts itself."""
    yield from accounts.validate(journal.tree)
