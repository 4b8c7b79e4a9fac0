"""The command line: ``ledgerkit check|balance|tree FILE``."""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ledgerkit.rules as rules
from ledgerkit import importers, reports
from ledgerkit.errors import JournalSyntaxError, LedgerError
from ledgerkit.reports.render import draw_tree

COMMANDS = {}


def command(name: str):
    """Make a function the implementation of a verb; its docstring becomes the help."""

    def decorate(function):
        COMMANDS[name] = function
        return function

    return decorate


def load(path: str):
    return importers.parse_journal(Path(path).read_text(encoding="utf-8"), path)


@command("check")
def run_check(options) -> int:
    """Run all rules; the exit code is 1 when there is an error among the findings."""
    findings = rules.run_rules(load(options.file))
    for finding in findings:
        print(finding.line())
    return int(any(finding.severity is rules.Severity.ERROR for finding in findings))


@command("balance")
def print_balance(options) -> int:
    """Print the balance of every account, folded to a depth."""
    totals = reports.roll_up(reports.trial_balance(load(options.file)), options.depth)
    rows = [[name, str(amount)] for (name, _), amount in totals.items() if not amount.is_zero]
    print(reports.render_table(rows, frozenset({1})))
    return 0


@command("tree")
def print_tree(options) -> int:
    """Draw the chart of accounts."""
    print(draw_tree(list(load(options.file).tree)))
    return 0


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ledgerkit", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name, function in COMMANDS.items():
        verb = verbs.add_parser(name, help=function.__doc__)
        verb.add_argument("file")
        verb.add_argument("--depth", type=int, default=9)
    return parser


def main(argv=None) -> int:
    """Entry point; mistakes in the input are told on stderr with exit code 2."""
    options = build_parser().parse_args(argv)
    try:
        return COMMANDS[options.verb](options)
    except JournalSyntaxError as problem:
        print(problem, file=sys.stderr)
        print(problem.advice(), file=sys.stderr)
    except (LedgerError, OSError) as problem:
        print(f"ledgerkit: {problem}", file=sys.stderr)
    return 2
