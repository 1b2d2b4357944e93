"""docs/requirements.md and the tests agree: each number there has a test, each of a test is there.

A1 to A52 are what asynchronous programs do; F what the reference crawler offers; W what it gets
wrong; H what servers, networks, disks and machines may do to a crawler. A number is proved where a
test's name carries it: TEST(Queue, A39GetWaitsForPut), test_h92_a_second_weft(). A line of the page
with the word "otherwise:" says how its requirement is met without such a test.
"""

import functools
import re
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
PAGE = TESTS.parent / "docs/requirements.md"

# A numbers that are not about the runtime: the library whose tests prove them, and why.
ELSEWHERE = {
    "A47": ("http", "Connection: close and the framing of bodies are HTTP's"),
    "A49": ("http", "a long page is read by the HTML reader, which aio does not know"),
    "A50": ("crawl", "the crawler decides how many fetches run at once"),
    "A51": ("http", "the pool of the HTTP client keeps the connections"),
}
# Numbers of other letters that the runtime must prove too.
RUNTIME_AS_WELL = [f"H{n}" for n in range(56, 61)]
# The least that the page must hold: numbers that were given once are not dropped.
LAST = {"A": 52, "F": 23, "W": 28, "H": 136}

ROW = re.compile(r"^\| ([AFHW])0*(\d{1,3}) \| (.+) \|$", re.MULTILINE)
SECTION = re.compile(r"^## ([AFHW]): ", re.MULTILINE)
UNUSED = re.compile(r"^(H\d[^:]*?) are not in use:", re.MULTILINE)
SPAN = re.compile(r"([AFHW])(\d+)(?: to [AFHW](\d+))?")
OTHERWISE = "*otherwise:* "

TEST_NAME = re.compile(r"\b(?:TYPED_)?TEST(?:_P|_F)?\(\s*\w+,\s*(\w+)\s*\)")
NUMBER = re.compile(r"(?:^|(?<=[a-z0-9_]))([AFHW]\d{1,3})(?=[A-Z_]|$)")
SCRIPT_NAME = re.compile(r"\bdef test_(\w+)")
SCRIPT_NUMBER = re.compile(r"(?:^|(?<=_))([afhw]\d{1,3})(?=_|$)", re.IGNORECASE)


def plain(number):
    """h01 and H01 are H1."""
    return f"{number[0].upper()}{int(number[1:])}"


def in_order(numbers):
    return sorted(numbers, key=lambda number: (number[0], int(number[1:])))


def sections():
    """The rows below the heading of each letter: {"A": [("A1", "A fetch ..."), ...], ...}."""
    _, *parts = SECTION.split(PAGE.read_text())
    return {letter: [(row[1] + row[2], row[3]) for row in ROW.finditer(text)]
            for letter, text in zip(parts[::2], parts[1::2])}


def requirements():
    return {number: text for rows in sections().values() for number, text in rows}


def unused():
    """The numbers that the page says are not in use."""
    return {f"{letter}{n}" for said in UNUSED.findall(PAGE.read_text())
            for letter, first, last in SPAN.findall(said)
            for n in range(int(first), int(last or first) + 1)}


@functools.cache
def proved(folder=""):
    """The numbers in the names of the tests of a folder and its rooms: {number: one such name}."""
    found = {}
    for ending, names, numbers in [("cpp", TEST_NAME, NUMBER), ("py", SCRIPT_NAME, SCRIPT_NUMBER)]:
        for file in sorted((TESTS / folder).rglob(f"*_test.{ending}")):
            for name in names.findall(file.read_text()):
                for number in numbers.findall(name):
                    found.setdefault(plain(number), f"{file.relative_to(TESTS)}: {name}")
    return found


class Page(unittest.TestCase):
    def test_each_number_has_a_numbered_test_or_says_how_it_is_met(self):
        found = proved()
        missing = [number for number, text in requirements().items()
                   if number not in found and OTHERWISE not in text]
        self.assertEqual(missing, [], f"no test carries these numbers; add one, or '{OTHERWISE}'")

    def test_what_is_met_otherwise_has_no_test_and_a_reason(self):
        found = proved()
        for number, text in requirements().items():
            if OTHERWISE in text:
                self.assertNotIn(number, found, f"it has a test now: take '{OTHERWISE}' away")
                self.assertGreater(len(text.split(OTHERWISE)[1]), 10, number)

    def test_each_number_of_a_test_is_on_the_page(self):
        known = requirements()
        strange = {number: name for number, name in proved().items() if number not in known}
        self.assertEqual(strange, {}, "docs/requirements.md lacks these numbers")

    def test_each_number_is_there_once_in_the_section_of_its_letter(self):
        found = sections()
        self.assertEqual(list(found), ["A", "F", "W", "H"])
        for letter, rows in found.items():
            numbers = [number for number, _ in rows]
            self.assertEqual([number for number in numbers if number[0] != letter], [])
            self.assertEqual(in_order(numbers), in_order(set(numbers)), "a number is there twice")

    def test_no_number_is_left_out(self):
        listed = [*requirements(), *unused()]
        self.assertEqual(in_order(listed), in_order(set(listed)), "it is in use after all")
        for letter, least in LAST.items():
            last = max(int(number[1:]) for number in listed if number[0] == letter)
            wanted = [f"{letter}{n}" for n in range(1, max(last, least) + 1)]
            self.assertEqual([number for number in wanted if number not in listed], [])


class Runtime(unittest.TestCase):
    def test_each_one_on_the_runtime_has_a_numbered_test_in_aio(self):
        found = proved("aio")
        wanted = [number for number in requirements()
                  if number[0] == "A" and number not in ELSEWHERE]
        missing = [number for number in wanted + RUNTIME_AS_WELL if number not in found]
        self.assertEqual(missing, [], "no test in tests/aio carries these numbers")

    def test_each_other_one_has_its_test_in_another_library_and_a_reason(self):
        known = requirements()
        for number, (library, reason) in ELSEWHERE.items():
            self.assertTrue((TESTS / library).is_dir(), f"{number}: there is no tests/{library}")
            self.assertTrue(number in proved(library) or OTHERWISE in known[number],
                            f"no test in tests/{library} carries {number}")
            self.assertGreater(len(reason), 10, number)


class Names(unittest.TestCase):
    def test_numbers_are_found_in_names(self):
        self.assertEqual(NUMBER.findall("A40A41NothingIsLeft"), ["A40", "A41"])
        self.assertEqual(NUMBER.findall("A2ARefusedConnectSaysSo"), ["A2"])
        self.assertEqual(NUMBER.findall("ACutStreamDoesNotEndABodyH59"), ["H59"])
        self.assertEqual(NUMBER.findall("EntityBombIsInert_H82"), ["H82"])
        self.assertEqual(NUMBER.findall("H100AClockThatJumps"), ["H100"])
        self.assertEqual(NUMBER.findall("W3cDateHasEveryPrecision"), [])
        self.assertEqual(SCRIPT_NUMBER.findall("w26_h99_each_signal"), ["w26", "h99"])
        self.assertEqual(SCRIPT_NUMBER.findall("a_torn_tail_is_kept_aside_H91"), ["H91"])
        self.assertEqual(plain("h01"), "H1")

    def test_tests_of_every_kind_have_names(self):
        for kind in "TEST", "TEST_F", "TEST_P", "TYPED_TEST":
            self.assertEqual(TEST_NAME.findall(f"{kind}(Queue, A39GetWaitsForPut) {{"),
                             ["A39GetWaitsForPut"])

    def test_what_is_not_in_use_is_read_with_its_spans(self):
        self.assertLessEqual({"H105", "H110", "H115", "H128"}, unused())
        self.assertNotIn("H116", unused())


if __name__ == "__main__":
    unittest.main()
