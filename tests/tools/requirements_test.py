"""Every requirement has a test with its number, or a reason why it is elsewhere.

A1 to A52 are what asynchronous programs are taught and expected to do; F what the reference crawler
offers; W what it gets wrong; H what the web, the disk and the machine may do to a crawler. A number
is proved where a test's name carries it: TEST(Queue, A39GetWaitsForPut), test_h92_a_second_weft().
"""

import re
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent

# Those that do not speak of the runtime, where they are proved, and why there.
ELSEWHERE = {
    "A47": ("http", "Connection: close and the framing of bodies are HTTP's"),
    "A49": ("http", "a long page is read by the HTML reader, which aio does not know"),
    "A50": ("crawl", "how many fetches are under way is the crawler's to say"),
    "A51": ("http", "connections are kept by the HTTP client's pool"),
}
RUNTIME = ([f"A{n}" for n in range(1, 53) if f"A{n}" not in ELSEWHERE]
           + [f"H{n}" for n in range(56, 61)])

# What a crawl is held to.
CRAWL = ([f"H{n}" for n in [1, 36, *range(66, 94), *range(97, 102), 104, *range(120, 123)]]
         + [f"W{n}" for n in range(1, 29)]
         + [f"F{n}" for n in [*range(1, 16), *range(19, 24)]])

# What comes of a crawl: files that last, text that does no harm, the reference's own numbers.
FACE = ([f"H{n}" for n in [*range(86, 97), 102, 103]] + [f"F{n}" for n in range(16, 19)])

# Of these: proved by other means, and by which.
OTHERWISE = {
    "W21": "several cores are measured, not tested: bench/run crawl",
}

TEST_NAME = re.compile(r"\bTEST(?:_P|_F)?\(\s*\w+,\s*(\w+)\s*\)")
NUMBER = re.compile(r"(?:^|(?<=[a-z0-9]))([AFHW]\d{1,3})(?=[A-Z]|$)")
SCRIPT_NAME = re.compile(r"\bdef test_(\w+)")
SCRIPT_NUMBER = re.compile(r"(?:^|_)([afhw]\d{1,3})(?=_|$)")


def proved(folder):
    """The numbers in the names of the tests of a folder."""
    names = [name for file in sorted((TESTS / folder).glob("*_test.cpp"))
             for name in TEST_NAME.findall(file.read_text())]
    return {number for name in names for number in NUMBER.findall(name)}


def proved_anywhere():
    numbers = set()
    for file in TESTS.rglob("*_test.cpp"):
        for name in TEST_NAME.findall(file.read_text()):
            numbers.update(NUMBER.findall(name))
    for file in TESTS.rglob("*_test.py"):
        for name in SCRIPT_NAME.findall(file.read_text()):
            numbers.update(number.upper() for number in SCRIPT_NUMBER.findall(name))
    return {re.sub(r"(?<=[A-Z])0+", "", number) for number in numbers}  # H01 is H1.


class Requirements(unittest.TestCase):
    def test_each_one_on_crawls_has_a_numbered_test(self):
        found = proved_anywhere()
        missing = [number for number in CRAWL + FACE
                   if number not in found and number not in OTHERWISE]
        self.assertEqual(missing, [], "no test carries these numbers")
        self.assertEqual([number for number in OTHERWISE if number in found], [],
                         "these have a test now: take them off the list")

    def test_each_one_on_the_runtime_has_a_numbered_test(self):
        missing = [number for number in RUNTIME if number not in proved("aio")]
        self.assertEqual(missing, [], "no test in tests/aio carries these numbers")

    def test_each_other_one_names_a_library_and_a_reason(self):
        for number, (library, reason) in ELSEWHERE.items():
            self.assertTrue((TESTS / library).is_dir(), f"{number}: there is no tests/{library}")
            self.assertGreater(len(reason), 10, number)

    def test_numbers_are_found_in_names(self):
        self.assertEqual(NUMBER.findall("A40A41NothingIsLeft"), ["A40", "A41"])
        self.assertEqual(NUMBER.findall("A2ARefusedConnectSaysSo"), ["A2"])
        self.assertEqual(NUMBER.findall("ACutStreamDoesNotEndABodyH59"), ["H59"])
        self.assertEqual(NUMBER.findall("H100AClockThatJumps"), ["H100"])
        self.assertEqual(SCRIPT_NUMBER.findall("w26_h99_each_signal"), ["w26", "h99"])


if __name__ == "__main__":
    unittest.main()
