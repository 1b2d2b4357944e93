#!/usr/bin/env python3
"""What the compiler says of everyday mistakes: compiler_test.py CLANG SOURCE_DIR FILE..."""

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

CLANG, SOURCE = sys.argv[1], Path(sys.argv[2])
FOLDER = SOURCE / "tests" / "aio" / "compiler"
FLAGS = ["-std=c++23", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-variable",
         "-Wno-unused-but-set-variable", "-I", str(SOURCE / "src")]


def compiled(compiler, name):
    """The notes of a compiler on a file of the folder: [(line, kind, text)]."""
    done = subprocess.run([compiler, *FLAGS, str(FOLDER / name)], capture_output=True, text=True,
                          timeout=300)
    notes = re.findall(r"([^\s:]+):(\d+):(?:\d+:)? (warning|error|fatal error): (.*)", done.stderr)
    return done.returncode, [(Path(file).name, int(line), kind, text)
                             for file, line, kind, text in notes], done.stderr


def marked(name, word):
    """The lines of a file that are marked, with what the compiler is to say there."""
    lines = (FOLDER / name).read_text().splitlines()
    return {number: line.split(word)[1].strip()
            for number, line in enumerate(lines, 1) if f"// {word} " in line}


class Compiler(unittest.TestCase):
    def test_warns_of_each_forgotten_await_and_of_references_that_dangle(self):
        _, notes, output = compiled(CLANG, "forgotten.cpp")
        said = {line: text for file, line, kind, text in notes if file == "forgotten.cpp"}
        expected = marked("forgotten.cpp", "WARNS")
        self.assertGreater(len(expected), 20)
        self.assertEqual(sorted(said), sorted(expected), output)
        for line, text in expected.items():
            self.assertIn(text, said[line])

    def test_refuses_what_the_loop_cannot_resume_and_says_what_it_can(self):
        code, _, output = compiled(CLANG, "foreign.cpp")
        self.assertNotEqual(code, 0)
        for text in marked("foreign.cpp", "FAILS").values():
            self.assertIn(text, output)

    @unittest.skipUnless(shutil.which("g++-12"), "no g++-12 here")
    def test_refuses_a_gcc_that_miscompiles_coroutines(self):
        code, _, output = compiled("g++-12", "old_compiler.cpp")
        self.assertNotEqual(code, 0)
        self.assertIn("use clang++-19", output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
