"""Things that happen again: recurring transactions and loans."""
from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta

from .generated import annuity_table
from .journal import Transaction
from .money import Money


def clamp_day(year: int, month: int, day: int) -> date:
    """The day of that month, or its last day when the month is shorter."""
    return date(year, month, min(day, calendar.monthrange(year, month)[1]))


def add_months(start: date, months: int, anchor: int | None = None) -> date:
    """Move by whole months; the anchor day survives a short month in between."""
    index = start.year * 12 + (start.month - 1) + months
    return clamp_day(index // 12, index % 12 + 1, anchor or start.day)


def next_working_day(day: date, holidays=frozenset()) -> date:
    while day.weekday() >= 5 or day in holidays:
        day += timedelta(days=1)
    return day


@dataclass(frozen=True)
class Recurrence:
    """A transaction that repeats every so many months or days."""

    template: Transaction
    every: int = 1
    unit: str = "months"
    until: date | None = None

    def occurrences(self, horizon: date):
        """Yield the days of this recurrence, the first included, up to the horizon."""
        start = self.template.day
        limit = horizon if self.until is None else min(horizon, self.until)
        step = 0
        while True:
            if self.unit == "months":
                day = add_months(start, step * self.every, start.day)
            else:
                day = start + timedelta(days=step * self.every)
            if day > limit:
                return
            yield day
            step += 1

    def materialise(self, horizon: date, holidays=frozenset()) -> list[Transaction]:
        """Real transactions for each occurrence, moved off weekends and holidays."""
        made = []
        for day in self.occurrences(horizon):
            actual = next_working_day(day, holidays)
            made.append(
                Transaction(
                    actual,
                    self.template.payee,
                    self.template.postings,
                    tags=self.template.tags | {"recurring"},
                )
            )
        return made


def annuity_factor(rate_bp: int, periods: int) -> int:
    """Payment per million of principal, from the table or worked out when it is not there."""
    row = annuity_table.FACTORS.get(rate_bp)
    if row is not None and periods in annuity_table.PERIODS:
        return row[annuity_table.PERIODS.index(periods)]
    if rate_bp == 0:
        return -(-1_000_000 // periods)
    rate = rate_bp / 120_000
    return round(1_000_000 * rate / (1 - (1 + rate) ** -periods))


def amortise_loan(principal: Money, rate_bp: int, periods: int, first: date):
    """Yield (day, interest, repayment, still owed) for each month of an annuity loan.

    The last instalment takes what rounding left over, so the debt ends at exactly zero.
    """
    payment = principal.scaled(annuity_factor(rate_bp, periods), 1_000_000)
    owed = principal
    for number in range(periods):
        interest = owed.scaled(rate_bp, 120_000)
        repayment = owed if number == periods - 1 else min(payment - interest, owed)
        owed -= repayment
        yield add_months(first, number), interest, repayment, owed
