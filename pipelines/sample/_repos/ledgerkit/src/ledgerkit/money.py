"""Amounts of money: exact, immutable, one currency each.

Symbols are understood where they stand next to digits: € £ ¥ ₹ zł.  Everything is
kept in minor units (cents, öre, grosze), so no amount ever passes through a float.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

from .errors import CurrencyMismatch, MoneySyntaxError

MINOR_DIGITS = {
    "EUR": 2, "USD": 2, "GBP": 2, "CHF": 2, "PLN": 2, "SEK": 2, "INR": 2,
    "JPY": 0, "ISK": 0, "KRW": 0, "BHD": 3, "KWD": 3, "TND": 3,
}
SYMBOLS = {"€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "zł": "PLN", "$": "USD"}

_NUMBER = re.compile(r"^(?P<sign>[-+−]?)(?P<whole>\d+)(?:[.,](?P<part>\d+))?$")


def minor_digits(currency: str) -> int:
    """How many decimal places a currency has; two for those not in the table."""
    return MINOR_DIGITS.get(currency.upper(), 2)


def strip_symbol(text: str) -> tuple[str, str | None]:
    """Take a currency symbol or a three-letter code off either end of the text."""
    text = text.strip()
    for symbol, code in SYMBOLS.items():
        if text.startswith(symbol):
            return text[len(symbol):].strip(), code
        if text.endswith(symbol):
            return text[: -len(symbol)].strip(), code
    match = re.match(r"^(.*\d)\s*([A-Za-z]{3})$", text) or None
    if match:
        return match.group(1), match.group(2).upper()
    match = re.match(r"^([A-Za-z]{3})\s*([-+−]?\d.*)$", text)
    if match:
        return match.group(2), match.group(1).upper()
    return text, None


def drop_grouping(digits: str) -> str:
    """Remove blanks, apostrophes and thousands separators: 1’234,50 becomes 1234,50."""
    digits = re.sub(r"[\s'’\u00a0\u202f]", "", digits)
    if "," in digits and "." in digits:
        last = max(digits.rfind(","), digits.rfind("."))
        head = digits[:last].replace(",", "").replace(".", "")
        return head + digits[last:]
    return digits


def parse_money(text: str, default_currency: str = "EUR") -> Money:
    """Read one amount as people write it: "−12,50 €", "USD 3", "1'000.05 CHF"."""
    number, currency = strip_symbol(text)
    currency = currency or default_currency
    match = _NUMBER.match(drop_grouping(number))
    if match is None:
        raise MoneySyntaxError(f"not an amount: {text!r}")
    places = minor_digits(currency)
    part = match.group("part") or ""
    if len(part) > places:
        raise MoneySyntaxError(f"{currency} has {places} decimal places: {text!r}")
    minor = int(match.group("whole") + part.ljust(places, "0"))
    if match.group("sign") in ("-", "−"):
        minor = -minor
    return Money(minor, currency)


@total_ordering
@dataclass(frozen=True)
class Money:
    """A whole number of minor units in one currency."""

    minor: int
    currency: str = "EUR"

    @classmethod
    def zero(cls, currency: str = "EUR") -> Money:
        return cls(0, currency)

    @property
    def is_zero(self) -> bool:
        return self.minor == 0

    def require_same(self, other: Money) -> None:
        if self.currency != other.currency:
            raise CurrencyMismatch(self.currency, other.currency)

    def __add__(self, other: Money) -> Money:
        self.require_same(other)
        return Money(self.minor + other.minor, self.currency)

    def __sub__(self, other: Money) -> Money:
        return self + (-other)

    def __neg__(self) -> Money:
        return Money(-self.minor, self.currency)

    def __lt__(self, other: Money) -> bool:
        self.require_same(other)
        return self.minor < other.minor

    def __str__(self) -> str:
        return format(self)

    def scaled(self, numerator: int, denominator: int = 1) -> Money:
        """Multiply by a fraction; halves go to the even neighbour."""
        product = self.minor * numerator
        quotient, rest = divmod(product, denominator)
        if 2 * rest > denominator or (2 * rest == denominator and quotient % 2):
            quotient += 1
        return Money(quotient, self.currency)

    def allocate(self, weights: list[int]) -> list[Money]:
        """Split by weights without losing a cent: largest remainders get the rest."""
        total = sum(weights)
        if total <= 0 or any(weight < 0 for weight in weights):
            raise ValueError("weights must be positive in sum and never negative")
        floors = [self.minor * weight // total for weight in weights]
        order = sorted(
            range(len(weights)),
            key=lambda i: (-(self.minor * weights[i] % total), i),
        )
        for index in order[: self.minor - sum(floors)]:
            floors[index] += 1
        return [Money(minor, self.currency) for minor in floors]


def format(amount: Money) -> str:
    """Plain form that parse_money reads back: 1234.50 EUR."""
    places = minor_digits(amount.currency)
    sign = "-" if amount.minor < 0 else ""
    digits = str(abs(amount.minor)).rjust(places + 1, "0")
    if places == 0:
        return f"{sign}{digits} {amount.currency}"
    return f"{sign}{digits[:-places]}.{digits[-places:]} {amount.currency}"


def sum_by_currency(amounts) -> dict[str, Money]:
    """Add up a mixed bag of amounts, one total for each currency, zero totals kept."""
    totals: dict[str, Money] = {}
    for amount in amounts:
        known = totals.get(amount.currency)
        totals[amount.currency] = amount if known is None else known + amount
    return dict(sorted(totals.items()))
