"""tools/include-examples: the guide shows the examples as they are, and a difference is seen."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools/include-examples"
SOURCE = """// A file.

// What it is for.
int one() {
    return 1;
}

int two() {
    return one() + 1;
}
"""
PAGE = """# Page

Above.

<!-- include: examples/a.cpp#one -->

<!-- include: examples/a.cpp -->
```cpp
an old text
```

Below.
"""


def run(*arguments):
    return subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True,
                          check=False)


class IncludeExamples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "examples").mkdir()
        (self.root / "docs").mkdir()
        (self.root / "examples/a.cpp").write_text(SOURCE)
        self.page = self.root / "docs/page.md"
        self.page.write_text(PAGE)

    def test_the_guide_shows_the_files_as_they_are(self):
        result = run("--check")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_every_example_is_shown_somewhere(self):
        pages = "".join(page.read_text() for page in ROOT.glob("docs/**/*.md"))
        for example in sorted((ROOT / "examples").glob("[0-9]*.cpp")):
            self.assertIn(f"<!-- include: examples/{example.name}", pages)

    def test_examples_have_ten_to_sixty_lines(self):
        for example in (ROOT / "examples").glob("[0-9]*.cpp"):
            count = len(example.read_text().splitlines())
            self.assertTrue(10 <= count <= 60, f"{example.name}: {count} lines")

    def test_puts_a_file_and_a_function_in_and_keeps_the_rest(self):
        self.assertEqual(run(self.root).returncode, 0)
        text = self.page.read_text()
        self.assertIn("```cpp\n" + SOURCE + "```\n\nBelow.\n", text)
        one = "// What it is for.\nint one() {\n    return 1;\n}\n"
        self.assertIn("#one -->\n```cpp\n" + one + "```\n", text)
        self.assertNotIn("an old text", text)
        self.assertEqual(run("--check", self.root).returncode, 0)

    def test_a_method_is_moved_left_and_a_template_is_whole(self):
        (self.root / "examples/a.cpp").write_text("template <class T>\nclass Box {\npublic:\n"
                                                  "    // Gives it.\n    T get() {\n"
                                                  "        return value;\n    }\n};\n")
        self.page.write_text("# Page\n\n<!-- include: examples/a.cpp#get -->\n\n"
                             "<!-- include: examples/a.cpp#Box -->\n")
        self.assertEqual(run(self.root).returncode, 0)
        text = self.page.read_text()
        self.assertIn("```cpp\n// Gives it.\nT get() {\n    return value;\n}\n```\n", text)
        self.assertIn("```cpp\ntemplate <class T>\nclass Box {\n", text)

    def test_a_name_of_a_parameter_is_no_definition(self):
        (self.root / "examples/a.cpp").write_text("struct Gate {\n    int x;\n};\n\n"
                                                  "void walk(Gate& pass) {\n}\n\n"
                                                  "void pass() {\n}\n")
        self.page.write_text("# Page\n\n<!-- include: examples/a.cpp#Gate -->\n\n"
                             "<!-- include: examples/a.cpp#pass -->\n")
        self.assertEqual(run(self.root).returncode, 0)
        text = self.page.read_text()
        self.assertIn("```cpp\nstruct Gate {\n    int x;\n};\n```\n", text)
        self.assertIn("```cpp\nvoid pass() {\n}\n```\n", text)

    def test_check_names_the_page_that_differs_and_writes_nothing(self):
        result = run("--check", self.root)
        self.assertEqual(result.returncode, 1)
        self.assertIn("docs/page.md: not as the files are", result.stdout)
        self.assertEqual(self.page.read_text(), PAGE)

    def test_what_is_not_there_is_named(self):
        self.page.write_text("# Page\n\n<!-- include: examples/gone.cpp -->\n")
        self.assertIn("there is no examples/gone.cpp", run(self.root).stdout)
        self.page.write_text("# Page\n\n<!-- include: examples/a.cpp#three -->\n")
        self.assertIn("0 definitions of three", run("--check", self.root).stdout)


if __name__ == "__main__":
    unittest.main()
