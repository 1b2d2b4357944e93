"""Markdown whose links, names and titles hold."""

import posixpath
import re
from urllib.parse import unquote

FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$", re.MULTILINE)


def pages(tree):
    return [file for file in tree.select(".md") if not file.is_data]


def prose(file, spans=True):
    """The page without fenced code (and without code spans), every offset kept."""
    text = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), file.text)
    return text if spans else SPAN.sub(lambda match: " " * len(match[0]), text)


def links_resolve(tree):
    for file in pages(tree):
        for match in LINK.finditer(prose(file, spans=False)):
            target = match[1] or match[2]
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            line = file.line_at(match.start())
            name, _, anchor = target.partition("#")
            path = resolve(file.path, unquote(name))
            if not exists(tree, path):
                yield file.finding(line, "link", f"{target}: there is no {path}")
            elif anchor and path.endswith(".md") and anchor not in anchors(tree.files[path]):
                yield file.finding(line, "link", f"{target}: {path} has no such heading")


def resolve(page, name):
    if not name:
        return page
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), name))


def exists(tree, path):
    return (path in tree.files or path == "."
            or any(known.startswith(path.rstrip("/") + "/") for known in tree.paths))


def anchors(file):
    """The anchors that a reader's browser gets from the headings."""
    seen = {}
    found = set()
    for match in HEADING.finditer(prose(file)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[2]).lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


NAMED = re.compile(r"`((?:src|tests|tools|docs|bench|fuzz|examples|cmake|packages)/[\w./+-]+)`")


def named_files_exist(tree):
    """`src/base/hash.h` in a text is a promise too; without an ending it may be a pair of files."""
    for file in pages(tree):
        for match in NAMED.finditer(prose(file)):
            path = match[1].rstrip("/")
            if not exists(tree, path) and not any(path + end in tree.files
                                                  for end in (".h", ".cpp", ".md")):
                yield file.finding(file.line_at(match.start()), "named-file",
                                   f"there is no {path}")


def one_title(tree):
    for file in pages(tree):
        titles = [match for match in HEADING.finditer(prose(file)) if match[1] == "#"]
        if not titles:
            yield file.finding(1, "title", "begin with one '# Title'")
        for extra in titles[1:]:
            yield file.finding(file.line_at(extra.start()), "title",
                               "a second title; make it a section ('##')")
