"""What can go wrong, with enough in each error to point at the line."""


class LedgerError(Exception):
    """Base of every error this package raises on purpose."""


class CurrencyMismatch(LedgerError):
    def __init__(self, left, right):
        super().__init__(f"cannot combine {left} with {right}")
        self.left = left
        self.right = right


class MoneySyntaxError(LedgerError):
    """A piece of text that was meant to be an amount and is not."""


class JournalSyntaxError(LedgerError):
    def __init__(self, message, source="<text>", line=0):
        super().__init__(message)
        self.source = source
        self.line = line

    def __str__(self):
        return f"{self.source}:{self.line}: {self.args[0]}"

    def advice(self):
        """One sentence for people who see this kind of message for the first time."""
        text = self.args[0]
        if "date" in text:
            return "Dates are written year-month-day, for example 2024-02-29."
        if "amount" in text:
            return "Leave at least two blanks between the account and its amount."
        return "See the README for a complete example."


class UnknownAccount(LedgerError):
    def __init__(self, name, near=()):
        hint = f" (did you mean {', '.join(near)}?)" if near else ""
        super().__init__(f"unknown account {name!r}{hint}")
        self.name = name
        self.near = tuple(near)
