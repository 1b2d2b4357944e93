"""Each row of "What survives what" names tests, and they are there: survival_test.py."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs/guide/operating.md"


def rows():
    section = GUIDE.read_text().split("\n## What survives what\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[-1] not in ("tests", "tests |"):
            yield cells


def known_tests():
    names = set()
    for path in (ROOT / "tests").rglob("*_test.cpp"):
        for suite, test in re.findall(r"(?m)^TEST(?:_P|_F)?\(\s*(\w+),\s*(\w+)\)",
                                      path.read_text()):
            names.add(f"{suite}.{test}")
    lists = (ROOT / "tests/CMakeLists.txt").read_text()
    names.update(re.findall(r"weft_script_test\((\w+)[\s)]", lists))
    for parts, prefix in re.findall(
            r"foreach\(part IN ITEMS ([\w ]+)\)\s+weft_script_test\((\w+)\$\{part\}", lists):
        names.update(prefix + part for part in parts.split())
    listed = re.search(r"DISTURBANCES = \{.*?in \(\s*(.*?)\)\}", (ROOT / "tools/chaos").read_text(),
                       re.DOTALL)[1]
    names.update("chaos:" + name for name in re.findall(r"\w+", listed))
    return names


class Survival(unittest.TestCase):
    def test_every_row_names_tests_that_exist(self):
        known = known_tests()
        found = list(rows())
        self.assertGreater(len(found), 10)
        for cells in found:
            self.assertEqual(len(cells), 3, cells)
            named = re.findall(r"`([^`]+)`", cells[2])
            self.assertTrue(named, f"no test: {cells[0]}")
            for name in named:
                self.assertIn(name, known, cells[0])

    def test_every_disturbance_has_its_row(self):
        text = " ".join(cells[2] for cells in rows())
        for name in known_tests():
            if name.startswith("chaos:"):
                self.assertIn(f"`{name}`", text)


if __name__ == "__main__":
    unittest.main()
