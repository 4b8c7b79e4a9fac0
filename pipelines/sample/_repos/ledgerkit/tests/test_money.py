import pytest

from ledgerkit.errors import CurrencyMismatch, MoneySyntaxError
from ledgerkit.money import Money, parse_money


@pytest.mark.parametrize(
    "text, minor, currency",
    [("−12,50 €", -1250, "EUR"), ("USD 3", 300, "USD"), ("1’000.05 CHF", 100005, "CHF"), ("¥500", 500, "JPY")],
)
def test_parse(text, minor, currency):
    assert parse_money(text) == Money(minor, currency)


def test_too_many_places():
    with pytest.raises(MoneySyntaxError):
        parse_money("1.234 EUR")


def test_allocate_keeps_every_cent():
    parts = Money(-1000).allocate([1, 1, 1])
    assert sum(part.minor for part in parts) == -1000
    assert max(parts) - min(parts) == Money(1)


def test_currencies_do_not_mix():
    with pytest.raises(CurrencyMismatch):
        Money(1, "EUR") + Money(1, "SEK")


def test_text_round_trip():
    for amount in (Money(5), Money(-123456), Money(7, "JPY"), Money(-1, "KWD")):
        assert parse_money(str(amount)) == amount
