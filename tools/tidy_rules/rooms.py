"""The rooms of the libraries: how large they are, what each library says of them at its door, and
that one name is one type."""

import re
from collections import defaultdict

ROOM_FILES_MAX = 30
README_LINES_MAX = 40

OPENING = re.compile(
    r"\b(?P<namespace>(?:inline\s+)?namespace(?P<name>[\w:\s]*))\{"
    r"|\b(?:class|struct|union|enum(?:\s+class)?)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*)*"
    r"(?P<type>\w+(?:::\w+)*)(?:\s+final)?\s*(?::(?!:)[^;{}()]*)?\{"
    r"|\{|\}")


def rooms_are_small(tree):
    """A folder of src can be seen at a glance."""
    rooms = defaultdict(list)
    for file in tree.select(".h", ".cpp", ".inc", under=("src",)):
        rooms[file.path.rsplit("/", 1)[0]].append(file)
    for room, files in sorted(rooms.items()):
        if len(files) > ROOM_FILES_MAX:
            yield files[-1].finding(1, "room", f"{room} has {len(files)} files, the most is "
                                   f"{ROOM_FILES_MAX}; make two rooms of it")


def each_library_has_a_door(tree):
    """src/http/README.md says what the library is for and names its rooms, all of them."""
    libraries = defaultdict(list)
    for file in tree.select(".h", ".cpp", ".inc", under=("src",)):
        if file.library:
            libraries[file.library].append(file)
    for library, files in sorted(libraries.items()):
        door = tree.files.get(f"src/{library}/README.md")
        if door is None:
            yield files[0].finding(1, "door", f"src/{library}/README.md does not exist")
            continue
        names = {path[2] for path in (file.path.split("/") for file in files) if len(path) == 4}
        if len(door.lines) - 1 > README_LINES_MAX:
            yield door.finding(README_LINES_MAX, "door",
                               f"{len(door.lines) - 1} lines, the most is {README_LINES_MAX}")
        for name in sorted(names):
            if f"`{name}`" not in door.text:
                yield door.finding(1, "door", f"it does not say what `{name}` is for")


def one_name_is_one_type(tree):
    """Two types of one name in one namespace are the same to the linker, whatever they hold: the
    program then runs the code of either."""
    found = defaultdict(list)
    for file in tree.cpp("src"):
        for name, line in types_of(file):
            found[name].append((file, line))
    for name, places in sorted(found.items()):
        first, *others = places
        for file, line in others:
            yield file.finding(line, "one-type", f"{name} is defined in {first[0].path} too")


def types_of(file):
    """The types that a file defines at the level of a namespace, with their lines. Those of a
    namespace without a name belong to one file alone."""
    scopes = []
    for match in OPENING.finditer(file.code):
        if match["namespace"]:
            name = match["name"].strip()
            scopes.append(name or "{file}")
        elif match["type"] and all(scope is not None for scope in scopes):
            if "{file}" not in scopes and "::" not in match["type"]:
                yield "::".join([*scopes, match["type"]]), file.line_at(match.start())
            scopes.append(None)
        elif match[0] == "}":
            if scopes:
                scopes.pop()
        else:
            scopes.append(None)
