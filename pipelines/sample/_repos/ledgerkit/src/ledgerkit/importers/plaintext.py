"""The journal format, read and written.

    2024-03-01 * Café Zoë  #travel     ; cleared, one tag
        expenses:food        4.20 EUR
        assets:cash                    ; amount inferred

Directives: ``open``, ``close``, ``alias``, ``default``.  A line that starts with ``;``
is a comment; “smart” quotes in payees are kept as they are.
"""
from __future__ import annotations

import re
from datetime import date

from ..errors import JournalSyntaxError, LedgerError
from ..journal import Journal, Posting, Transaction
from ..money import parse_money

_HEADER = re.compile(r"^(?P<day>\d{4}-\d{1,2}-\d{1,2})(?P<cleared>\s+\*)?\s+(?P<payee>.+)$")
_TAG = re.compile(r"(?:^|\s)#([\w-]+)")


def strip_comment(line: str) -> tuple[str, str]:
    """Part a line at its first semicolon: what counts, and the remark behind it."""
    body, _, remark = line.partition(";")
    return body.rstrip(), remark.strip()


def parse_day(text: str) -> date:
    year, month, day = (int(part) for part in text.split("-"))
    return date(year, month, day)


def split_posting(body: str) -> tuple[str, str]:
    """Account and amount are parted by a tab or at least two blanks."""
    parts = re.split(r"\t|\s{2,}", body.strip(), maxsplit=1)
    return parts[0], parts[1].strip() if len(parts) > 1 else ""


def extract_tags(payee: str) -> tuple[str, frozenset[str]]:
    tags = frozenset(_TAG.findall(payee))
    return _TAG.sub("", payee).strip(), tags


def parse_journal(text: str, source: str = "<text>", journal: Journal | None = None) -> Journal:
    """Read a whole journal; the first mistake stops it with file and line.

    Transactions end at a blank line, at the next header or at the end of the text.
    """
    journal = journal if journal is not None else Journal()
    currency = "EUR"
    header = None
    header_line = 0
    postings: list[Posting] = []

    def fail(message: str, line: int):
        raise JournalSyntaxError(message, source, line)

    def flush():
        nonlocal header, postings
        if header is None:
            return
        if len(postings) < 2:
            fail("a transaction needs at least two postings", header_line)
        payee, tags = extract_tags(header.group("payee"))
        try:
            day = parse_day(header.group("day"))
        except ValueError:
            fail(f"no such date: {header.group('day')}", header_line)
        entry = Transaction(day, payee, tuple(postings), bool(header.group("cleared")), tags)
        try:
            journal.append(entry)
        except LedgerError as problem:
            fail(str(problem), header_line)
        header, postings = None, []

    for number, raw in enumerate(text.splitlines(), start=1):
        body, remark = strip_comment(raw)
        if not body.strip():
            if not remark:
                flush()
            continue
        if body[0].isspace():
            if header is None:
                fail("a posting stands outside any transaction", number)
            account, amount_text = split_posting(body)
            amount = None
            if amount_text:
                try:
                    amount = parse_money(amount_text, currency)
                except LedgerError as problem:
                    fail(f"amount of {account}: {problem}", number)
            postings.append(Posting(account, amount, remark))
            continue
        flush()
        match = _HEADER.match(body)
        if match:
            header, header_line = match, number
            continue
        word, *arguments = body.split()
        try:
            if word == "open" and len(arguments) == 2:
                journal.tree.declare(arguments[1], parse_day(arguments[0]), remark)
            elif word == "close" and len(arguments) == 2:
                journal.tree.close_subtree(arguments[1], parse_day(arguments[0]))
            elif word == "alias" and len(arguments) == 2:
                journal.tree.add_alias(arguments[0], arguments[1])
            elif word == "default" and len(arguments) == 1:
                currency = arguments[0].upper()
            else:
                fail(f"neither a date nor a directive: {word!r}", number)
        except (ValueError, LedgerError) as problem:
            if isinstance(problem, JournalSyntaxError):
                raise
            fail(str(problem), number)
    flush()
    return journal


def format(entry: Transaction) -> str:
    """One transaction in the text form, amounts set flush in column 48."""
    tags = "".join(f" #{tag}" for tag in sorted(entry.tags))
    mark = " *" if entry.cleared else ""
    lines = [f"{entry.day.isoformat()}{mark} {entry.payee}{tags}"]
    for posting in entry.postings:
        remark = f"  ; {posting.memo}" if posting.memo else ""
        lines.append(f"    {posting.account:<30}  {str(posting.amount):>16}{remark}")
    return "\n".join(lines)


def dump_journal(journal: Journal) -> str:
    """The journal as text that parse_journal reads back to equal transactions."""
    return "\n\n".join(format(entry) for entry in journal) + "\n"
