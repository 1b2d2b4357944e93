"""Files, lines and functions that fit a screen."""

import re

from .tree import closing

FILE_LINES_MAX = 600
LINE_COLUMNS_MAX = 100
FUNCTION_LINES_MAX = 70

CODE = (".h", ".cpp", ".inc", ".py", ".sh", ".cmake", "CMakeLists.txt")


def hand_written(tree):
    return [file for file in tree.texts() if file.name.endswith(CODE) or file.is_script]


def files_are_short(tree):
    for file in hand_written(tree):
        count = len(file.lines) - 1
        if count > FILE_LINES_MAX:
            yield file.finding(FILE_LINES_MAX + 1, "file-length",
                               f"{count} lines, the most is {FILE_LINES_MAX}; split it by concept")


def lines_are_short(tree):
    for file in hand_written(tree):
        if not any(len(line) > LINE_COLUMNS_MAX for line in file.lines):
            continue
        raw = raw_string_lines(file)
        for number, line in enumerate(file.lines, 1):
            bare_url = re.fullmatch(r"\s*(//|#)\s*\S*://\S+", line)
            if len(line) > LINE_COLUMNS_MAX and number not in raw and not bare_url:
                yield file.finding(number, "line-length",
                                   f"{len(line)} columns, the most is {LINE_COLUMNS_MAX}")


def raw_string_lines(file):
    """Lines that a raw string touches: their width is the data's."""
    touched = set()
    for match in re.finditer(r'R"([^()\\ ]{0,16})\(.*?\)\1"', file.text, re.DOTALL):
        touched |= set(range(file.line_at(match.start()), file.line_at(match.end()) + 1))
    return touched


def functions_are_short(tree):
    for file in tree.cpp():
        for first, last in functions(file):
            if last - first + 1 > FUNCTION_LINES_MAX:
                yield file.finding(first, "function-length", f"{last - first + 1} lines, the most "
                                   f"is {FUNCTION_LINES_MAX}; name its parts")


NOT_A_FUNCTION = re.compile(r"^\s*(namespace|class|struct|union|enum|extern|export)\b|[=,(]\s*$")


def functions(file):
    """First and last line of each function body with its head, outermost functions only."""
    code = file.code
    position = 0
    head = 0
    for match in re.compile(r"[{};]").finditer(code):
        if match.start() < position:
            continue
        text = code[head:match.start()]
        if match[0] == "{" and ")" in text and not NOT_A_FUNCTION.search(strip_template(text)):
            end = closing(code, match.start())
            yield file.line_at(head + len(text) - len(text.lstrip())), file.line_at(end)
            position = end + 1
            head = position
        else:
            head = match.end()


def strip_template(text):
    """The declaration without a leading access label, attributes and `template <...>`."""
    text = re.sub(r"^\s*(public|private|protected)\s*:", "", text)
    text = re.sub(r"\[\[.*?\]\]", "", text)
    return re.sub(r"^\s*template\s*<[^{]*?>\s*(?=class|struct|union)", "", text)
