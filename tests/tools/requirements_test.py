"""Every requirement on the runtime has a test with its number, or a reason why it is elsewhere.

A1 to A52 are what asynchronous programs are taught and expected to do; H56 to H60 what TLS peers
may try. A number is proved where a test's name carries it: TEST(Queue, A39GetWaitsForPut).
"""

import re
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent

# Those that do not speak of the runtime, where they are proved, and why there.
ELSEWHERE = {
    "A47": ("http", "Connection: close and the framing of bodies are HTTP's"),
    "A50": ("crawl", "how many fetches are under way is the crawler's to say"),
    "A51": ("http", "connections are kept by the HTTP client's pool"),
}
RUNTIME = ([f"A{n}" for n in range(1, 53) if f"A{n}" not in ELSEWHERE]
           + [f"H{n}" for n in range(56, 61)])

TEST_NAME = re.compile(r"\bTEST(?:_P|_F)?\(\s*\w+,\s*(\w+)\s*\)")
NUMBER = re.compile(r"(?:^|(?<=[a-z0-9]))([AH]\d{1,2})(?=[A-Z]|$)")


def proved(folder):
    """The numbers in the names of the tests of a folder."""
    names = [name for file in sorted((TESTS / folder).glob("*_test.cpp"))
             for name in TEST_NAME.findall(file.read_text())]
    return {number for name in names for number in NUMBER.findall(name)}


class Requirements(unittest.TestCase):
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
        self.assertEqual(NUMBER.findall("A100Thousand"), [])


if __name__ == "__main__":
    unittest.main()
