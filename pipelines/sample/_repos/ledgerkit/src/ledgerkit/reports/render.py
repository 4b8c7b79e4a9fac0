"""Plain text drawing: tables and trees.  Signs used: ├─ └─ │ and the ellipsis …."""
from __future__ import annotations

import unicodedata


def display_width(text: str) -> int:
    """Columns a text takes on a terminal: wide signs two, combining marks none."""
    width = 0
    for char in text:
        if unicodedata.combining(char):
            continue
        width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return width


def pad_cell(text: str, width: int, right: bool = False) -> str:
    gap = " " * max(0, width - display_width(text))
    return gap + text if right else text + gap


def shorten(text: str, width: int) -> str:
    """Cut to a width, with an ellipsis in the middle so that both ends stay readable."""
    if len(text) <= width:
        return text
    keep = width - 1
    head = (keep + 1) // 2
    return text[:head] + "…" + text[len(text) - (keep - head):]


def render_table(rows: list[list[str]], right: frozenset[int] = frozenset()) -> str:
    """Columns as wide as their widest cell, two blanks apart, no trailing blanks."""
    if not rows:
        return ""
    widths = [max(display_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [pad_cell(cell, widths[i], i in right) for i, cell in enumerate(row)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def draw_tree(names: list[str], separator: str = ":") -> str:
    """Account names as a tree with branch lines, children under their parent."""
    root: dict = {}
    for name in names:
        node = root
        for part in name.split(separator):
            node = node.setdefault(part, {})
    lines: list[str] = []

    def walk(node: dict, lead: str):
        items = sorted(node.items())
        for index, (part, below) in enumerate(items):
            last = index == len(items) - 1
            lines.append(f"{lead}{'└─ ' if last else '├─ '}{part}")
            walk(below, lead + ("   " if last else "│  "))

    walk(root, "")
    return "\n".join(lines)
