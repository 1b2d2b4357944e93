"""Links between documents: links.py FOLDER names those that lead nowhere, and exits 1 if any do."""

import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^(```.*?^```|    .*?)$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def headings(text):
    """What #fragments name, as the usual readers of Markdown make them."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(folder):
    """(document, link) of each link in FOLDER's documents that leads to no place in it."""
    root = pathlib.Path(folder).resolve()
    found = []
    for page in sorted(root.rglob("*.md")):
        for link in LINK.findall(CODE.sub("", page.read_text())):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, fragment = urllib.parse.unquote(link).partition("#")
            target = (page.parent / path).resolve() if path else page
            is_inside = target == root or root in target.parents
            is_good = is_inside and target.exists() and (
                not fragment or fragment in headings(target.read_text()))
            if not is_good:
                found.append((str(page.relative_to(root)), link))
    return found


if __name__ == "__main__":
    broken = broken_links(sys.argv[1])
    for page, link in broken:
        print(f"{page}: {link} leads nowhere", file=sys.stderr)
    sys.exit(1 if broken else 0)
