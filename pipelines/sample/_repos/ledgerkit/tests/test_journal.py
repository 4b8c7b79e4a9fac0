from datetime import date

import pytest

from ledgerkit import Money, rules
from ledgerkit.cli import main
from ledgerkit.errors import JournalSyntaxError
from ledgerkit.importers import dump_journal, parse_journal
from ledgerkit.reports import balance_sheet, draw_tree, shorten
from ledgerkit.schedule import amortise_loan

BOOKS = """\
open 2024-01-01 assets:bank
alias giro assets:bank

2024-01-02 * Opening
    giro             1000.00 EUR
    equity:opening

2024-01-31 * Café Zoë #treat
    expenses:food      12.40 EUR  ; with Mira
    giro

2024-03-05 Rent
    expenses:rent     600.00 EUR
    assets:bank
"""


def test_round_trip():
    journal = parse_journal(BOOKS)
    again = parse_journal(dump_journal(journal))
    assert [e.fingerprint() for e in journal] == [e.fingerprint() for e in again]


def test_sheet_balances():
    sheet = balance_sheet(parse_journal(BOOKS), "EUR")
    assert sheet["assets"] == Money(38760) == sheet["liabilities"] + sheet["equity"]


def test_error_names_the_line():
    with pytest.raises(JournalSyntaxError) as caught:
        parse_journal("2024-02-30 Nobody\n    assets:a  1 EUR\n    assets:b\n", "books")
    assert str(caught.value).startswith("books:1:")


def test_loan_ends_at_zero():
    steps = list(amortise_loan(Money(1_000_000), 450, 24, date(2024, 1, 31)))
    assert steps[-1][3].is_zero and len(steps) == 24
    assert steps[1][0] == date(2024, 2, 29)


def test_closed_account_is_reported():
    journal = parse_journal(BOOKS + "\nclose 2024-02-01 assets:bank\n")
    assert {f.code for f in rules.run_rules(journal)} >= {"L001"}


def test_cli(tmp_path, capsys):
    books = tmp_path / "books.journal"
    books.write_text(BOOKS, encoding="utf-8")
    for verb in ("check", "balance", "tree"):
        assert main([verb, str(books)]) == 0
    assert "└─ rent" in capsys.readouterr().out
    assert draw_tree(["a:b", "a:c"]).count("├─") == 1


def test_balances_of_a_subtree():
    journal = parse_journal(BOOKS)
    assert journal.tree.balance_of("expenses", journal) == {"EUR": Money(61240)}
    assert [level for _, level in journal.running_balance("assets:bank", "EUR")][-1] == Money(38760)


def test_shorten_keeps_both_ends():
    assert shorten("assets:bank:savings", 9) == "asse…ings"
