"""Words and characters that do not belong into the tree."""

import re

# Spelled in two halves so that this file passes its own rules.
LEFTOVER = re.compile(r"\b(" + "|".join(["TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK"]) + r")\b"
                      r"|\bDISABLED_\w+")


def no_leftovers(tree):
    for file in tree.texts():
        for number, line in enumerate(file.lines, 1):
            if found := LEFTOVER.search(line):
                yield file.finding(number, "leftover", f"{found[0]}: do it now or open an issue")


MACHINE_PATH = re.compile(r"(?:^|[\s\"'`(=:])/(?:" + "|".join([
    "wo" "rk", "fa" "rm", "ro" "ot", r"ho" r"me/\w+", "Us" "ers"]) + r")/\w")
REGISTRY = re.compile(r"\b(?:" + "|".join([
    r"deb\.deb" r"ian\.org", r"snapshot\.deb" r"ian\.org", r"registry\.np" r"mjs\.\w+",
    r"files\.python" r"hosted\.org"]) + r")\b")


def no_machine_paths(tree):
    for file in tree.texts():
        for number, line in enumerate(file.lines, 1):
            if found := MACHINE_PATH.search(line) or REGISTRY.search(line):
                yield file.finding(number, "machine-path", f"{found[0].strip()}: true on one "
                                   "machine only; use a relative path or an option")


BANNER = re.compile(r"^\s*(?://|#|\*|/\*)[ /#*]*([-=*#~_])\1{3,}")
TAG = re.compile(r"(?://|\*).*[@\\](?:param|brief|returns?|throws?|note|tparam|file|author)\b")


def plain_comments(tree):
    for file in tree.cpp() + tree.select(".py", ".sh", ".cmake", "CMakeLists.txt"):
        for number, line in enumerate(file.lines, 1):
            if BANNER.search(line):
                yield file.finding(number, "comment", "no banners; a name or a file says it better")
            elif file.name.endswith((".h", ".cpp")) and TAG.search(line):
                yield file.finding(number, "comment", "no tags; say it in a sentence")


def clean_space(tree):
    for file in tree.texts():
        if not file.text:
            continue
        if not file.text.endswith("\n") or file.text.endswith("\n\n"):
            yield file.finding(len(file.lines), "space", "end the file with one newline")
        for number, line in enumerate(file.lines, 1):
            if line != line.rstrip():
                yield file.finding(number, "space", "take the white space off the line's end")
            elif "\t" in line and file.name.endswith((".h", ".cpp", ".py", ".cmake", ".sh")):
                yield file.finding(number, "space", "write a tab as \\t, indent with spaces")
    for file in tree.select(".h"):
        if not file.is_data and "#pragma once" not in file.lines:
            yield file.finding(1, "pragma-once", "begin the header with #pragma once")
