"""Each place where the program ends itself rests on a row of docs/internals/assertions.md."""

import re

from .tree import closing

PAGE = "docs/internals/assertions.md"

# Below these nothing knows what comes from outside; demo serves only what it made itself.
UNBOUND = ("base", "aio", "demo")

PLACE = re.compile(r"\bWEFT_ASSERT\s*\(|\.value\(\)|(?:\.|->)at\(|\bstd::get<")
LINK = re.compile(r"\]\((?:\.\./)*(src/[^)#\s]+)\)")
CODE = re.compile(r"`([^`]+)`")


class Row:
    def __init__(self, line, cells):
        self.line = line
        self.paths = LINK.findall(cells[0])
        self.texts = CODE.findall(cells[1])


def assertions_are_listed(tree):
    """A place must contain the code of a row that names its file; each row must have a place."""
    rows = list(read_rows(tree))
    used = set()
    for file in tree.cpp("src"):
        if not file.library or file.library in UNBOUND:
            continue
        of_file = [(row, text) for row in rows if file.path in row.paths for text in row.texts]
        for match in PLACE.finditer(file.code):
            code = code_of(file, match)
            found = {(row, text) for row, text in of_file if text in code}
            used |= found
            if not found:
                yield file.finding(file.line_at(match.start()), "assertion",
                                   f"{match[0].strip('(')} may end the program: check what comes "
                                   f"from outside, or say in {PAGE} why nothing from there gets "
                                   "here")
    for row in rows:
        for text in row.texts:
            if (row, text) not in used:
                yield tree.files[PAGE].finding(row.line, "assertion",
                                               f"no place of these files has `{text}` any more")


def code_of(file, match):
    """The line of a place, to the end of its brackets, with single spaces."""
    begin = file.text.rfind("\n", 0, match.start()) + 1
    end = match.end()
    if match[0].endswith("("):
        end = closing(file.code, match.end() - 1)
    end = file.text.find("\n", end)
    return " ".join(file.text[begin:end if end >= 0 else None].split())


def read_rows(tree):
    """Rows of tables whose first cell names files: | files | code | why |."""
    if PAGE not in tree.files:
        return
    for number, line in enumerate(tree.files[PAGE].lines, 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and LINK.search(cells[0]):
            yield Row(number, cells)
