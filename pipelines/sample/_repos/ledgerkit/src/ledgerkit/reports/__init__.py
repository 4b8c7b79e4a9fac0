"""What can be printed about a journal."""

from .balance import balance_sheet, income_statement, roll_up, trial_balance
from .render import draw_tree, render_table, shorten

__all__ = [
    "balance_sheet",
    "draw_tree",
    "income_statement",
    "render_table",
    "roll_up",
    "shorten",
    "trial_balance",
]
