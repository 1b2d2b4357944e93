"""The libraries and what each may include (docs/architecture.md), and the lists of their files."""

import re
from pathlib import PurePosixPath

BELOW_HTTP = ("web", "aio", "base")
BELOW_CRAWL = ("extract", "frontier", "archive", "http", *BELOW_HTTP)

# What a library may include besides itself. `web` is pure, so it does not see `aio`; the demo site
# is for the command and the tests, so the crawler does not see `demo`.
MAY_INCLUDE = {
    "base": (),
    "aio": ("base",),
    "web": ("base",),
    "extract": ("web", "base"),
    "http": BELOW_HTTP,
    "redis": BELOW_HTTP,
    "archive": ("http", *BELOW_HTTP),
    "frontier": BELOW_HTTP,
    "cluster": ("frontier", "redis", "http", *BELOW_HTTP),
    "demo": ("http", *BELOW_HTTP),
    "crawl": BELOW_CRAWL,
    "dashboard": ("crawl", *BELOW_CRAWL),
    "cli": ("dashboard", "crawl", "demo", "cluster", "redis", *BELOW_CRAWL),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def includes_point_downwards(tree):
    for file in tree.select(".h", ".cpp", ".inc"):
        if file.library and file.library not in MAY_INCLUDE:
            yield file.finding(1, "layer", f"no layer is known for src/{file.library}; "
                               "give it one in tools/tidy_rules/layers.py")
            continue
        for number, line in enumerate(file.lines, 1):
            if found := INCLUDE.match(line):
                if trouble := judge_include(tree, file, found[1]):
                    yield file.finding(number, "layer", trouble)


def judge_include(tree, file, name):
    library = name.split("/")[0]
    if library not in MAY_INCLUDE:
        if file.library and not name.endswith(".inc"):
            return f'write the path from src: "{file.library}/{PurePosixPath(name).name}"'
        return None
    if file.path.startswith("tests/") and f"tests/{name}" in tree.files:
        return None
    if f"src/{name}" not in tree.files:
        return f"src/{name} does not exist"
    here = file.library or (file.path.split("/")[1] if file.top == "tests" else None)
    if library == here:
        return None
    if file.library and library not in MAY_INCLUDE[file.library]:
        may = ", ".join(MAY_INCLUDE[file.library]) or "no other library"
        return f"{file.library} may not include {library} (it may: {may}); move one of the two"
    if library == "cli" and not file.library:
        return "nothing but cli includes cli; move what is needed to a library"
    return None


SECTION = re.compile(r"\b(HEADERS|PRIVATE_HEADERS|SOURCES|DEPENDS|PRIVATE)\b|([\w/]+\.h)\b")


def private_headers(tree):
    """Those that the libraries keep to themselves, as others would include them."""
    found = set()
    for lists in tree.select("CMakeLists.txt", under=("src",)):
        library, section = lists.library, None
        for match in SECTION.finditer(lists.text):
            section = match[1] or section
            if match[2] and section == "PRIVATE_HEADERS":
                found.add(f"{library}/{match[2]}")
    return found


def public_headers_show_public_ones(tree):
    """What is installed must compile where only the public headers are; so must the examples."""
    private = private_headers(tree)
    for file in tree.cpp("src", "examples"):
        is_installed = (file.top == "examples" or
                        file.path.endswith(".h") and file.library != "cli"
                        and file.path.removeprefix("src/") not in private)
        for number, line in enumerate(file.lines, 1) if is_installed else ():
            found = INCLUDE.match(line)
            if found and found[1] in private:
                yield file.finding(number, "private-header", f"{found[1]} is not installed; use "
                                   "a public header, or make this one private")


# `a/b.cpp` and the like in a CMakeLists.txt.
LISTED = re.compile(r"[\w./+-]+\.(?:cpp|h|inc)\b")


def files_are_listed(tree):
    """Every source and public header stands in a CMakeLists.txt above it, and every name there is
    a file: nothing dead in the tree, nothing missing from the checks that CMake drives."""
    listed = set()
    for lists in tree.select("CMakeLists.txt"):
        folder = PurePosixPath(lists.path).parent
        for number, line in enumerate(lists.lines, 1):
            for name in LISTED.findall(line.split("#")[0]):
                if "/usr/" in name or name.startswith("/"):
                    continue
                path = (folder / name).as_posix()
                listed.add(path)
                if path not in tree.files and "configure_file" not in line:
                    yield lists.finding(number, "listed", f"{name} does not exist")
    for file in tree.cpp("src", "tests", "bench", "fuzz", "examples"):
        wanted = file.top == "src" or file.name.endswith(".cpp")
        if wanted and not file.is_data and file.path not in listed:
            yield file.finding(1, "listed", "add it to its CMakeLists.txt, or delete it")
